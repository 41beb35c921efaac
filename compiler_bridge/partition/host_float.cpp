#include "compiler_bridge/partition/host_float.h"

#include <limits>

#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/host/kernels.h"

namespace presil::partition {
namespace {

using K = ir::OpKind;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Bounds {
  float low = -kInfinity, high = kInfinity;
};

Bounds bounds_of(ir::Activation act) {
  if (act == ir::Activation::kRelu) return {0.0f, kInfinity};
  if (act == ir::Activation::kRelu6) return {0.0f, 6.0f};
  if (act == ir::Activation::kReluN1To1) return {-1.0f, 1.0f};
  return {};
}

/// x, weights, and a bias of zeros where the op has none.
std::vector<ir::TensorId> with_bias(ir::Graph& graph, const ir::Op& op, int64_t channels) {
  ir::TensorId bias = op.input(2);
  if (bias == ir::kAbsent) {
    bias = add_constant(graph, graph.tensor(op.output()).name + "/bias", ir::DType::kFloat32,
                        {channels}, std::vector<float>(static_cast<size_t>(channels), 0.0f));
  }
  return {op.input(0), op.input(1), bias};
}

/// What all windows have.
template <class A, class Window>
A window(const Window& w) {
  A a{};
  a.stride_h = static_cast<uint32_t>(w.stride_h), a.stride_w = static_cast<uint32_t>(w.stride_w);
  a.pad_top = static_cast<uint32_t>(w.pad_top), a.pad_left = static_cast<uint32_t>(w.pad_left);
  const Bounds bounds = bounds_of(w.act);
  a.low = bounds.low, a.high = bounds.high;
  return a;
}

template <class A = presil_conv_f32_attributes, class Conv>
A dilated(const Conv& conv, int64_t groups) {
  auto a = window<A>(conv);
  a.dilation_h = static_cast<uint32_t>(conv.dilation_h);
  a.dilation_w = static_cast<uint32_t>(conv.dilation_w);
  a.groups = static_cast<uint32_t>(groups);
  return a;
}

bool is_hybrid(const ir::Graph& graph, const ir::Op& op) {
  return graph.tensor(op.input(1)).dtype == ir::DType::kInt8;
}

/// The scales of the weights, one for each channel.
std::vector<float> channel_scales(const ir::Graph& graph, const ir::Op& op, int64_t channels) {
  std::vector<float> scales = graph.tensor(op.input(1)).quantization.scales;
  if (scales.size() == 1) scales.resize(static_cast<size_t>(channels), scales[0]);
  return scales;
}

/// TFLite's kernels quantise x of a convolution with a zero point where the scales of the weights
/// differ or there are groups, and of the latter multiply in another order; XNNPACK's have one way,
/// but take no depthwise convolution, which is left to TFLite's. To XNNPACK a convolution of 1x1 is
/// a fully connected layer of pixels.
void set_rule(const ir::Graph& graph, const ir::Op& op, const std::vector<float>& scales,
              presil_hybrid_attributes& a) {
  if (op.kind == K::kDepthwiseConv2d) {
    a.input = PRESIL_HYBRID_ASYMMETRIC, a.order = PRESIL_HYBRID_IN_FOURS;
  } else if (!ir::by_fixed_point(graph.numerics)) {
    a.input = PRESIL_HYBRID_QD8, a.order = PRESIL_HYBRID_FUSED;
    const std::vector<int64_t>& w = graph.tensor(op.input(1)).shape;
    a.by_pixel = op.kind == K::kConv2d && a.groups == 1 && w[1] == 1 && w[2] == 1 &&
                 a.stride_h == 1 && a.stride_w == 1 && w[0] * w[3] > 1;
  } else if (op.kind == K::kConv2d && a.groups > 1) {
    a.input = PRESIL_HYBRID_ASYMMETRIC, a.order = PRESIL_HYBRID_WEIGHT_SCALE;
  } else {
    bool zero_point =
        op.kind == K::kFullyConnected && op.as<ir::FullyConnected>().asymmetric_inputs;
    for (const float scale : scales) {
      zero_point = zero_point || (op.kind == K::kConv2d && scale != scales[0]);
    }
    a.input = zero_point ? PRESIL_HYBRID_ASYMMETRIC : PRESIL_HYBRID_SYMMETRIC;
    a.order = PRESIL_HYBRID_BOTH_SCALES;
  }
}

/// Besides x, weights and bias: the scales of the weights, space of x as int8.
layer::HostLayer hybrid(ir::Graph& graph, const ir::Op& op, uint32_t kernel, int64_t channels,
                        presil_hybrid_attributes a) {
  const std::vector<float> scales = channel_scales(graph, op, channels);
  set_rule(graph, op, scales, a);
  const std::string name = graph.tensor(op.output()).name;
  std::vector<ir::TensorId> inputs = with_bias(graph, op, channels);
  inputs.push_back(add_constant(graph, name + "/scales", ir::DType::kFloat32, {channels}, scales));
  ir::Tensor bytes;
  bytes.name = name + "/bytes";
  bytes.dtype = ir::DType::kInt8;
  bytes.shape = graph.tensor(op.input(0)).shape;
  return {kernel, inputs, {graph.add(std::move(bytes))}, bytes_of(a)};
}

uint32_t pair_of(K kind) {
  switch (kind) {
    case K::kSub:
      return PRESIL_F32_SUB;
    case K::kMul:
      return PRESIL_F32_MUL;
    case K::kDiv:
      return PRESIL_F32_DIV;
    case K::kSquaredDifference:
      return PRESIL_F32_SQUARED_DIFFERENCE;
    case K::kPow:
      return PRESIL_F32_POW;
    case K::kPrelu:
      return PRESIL_F32_PRELU;
    case K::kMaximum:
      return PRESIL_F32_MAXIMUM;
    case K::kMinimum:
      return PRESIL_F32_MINIMUM;
    case K::kFloorDiv:
      return PRESIL_F32_FLOOR_DIV;
    case K::kFloorMod:
      return PRESIL_F32_FLOOR_MOD;
    default:
      return PRESIL_F32_ADD;
  }
}

}  // namespace

presil_function_f32_attributes function_of(const ir::Op& op) {
  const auto clamp = [](Bounds b) {
    return presil_function_f32_attributes{PRESIL_F32_CLAMP, 0.0f, b.low, b.high};
  };
  const auto plain = [](uint32_t function, float slope = 0.0f) {
    return presil_function_f32_attributes{function, slope, -kInfinity, kInfinity};
  };
  switch (op.kind) {
    case K::kRelu:
      return clamp(bounds_of(ir::Activation::kRelu));
    case K::kRelu6:
      return clamp(bounds_of(ir::Activation::kRelu6));
    case K::kLeakyRelu:
      return plain(PRESIL_F32_LEAKY_RELU, op.as<ir::LeakyRelu>().alpha);
    case K::kHardSwish:
      return plain(PRESIL_F32_HARD_SWISH);
    case K::kElu:
      return plain(PRESIL_F32_ELU);
    case K::kExp:
      return plain(PRESIL_F32_EXP);
    case K::kLog:
      return plain(PRESIL_F32_LOG);
    case K::kSqrt:
      return plain(PRESIL_F32_SQRT);
    case K::kRsqrt:
      return plain(PRESIL_F32_RSQRT);
    case K::kAbs:
      return plain(PRESIL_F32_ABS);
    case K::kNeg:
      return plain(PRESIL_F32_NEG);
    case K::kSquare:
      return plain(PRESIL_F32_SQUARE);
    case K::kSin:
      return plain(PRESIL_F32_SIN);
    case K::kCos:
      return plain(PRESIL_F32_COS);
    case K::kFloor:
      return plain(PRESIL_F32_FLOOR);
    case K::kCeil:
      return plain(PRESIL_F32_CEIL);
    case K::kRound:
      return plain(PRESIL_F32_ROUND);
    case K::kSign:
      return plain(PRESIL_F32_SIGN);
    case K::kReluN1To1:
      return clamp(bounds_of(ir::Activation::kReluN1To1));
    case K::kRelu0To1:
      return clamp({0.0f, 1.0f});
    case K::kGelu:
      return plain(op.as<ir::Gelu>().approximate ? PRESIL_F32_GELU_TANH : PRESIL_F32_GELU);
    case K::kLogistic:
      return plain(PRESIL_F32_LOGISTIC);
    default:
      return plain(PRESIL_F32_TANH);
  }
}

presil_clamp_f32_attributes clamp_of(ir::Activation act) {
  const Bounds bounds = bounds_of(act);
  return {bounds.low, bounds.high};
}

presil_pair_f32_attributes pair_of(const ir::Op& op) {
  const auto* clamping = std::get_if<ir::Elementwise>(&op.attributes);
  const Bounds bounds = bounds_of(clamping == nullptr ? ir::Activation::kNone : clamping->act);
  return {pair_of(op.kind), bounds.low, bounds.high};
}

namespace {

uint32_t mask_of(const std::vector<int64_t>& axes) {
  uint32_t mask = 0;
  for (const int64_t axis : axes) mask |= 1u << axis;
  return mask;
}

}  // namespace

bool is_float(const ir::Graph& graph, const ir::Op& op) {
  return graph.tensor(op.output()).dtype == ir::DType::kFloat32;
}

layer::HostLayer convolution_float(ir::Graph& graph, const ir::Op& op) {
  const int64_t channels = graph.tensor(op.output()).shape.back();
  if (op.kind == K::kConv2d && is_hybrid(graph, op)) {
    const auto& conv = op.as<ir::Conv2d>();
    const auto a = dilated<presil_hybrid_attributes>(conv, conv.groups);
    return hybrid(graph, op, PRESIL_KERNEL_CONV2D_HYBRID, channels, a);
  }
  if (op.kind == K::kDepthwiseConv2d && is_hybrid(graph, op)) {
    const auto& conv = op.as<ir::DepthwiseConv2d>();
    const auto a = dilated<presil_hybrid_attributes>(conv, channels / conv.multiplier);
    return hybrid(graph, op, PRESIL_KERNEL_DEPTHWISE_CONV2D_HYBRID, channels, a);
  }
  const std::vector<ir::TensorId> inputs = with_bias(graph, op, channels);
  if (op.kind == K::kTransposeConv2d) {
    auto a = window<presil_conv_f32_attributes>(op.as<ir::TransposeConv2d>());
    a.dilation_h = a.dilation_w = a.groups = 1;
    return {PRESIL_KERNEL_TRANSPOSE_CONV2D_F32, inputs, {}, bytes_of(a)};
  }
  if (op.kind == K::kDepthwiseConv2d) {
    const auto& conv = op.as<ir::DepthwiseConv2d>();
    const auto a = dilated(conv, channels / conv.multiplier);
    return {PRESIL_KERNEL_DEPTHWISE_CONV2D_F32, inputs, {}, bytes_of(a)};
  }
  const auto& conv = op.as<ir::Conv2d>();
  return {PRESIL_KERNEL_CONV2D_F32, inputs, {}, bytes_of(dilated(conv, conv.groups))};
}

layer::HostLayer pool_float(ir::Graph&, const ir::Op& op) {
  const auto& pool = op.as<ir::Pool2d>();
  auto a = window<presil_pool_f32_attributes>(pool);
  a.kernel_h = static_cast<uint32_t>(pool.kernel_h);
  a.kernel_w = static_cast<uint32_t>(pool.kernel_w);
  const bool average = op.kind == K::kAveragePool2d;
  const auto kernel = average ? PRESIL_KERNEL_AVERAGE_POOL_F32 : PRESIL_KERNEL_MAX_POOL_F32;
  return {static_cast<uint32_t>(kernel), op.inputs, {}, bytes_of(a)};
}

layer::HostLayer resize_bilinear_float(ir::Graph&, const ir::Op& op) {
  const auto& r = op.as<ir::Resize>();
  const presil_resize_attributes a{r.align_corners, r.half_pixel_centers, 0};
  return {PRESIL_KERNEL_RESIZE_BILINEAR_F32, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer fully_connected_float(ir::Graph& graph, const ir::Op& op) {
  const Bounds bounds = bounds_of(op.as<ir::FullyConnected>().act);
  const presil_clamp_f32_attributes a{bounds.low, bounds.high};
  const int64_t channels = graph.tensor(op.input(1)).shape.at(0);
  if (is_hybrid(graph, op)) {
    presil_hybrid_attributes h{};
    h.low = bounds.low, h.high = bounds.high;
    return hybrid(graph, op, PRESIL_KERNEL_FULLY_CONNECTED_HYBRID, channels, h);
  }
  return {PRESIL_KERNEL_FULLY_CONNECTED_F32, with_bias(graph, op, channels), {}, bytes_of(a)};
}

layer::HostLayer batch_matmul_float(ir::Graph&, const ir::Op& op) {
  const auto& m = op.as<ir::BatchMatmul>();
  presil_batch_matmul_attributes a{};
  a.transpose_a = m.transpose_a, a.transpose_b = m.transpose_b;
  return {PRESIL_KERNEL_BATCH_MATMUL_F32, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer pair_float(ir::Graph&, const ir::Op& op) {
  return {PRESIL_KERNEL_PAIR_F32, op.inputs, {}, bytes_of(pair_of(op))};
}

layer::HostLayer function_float(ir::Graph&, const ir::Op& op) {
  return {PRESIL_KERNEL_FUNCTION_F32, op.inputs, {}, bytes_of(function_of(op))};
}

layer::HostLayer reduce_float(ir::Graph&, const ir::Op& op) {
  const uint32_t function = op.kind == K::kSum          ? PRESIL_F32_SUM
                            : op.kind == K::kReduceMax  ? PRESIL_F32_MAX
                            : op.kind == K::kReduceMin  ? PRESIL_F32_MIN
                            : op.kind == K::kReduceProd ? PRESIL_F32_PROD
                                                        : PRESIL_F32_MEAN;
  const presil_reduce_f32_attributes a{mask_of(op.as<ir::Reduce>().axes), function};
  return {PRESIL_KERNEL_REDUCE_F32, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer softmax_float(ir::Graph&, const ir::Op& op) {
  const presil_softmax_f32_attributes a{op.as<ir::Softmax>().beta, 0};
  return {PRESIL_KERNEL_SOFTMAX_F32, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer log_softmax_float(ir::Graph&, const ir::Op& op) {
  const presil_softmax_f32_attributes a{1.0f, 1};
  return {PRESIL_KERNEL_SOFTMAX_F32, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer l2_normalize_float(ir::Graph&, const ir::Op& op) {
  const Bounds bounds = bounds_of(op.as<ir::Elementwise>().act);
  const presil_clamp_f32_attributes a{bounds.low, bounds.high};
  return {PRESIL_KERNEL_L2_NORMALIZE_F32, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer layer_norm_float(ir::Graph&, const ir::Op& op) {
  const presil_layer_norm_attributes a{op.as<ir::LayerNorm>().epsilon};
  return {PRESIL_KERNEL_LAYER_NORM_F32, op.inputs, {}, bytes_of(a)};
}

}  // namespace presil::partition
