// TFLite files to graphs.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/import/format.h"

namespace presil::import {

/// Reads the first (only) subgraph of a TensorFlow Lite flatbuffer. SAME and VALID become explicit
/// padding; shapes, axes, permutations and paddings that the file holds as constant tensors become
/// attributes; the graph comes back verified, with numerics kTflite.
/// @param name of the graph, usually the file's stem
/// Refuses (presil::Refusal): what is no TFLite file or a damaged one, dynamic shapes, and
/// operators or types outside importable_ops(), naming the operator.
ir::Graph import_tflite(const uint8_t* bytes, size_t size, const std::string& name,
                        const CustomOperators& customs = {});
inline ir::Graph import_tflite(const std::vector<uint8_t>& bytes, const std::string& name) {
  return import_tflite(bytes.data(), bytes.size(), name);
}

struct ImportableOp {
  std::string tflite;  ///< name in the file, e.g. "CONV_2D"
  ir::OpKind kind;
  std::string types;  ///< activation types, e.g. "int8"
};
/// What import_tflite takes, in the order of the file format's numbers.
std::vector<ImportableOp> importable_ops();

}  // namespace presil::import
