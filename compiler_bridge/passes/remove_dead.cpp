// Ops whose results have no consumer disappear, consumers before producers, so that chains go at
// once. Why: folding leaves them, and files carry branches that were for training.
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {

int remove_dead(ir::Graph& graph) {
  std::vector<bool> needed(graph.tensors.size(), false);
  for (const ir::TensorId id : graph.outputs) needed[static_cast<size_t>(id)] = true;
  std::vector<bool> dead(graph.ops.size(), false);
  for (size_t i = graph.ops.size(); i-- > 0;) {
    const ir::Op& op = graph.ops[i];
    dead[i] = std::none_of(op.outputs.begin(), op.outputs.end(),
                           [&](ir::TensorId id) { return needed[static_cast<size_t>(id)]; });
    if (dead[i]) continue;
    for (const ir::TensorId id : op.inputs) {
      if (id != ir::kAbsent) needed[static_cast<size_t>(id)] = true;
    }
  }
  return erase_ops(graph, dead);
}

}  // namespace presil::passes
