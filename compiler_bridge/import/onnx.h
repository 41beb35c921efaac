// ONNX files to graphs.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/import/onnx/file.h"

namespace presil::import {

/// Reads an ONNX model. Images are N, H, W, C inside the graph; inputs and outputs stay as the file
/// has them, with a transpose where one is an image. Operators between DequantizeLinear and
/// QuantizeLinear become integer operators (numerics kXnnpack: float scales, half to even).
/// @param name of the graph, usually the file's stem
/// Refuses (presil::Refusal): what is no ONNX file or a damaged one, data outside the file, graphs
/// inside operators, and operators outside onnx_operators(), naming the operator.
ir::Graph import_onnx(const uint8_t* bytes, size_t size, const std::string& name);

/// Names of the operators that import_onnx takes, sorted.
std::vector<std::string> onnx_operators();

}  // namespace presil::import
