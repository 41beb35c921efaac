// A rescale of bytes by exactly 1 is a quantize between zero points.
//
//   before   y = rescale(x, [2^30], [30]) {in_unsigned=true}     after   y = quantize(x)
//
// Why: so TOSA brings the unsigned bytes of a network's edges to signed ones; a quantize between
// uint8 and int8 costs an engine nothing.
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rescale_power.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

bool is_byte(const ir::Tensor& tensor, bool is_unsigned, int zero_point) {
  const ir::DType type = is_unsigned ? ir::DType::kUint8 : ir::DType::kInt8;
  return tensor.dtype == type && tensor.quantization.per_tensor() &&
         tensor.quantization.scale() == 1.0f && tensor.quantization.zero_point() == zero_point;
}

}  // namespace

int rescale_to_quantize(ir::Graph& graph) {
  int done = 0;
  for (ir::Op& op : graph.ops) {
    if (op.kind != ir::OpKind::kRescale) continue;
    const auto& r = op.as<ir::Rescale>();
    if (power_of(graph, op) != 0) continue;
    if (!is_byte(graph.tensor(op.input(0)), r.in_unsigned, r.in_zero)) continue;
    if (!is_byte(graph.tensor(op.output()), r.out_unsigned, r.out_zero)) continue;
    op.kind = ir::OpKind::kQuantize;
    op.attributes = ir::Quantize{};
    op.inputs = {op.input(0)};
    ++done;
  }
  return done;
}

}  // namespace presil::passes
