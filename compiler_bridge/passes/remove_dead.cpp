// Ops whose results nobody needs disappear, consumers before producers, so that chains go at once.
// Why: folding leaves them behind, and files carry branches that were for training.
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {

int remove_dead(ir::Graph& graph) {
  int removed = 0;
  for (int i = static_cast<int>(graph.ops.size()) - 1; i >= 0; --i) {
    const ir::Op& op = graph.ops[static_cast<size_t>(i)];
    const bool needed = std::any_of(op.outputs.begin(), op.outputs.end(), [&](ir::TensorId id) {
      return graph.is_output(id) || !graph.consumers(id).empty();
    });
    if (needed) continue;
    erase_op(graph, i);
    ++removed;
  }
  return removed;
}

}  // namespace presil::passes
