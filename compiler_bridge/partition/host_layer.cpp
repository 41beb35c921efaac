#include "compiler_bridge/partition/host_layer.h"

#include <algorithm>
#include <cmath>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/partition/host_detection.h"
#include "compiler_bridge/partition/host_lstm.h"
#include "compiler_bridge/partition/host_parts.h"
#include "compiler_bridge/passes/int8_table.h"
#include "driver/kernels/kernels.h"
#include "rtl/soc/refusal.h"

namespace presil::partition {
namespace {

uint32_t numerics_of(const ir::Graph& graph) {
  return graph.numerics == ir::Numerics::kTflite ? PRESIL_NUMERICS_TFLITE : PRESIL_NUMERICS_XNNPACK;
}
bool is_int16(const ir::Graph& graph, ir::TensorId id) {
  return graph.tensor(id).dtype == ir::DType::kInt16;
}
uint32_t by_width(const ir::Graph& graph, const ir::Op& op, uint32_t int8, uint32_t int16) {
  return is_int16(graph, op.output()) ? int16 : int8;
}
// Of a kernel with weights. Beside int16 a bias of int32 says that sums are int32.
uint32_t rule_of(const ir::Graph& graph, const ir::Op& op) {
  const ir::TensorId bias = op.input(2);
  const bool narrow = bias != ir::kAbsent && graph.tensor(bias).dtype == ir::DType::kInt32;
  if (is_int16(graph, op.input(0)) && !narrow) return PRESIL_RULE_WIDE;
  const bool tflite = common::numerics_of(graph, op) == ir::Numerics::kTflite;
  return tflite ? PRESIL_RULE_DOUBLE : PRESIL_RULE_FLOAT;
}
int32_t zero_of(const ir::Graph& graph, ir::TensorId id) {
  return graph.tensor(id).quantization.zero_point();
}

// Kernels of int16 read a bias of int64, whatever the op has.
ir::TensorId wide_bias(ir::Graph& graph, const ir::Op& op, const std::string& name,
                       int64_t channels) {
  std::vector<int64_t> values(static_cast<size_t>(channels), 0);
  if (op.input(2) != ir::kAbsent) {
    const ir::Tensor& bias = graph.tensor(op.input(2));
    if (bias.dtype == ir::DType::kInt64) return op.input(2);
    std::copy_n(bias.values<int32_t>(), values.size(), values.begin());
  }
  return add_constant(graph, name + "/bias", ir::DType::kInt64, {channels}, values);
}

// x, weights, bias, multiplier, shift of the kernels with weights.
std::vector<ir::TensorId> weighted_inputs(ir::Graph& graph, const ir::Op& op, int64_t channels) {
  const std::string name = graph.tensor(op.output()).name;
  const common::ChannelScales scales =
      common::channel_scales(graph, op, static_cast<int>(channels));
  ir::TensorId bias = op.input(2);
  if (is_int16(graph, op.input(0))) {
    bias = wide_bias(graph, op, name, channels);
  } else if (bias == ir::kAbsent) {
    bias = add_constant(graph, name + "/bias", ir::DType::kInt32, {channels},
                        std::vector<int32_t>(static_cast<size_t>(channels), 0));
  }
  const ir::TensorId multiplier =
      add_constant(graph, name + "/multiplier", ir::DType::kInt32, {channels}, scales.multiplier);
  const ir::TensorId shift =
      add_constant(graph, name + "/shift", ir::DType::kInt8, {channels}, scales.shift);
  return {op.input(0), op.input(1), bias, multiplier, shift};
}

template <class Conv>
presil_conv_attributes conv_attributes(const ir::Graph& graph, const ir::Op& op, const Conv& conv,
                                       int64_t groups) {
  presil_conv_attributes a{};
  a.rule = rule_of(graph, op);
  a.stride_h = static_cast<uint32_t>(conv.stride_h);
  a.stride_w = static_cast<uint32_t>(conv.stride_w);
  a.dilation_h = static_cast<uint32_t>(conv.dilation_h);
  a.dilation_w = static_cast<uint32_t>(conv.dilation_w);
  a.pad_top = static_cast<uint32_t>(conv.pad_top);
  a.pad_left = static_cast<uint32_t>(conv.pad_left);
  a.groups = static_cast<uint32_t>(groups);
  a.in_zero = zero_of(graph, op.input(0));
  a.weight_zero = zero_of(graph, op.input(1));
  a.out_zero = zero_of(graph, op.output());
  const common::Clamp clamp = common::clamp_of(conv.act, graph.tensor(op.output()), graph.numerics);
  a.act_min = clamp.min, a.act_max = clamp.max;
  return a;
}

plan::HostLayer convolution(ir::Graph& graph, const ir::Op& op) {
  const int64_t channels = graph.tensor(op.output()).shape.back();
  plan::HostLayer layer;
  if (op.kind == ir::OpKind::kConv2d) {
    layer.kernel = by_width(graph, op, PRESIL_KERNEL_CONV2D_I8, PRESIL_KERNEL_CONV2D_I16);
    const auto& conv = op.as<ir::Conv2d>();
    layer.attributes = bytes_of(conv_attributes(graph, op, conv, conv.groups));
  } else {
    layer.kernel =
        by_width(graph, op, PRESIL_KERNEL_DEPTHWISE_CONV2D_I8, PRESIL_KERNEL_DEPTHWISE_CONV2D_I16);
    const auto& conv = op.as<ir::DepthwiseConv2d>();
    layer.attributes = bytes_of(conv_attributes(graph, op, conv, channels / conv.multiplier));
  }
  layer.inputs = weighted_inputs(graph, op, channels);
  return layer;
}

plan::HostLayer transpose_conv(ir::Graph& graph, const ir::Op& op) {
  const auto& conv = op.as<ir::TransposeConv2d>();
  presil_transpose_conv_attributes a{};
  a.rule = rule_of(graph, op);
  a.stride_h = static_cast<uint32_t>(conv.stride_h);
  a.stride_w = static_cast<uint32_t>(conv.stride_w);
  a.pad_top = static_cast<uint32_t>(conv.pad_top);
  a.pad_left = static_cast<uint32_t>(conv.pad_left);
  a.in_zero = zero_of(graph, op.input(0));
  a.weight_zero = zero_of(graph, op.input(1));
  a.out_zero = zero_of(graph, op.output());
  const common::Clamp clamp = common::clamp_of(conv.act, graph.tensor(op.output()), graph.numerics);
  a.act_min = clamp.min, a.act_max = clamp.max;
  plan::HostLayer layer{PRESIL_KERNEL_TRANSPOSE_CONV2D_I8, {}, {}, bytes_of(a)};
  layer.inputs = weighted_inputs(graph, op, graph.tensor(op.output()).shape.back());
  return layer;
}

plan::HostLayer interleave(const ir::Op& op) {
  const auto& i = op.as<ir::Interleave>();
  const presil_interleave_attributes a{static_cast<uint32_t>(i.stride_h),
                                       static_cast<uint32_t>(i.stride_w)};
  return {PRESIL_KERNEL_INTERLEAVE, op.inputs, {}, bytes_of(a)};
}

plan::HostLayer fully_connected(ir::Graph& graph, const ir::Op& op) {
  presil_fully_connected_attributes a{};
  a.rule = rule_of(graph, op);
  a.in_zero = zero_of(graph, op.input(0));
  a.weight_zero = zero_of(graph, op.input(1));
  a.out_zero = zero_of(graph, op.output());
  const common::Clamp clamp = common::clamp_of(
      op.as<ir::FullyConnected>().act, graph.tensor(op.output()), common::numerics_of(graph, op));
  a.act_min = clamp.min, a.act_max = clamp.max;
  const uint32_t kernel =
      by_width(graph, op, PRESIL_KERNEL_FULLY_CONNECTED_I8, PRESIL_KERNEL_FULLY_CONNECTED_I16);
  plan::HostLayer layer{kernel, {}, {}, bytes_of(a)};
  layer.inputs = weighted_inputs(graph, op, graph.tensor(op.input(1)).shape.at(0));
  return layer;
}

plan::HostLayer batch_matmul(const ir::Graph& graph, const ir::Op& op) {
  const auto& m = op.as<ir::BatchMatmul>();
  const common::ChannelScales scale = common::channel_scales(graph, op, 1);
  presil_batch_matmul_attributes a{};
  a.transpose_a = m.transpose_a, a.transpose_b = m.transpose_b;
  a.a_zero = zero_of(graph, op.input(0));
  a.b_zero = zero_of(graph, op.input(1));
  a.out_zero = zero_of(graph, op.output());
  a.multiplier = scale.multiplier[0], a.shift = scale.shift[0];
  const uint32_t kernel =
      by_width(graph, op, PRESIL_KERNEL_BATCH_MATMUL_I8, PRESIL_KERNEL_BATCH_MATMUL_I16);
  return {kernel, op.inputs, {}, bytes_of(a)};
}

plan::HostLayer elementwise(const ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor &x0 = graph.tensor(op.input(0)), &x1 = graph.tensor(op.input(1));
  const ir::Tensor& y = graph.tensor(op.output());
  const ir::Activation act = op.as<ir::Elementwise>().act;
  const bool mul = op.kind == ir::OpKind::kMul;
  const bool subtract = op.kind == ir::OpKind::kSub;
  // Under xnnpack the sign is in b_mult already, so the kernel adds.
  const common::ElementWiseScales s =
      mul ? common::mul_scales(x0, x1, y, act, graph.numerics)
          : common::add_scales(x0, x1, y, subtract, act, graph.numerics);
  presil_elementwise_attributes a{};
  a.numerics = numerics_of(graph);
  a.subtract = subtract && graph.numerics == ir::Numerics::kTflite ? 1 : 0;
  a.a_zero = s.a_zero, a.b_zero = s.b_zero, a.out_zero = s.out_zero;
  a.a_mult = s.a_mult, a.b_mult = s.b_mult, a.out_mult = s.out_mult;
  a.a_shift = s.a_shift, a.b_shift = s.b_shift, a.out_shift = s.out_shift;
  a.left_shift = s.left_shift;
  a.act_min = s.clamp.min, a.act_max = s.clamp.max;
  const uint32_t kernel = mul ? by_width(graph, op, PRESIL_KERNEL_MUL_I8, PRESIL_KERNEL_MUL_I16)
                              : by_width(graph, op, PRESIL_KERNEL_ADD_I8, PRESIL_KERNEL_ADD_I16);
  return {kernel, op.inputs, {}, bytes_of(a)};
}

// TFLite divides the scales in float32, and their product with alpha.
plan::HostLayer leaky_relu(const ir::Graph& graph, const ir::Op& op) {
  const float x = graph.tensor(op.input(0)).quantization.scale();
  const float y = graph.tensor(op.output()).quantization.scale();
  const float slope = x * op.as<ir::LeakyRelu>().alpha;
  const common::FixedPoint above = common::fixed_point(x / y);
  const common::FixedPoint below = common::fixed_point(slope / y);
  const presil_leaky_relu_attributes a{above.multiplier, above.shift, below.multiplier,
                                       below.shift};
  return {PRESIL_KERNEL_LEAKY_RELU_I16, op.inputs, {}, bytes_of(a)};
}

plan::HostLayer pool(const ir::Graph& graph, const ir::Op& op) {
  const auto& p = op.as<ir::Pool2d>();
  presil_pool_attributes a{};
  a.kernel_h = static_cast<uint32_t>(p.kernel_h), a.kernel_w = static_cast<uint32_t>(p.kernel_w);
  a.stride_h = static_cast<uint32_t>(p.stride_h), a.stride_w = static_cast<uint32_t>(p.stride_w);
  a.pad_top = static_cast<uint32_t>(p.pad_top), a.pad_left = static_cast<uint32_t>(p.pad_left);
  const common::Clamp clamp = common::clamp_of(p.act, graph.tensor(op.output()), graph.numerics);
  a.act_min = clamp.min, a.act_max = clamp.max;
  a.ties_up = p.ties_up;
  const bool average = op.kind == ir::OpKind::kAveragePool2d;
  return {
      static_cast<uint32_t>(average ? PRESIL_KERNEL_AVERAGE_POOL_I8 : PRESIL_KERNEL_MAX_POOL_I8),
      op.inputs,
      {},
      bytes_of(a)};
}

// Scale of x times beta as a Q5.26 number; below diff_min the exponential counts as 0.
plan::HostLayer softmax(const ir::Graph& graph, const ir::Op& op) {
  constexpr int kIntegerBits = 5, kFractionBits = 31 - kIntegerBits;
  const double beta = static_cast<double>(op.as<ir::Softmax>().beta);
  const double scale = static_cast<double>(graph.tensor(op.input(0)).quantization.scale());
  const double real = std::min(beta * scale * (1 << kFractionBits), 2147483647.0);
  const common::FixedPoint fixed = common::fixed_point(real);
  presil_softmax_attributes a{};
  a.multiplier = fixed.multiplier, a.left_shift = fixed.shift;
  const double radius = ((1 << kIntegerBits) - 1) * std::ldexp(1.0, kFractionBits - fixed.shift);
  a.diff_min = -static_cast<int32_t>(std::floor(radius));
  return {PRESIL_KERNEL_SOFTMAX_I8, op.inputs, {}, bytes_of(a)};
}

// Where an input's meaning differs from y's, or the op clamps, every value goes through a table.
plan::HostLayer concat(ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor y = graph.tensor(op.output());
  const ir::Activation act = op.as<ir::Concat>().act;
  const common::Clamp clamp = common::clamp_of(act, y, graph.numerics);
  presil_concat_attributes a{};
  a.axis = static_cast<uint32_t>(op.as<ir::Concat>().axis);
  a.requantise = act != ir::Activation::kNone ? 1 : 0;
  std::vector<int8_t> tables;
  for (const ir::TensorId x : op.inputs) {
    if (graph.tensor(x).quantization != y.quantization) a.requantise = 1;
    for (const int32_t value : passes::concat_table(graph, op, x)) {
      tables.push_back(static_cast<int8_t>(std::clamp(value, clamp.min, clamp.max)));
    }
  }
  plan::HostLayer layer{PRESIL_KERNEL_CONCAT, op.inputs, {}, bytes_of(a)};
  if (a.requantise != 0) {
    layer.inputs.push_back(add_constant(graph, y.name + "/tables", ir::DType::kInt8,
                                        {static_cast<int64_t>(op.inputs.size()), 256}, tables));
  }
  return layer;
}

plan::HostLayer resize(const ir::Op& op) {
  const auto& r = op.as<ir::Resize>();
  const presil_resize_attributes a{r.align_corners, r.half_pixel_centers};
  const bool nearest = op.kind == ir::OpKind::kResizeNearest;
  return {static_cast<uint32_t>(nearest ? PRESIL_KERNEL_RESIZE_NEAREST_I8
                                        : PRESIL_KERNEL_RESIZE_BILINEAR_I8),
          op.inputs,
          {},
          bytes_of(a)};
}

plan::HostLayer pad(const ir::Op& op) {
  const auto& p = op.as<ir::Pad>();
  presil_pad_attributes a{};
  std::transform(p.before.begin(), p.before.end(), a.before,
                 [](int64_t n) { return static_cast<uint32_t>(n); });
  a.value = p.value;
  return {PRESIL_KERNEL_PAD, op.inputs, {}, bytes_of(a)};
}

plan::HostLayer mean(const ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  presil_mean_attributes a{};
  int64_t count = 1;
  for (const int64_t axis : op.as<ir::Mean>().axes) {
    a.axes |= 1u << axis;
    count *= x.shape.at(static_cast<size_t>(axis));
  }
  const bool tflite = graph.numerics == ir::Numerics::kTflite;
  a.rule = tflite ? PRESIL_RULE_DOUBLE : PRESIL_RULE_FLOAT;
  const common::FixedPoint scale = common::mean_scale(x, y, count, graph.numerics);
  a.multiplier = scale.multiplier, a.shift = scale.shift;
  a.in_zero = x.quantization.zero_point(), a.out_zero = y.quantization.zero_point();
  a.act_min = -128, a.act_max = 127;
  return {PRESIL_KERNEL_MEAN_I8, op.inputs, {}, bytes_of(a)};
}

plan::HostLayer quantize(const ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  if (x.dtype == ir::DType::kFloat32) {
    const presil_quantise_attributes a{numerics_of(graph), y.quantization.scale(),
                                       y.quantization.zero_point()};
    return {PRESIL_KERNEL_QUANTISE, op.inputs, {}, bytes_of(a)};
  }
  presil_requantise_attributes a{};
  a.in_zero = x.quantization.zero_point(), a.out_zero = y.quantization.zero_point();
  if (graph.numerics == ir::Numerics::kTflite) {
    const common::FixedPoint scale = common::fixed_point(
        static_cast<double>(x.quantization.scale()) / static_cast<double>(y.quantization.scale()));
    a.rule = PRESIL_RULE_DOUBLE;
    a.multiplier = scale.multiplier, a.shift = scale.shift;
  } else {
    a.rule = PRESIL_RULE_FIXED8;
    a.multiplier = common::fixed8(x.quantization.scale() / y.quantization.scale());
  }
  return {PRESIL_KERNEL_REQUANTISE, op.inputs, {}, bytes_of(a)};
}

plan::HostLayer dequantize(const ir::Graph& graph, const ir::Op& op) {
  const ir::Quantization& q = graph.tensor(op.input(0)).quantization;
  const presil_quantise_attributes a{numerics_of(graph), q.scale(), q.zero_point()};
  return {PRESIL_KERNEL_DEQUANTISE, op.inputs, {}, bytes_of(a)};
}

plan::HostLayer transpose(const ir::Op& op) {
  presil_transpose_attributes a{};
  const auto& perm = op.as<ir::Transpose>().perm;
  std::transform(perm.begin(), perm.end(), a.perm,
                 [](int64_t axis) { return static_cast<uint32_t>(axis); });
  return {PRESIL_KERNEL_TRANSPOSE, op.inputs, {}, bytes_of(a)};
}

plan::HostLayer strided_slice(const ir::Op& op) {
  const auto& s = op.as<ir::StridedSlice>();
  presil_strided_slice_attributes a{};
  const auto narrow = [](int64_t n) { return static_cast<int32_t>(n); };
  std::transform(s.begin.begin(), s.begin.end(), a.begin, narrow);
  std::transform(s.size.begin(), s.size.end(), a.size, narrow);
  std::transform(s.step.begin(), s.step.end(), a.step, narrow);
  return {PRESIL_KERNEL_STRIDED_SLICE, op.inputs, {}, bytes_of(a)};
}

plan::HostLayer task(ir::Graph& graph, const ir::Op& op) {
  using K = ir::OpKind;
  switch (op.kind) {
    case K::kConv2d:
    case K::kDepthwiseConv2d:
      return convolution(graph, op);
    case K::kTransposeConv2d:
      return transpose_conv(graph, op);
    case K::kFullyConnected:
      return fully_connected(graph, op);
    case K::kBatchMatmul:
      return batch_matmul(graph, op);
    case K::kLstm:
      return lstm(graph, op);
    case K::kAdd:
    case K::kSub:
    case K::kMul:
      return elementwise(graph, op);
    case K::kAveragePool2d:
    case K::kMaxPool2d:
      return pool(graph, op);
    case K::kMean:
      return mean(graph, op);
    case K::kSoftmax:
      return softmax(graph, op);
    case K::kLut:
      return {PRESIL_KERNEL_LUT_I8, op.inputs, {}, {}};
    case K::kQuantize:
      return quantize(graph, op);
    case K::kDequantize:
      return dequantize(graph, op);
    case K::kReshape:
      return {PRESIL_KERNEL_COPY, op.inputs, {}, {}};
    case K::kConcat:
      return concat(graph, op);
    case K::kInterleave:
      return interleave(op);
    case K::kPad:
      return pad(op);
    case K::kTranspose:
      return transpose(op);
    case K::kStridedSlice:
      return strided_slice(op);
    case K::kResizeNearest:
    case K::kResizeBilinear:
      return resize(op);
    case K::kYoloDecode:
      return yolo_decode(op);
    case K::kNms:
      return nms(graph, op);
    case K::kDetectionPostProcess:
      return detection_post_process(graph, op);
    case K::kLeakyRelu:
      if (is_int16(graph, op.input(0))) return leaky_relu(graph, op);
      break;
    case K::kRelu:
    case K::kRelu6:
    case K::kHardSwish:
    case K::kLogistic:
    case K::kTanh:
      break;  // tables by now
  }
  throw Refusal("partition", std::string(ir::to_string(op.kind)) + " \"" + op.name +
                                 "\" has no kernel on the host; a rule says otherwise");
}

}  // namespace

plan::HostLayer host_layer(ir::Graph& graph, const ir::Op& op) {
  plan::HostLayer layer = task(graph, op);
  layer.outputs.insert(layer.outputs.end(), op.outputs.begin(), op.outputs.end());
  return layer;
}

}  // namespace presil::partition
