#include "compiler_bridge/ir/with_states.h"

#include <string>

namespace presil::ir {
namespace {

/// Results of an op that are a state's new values, and its operands that are the old ones.
struct Slot {
  size_t input, output;
};

std::vector<Slot> slots_of(OpKind kind) {
  if (kind == OpKind::kLstm) return {{13, 1}, {14, 2}};
  if (kind == OpKind::kSvdf) return {{4, 1}};
  return {};
}

}  // namespace

Graph with_states(Graph graph) {
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    for (const Slot& slot : slots_of(graph.ops[i].kind)) {
      if (graph.ops[i].input(slot.input) != kAbsent) continue;  // the network computes it
      const TensorId after = graph.ops[i].output(slot.output);
      Tensor tensor = graph.tensor(after);
      tensor.name += "/before";
      const TensorId before = graph.add(std::move(tensor));
      Op& op = graph.ops[i];
      if (op.inputs.size() <= slot.input) op.inputs.resize(slot.input + 1, kAbsent);
      op.inputs[slot.input] = before;
      graph.inputs.push_back(before);
      if (!graph.is_output(after)) graph.outputs.push_back(after);
      graph.states.push_back({before, after});
    }
  }
  return graph;
}

}  // namespace presil::ir
