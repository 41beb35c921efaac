// What the stored bytes of a tensor mean. TOSA has zero points at operators; presil's engines read
// them from tensors, where the operators around one agree.
#pragma once

#include <map>

#include "compiler_bridge/ir/graph.h"

namespace presil::import::tosa {

class ZeroPoints {
 public:
  /// An operator reads or writes the tensor with this zero point.
  void state(ir::TensorId id, int zero_point);
  /// Values are moved from one to the other.
  void alike(ir::TensorId a, ir::TensorId b);
  /// Gives every tensor of int8 and int16 scale 1 and its zero point: the first that was stated of
  /// those alike, else 0. Of int16 it is 0.
  void write(ir::Graph& graph) const;

 private:
  ir::TensorId root(ir::TensorId id) const;
  std::map<ir::TensorId, ir::TensorId> m_parent;
  std::map<ir::TensorId, int> m_stated;
};

/// Inputs and outputs of the graph whose bytes a rescale alone reads or writes as unsigned numbers
/// are of uint8.
void write_unsigned_edges(ir::Graph& graph);

}  // namespace presil::import::tosa
