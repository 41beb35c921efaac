// A function of one int8 value becomes a table of its 256 results.
//
//   before   y = leaky_relu(x){alpha=0.1}     after   y = lut(x, table)
//
// Why: an engine's post-processing looks a value up in one cycle, whatever the function; and the
// table is exact by construction, for it holds the function's every value. Only int8 to int8 with
// one scale on both sides.
#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/passes/int8_table.h"
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {

int lower_activation_to_lut(ir::Graph& graph) {
  int lowered = 0;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    const std::optional<Int8Table> table = table_of(graph, graph.ops[i]);
    if (!table) continue;
    const ir::TensorId id = add_table(graph, graph.ops[i].output(), *table);
    ir::Op& op = graph.ops[i];
    op.kind = ir::OpKind::kLut;
    op.attributes = ir::None{};
    op.inputs = {op.input(0), id};
    ++lowered;
  }
  return lowered;
}

}  // namespace presil::passes
