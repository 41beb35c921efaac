// An ONNX file as plain values: what the importer reads, Protocol Buffers are in file.cpp alone.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::import::onnx {

struct Attribute {
  float f = 0;
  int64_t i = 0;
  std::string s;
  std::vector<int64_t> ints;
  std::vector<float> floats;
  std::optional<ir::Tensor> tensor;
};

struct Node {
  std::string op;    ///< "Conv"; "domain.Op" outside the standard's own domain
  std::string name;  ///< may be empty
  std::vector<std::string> inputs, outputs;  ///< "": an optional one that is left out
  std::map<std::string, Attribute> attributes;
  size_t index = 0;  ///< in the file
};

/// An input or output of the network.
struct Edge {
  std::string name;
  ir::DType dtype = ir::DType::kFloat32;
  std::vector<int64_t> shape;  ///< an open extent is 1
};

struct File {
  int64_t opset = 0;
  std::vector<Node> nodes;
  std::map<std::string, ir::Tensor> constants;  ///< initializers; half precision is float32
  std::vector<Edge> inputs, outputs;            ///< inputs without those that are constants
};

/// Refuses (presil::Refusal): what is no ONNX file, operator sets before 7, types of constants that
/// no network of presil has, data outside the folder, sizes that are not those of the shape.
/// folder: where data outside the file lies, which must not leave it; empty: nowhere.
File read(const uint8_t* bytes, size_t size, const std::string& name, const std::string& folder);

/// Whether the bytes begin as an ONNX file does.
bool is_onnx(const uint8_t* bytes, size_t size);

}  // namespace presil::import::onnx
