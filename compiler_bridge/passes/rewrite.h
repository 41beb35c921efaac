// What rewriting passes have in common.
#pragma once

#include <algorithm>

#include "compiler_bridge/ir/graph.h"

namespace presil::passes {

/// Everyone who reads `from` reads `to` from now on; graph outputs are left alone.
inline void replace_uses(ir::Graph& graph, ir::TensorId from, ir::TensorId to) {
  for (ir::Op& op : graph.ops) std::replace(op.inputs.begin(), op.inputs.end(), from, to);
}

inline void erase_op(ir::Graph& graph, int index) {
  graph.ops.erase(graph.ops.begin() + index);
}

/// `op` now does the work of `absorbed` too: its source ops, ascending, each once.
inline void absorb_source_ops(ir::Op& op, const ir::Op& absorbed) {
  std::vector<int>& all = op.source_ops;
  all.insert(all.end(), absorbed.source_ops.begin(), absorbed.source_ops.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

/// The one op that reads the tensor; -1: several, none, or it is an output of the graph.
inline int only_consumer(const ir::Graph& graph, ir::TensorId id) {
  if (graph.is_output(id)) return -1;
  const std::vector<int> readers = graph.consumers(id);
  return readers.size() == 1 ? readers.front() : -1;
}

}  // namespace presil::passes
