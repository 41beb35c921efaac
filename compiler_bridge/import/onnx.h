// ONNX files to graphs.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/import/onnx/file.h"

namespace presil::import {

/// Reads an ONNX model. Images are N, H, W, C inside the graph; inputs and outputs stay as the file
/// has them, with a transpose where one is an image. Operators between DequantizeLinear and
/// QuantizeLinear become integer operators (numerics kOnnx: float scales, half to even).
/// @param name of the graph, usually the file's stem
/// @param folder of the file, in which tensors may have their data in files of their own; empty:
///   they may not
/// @param signed_inputs what the file of a network of whole numbers (RequantShift) does not say:
///   its inputs are bytes -128..127, not 0..255
/// Refuses (presil::Refusal): what is no ONNX file or a damaged one, data outside the folder,
/// graphs inside operators, and operators outside onnx_operators(), naming the operator.
ir::Graph import_onnx(const uint8_t* bytes, size_t size, const std::string& name,
                      const std::string& folder = "", bool signed_inputs = false);

/// Names of the operators that import_onnx takes, sorted.
std::vector<std::string> onnx_operators();

}  // namespace presil::import
