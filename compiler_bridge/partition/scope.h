// Where in its model an operator stands, read from the names that exporters write.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::partition {

/// "model/block_1/conv2d_5/Conv2D": the model's blocks and layers, and what the layer is made of.
struct Scope {
  std::vector<std::string> path;  ///< "model", "block_1", "conv2d_5"; empty: none is written
  std::string primitive;          ///< "Conv2D"
  bool own = false;               ///< the primitive is what the operator computes

  bool empty() const { return path.empty() && primitive.empty(); }
  bool operator==(const Scope& other) const { return path == other.path; }
};

/// The scope that a name of several, joined by ';' when their operators were fused, gives an
/// operator of @p kind. Empty where it says nothing: "Identity", "StatefulPartitionedCall:0",
/// "tfl.pseudo_qconst434", "arith.constant3".
Scope scope_of(const std::string& name, ir::OpKind kind);

/// Of an operator: from the tensor that it makes; where that says nothing, from the layer that its
/// weights and bias stand in.
Scope scope_of(const ir::Graph& graph, const ir::Op& op);

/// Convolutions and matrix products with weights: what people call a layer by.
bool has_weights(const ir::Graph& graph, const ir::Op& op);

}  // namespace presil::partition
