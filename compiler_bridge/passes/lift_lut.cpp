// A table behind interleaved tensors becomes a table behind each of them.
//
//   before   y = interleave(p0 .. p3)     after   q0 = lut(p0, table) .. q3
//            z = lut(y, table)                    z = interleave(q0 .. q3)
//
// Why: the phases are made by convolutions, whose commands look values up for nothing; behind the
// interleaving it would be one more walk over all of them. Only where nobody else reads y.
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {

int lift_lut(ir::Graph& graph) {
  int lifted = 0;
  for (int i = 0; i < static_cast<int>(graph.ops.size()); ++i) {
    const ir::Op lut = graph.ops[static_cast<size_t>(i)];
    if (lut.kind != ir::OpKind::kLut) continue;
    const int producer = graph.producer(lut.input(0));
    if (producer < 0 || only_consumer(graph, lut.input(0)) != i) continue;
    ir::Op interleave = graph.ops[static_cast<size_t>(producer)];
    if (interleave.kind != ir::OpKind::kInterleave) continue;
    erase_op(graph, i);
    std::vector<ir::Op> tables;
    for (ir::TensorId& phase : interleave.inputs) {
      ir::Tensor tensor = graph.tensor(lut.output());
      tensor.name += "/phase";
      tensor.shape = graph.tensor(phase).shape;
      ir::Op table = lut;
      table.inputs[0] = phase;
      table.outputs[0] = phase = graph.add(std::move(tensor));
      tables.push_back(std::move(table));
    }
    interleave.outputs = lut.outputs;
    absorb_source_ops(interleave, lut);
    graph.ops[static_cast<size_t>(producer)] = std::move(interleave);
    graph.ops.insert(graph.ops.begin() + producer, tables.begin(), tables.end());
    ++lifted;
  }
  return lifted;
}

}  // namespace presil::passes
