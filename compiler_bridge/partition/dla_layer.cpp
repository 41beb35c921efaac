#include "compiler_bridge/partition/dla_layer.h"

#include <algorithm>
#include <utility>

#include "compiler_bridge/common/mean_scale.h"
#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/common/standard_pair.h"
#include "compiler_bridge/partition/operand.h"

namespace presil::partition {
namespace {

using common::Clamp;

void set_image(layer::DlaLayer& layer, const rules::Image& in, const rules::Image& out) {
  layer.in_h = static_cast<int>(in.h), layer.in_w = static_cast<int>(in.w);
  layer.in_c = static_cast<int>(in.c);
  layer.out_h = static_cast<int>(out.h), layer.out_w = static_cast<int>(out.w);
  layer.out_c = static_cast<int>(out.c);
}

void set_clamp(layer::DlaLayer& layer, ir::Activation act, const ir::Tensor& y,
               ir::Numerics numerics) {
  const Clamp clamp = common::clamp_of(act, y, numerics);
  layer.act_min = clamp.min, layer.act_max = clamp.max;
}

// A stride is walked only where there is a second output row or column.
int walked(int stride, int outputs) {
  return outputs == 1 ? 1 : stride;
}

// sum (x - zx) * w + bias = sum x * w + (bias - zx * sum w): outside the image x is zx too. w is
// what the stored weight is above its own zero point.
std::vector<int32_t> folded_bias(const ir::Graph& graph, const ir::Op& op,
                                 const layer::Weights& weights, int channels) {
  const int weight_zero = graph.tensor(op.input(1)).quantization.zero_point();
  const int8_t* w = weights.data();
  const int64_t per_channel = static_cast<int64_t>(weights.size()) / channels;
  const int64_t zero = graph.tensor(op.input(0)).quantization.zero_point();
  const bool biased = op.input(2) != ir::kAbsent;
  std::vector<int32_t> folded;
  for (int c = 0; c < channels; ++c) {
    int64_t sum = 0;
    for (int64_t i = 0; i < per_channel; ++i) sum += w[c * per_channel + i] - weight_zero;
    const int64_t bias = biased ? graph.tensor(op.input(2)).values<int32_t>()[c] : 0;
    // The accumulator is 32 bits wide and wraps, so the folded constant may wrap as well.
    folded.push_back(static_cast<int32_t>(static_cast<uint32_t>(bias - zero * sum)));
  }
  return folded;
}

layer::Weights as_stored(const ir::Tensor& weights) {
  return layer::Weights(weights.data);
}

// [1][kernel h][kernel w][channel] -> [channel][kernel h][kernel w]
layer::Weights by_channel(const ir::Tensor& weights) {
  const auto channels = static_cast<size_t>(weights.shape.at(3));
  const size_t taps = static_cast<size_t>(weights.elements()) / channels;
  const int8_t* w = weights.values<int8_t>();
  std::vector<int8_t> sorted(taps * channels);
  for (size_t tap = 0; tap < taps; ++tap) {
    for (size_t c = 0; c < channels; ++c) sorted[c * taps + tap] = w[tap * channels + c];
  }
  return sorted;
}

// What convolutions and fully connected have in common.
void set_weighted(layer::DlaLayer& layer, const ir::Graph& graph, const ir::Op& op,
                  layer::Weights values, ir::Activation act) {
  const ir::Tensor& weights = graph.tensor(op.input(1));
  const ir::Tensor& y = graph.tensor(op.output());
  layer.output = op.output();
  layer.weights = std::move(values);
  layer.weight_zero = weights.quantization.zero_point();
  layer.pad_value = graph.tensor(op.input(0)).quantization.zero_point();
  layer.bias = folded_bias(graph, op, layer.weights, layer.out_c);
  common::ChannelScales scales = common::channel_scales(graph, op, layer.out_c);
  layer.multiplier = std::move(scales.multiplier);
  layer.shift = std::move(scales.shift);
  const common::ProductRule rule = common::product_rule(graph, op);
  layer.rule = rule == common::ProductRule::kSingle   ? dla::Rule::kSingle
               : rule == common::ProductRule::kDouble ? dla::Rule::kDouble
                                                      : dla::Rule::kFloat;
  layer.out_zero = y.quantization.zero_point();
  set_clamp(layer, act, y, graph.numerics);
}

layer::DlaLayer pool(const ir::Graph& graph, const ir::Op& op) {
  const ir::Pool2d& p = op.as<ir::Pool2d>();
  layer::DlaLayer layer;
  layer.input = op.input(0), layer.output = op.output();
  set_image(layer, *rules::image_of(graph.tensor(layer.input)),
            *rules::image_of(graph.tensor(layer.output)));
  layer.kernel_h = p.kernel_h, layer.kernel_w = p.kernel_w;
  layer.stride_y = walked(p.stride_h, layer.out_h);
  layer.stride_x = walked(p.stride_w, layer.out_w);
  layer.pad_top = p.pad_top, layer.pad_left = p.pad_left;
  set_clamp(layer, p.act, graph.tensor(layer.output), common::numerics_of(graph, op));
  return layer;
}

}  // namespace

namespace {

// Conv2d or DepthwiseConv2d: their windows are said in the same words.
template <class Attributes>
layer::DlaLayer windowed(const ir::Graph& graph, const ir::Op& op) {
  const auto& conv = op.as<Attributes>();
  const ir::Tensor& weights = graph.tensor(op.input(1));
  layer::DlaLayer layer;
  layer.input = op.input(0);
  set_image(layer, *rules::image_of(graph.tensor(op.input(0))),
            *rules::image_of(graph.tensor(op.output())));
  layer.kernel_h = static_cast<int>(weights.shape.at(1));
  layer.kernel_w = static_cast<int>(weights.shape.at(2));
  layer.stride_y = walked(conv.stride_h, layer.out_h);
  layer.stride_x = walked(conv.stride_w, layer.out_w);
  layer.dil_y = conv.dilation_h, layer.dil_x = conv.dilation_w;
  layer.pad_top = conv.pad_top, layer.pad_left = conv.pad_left;
  return layer;
}

}  // namespace

layer::DlaLayer convolution(const ir::Graph& graph, const ir::Op& op) {
  const ir::Conv2d& conv = op.as<ir::Conv2d>();
  const ir::Tensor& w = graph.tensor(op.input(1));
  layer::DlaLayer layer = windowed<ir::Conv2d>(graph, op);
  const bool own_channels = conv.groups > 1 && conv.groups == layer.in_c;
  if (own_channels && layer.out_c == layer.in_c) {  // [out_c][taps][1]: each channel its own taps
    layer.op = dla::Op::kDwconv;
  } else {
    layer.op = dla::Op::kConv;
    layer.groups = conv.groups;
  }
  set_weighted(layer, graph, op, as_stored(w), conv.act);
  return layer;
}

// Several filters a channel: as many groups as channels.
layer::DlaLayer depthwise(const ir::Graph& graph, const ir::Op& op) {
  const ir::DepthwiseConv2d& conv = op.as<ir::DepthwiseConv2d>();
  const ir::Tensor& w = graph.tensor(op.input(1));
  layer::DlaLayer layer = windowed<ir::DepthwiseConv2d>(graph, op);
  const bool single = conv.multiplier == 1 && layer.in_c > 1;
  layer.op = single ? dla::Op::kDwconv : dla::Op::kConv;
  if (!single) layer.groups = layer.in_c;
  set_weighted(layer, graph, op, by_channel(w), conv.act);
  return layer;
}

// Weights [out][in] of a flattened image are [out][y][x][channel] as they stand: NHWC order.
layer::DlaLayer dense(const ir::Graph& graph, const ir::Op& op, ir::TensorId x,
                      const rules::DenseView& view) {
  layer::DlaLayer layer;
  layer.input = x;
  set_image(layer, view.in, view.out);
  layer.kernel_h = static_cast<int>(view.kernel_h);
  layer.kernel_w = static_cast<int>(view.kernel_w);
  layer.op = dla::Op::kConv;
  set_weighted(layer, graph, op, as_stored(graph.tensor(op.input(1))),
               op.as<ir::FullyConnected>().act);
  return layer;
}

// The stored values are averaged as they are: x and y have one zero point, which the mean keeps.
// The rule's halves go away from zero; of values that are all 128 larger, and so never negative,
// that is up.
layer::DlaLayer average_pool(const ir::Graph& graph, const ir::Op& op) {
  layer::DlaLayer layer = pool(graph, op);
  const auto taps = static_cast<uint32_t>(layer.kernel_h * layer.kernel_w);
  layer.op = dla::Op::kSumpool;
  layer.rule = dla::Rule::kDivide;
  const ir::Pool2d& p = op.as<ir::Pool2d>();
  layer.divide_inside = (p.pad_top | p.pad_left | p.pad_bottom | p.pad_right) != 0;
  if (!layer.divide_inside) {
    layer.div_count = taps;
    layer.div_recip = static_cast<uint32_t>((uint64_t{1} << 32) / taps + 1);
  }
  const auto channels = static_cast<size_t>(layer.out_c);
  const int lift = p.ties_up ? 128 : 0;
  layer.bias.assign(channels, lift * static_cast<int>(taps));
  layer.out_zero = -lift;
  layer.multiplier.assign(channels, 0), layer.shift.assign(channels, 0);
  return layer;
}

// sum (x - zx) = sum x - n * zx: the bias. The sum of a pixel's channels is their product by ones.
layer::DlaLayer mean(const ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  const bool over_channels = rules::is_over_channels(graph, op);
  layer::DlaLayer layer;
  layer.op = over_channels ? dla::Op::kConv : dla::Op::kSumpool;
  layer.input = op.input(0), layer.output = op.output();
  set_image(layer, *rules::image_of(x), *rules::image_of(y));
  if (over_channels) {
    layer.weights = std::vector<int8_t>(static_cast<size_t>(layer.in_c), 1);
  } else {
    layer.kernel_h = layer.in_h, layer.kernel_w = layer.in_w;
  }
  const bool sum = op.kind == ir::OpKind::kSum;
  layer.rule = ir::by_fixed_point(graph.numerics) ? dla::Rule::kDouble : dla::Rule::kFloat;
  layer.out_zero = y.quantization.zero_point();
  const int taps = over_channels ? layer.in_c : layer.kernel_h * layer.kernel_w;
  common::FixedPoint scale = sum ? common::sum_scale(op, x, y, graph.numerics)
                                 : common::mean_scale(op, x, y, taps, graph.numerics);
  if (graph.numerics == ir::Numerics::kXnnpack) {
    scale.multiplier = common::scale_before_zero(op, x, y, taps).value();
  }
  const auto channels = static_cast<size_t>(layer.out_c);
  layer.bias.assign(channels, -taps * x.quantization.zero_point());
  layer.multiplier.assign(channels, scale.multiplier);
  layer.shift.assign(channels, static_cast<int8_t>(scale.shift));
  return layer;
}

// sum (x - zx) = sum x - n * zx: the bias; then the reciprocal of n, rounded once.
layer::DlaLayer mean_pool(const ir::Graph& graph, const ir::Op& op) {
  const ir::MeanPool& p = op.as<ir::MeanPool>();
  layer::DlaLayer layer;
  layer.op = dla::Op::kSumpool;
  layer.rule = dla::Rule::kSingle;
  layer.input = op.input(0), layer.output = op.output();
  set_image(layer, *rules::image_of(graph.tensor(layer.input)),
            *rules::image_of(graph.tensor(layer.output)));
  layer.kernel_h = p.kernel_h, layer.kernel_w = p.kernel_w;
  layer.stride_y = walked(p.stride_h, layer.out_h);
  layer.stride_x = walked(p.stride_w, layer.out_w);
  const int64_t taps = int64_t{p.kernel_h} * p.kernel_w;
  int bits = 0;
  while ((taps - 1) >> bits != 0) ++bits;
  const int64_t reciprocal = (((int64_t{1} << 30) + 1) << bits) / taps;
  const auto channels = static_cast<size_t>(layer.out_c);
  layer.bias.assign(channels, static_cast<int32_t>(-taps * p.in_zero));
  layer.multiplier.assign(channels, static_cast<int32_t>(reciprocal));
  layer.shift.assign(channels, static_cast<int8_t>(1 - bits));
  layer.out_zero = p.out_zero;
  return layer;
}

layer::DlaLayer max_pool(const ir::Graph& graph, const ir::Op& op) {
  layer::DlaLayer layer = pool(graph, op);
  layer.op = dla::Op::kMaxpool;
  layer.rule = dla::Rule::kNone;
  return layer;
}

layer::DlaLayer largest(const ir::Graph& graph, const ir::Op& op) {
  layer::DlaLayer layer;
  layer.op = dla::Op::kMaxpool;
  layer.rule = dla::Rule::kNone;
  layer.input = op.input(0), layer.output = op.output();
  set_image(layer, *rules::image_of(graph.tensor(op.input(0))),
            *rules::image_of(graph.tensor(op.output())));
  layer.kernel_h = layer.in_h, layer.kernel_w = layer.in_w;
  return layer;
}

layer::DlaLayer pass(const ir::Graph& graph, ir::TensorId x, ir::TensorId y) {
  layer::DlaLayer layer;
  layer.op = dla::Op::kPass;
  layer.rule = dla::Rule::kNone;
  layer.input = x, layer.output = y;
  const rules::Image image = *rules::image_of(graph.tensor(x));
  set_image(layer, image, image);
  return layer;
}

layer::DlaLayer pad(const ir::Graph& graph, const ir::Op& op) {
  const ir::Pad& p = op.as<ir::Pad>();
  layer::DlaLayer layer = pass(graph, op.input(0), op.output());
  const rules::Image image = *rules::image_of(graph.tensor(op.output()));
  layer.out_h = static_cast<int>(image.h), layer.out_w = static_cast<int>(image.w);
  const size_t rank = p.before.size();
  if (rank >= 3) layer.pad_top = static_cast<int>(p.before[rank - 3]);
  if (rank >= 2) layer.pad_left = static_cast<int>(p.before[rank - 2]);
  layer.pad_value = p.value;
  return layer;
}

void append_table(layer::DlaLayer& layer, const ir::Graph& graph, const ir::Op& lut) {
  const int8_t* table = graph.tensor(lut.input(1)).values<int8_t>();
  layer.lut.assign(table, table + 256);
  layer.output = lut.output();
}

void append_elementwise(layer::DlaLayer& layer, ir::Graph& graph, const ir::Op& op,
                        size_t result_index) {
  const ir::TensorId operand = read_operand(graph, op, 1 - result_index);
  common::PairWords words = common::pair_words(graph, op);
  common::ElementWiseScales& s = words.scales;
  const bool tflite = words.rule == ir::Numerics::kTflite;
  layer::ElementWise& ew = layer.ew;
  if (op.kind == ir::OpKind::kMul) {
    ew.op = dla::EwOp::kMul;
  } else {
    // xnnpack's difference is a sum with a negative multiplier.
    ew.op = op.kind == ir::OpKind::kSub && tflite ? dla::EwOp::kSub : dla::EwOp::kAdd;
  }
  if (result_index == 1) {
    std::swap(s.a_zero, s.b_zero), std::swap(s.a_mult, s.b_mult);
    std::swap(s.a_shift, s.b_shift);
  }
  ew.rule = tflite ? dla::EwRule::kTflite : dla::EwRule::kXnnpack;
  ew.operand = operand;
  ew.a_zero = s.a_zero, ew.b_zero = s.b_zero, ew.out_zero = s.out_zero;
  ew.a_mult = s.a_mult, ew.b_mult = s.b_mult, ew.out_mult = s.out_mult;
  ew.a_shift = s.a_shift, ew.b_shift = s.b_shift, ew.out_shift = s.out_shift;
  ew.left_shift = static_cast<unsigned>(s.left_shift);
  ew.act_min = s.clamp.min, ew.act_max = s.clamp.max;
  layer.output = op.output();
}

void append_upsampling(layer::DlaLayer& layer, const ir::Op& resize) {
  layer.upsample2 = true;
  layer.output = resize.output();
}

}  // namespace presil::partition
