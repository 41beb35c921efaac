// Sums of bytes along some axes, brought to bytes again, become one operator.
//
//   before   u = rescale(x)                     after   y = sum(x) {axes=[1, 2], fixed=[m, t, 1]}
//            y = rescale(sum(sum(u)), [m], [t])
//
// Why: TOSA has means so. u has the values of x less its zero point. One rounding by more than 31
// bits is not what a sum's engines do, and stays.
#include <algorithm>
#include <optional>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;

struct Scale {
  int64_t multiplier;
  int shift;
};

std::optional<Scale> scale_of(const ir::Graph& graph, const ir::Op& op, int in_zero, int out_zero) {
  const auto& r = op.as<ir::Rescale>();
  const ir::Tensor &m = graph.tensor(op.input(1)), &t = graph.tensor(op.input(2));
  if (r.in_unsigned || r.out_unsigned || r.in_zero != in_zero || r.out_zero != out_zero) return {};
  if (m.dtype != ir::DType::kInt32 || m.elements() != 1 || t.elements() != 1) return {};
  return Scale{*m.values<int32_t>(), *t.values<int8_t>()};
}

struct Found {
  std::vector<int64_t> axes;
  ir::TensorId x;
  Scale scale;
  std::vector<int> ops;  ///< all but the last rescale
};

std::optional<Found> found(const ir::Graph& graph, const ir::Uses& uses, int index) {
  const ir::Op& last = graph.ops[static_cast<size_t>(index)];
  const ir::Tensor& y = graph.tensor(last.output());
  if (last.kind != K::kRescale || y.dtype != ir::DType::kInt8) return {};
  const auto scale = scale_of(graph, last, 0, y.quantization.zero_point());
  if (!scale || (!last.as<ir::Rescale>().round_twice && scale->shift > 31)) return {};
  Found result{{}, last.input(0), *scale, {}};
  for (;;) {
    const int maker = producer(uses, result.x);
    if (maker < 0 || only_consumer(graph, uses, result.x) < 0) return {};
    const ir::Op& op = graph.ops[static_cast<size_t>(maker)];
    result.ops.push_back(maker);
    result.x = op.input(0);
    if (op.kind == K::kRescale) break;
    if (op.kind != K::kSum || !op.as<ir::Reduce>().keep_dims) return {};
    const auto& axes = op.as<ir::Reduce>().axes;
    result.axes.insert(result.axes.end(), axes.begin(), axes.end());
  }
  const ir::Tensor& x = graph.tensor(result.x);
  if (result.axes.empty() || x.dtype != ir::DType::kInt8) return {};
  const ir::Op& first = graph.ops[static_cast<size_t>(result.ops.back())];
  const auto one = scale_of(graph, first, x.quantization.zero_point(), 0);
  if (!one || one->multiplier != int64_t{1} << one->shift) return {};
  std::sort(result.axes.begin(), result.axes.end());
  const bool twice =
      std::adjacent_find(result.axes.begin(), result.axes.end()) != result.axes.end();
  return twice ? std::nullopt : std::make_optional(result);
}

}  // namespace

int fuse_rescaled_sums(ir::Graph& graph) {
  const ir::Uses uses = ir::uses(graph);
  std::vector<bool> gone(graph.ops.size(), false);
  int done = 0;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    const auto sum = found(graph, uses, static_cast<int>(i));
    if (!sum) continue;
    ir::Op& op = graph.ops[i];
    const int64_t twice = op.as<ir::Rescale>().round_twice ? 1 : 0;
    op.kind = K::kSum;
    op.attributes = ir::Reduce{sum->axes, true, {sum->scale.multiplier, sum->scale.shift, twice}};
    op.inputs = {sum->x};
    ++done;
    for (const int absorbed : sum->ops) {
      absorb_source_ops(op, graph.ops[static_cast<size_t>(absorbed)]);
      gone[static_cast<size_t>(absorbed)] = true;
    }
  }
  erase_ops(graph, gone);
  return done;
}

}  // namespace presil::passes
