// Under numerics onnx a sum, difference or product of int8 that no fixed-point words give becomes
// one of float32.
//
//   before   y = add(a, b)     all int8      after   a' = dequantize(a), b' = dequantize(b)
//                                                    y' = add(a', b')        float32
//                                                    y = quantize(y')
//
// Why: the standard defines it so. Engines take int8 operands by fixed-point words, which
// common/standard_pair.h finds for most scales; not where sums lie exactly between two steps, whose
// halves go to the even one.
#include <map>

#include "compiler_bridge/common/standard_pair.h"
#include "compiler_bridge/passes/passes.h"

namespace presil::passes {
namespace {

ir::TensorId as_float(ir::Graph& graph, ir::TensorId id, const char* suffix) {
  ir::Tensor real = graph.tensor(id);
  real.name += suffix;
  real.dtype = ir::DType::kFloat32;
  real.quantization = {};
  real.data = nullptr;
  return graph.add(std::move(real));
}

ir::Op changed_type(const ir::Op& like, ir::OpKind kind, ir::TensorId x, ir::TensorId y,
                    const std::string& name) {
  const bool stores = kind == ir::OpKind::kQuantize;
  const auto how = stores ? ir::Attributes(ir::Quantize{}) : ir::Attributes(ir::None{});
  return ir::Op{kind, name, {x}, {y}, how, like.source_ops};
}

}  // namespace

int pairs_in_float(ir::Graph& graph) {
  if (graph.numerics != ir::Numerics::kOnnx) return 0;
  std::vector<ir::Op> ops;
  std::map<ir::TensorId, ir::TensorId> real;  // operands that are dequantized already
  int count = 0;
  const std::vector<ir::Op> before = graph.ops;
  for (const ir::Op& op : before) {
    if (!common::is_standard_pair(graph, op) || common::standard_words(graph, op)) {
      ops.push_back(op);
      continue;
    }
    ir::Op sum = op;
    for (ir::TensorId& x : sum.inputs) {
      auto at = real.find(x);
      if (at == real.end()) {
        at = real.emplace(x, as_float(graph, x, "/real")).first;
        ops.push_back(
            changed_type(op, ir::OpKind::kDequantize, x, at->second, op.name + "/dequantize"));
      }
      x = at->second;
    }
    const ir::TensorId y = op.output(), value = as_float(graph, y, "/sum");
    sum.outputs = {value};
    ops.push_back(std::move(sum));
    ops.push_back(changed_type(op, ir::OpKind::kQuantize, value, y, op.name + "/quantize"));
    ++count;
  }
  graph.ops = std::move(ops);
  return count;
}

}  // namespace presil::passes
