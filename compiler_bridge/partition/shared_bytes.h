// Which tensors can lie in each other's bytes, while ops are placed.
#pragma once

#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/plan/spans.h"
#include "compiler_bridge/rules/rules.h"

namespace presil::partition {

class SharedBytes {
 public:
  /// @param engine  by op, once chosen
  SharedBytes(const ir::Graph& graph, const ir::Uses& uses,
              const std::vector<rules::Engine>& engine);

  /// The tensor whose bytes hold this one's.
  ir::TensorId holder(ir::TensorId tensor) const { return m_spans.of(tensor); }
  /// Whether all that shares bytes with `part` may lie in `whole` from byte `at` on: none of it
  /// lies elsewhere already or is memory of the caller's, and host tasks find their tensors where
  /// they need them.
  bool may_lie_in(ir::TensorId part, ir::TensorId whole, uint64_t at) const;
  void put(ir::TensorId part, ir::TensorId whole, uint64_t at);

 private:
  bool host_touches(ir::TensorId tensor) const;
  std::vector<int> members(ir::TensorId holder) const;

  const ir::Graph& m_graph;
  const ir::Uses& m_uses;
  const std::vector<rules::Engine>& m_engine;
  plan::Spans m_spans;
  std::vector<std::vector<int>> m_members;  ///< of each holder, itself not counted
};

}  // namespace presil::partition
