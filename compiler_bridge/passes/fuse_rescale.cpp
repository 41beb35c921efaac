// Sums and the RESCALE after them become one operator with a scale in integers.
//
//   before   s = conv_sums(x, w, b)            after   y = conv2d(x, w', b)
//            y = rescale(s, [m], [t])                  w' = w with fixed([m, t])
//
// Why: an engine brings its accumulators to bytes by itself. Of int8, with constant weights and
// bias, where x and y have the zero points that the operators state and nothing else reads s.
#include <algorithm>
#include <cmath>
#include <optional>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;

bool has_zero(const ir::Tensor& tensor, int zero) {
  return tensor.dtype == ir::DType::kInt8 && tensor.quantization.per_tensor() &&
         tensor.quantization.zero_point() == zero;
}

/// The same scale with as many bits of multiplier as there are. An engine shifts sums to the left
/// where they are few, out of 32 bits for large sums.
ir::FixedScale normalised(ir::FixedScale scale) {
  while (scale.multiplier > 0 && scale.multiplier < 1 << 30 && scale.shift < 62) {
    scale.multiplier *= 2, ++scale.shift;
  }
  return scale;
}

/// The scales of a rescale to int8 of sums without a zero point.
std::optional<ir::Quantization> scales_of(const ir::Graph& graph, const ir::Op& op) {
  const auto& r = op.as<ir::Rescale>();
  if (r.in_zero != 0 || r.in_unsigned || r.out_unsigned) return std::nullopt;
  if (!has_zero(graph.tensor(op.output()), r.out_zero)) return std::nullopt;
  const ir::Tensor &m = graph.tensor(op.input(1)), &t = graph.tensor(op.input(2));
  if (m.dtype != ir::DType::kInt32) return std::nullopt;
  ir::Quantization q;
  const int8_t* shifts = t.values<int8_t>();
  const int8_t most = *std::max_element(shifts, shifts + t.elements());
  q.round_twice = r.round_twice && most > 31;  // of less both roundings are one
  const int64_t count = std::max(m.elements(), t.elements());
  for (int64_t i = 0; i < count; ++i) {
    ir::FixedScale scale{m.values<int32_t>()[m.elements() == 1 ? 0 : i],
                         shifts[t.elements() == 1 ? 0 : i]};
    if (!q.round_twice) scale = normalised(scale);
    q.fixed.push_back(scale);
    // Near it, and a scale whatever the multiplier is.
    const float real = std::ldexp(static_cast<float>(scale.multiplier), -scale.shift);
    q.scales.push_back(std::max(real, std::ldexp(1.0f, -62)));
    q.zero_points.push_back(0);
  }
  return q;
}

ir::TensorId bias_of(ir::Graph& graph, ir::TensorId id, int64_t channels) {
  if (graph.tensor(id).elements() == channels) return id;
  ir::Tensor all = graph.tensor(id);
  all.name += "/channels";
  all.shape = {channels};
  ir::Bytes bytes;
  for (int64_t i = 0; i < channels; ++i) {
    bytes.insert(bytes.end(), all.data->begin(), all.data->end());
  }
  all.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return graph.add(std::move(all));
}

template <class Conv>
void set_window(const ir::ConvSums& from, Conv& to) {
  to.stride_h = static_cast<int>(from.stride[0]), to.stride_w = static_cast<int>(from.stride[1]);
  to.pad_top = static_cast<int>(from.before[0]), to.pad_left = static_cast<int>(from.before[1]);
  to.pad_bottom = static_cast<int>(from.after[0]), to.pad_right = static_cast<int>(from.after[1]);
}

/// What the convolution becomes; nothing where the graph has no such operator.
bool make_convolution(const ir::ConvSums& a, const ir::Tensor& weights, ir::Op& op) {
  if (a.transposed) {
    ir::TransposeConv2d c;
    set_window(a, c);
    const auto& w = weights.shape;
    const bool inside = c.pad_top >= 0 && c.pad_left >= 0 && c.pad_bottom >= 0 &&
                        c.pad_right >= 0 && c.pad_top < w[1] && c.pad_left < w[2];
    op.kind = K::kTransposeConv2d, op.attributes = c;
    return inside;
  }
  if (a.depthwise) {
    ir::DepthwiseConv2d c;
    set_window(a, c);
    c.dilation_h = static_cast<int>(a.dilation[0]), c.dilation_w = static_cast<int>(a.dilation[1]);
    c.multiplier = static_cast<int>(weights.shape[3]);
    op.kind = K::kDepthwiseConv2d, op.attributes = c;
    return true;
  }
  ir::Conv2d c;
  set_window(a, c);
  c.dilation_h = static_cast<int>(a.dilation[0]), c.dilation_w = static_cast<int>(a.dilation[1]);
  op.kind = K::kConv2d, op.attributes = c;
  return true;
}

bool fuse_convolution(ir::Graph& graph, const ir::Op& sums, ir::Op& rescale) {
  const auto& a = sums.as<ir::ConvSums>();
  const ir::Tensor &w = graph.tensor(sums.input(1)), &bias = graph.tensor(sums.input(2));
  if (a.stride.size() != 2 || !w.is_constant() || !bias.is_constant()) return false;
  if (!has_zero(graph.tensor(sums.input(0)), a.in_zero)) return false;
  for (size_t i = 0; i < 2 && !a.transposed; ++i) {  // a window reaches past its padding
    const int64_t reach = (w.shape[i + (a.depthwise ? 0 : 1)] - 1) * a.dilation[i];
    if (a.before[i] > reach || a.after[i] > reach) return false;
  }
  std::optional<ir::Quantization> q = scales_of(graph, rescale);
  if (!q || (q->fixed.size() > 1 && a.weight_zero != 0)) return false;
  ir::Op op = rescale;
  if (!make_convolution(a, w, op)) return false;
  ir::Tensor weights = w;
  if (a.depthwise) {
    weights.shape = {1, w.shape[0], w.shape[1], w.shape[2] * w.shape[3]};
  }
  q->axis = q->fixed.size() == 1 ? -1 : a.depthwise ? 3 : 0;
  if (q->fixed.size() == 1) q->zero_points = {a.weight_zero};
  weights.quantization = std::move(*q);
  weights.name += "/scaled";
  const int64_t channels = graph.tensor(rescale.output()).shape.back();
  const ir::TensorId biases = bias_of(graph, sums.input(2), channels);
  op.inputs = {sums.input(0), graph.add(std::move(weights)), biases};
  rescale = std::move(op);
  return true;
}

bool fuse_matmul(const ir::Graph& graph, const ir::Op& sums, ir::Op& rescale) {
  const auto& a = sums.as<ir::MatmulSums>();
  if (!has_zero(graph.tensor(sums.input(0)), a.a_zero)) return false;
  if (!has_zero(graph.tensor(sums.input(1)), a.b_zero)) return false;
  const std::optional<ir::Quantization> q = scales_of(graph, rescale);
  if (!q || q->fixed.size() != 1) return false;
  ir::BatchMatmul m;
  m.fixed = {q->fixed[0].multiplier, q->fixed[0].shift, q->round_twice ? 1 : 0};
  rescale.kind = K::kBatchMatmul, rescale.attributes = m;
  rescale.inputs = {sums.input(0), sums.input(1)};
  return true;
}

}  // namespace

int fuse_rescale(ir::Graph& graph) {
  const ir::Uses uses = ir::uses(graph);
  std::vector<bool> gone(graph.ops.size(), false);
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    if (graph.ops[i].kind != K::kRescale) continue;
    const ir::TensorId s = graph.ops[i].input(0);
    const int maker = producer(uses, s);
    if (maker < 0 || only_consumer(graph, uses, s) != static_cast<int>(i)) continue;
    const ir::Op sums = graph.ops[static_cast<size_t>(maker)];
    ir::Op op = graph.ops[i];
    const bool convolution = sums.kind == K::kConvSums && fuse_convolution(graph, sums, op);
    if (!convolution && !(sums.kind == K::kMatmulSums && fuse_matmul(graph, sums, op))) continue;
    absorb_source_ops(op, sums);
    graph.ops[i] = std::move(op);
    gone[static_cast<size_t>(maker)] = true;
  }
  return erase_ops(graph, gone);
}

}  // namespace presil::passes
