// What rewriting passes have in common. Passes ask ir::uses() once, not the graph for each op, so
// that their time is linear in its size.
#pragma once

#include <algorithm>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/passes/int8_table.h"

namespace presil::passes {

/// Ops marked as gone go, all at once. @return how many
inline int erase_ops(ir::Graph& graph, const std::vector<bool>& gone) {
  size_t kept = 0;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    if (gone[i]) continue;
    if (kept != i) graph.ops[kept] = std::move(graph.ops[i]);
    ++kept;
  }
  const int erased = static_cast<int>(graph.ops.size() - kept);
  graph.ops.resize(kept);
  return erased;
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

/// More than rows, columns and channels of one image.
inline bool is_batch(const std::vector<int64_t>& shape) {
  return shape.size() > 4 || (shape.size() == 4 && shape[0] != 1);
}

/// Weights of int8 beside x of float32: x is quantised by the range of its image, so that a part of
/// the image, or of its channels, is not computed by itself.
inline bool is_dynamic_range(const ir::Graph& graph, const ir::Op& op) {
  return graph.tensor(op.input(0)).dtype == ir::DType::kFloat32 &&
         graph.tensor(op.input(1)).dtype == ir::DType::kInt8;
}

/// The one op that reads the tensor; -1: several, none, or it is an output of the graph.
inline int only_consumer(const ir::Graph& graph, const ir::Uses& uses, ir::TensorId id) {
  const std::vector<int>& readers = uses.consumers[static_cast<size_t>(id)];
  return readers.size() == 1 && !graph.is_output(id) ? readers.front() : -1;
}
inline int producer(const ir::Uses& uses, ir::TensorId id) {
  return uses.producer[static_cast<size_t>(id)];
}

/// An input of the network, or floats that are quantised: nothing that a convolution makes.
inline bool comes_from_outside(const ir::Graph& graph, const ir::Uses& uses, ir::TensorId id) {
  const int i = producer(uses, id);
  if (i < 0) return true;
  const ir::Op& op = graph.ops[static_cast<size_t>(i)];
  return op.kind == ir::OpKind::kQuantize && graph.tensor(op.input(0)).dtype == ir::DType::kFloat32;
}

/// Op i is not a reader of anything any more.
inline void unhook(const ir::Graph& graph, ir::Uses& uses, int i) {
  for (const ir::TensorId x : graph.ops[static_cast<size_t>(i)].inputs) {
    if (x == ir::kAbsent) continue;
    std::vector<int>& readers = uses.consumers[static_cast<size_t>(x)];
    readers.erase(std::remove(readers.begin(), readers.end(), i), readers.end());
  }
}

/// Op i becomes the table of what it computed of x, which it reads from now on.
inline void become_table(ir::Graph& graph, ir::Uses& uses, int i, ir::TensorId x,
                         const Int8Table& table) {
  unhook(graph, uses, i);
  ir::Op& op = graph.ops[static_cast<size_t>(i)];
  op.kind = ir::OpKind::kLut;
  op.attributes = ir::None{};
  op.inputs = {x, add_table(graph, op.output(), table)};
  uses.producer.push_back(-1), uses.consumers.push_back({i});
  uses.consumers[static_cast<size_t>(x)].push_back(i);
}

}  // namespace presil::passes
