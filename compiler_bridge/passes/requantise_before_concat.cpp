// Inputs that a concatenation requantises go through a table before it.
//
//   before   y = concat(a, b) : q(y)     after   b' = lut(b, table) : q(y)
//            (b has another scale)               y = concat(a, b')
//
// Why: what makes b looks values up for nothing, often in a table that it has in any case
// (fuse_tables), and writes them in place; else a pass of its own walks over b. The table holds
// what the concatenation did to each value, so no byte changes. Not where it clamps as well.
#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/passes/int8_table.h"
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

bool requantises(const ir::Tensor& x, const ir::Tensor& y) {
  return x.dtype == ir::DType::kInt8 && y.dtype == ir::DType::kInt8 && !x.is_constant() &&
         x.quantization.per_tensor() && y.quantization.per_tensor() &&
         x.quantization != y.quantization;
}

ir::Op table_of_input(ir::Graph& graph, const ir::Op& concat, ir::TensorId x) {
  ir::Tensor tensor = graph.tensor(x);
  tensor.name += "/requantised";
  tensor.quantization = graph.tensor(concat.output()).quantization;
  const Int8Table table = concat_table(graph, concat, x);
  const ir::TensorId y = graph.add(std::move(tensor));
  return {ir::OpKind::kLut, concat.name,      {x, add_table(graph, y, table)}, {y},
          ir::None{},       concat.source_ops};
}

}  // namespace

int requantise_before_concat(ir::Graph& graph) {
  int done = 0;
  std::vector<ir::Op> ops;
  for (ir::Op& op : graph.ops) {
    const bool plain =
        op.kind == ir::OpKind::kConcat && op.as<ir::Concat>().act == ir::Activation::kNone;
    for (size_t i = 0; plain && i < op.inputs.size(); ++i) {
      const ir::TensorId x = op.inputs[i];
      if (!requantises(graph.tensor(x), graph.tensor(op.output()))) continue;
      ops.push_back(table_of_input(graph, op, x));
      std::replace(op.inputs.begin(), op.inputs.end(), x, ops.back().output());
      ++done;
    }
    ops.push_back(std::move(op));
  }
  graph.ops = std::move(ops);
  return done;
}

}  // namespace presil::passes
