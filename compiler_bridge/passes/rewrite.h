// What rewriting passes have in common.
#pragma once

#include <algorithm>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/passes/int8_table.h"

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

/// A constant for the operator that makes `y` to look values up in.
inline ir::TensorId add_table(ir::Graph& graph, ir::TensorId y, const Int8Table& table) {
  ir::Tensor constant;
  constant.name = graph.tensor(y).name + "/table";
  constant.dtype = ir::DType::kInt8;
  constant.shape = {256};
  constant.data = std::make_shared<const ir::Bytes>(table.begin(), table.end());
  return graph.add(std::move(constant));
}

/// The one op that reads the tensor; -1: several, none, or it is an output of the graph.
inline int only_consumer(const ir::Graph& graph, ir::TensorId id) {
  if (graph.is_output(id)) return -1;
  const std::vector<int> readers = graph.consumers(id);
  return readers.size() == 1 ? readers.front() : -1;
}

}  // namespace presil::passes
