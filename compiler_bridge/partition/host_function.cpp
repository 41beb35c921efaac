// Functions of values as tasks of the ARM.
#include <algorithm>
#include <cmath>
#include <functional>

#include "compiler_bridge/common/exponential.h"
#include "compiler_bridge/common/interpolated_table.h"
#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/common/standard_pair.h"
#include "compiler_bridge/partition/host_float.h"
#include "compiler_bridge/partition/host_int16.h"
#include "compiler_bridge/partition/host_lowering.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/host/kernels.h"
#include "models/base/refusal.h"

namespace presil::partition {
namespace {

layer::HostLayer pairwise(const ir::Op& op, uint32_t kernel, const common::ElementWiseScales& s,
                          uint32_t numerics, uint32_t subtract) {
  presil_elementwise_attributes a{};
  a.numerics = numerics;
  a.subtract = subtract;
  a.a_zero = s.a_zero, a.b_zero = s.b_zero, a.out_zero = s.out_zero;
  a.a_mult = s.a_mult, a.b_mult = s.b_mult, a.out_mult = s.out_mult;
  a.a_shift = s.a_shift, a.b_shift = s.b_shift, a.out_shift = s.out_shift;
  a.left_shift = s.left_shift;
  a.act_min = s.clamp.min, a.act_max = s.clamp.max;
  return {kernel, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer elementwise(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return pair_float(graph, op);
  if (!graph.tensor(op.output()).quantization.present()) return pair_whole(graph, op);
  const bool mul = op.kind == ir::OpKind::kMul;
  const bool subtract = op.kind == ir::OpKind::kSub;
  const common::PairWords words = common::pair_words(graph, op);
  const uint32_t kernel = mul ? by_width(graph, op, PRESIL_KERNEL_MUL_I8, PRESIL_KERNEL_MUL_I16)
                              : by_width(graph, op, PRESIL_KERNEL_ADD_I8, PRESIL_KERNEL_ADD_I16);
  // Under xnnpack the sign is in b_mult already, so the kernel adds.
  const bool tflite = words.rule == ir::Numerics::kTflite;
  return pairwise(op, kernel, words.scales,
                  tflite ? PRESIL_NUMERICS_TFLITE : PRESIL_NUMERICS_XNNPACK,
                  subtract && tflite ? 1 : 0);
}

layer::HostLayer squared_difference(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return pair_float(graph, op);
  const uint32_t kernel = by_width(graph, op, PRESIL_KERNEL_SQUARED_DIFFERENCE_I8,
                                   PRESIL_KERNEL_SQUARED_DIFFERENCE_I16);
  const common::ElementWiseScales s = common::squared_difference_scales(
      op, graph.tensor(op.input(0)), graph.tensor(op.input(1)), graph.tensor(op.output()));
  return pairwise(op, kernel, s, PRESIL_NUMERICS_TFLITE, 0);
}

layer::HostLayer div(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return pair_float(graph, op);
  const common::ElementWiseScales s =
      common::div_scales(op, graph.tensor(op.input(0)), graph.tensor(op.input(1)),
                         graph.tensor(op.output()), op.as<ir::Elementwise>().act);
  return pairwise(op, PRESIL_KERNEL_DIV_I8, s, PRESIL_NUMERICS_TFLITE, 0);
}

// Of int16; below 0 the multiplier turns the sign. TFLite Micro divides in double, LiteRT in
// float32.
layer::HostLayer abs(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return function_float(graph, op);
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  const float ratio = x.quantization.scale() / y.quantization.scale();
  const common::FixedPoint scale = ir::by_fixed_point(graph.numerics)
                                       ? common::sum_scale(op, x, y, ir::Numerics::kTflite)
                                       : common::fixed_point(op, static_cast<double>(ratio));
  const presil_leaky_relu_attributes a{scale.multiplier, scale.shift, -scale.multiplier,
                                       scale.shift};
  return {PRESIL_KERNEL_LEAKY_RELU_I16, op.inputs, {}, bytes_of(a)};
}

// TFLite Micro divides in double, LiteRT in float32.
layer::HostLayer prelu(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return pair_float(graph, op);
  const ir::Quantization& qx = graph.tensor(op.input(0)).quantization;
  const ir::Quantization& qa = graph.tensor(op.input(1)).quantization;
  const ir::Quantization& qy = graph.tensor(op.output()).quantization;
  const double x = qx.scale(), alpha = qa.scale(), y = qy.scale();
  const float quotient = qx.scale() / qy.scale(), product = qx.scale() * qa.scale() / qy.scale();
  const bool tflite = ir::by_fixed_point(graph.numerics);
  const common::FixedPoint above = common::fixed_point(op, tflite ? x / y : quotient);
  const common::FixedPoint below = common::fixed_point(op, tflite ? x * alpha / y : product);
  const presil_prelu_attributes a{above.multiplier, above.shift,     below.multiplier, below.shift,
                                  qx.zero_point(),  qa.zero_point(), qy.zero_point()};
  return {PRESIL_KERNEL_PRELU, op.inputs, {}, bytes_of(a)};
}

// Of int16. TFLite Micro divides in double, LiteRT in float32.
layer::HostLayer leaky_relu(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return function_float(graph, op);
  const float x = graph.tensor(op.input(0)).quantization.scale();
  const float y = graph.tensor(op.output()).quantization.scale();
  const float alpha = op.as<ir::LeakyRelu>().alpha, product = x * alpha;
  const double wide = x, wide_below = wide * static_cast<double>(alpha), wide_y = y;
  const bool tflite = ir::by_fixed_point(graph.numerics);
  const common::FixedPoint above =
      common::fixed_point(op, tflite ? wide / wide_y : static_cast<double>(x / y));
  const common::FixedPoint below =
      common::fixed_point(op, tflite ? wide_below / wide_y : static_cast<double>(product / y));
  const presil_leaky_relu_attributes a{above.multiplier, above.shift, below.multiplier,
                                       below.shift};
  return {PRESIL_KERNEL_LEAKY_RELU_I16, op.inputs, {}, bytes_of(a)};
}

using common::FixedSoftmax;

// xnnpack: by a table. tflite: in fixed point.
layer::HostLayer softmax(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return softmax_float(graph, op);
  if (is_int16(graph, op.output())) return softmax_int16(graph, op);
  if (!ir::by_fixed_point(graph.numerics)) {
    layer::HostLayer layer{
        PRESIL_KERNEL_SOFTMAX_I8, op.inputs, {}, bytes_of(presil_softmax_attributes{})};
    const std::string name = graph.tensor(op.output()).name + "/table";
    layer.inputs.push_back(
        add_constant(graph, name, ir::DType::kFloat32, {256}, exponentials(graph, op)));
    return layer;
  }
  const double beta = static_cast<double>(op.as<ir::Softmax>().beta);
  const FixedSoftmax fixed(
      op, beta * static_cast<double>(graph.tensor(op.input(0)).quantization.scale()));
  const presil_softmax_attributes a{fixed.multiplier, fixed.left_shift, fixed.diff_min};
  return {PRESIL_KERNEL_SOFTMAX_I8, op.inputs, {}, bytes_of(a)};
}

// As softmax: by a table under xnnpack, else with the scale as a Q5.26 number, and back from it.
layer::HostLayer log_softmax(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return log_softmax_float(graph, op);
  const float scale = graph.tensor(op.input(0)).quantization.scale();
  presil_log_softmax_attributes a{};
  if (!ir::by_fixed_point(graph.numerics)) {
    a.scale = scale, a.ratio = scale / graph.tensor(op.output()).quantization.scale();
    const std::string name = graph.tensor(op.output()).name + "/table";
    const ir::TensorId table =
        add_constant(graph, name, ir::DType::kFloat32, {256}, exponentials(-scale));
    return {PRESIL_KERNEL_LOG_SOFTMAX_I8, {op.input(0), table}, {}, bytes_of(a)};
  }
  const FixedSoftmax fixed(op, static_cast<double>(scale));
  a.multiplier = fixed.multiplier, a.left_shift = fixed.left_shift, a.diff_min = fixed.diff_min;
  const common::FixedPoint reverse = common::fixed_point(
      op, std::ldexp(1.0, 31 - a.left_shift) / static_cast<double>(a.multiplier));
  a.reverse_multiplier = reverse.multiplier, a.reverse_shift = reverse.shift;
  return {PRESIL_KERNEL_LOG_SOFTMAX_I8, op.inputs, {}, bytes_of(a)};
}

uint32_t axes_of(const ir::Op& op) {
  uint32_t mask = 0;
  for (const int64_t axis : op.as<ir::Reduce>().axes) mask |= 1u << axis;
  return mask;
}

// LiteRT adds up int16 in 64 bits, and multiplies the sum in float32.
uint32_t rule_of_sum(const ir::Graph& graph, const ir::Op& op) {
  if (ir::by_fixed_point(graph.numerics)) return PRESIL_RULE_DOUBLE;
  if (!common::has_int16(graph, op)) {
    const bool after = graph.numerics == ir::Numerics::kOnnx;
    return after ? PRESIL_RULE_FLOAT_THEN_ZERO : PRESIL_RULE_FLOAT;
  }
  return op.kind == ir::OpKind::kSum ? PRESIL_RULE_FLOAT_AWAY : PRESIL_RULE_DOUBLE;
}

layer::HostLayer scaled_sum(ir::Graph& graph, const ir::Op& op, const common::FixedPoint& scale) {
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  presil_mean_attributes a{};
  a.axes = axes_of(op);
  a.rule = rule_of_sum(graph, op);
  a.multiplier = scale.multiplier, a.shift = scale.shift;
  a.in_zero = x.quantization.zero_point(), a.out_zero = y.quantization.zero_point();
  const common::Clamp whole = common::range_of(y.dtype);
  a.act_min = whole.min, a.act_max = whole.max;
  const uint32_t kernel = by_width(graph, op, PRESIL_KERNEL_MEAN_I8, PRESIL_KERNEL_MEAN_I16);
  return {kernel, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer mean(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return reduce_float(graph, op);
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  const int64_t count = x.elements() / y.elements();
  const ir::Numerics rules = common::has_int16(graph, op) ? ir::Numerics::kTflite : graph.numerics;
  return scaled_sum(graph, op, common::mean_scale(op, x, y, count, rules));
}

layer::HostLayer sum(ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  if (is_float(graph, op)) return reduce_float(graph, op);
  if (!x.quantization.present()) return reduce_whole(graph, op);
  return scaled_sum(graph, op, common::sum_scale(op, x, y, graph.numerics));
}

layer::HostLayer relu(ir::Graph& graph, const ir::Op& op) {
  return is_float(graph, op) ? function_float(graph, op) : relu_int16(graph, op);
}

layer::HostLayer sigmoid(ir::Graph& graph, const ir::Op& op) {
  return is_float(graph, op) ? function_float(graph, op) : sigmoid_int16(graph, op);
}

layer::HostLayer l2_normalize(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return l2_normalize_float(graph, op);
  const presil_l2_normalize_attributes a{zero_of(graph, op.input(0))};
  return {PRESIL_KERNEL_L2_NORMALIZE_I8, op.inputs, {}, bytes_of(a)};
}

float gelu_by_tanh(float x) {
  const float inner = 0.79788456f * (x + 0.044715f * x * x * x);  // sqrt(2 / pi)
  return 0.5f * x * (1.0f + static_cast<float>(std::tanh(static_cast<double>(inner))));
}
float gelu_by_erfc(float x) {
  const float inner = x * -0.70710678f;  // 1 / sqrt(2)
  return 0.5f * x * static_cast<float>(std::erfc(static_cast<double>(inner)));
}

float exp_by_double(float x) {
  return static_cast<float>(std::exp(static_cast<double>(x)));
}

/// Of int16: between 513 points of f.
layer::HostLayer interpolated(ir::Graph& graph, const ir::Op& op,
                              const std::function<float(float)>& f) {
  if (!is_int16(graph, op.output())) return function_float(graph, op);
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  const common::InterpolatedTable points =
      common::function_table(x.quantization.scale(), y.quantization.scale(), f);
  const ir::TensorId table = add_constant(graph, y.name + "/table", ir::DType::kInt16, {513},
                                          std::vector<int16_t>(points.begin(), points.end()));
  return {PRESIL_KERNEL_LUT_I16, {op.input(0), table}, {}, {}};
}

layer::HostLayer gelu(ir::Graph& graph, const ir::Op& op) {
  return interpolated(graph, op, op.as<ir::Gelu>().approximate ? gelu_by_tanh : gelu_by_erfc);
}

layer::HostLayer exp(ir::Graph& graph, const ir::Op& op) {
  return interpolated(graph, op, exp_by_double);
}

// Of int16 by TFLite Micro in fixed point, by LiteRT between points, with y's largest value up to
// 0.
layer::HostLayer rsqrt(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return function_float(graph, op);
  if (ir::by_fixed_point(graph.numerics)) return rsqrt_int16(graph, op);
  const float most = 32767.0f * graph.tensor(op.output()).quantization.scale();
  return interpolated(graph, op, [most](float x) { return x > 0 ? 1 / std::sqrt(x) : most; });
}

layer::HostLayer lut(ir::Graph&, const ir::Op& op) {
  return {PRESIL_KERNEL_LUT_I8, op.inputs, {}, {}};
}

layer::HostLayer quantize(ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  if (x.dtype == ir::DType::kFloat32) {
    const bool divides = graph.numerics == ir::Numerics::kOnnx;
    const uint32_t numerics = divides ? uint32_t{PRESIL_NUMERICS_ONNX} : numerics_of(graph);
    const presil_quantise_attributes a{numerics, y.quantization.scale(),
                                       y.quantization.zero_point()};
    return {PRESIL_KERNEL_QUANTISE, op.inputs, {}, bytes_of(a)};
  }
  presil_requantise_attributes a{};
  a.in_zero = x.quantization.zero_point(), a.out_zero = y.quantization.zero_point();
  const float ratio = x.quantization.scale() / y.quantization.scale();
  const bool bytes = ir::size_of(x.dtype) == 1 && ir::size_of(y.dtype) == 1;
  if (graph.numerics == ir::Numerics::kOnnx && bytes && ratio != 1.0f) {
    throw Refusal("partition", "quantize '" + op.name + "' of " + ir::type_of(x) + " to " +
                                   ir::type_of(y) +
                                   " changes the scale under numerics onnx, which the host does "
                                   "not compute; run on a SoC with a DSP, or --numerics xnnpack");
  }
  if (ir::by_fixed_point(graph.numerics) || !bytes || !common::xnnpack_takes(ratio)) {
    const common::FixedPoint scale =
        common::fixed_point(op, static_cast<double>(x.quantization.scale()) /
                                    static_cast<double>(y.quantization.scale()));
    a.rule = PRESIL_RULE_DOUBLE;
    a.multiplier = scale.multiplier, a.shift = scale.shift;
  } else {
    a.rule = PRESIL_RULE_FIXED8;
    a.multiplier = common::fixed8(op, ratio);
  }
  return {PRESIL_KERNEL_REQUANTISE, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer dequantize(ir::Graph& graph, const ir::Op& op) {
  const ir::Quantization& q = graph.tensor(op.input(0)).quantization;
  const presil_quantise_attributes a{numerics_of(graph), q.scale(), q.zero_point()};
  return {PRESIL_KERNEL_DEQUANTISE, op.inputs, {}, bytes_of(a)};
}

}  // namespace

std::vector<Lowering> function_lowerings() {
  using K = ir::OpKind;
  return {
      {K::kAdd, elementwise},
      {K::kSub, elementwise},
      {K::kMul, elementwise},
      {K::kLeakyRelu, leaky_relu},
      {K::kAbs, abs},
      {K::kPrelu, prelu},
      {K::kSoftmax, softmax},
      {K::kSquaredDifference, squared_difference},
      {K::kMean, mean},
      {K::kSum, sum},
      {K::kLut, lut},
      {K::kQuantize, quantize},
      {K::kDequantize, dequantize},
      {K::kRelu, relu},  // of int8 they are tables by now
      {K::kRelu6, function_float},
      {K::kHardSwish, function_float},
      {K::kLogistic, sigmoid},
      {K::kTanh, sigmoid},
      {K::kDiv, div},
      {K::kPow, pair_float},
      {K::kElu, function_float},
      {K::kExp, exp},
      {K::kLog, function_float},
      {K::kSqrt, function_float},
      {K::kRsqrt, rsqrt},
      {K::kNeg, function_float},
      {K::kSquare, function_float},
      {K::kSign, function_float},
      {K::kSin, function_float},
      {K::kCos, function_float},
      {K::kFloor, function_float},
      {K::kCeil, function_float},
      {K::kRound, function_float},
      {K::kReluN1To1, function_float},
      {K::kRelu0To1, function_float},
      {K::kGelu, gelu},
      {K::kLogSoftmax, log_softmax},
      {K::kL2Normalize, l2_normalize},
      {K::kLayerNorm, layer_norm_float},
  };
}

}  // namespace presil::partition
