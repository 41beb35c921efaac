// Which tensors are functions of one other tensor, value by value.
#pragma once

#include <set>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::passes {

/// A constant of equal elements, with at most one scale.
bool is_uniform(const ir::Tensor& tensor);

/// int8 or uint8 with at most one scale: 256 values.
bool is_plain_byte(const ir::Tensor& tensor);

/// For each tensor the nearest one, of its shape, of whose values its own are functions: what
/// dominates it in the graph of operators by value. Nearest ones of nearest ones are a chain, from
/// the result back to the source of the largest region.
class Dominators {
 public:
  explicit Dominators(const ir::Graph& graph);

  /// kAbsent: there is none.
  ir::TensorId of(ir::TensorId id) const { return m_nearest[static_cast<size_t>(id)]; }

 private:
  bool joins(const ir::Graph& graph, const ir::Op& op) const;
  ir::TensorId common(ir::TensorId a, ir::TensorId b) const;

  std::vector<ir::TensorId> m_nearest;
  std::vector<int> m_depth;  ///< how many dominate it
};

/// Operators between `source` and the result of op `last`, itself included. @pre source dominates
/// it
std::set<int> region_between(const ir::Graph& graph, const ir::Uses& uses, ir::TensorId source,
                             int last);

}  // namespace presil::passes
