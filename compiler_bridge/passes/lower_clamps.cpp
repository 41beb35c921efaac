// The larger, or the smaller, of an int8 value and one constant becomes a RELU or a table.
//
//   before   y = maximum(x, [-128])           after   y = relu(x)       x and y have zero point
//   -128
//            y = minimum(x, [100])                    y = lut(x, table)
//
// Why: TOSA states clamps so. A RELU joins the operator before it (fold_relu), a table the engine
// that makes x (fuse_tables).
#include <algorithm>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

bool is_bound(const ir::Tensor& tensor) {
  return tensor.is_constant() && tensor.elements() == 1;
}

}  // namespace

int lower_clamps(ir::Graph& graph) {
  int done = 0;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    const bool lower = graph.ops[i].kind == ir::OpKind::kMaximum;
    if (!lower && graph.ops[i].kind != ir::OpKind::kMinimum) continue;
    const ir::Tensor& y = graph.tensor(graph.ops[i].output());
    const size_t x = is_bound(graph.tensor(graph.ops[i].input(0))) ? 1 : 0;
    const ir::Tensor& bound = graph.tensor(graph.ops[i].input(1 - x));
    const ir::TensorId value = graph.ops[i].input(x);
    if (y.dtype != ir::DType::kInt8 || !is_bound(bound)) continue;
    if (graph.tensor(value).shape != y.shape || graph.tensor(value).is_constant()) continue;
    const int limit = bound.values<int8_t>()[0];
    if (lower && limit == y.quantization.zero_point()) {
      graph.ops[i].kind = ir::OpKind::kRelu;
      graph.ops[i].inputs = {value};
    } else {
      Int8Table table{};
      for (int q = -128; q <= 127; ++q) {
        const int kept = lower ? std::max(q, limit) : std::min(q, limit);
        table[static_cast<uint8_t>(q)] = static_cast<int8_t>(kept);
      }
      const ir::TensorId id = add_table(graph, graph.ops[i].output(), table);
      graph.ops[i].kind = ir::OpKind::kLut;
      graph.ops[i].inputs = {value, id};
    }
    graph.ops[i].attributes = ir::None{};
    ++done;
  }
  return done;
}

}  // namespace presil::passes
