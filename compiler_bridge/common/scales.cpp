#include "compiler_bridge/common/scales.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "compiler_bridge/common/standard_pair.h"
#include "models/base/refusal.h"

namespace presil::common {

namespace {

std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

}  // namespace

void refuse_ratio(const ir::Op& op, double ratio, int bits) {
  throw Refusal("compiler", std::string(ir::to_string(op.kind)) + " \"" + op.name +
                                "\": a ratio of its scales is " + short_text(ratio) +
                                ", must be less than 2^" + std::to_string(bits) +
                                "; its quantisation is damaged, export the network again");
}

FixedPoint fixed_point(const ir::Op& op, double real) {
  if (!(std::fabs(real) < 1073741824.0)) refuse_ratio(op, real, 30);
  if (real == 0) return {};
  int shift = 0;
  const double fraction = std::frexp(real, &shift);  // magnitude in [0.5, 1)
  int64_t multiplier = std::llround(fraction * 2147483648.0);
  if (std::abs(multiplier) == int64_t{1} << 31) {
    multiplier /= 2;
    ++shift;
  }
  if (shift < -31) return {};  // the result of any int32 would round to 0
  return {static_cast<int32_t>(multiplier), shift};
}

int32_t float_bits(const ir::Op& op, float ratio) {
  if (!(std::fabs(ratio) < 1073741824.0f)) refuse_ratio(op, static_cast<double>(ratio), 30);
  int32_t bits = 0;
  std::memcpy(&bits, &ratio, sizeof bits);
  return bits;
}

Clamp range_of(ir::DType dtype) {
  return dtype == ir::DType::kInt16 ? Clamp{-32768, 32767} : Clamp{};
}

bool xnnpack_takes(float ratio) {
  return ratio >= 1.0f / 256 && ratio <= 128.0f;
}

int32_t fixed8(const ir::Op& op, float ratio) {
  if (!(std::fabs(ratio) < 4194304.0f)) refuse_ratio(op, static_cast<double>(ratio), 22);
  return static_cast<int32_t>(std::lrint(256.0f * ratio));
}

namespace {

// TFLite multiplies scales in double, but for a fully connected layer with one weight scale and a
// product of matrices, where the product is a float32 (LiteRT with sums of int64 has a double there
// too); XNNPACK's product and quotient are both
// float32.
double tflite_ratio(const ir::Op& op, float in, float weight, float out, bool in_double) {
  const bool float_product =
      !in_double && (op.kind == ir::OpKind::kBatchMatmul || op.kind == ir::OpKind::kFullyConnected);
  const double product = float_product ? static_cast<double>(in * weight)
                                       : static_cast<double>(in) * static_cast<double>(weight);
  return product / static_cast<double>(out);
}

// TFLite rounds the quotient, halves away from zero, and adds the zero point; XNNPACK adds it in
// float32 and rounds the sum, halves to even.
int32_t quantized(float real, const ir::Tensor& tensor, ir::Numerics numerics) {
  const ir::Quantization& q = tensor.quantization;
  const Clamp whole = range_of(tensor.dtype);
  const float steps = real / q.scale();
  const auto zero = static_cast<float>(q.zero_point());
  const float value =
      ir::by_fixed_point(numerics) ? std::round(steps) + zero : std::nearbyint(steps + zero);
  const float least = static_cast<float>(whole.min), most = static_cast<float>(whole.max);
  return static_cast<int32_t>(std::clamp(value, least, most));
}

}  // namespace

bool has_int16(const ir::Graph& graph, const ir::Op& op) {
  const auto is = [&](ir::TensorId id) {
    return id != ir::kAbsent && graph.tensor(id).dtype == ir::DType::kInt16;
  };
  return is(op.input(0)) || is(op.output());
}

namespace {

/// Scales that the network states as integers; empty: the tensors' scales say.
struct Fixed {
  std::vector<ir::FixedScale> scales;
  bool twice = false;
};

Fixed fixed_of(const ir::Graph& graph, const ir::Op& op) {
  if (op.kind == ir::OpKind::kBatchMatmul) {
    const std::vector<int64_t>& f = op.as<ir::BatchMatmul>().fixed;
    if (f.size() != 3) return {};
    return {{{static_cast<int32_t>(f[0]), static_cast<int8_t>(f[1])}}, f[2] != 0};
  }
  const bool weighted = op.kind == ir::OpKind::kConv2d || op.kind == ir::OpKind::kDepthwiseConv2d ||
                        op.kind == ir::OpKind::kTransposeConv2d ||
                        op.kind == ir::OpKind::kFullyConnected;
  if (!weighted) return {};
  const ir::Quantization& q = graph.tensor(op.input(1)).quantization;
  return {q.fixed, q.round_twice};
}

// Shifted by at most 31 places both roundings are one.
bool rounds_once(const Fixed& fixed) {
  if (fixed.twice) return false;
  return std::any_of(fixed.scales.begin(), fixed.scales.end(),
                     [](const ir::FixedScale& scale) { return scale.shift > 31; });
}

}  // namespace

ProductRule product_rule(const ir::Graph& graph, const ir::Op& op) {
  const Fixed fixed = fixed_of(graph, op);
  if (rounds_once(fixed)) return ProductRule::kSingle;
  if (!fixed.scales.empty()) return ProductRule::kDouble;
  if (ir::by_fixed_point(graph.numerics)) return ProductRule::kDouble;
  if (has_int16(graph, op)) {
    if (graph.numerics == ir::Numerics::kOnnx) return ProductRule::kDouble;
    return op.kind == ir::OpKind::kFullyConnected ? ProductRule::kDoubleUp : ProductRule::kDouble;
  }
  if (graph.numerics == ir::Numerics::kOnnx) return ProductRule::kFloat;
  if (op.kind == ir::OpKind::kTransposeConv2d && op.as<ir::TransposeConv2d>().vector != 0) {
    return ProductRule::kDoubleUp;
  }
  const bool rows = op.kind == ir::OpKind::kFullyConnected;
  const bool matrices = op.kind == ir::OpKind::kBatchMatmul;
  if (!rows && !matrices) return ProductRule::kFloat;  // others may have no second input
  const ir::Tensor& weights = graph.tensor(op.input(1));
  if (rows && !weights.is_constant()) return ProductRule::kDoubleUp;
  if (matrices && weights.quantization.zero_point() != 0) return ProductRule::kDouble;
  return ProductRule::kFloat;
}

bool requantised_once(const ir::Graph& graph, const ir::Op& op) {
  if (op.kind != ir::OpKind::kFullyConnected || graph.numerics != ir::Numerics::kXnnpack)
    return false;
  const ir::TensorId bias = op.input(2);
  return has_int16(graph, op) && bias != ir::kAbsent &&
         graph.tensor(bias).dtype == ir::DType::kInt64;
}

namespace {

bool xnnpack_adds(const ir::Graph& graph, const ir::Op& op) {
  const auto scale = [&](ir::TensorId id) { return graph.tensor(id).quantization.scale(); };
  if (!graph.tensor(op.output()).quantization.present()) return true;
  const auto [smaller, larger] = std::minmax({scale(op.input(0)), scale(op.input(1))});
  const float y = scale(op.output());
  return smaller / y >= 0x1p-10f && larger / y < 0x1p8f;
}

bool xnnpack_pools(const ir::Pool2d& pool) {
  return pool.stride_h <= pool.kernel_h && pool.stride_w <= pool.kernel_w;
}

bool taken_by_xnnpack(const ir::Graph& graph, const ir::Op& op) {
  switch (op.kind) {
    case ir::OpKind::kAdd:
    case ir::OpKind::kSub:
      return xnnpack_adds(graph, op);
    case ir::OpKind::kAveragePool2d:
      return false;
    case ir::OpKind::kMaxPool2d:
      return xnnpack_pools(op.as<ir::Pool2d>());
    default:
      return product_rule(graph, op) == ProductRule::kFloat;
  }
}

}  // namespace

ir::Numerics numerics_of(const ir::Graph& graph, const ir::Op& op) {
  const auto* pair = std::get_if<ir::Elementwise>(&op.attributes);
  if (pair != nullptr && !pair->fixed.empty()) return ir::Numerics::kTflite;
  if (ir::by_fixed_point(graph.numerics) || has_int16(graph, op)) return ir::Numerics::kTflite;
  if (is_standard_pair(graph, op)) {
    const auto words = standard_words(graph, op);
    return words ? words->rule : ir::Numerics::kXnnpack;
  }
  return taken_by_xnnpack(graph, op) ? ir::Numerics::kXnnpack : ir::Numerics::kTflite;
}

ChannelScales channel_scales(const ir::Graph& graph, const ir::Op& op, int channels) {
  const float in = graph.tensor(op.input(0)).quantization.scale();
  const float out = graph.tensor(op.output()).quantization.scale();
  const std::vector<float>& weights = graph.tensor(op.input(1)).quantization.scales;
  const bool in_double = weights.size() > 1 || requantised_once(graph, op);
  ChannelScales result;
  const Fixed fixed = fixed_of(graph, op);
  for (int c = 0; c < channels; ++c) {
    if (!fixed.scales.empty()) {
      const auto at = fixed.scales.size() == 1 ? 0 : static_cast<size_t>(c);
      result.multiplier.push_back(fixed.scales.at(at).multiplier);
      result.shift.push_back(static_cast<int8_t>(31 - fixed.scales.at(at).shift));
      continue;
    }
    const float weight = weights.size() == 1 ? weights[0] : weights.at(static_cast<size_t>(c));
    if (numerics_of(graph, op) == ir::Numerics::kTflite) {
      const FixedPoint scale = fixed_point(op, tflite_ratio(op, in, weight, out, in_double));
      result.multiplier.push_back(scale.multiplier);
      result.shift.push_back(static_cast<int8_t>(scale.shift));
    } else {
      const float product = in * weight;
      result.multiplier.push_back(float_bits(op, product / out));
      result.shift.push_back(0);
    }
  }
  return result;
}

// TFLite divides the integer multiplier, after as many left shifts as the count is long, so that no
// bit is lost; then cuts. XNNPACK's product and quotient are both float32; under onnx the scale is
// rounded once.
FixedPoint mean_scale(const ir::Op& op, const ir::Tensor& x, const ir::Tensor& y, int64_t count,
                      ir::Numerics numerics) {
  const float sx = x.quantization.scale(), sy = y.quantization.scale();
  if (numerics == ir::Numerics::kOnnx) {
    const double divisor = double{sy} * static_cast<double>(count);
    return {float_bits(op, static_cast<float>(double{sx} / divisor)), 0};
  }
  if (!ir::by_fixed_point(numerics)) {
    const float divisor = sy * static_cast<float>(count);
    return {float_bits(op, sx / divisor), 0};
  }
  const FixedPoint scale = fixed_point(op, static_cast<double>(sx) / static_cast<double>(sy));
  int length = 0;
  while (count >> (length + 1) != 0) ++length;
  length = std::min({length, 32, 31 + scale.shift});
  return {static_cast<int32_t>(scale.multiplier * (int64_t{1} << length) / count),
          scale.shift - length};
}

FixedPoint sum_scale(const ir::Op& op, const ir::Tensor& x, const ir::Tensor& y,
                     ir::Numerics numerics) {
  if (const auto* r = std::get_if<ir::Reduce>(&op.attributes); r && r->fixed.size() == 3) {
    return {static_cast<int32_t>(r->fixed[0]), static_cast<int32_t>(31 - r->fixed[1])};
  }
  if (!ir::by_fixed_point(numerics)) {
    return {float_bits(op, x.quantization.scale() / y.quantization.scale()), 0};
  }
  return fixed_point(op, static_cast<double>(x.quantization.scale()) /
                             static_cast<double>(y.quantization.scale()));
}

Clamp clamp_of(ir::Activation act, const ir::Tensor& tensor, ir::Numerics numerics) {
  const Clamp whole = range_of(tensor.dtype);
  const auto bound = [&](float real) { return quantized(real, tensor, numerics); };
  switch (act) {
    case ir::Activation::kRelu:
      return {bound(0.0f), whole.max};
    case ir::Activation::kRelu6:
      return {bound(0.0f), bound(6.0f)};
    case ir::Activation::kReluN1To1:
      return {bound(-1.0f), bound(1.0f)};
    case ir::Activation::kNone:
      break;
  }
  return whole;
}

namespace {

constexpr int kAddLeftShift = 20;       // TFLite: operands of 8 bits move up 20 before scaling,
constexpr int kAddLeftShift16 = 15;     // operands of 16 bits 15
constexpr int kXnnMultiplierBits = 20;  // XNNPACK: the larger multiplier is in [2^20, 2^21)

// Both operands on a grid of twice the larger scale, 2^20 (2^15) finer; then onto y's.
void add_tflite(ElementWiseScales& s, const ir::Op& op, double a, double b, double y,
                int left_shift) {
  const double grid = 2 * std::max(a, b);
  const FixedPoint fa = fixed_point(op, a / grid), fb = fixed_point(op, b / grid);
  const FixedPoint fo = fixed_point(op, grid / ((1 << left_shift) * y));
  s.a_mult = fa.multiplier, s.a_shift = fa.shift;
  s.b_mult = fb.multiplier, s.b_shift = fb.shift;
  s.out_mult = fo.multiplier, s.out_shift = fo.shift;
  s.left_shift = left_shift;
}

// One multiply-accumulate: zero points and the rounding half are folded into its constant.
void add_xnnpack(ElementWiseScales& s, float a, float b, bool subtract) {
  int exponent = 0;
  std::frexp(std::max(a, b), &exponent);  // max in [2^(exponent-1), 2^exponent)
  const int shift = kXnnMultiplierBits - (exponent - 1);
  if (shift < 1 || shift > 31) throw std::logic_error("scales: a rule lets a wild sum pass");
  s.a_mult = static_cast<int32_t>(std::lrint(std::ldexp(a, shift)));
  s.b_mult = static_cast<int32_t>(std::lrint(std::ldexp(b, shift)));
  if (subtract) s.b_mult = -s.b_mult;
  const int64_t constant =
      (int64_t{1} << (shift - 1)) - int64_t{s.a_mult} * s.a_zero - int64_t{s.b_mult} * s.b_zero;
  s.out_mult = static_cast<int32_t>(constant);
  s.out_shift = shift;
}

ElementWiseScales zero_points(const ir::Tensor& a, const ir::Tensor& b, const ir::Tensor& y,
                              ir::Activation act, ir::Numerics numerics) {
  ElementWiseScales s;
  s.a_zero = a.quantization.zero_point();
  s.b_zero = b.quantization.zero_point();
  s.out_zero = y.quantization.zero_point();
  s.clamp = clamp_of(act, y, numerics);
  return s;
}

// Where the network states the numbers. @return whether it does
bool stated(ElementWiseScales& s, const ir::Op& op) {
  const auto* pair = std::get_if<ir::Elementwise>(&op.attributes);
  if (pair == nullptr || pair->fixed.size() != 7) return false;
  const auto number = [pair](size_t i) { return static_cast<int32_t>(pair->fixed[i]); };
  s.left_shift = number(0);
  s.a_mult = number(1), s.a_shift = number(2);
  s.b_mult = number(3), s.b_shift = number(4);
  s.out_mult = number(5), s.out_shift = number(6);
  return true;
}

}  // namespace

ElementWiseScales add_scales(const ir::Op& op, const ir::Tensor& a, const ir::Tensor& b,
                             const ir::Tensor& y, bool subtract, ir::Activation act,
                             ir::Numerics numerics) {
  ElementWiseScales s = zero_points(a, b, y, act, numerics);
  if (stated(s, op)) return s;
  const float sa = a.quantization.scale(), sb = b.quantization.scale();
  const float sy = y.quantization.scale();
  if (ir::by_fixed_point(numerics)) {
    add_tflite(s, op, sa, sb, sy, y.dtype == ir::DType::kInt16 ? kAddLeftShift16 : kAddLeftShift);
  } else {
    add_xnnpack(s, sa / sy, sb / sy, subtract);
  }
  return s;
}

// On the grid of a sum, but 2^7 (1) finer, so that the square has room; it is in grid squares.
ElementWiseScales squared_difference_scales(const ir::Op& op, const ir::Tensor& a,
                                            const ir::Tensor& b, const ir::Tensor& y) {
  ElementWiseScales s = zero_points(a, b, y, ir::Activation::kNone, ir::Numerics::kTflite);
  const double sa = a.quantization.scale(), sb = b.quantization.scale();
  const double grid = 2 * std::max(sa, sb);
  s.left_shift = y.dtype == ir::DType::kInt16 ? 0 : 7;
  const double fine = std::ldexp(static_cast<double>(y.quantization.scale()), 2 * s.left_shift);
  const FixedPoint fa = fixed_point(op, sa / grid), fb = fixed_point(op, sb / grid);
  const FixedPoint fo = fixed_point(op, grid * grid / fine);
  s.a_mult = fa.multiplier, s.a_shift = fa.shift;
  s.b_mult = fb.multiplier, s.b_shift = fb.shift;
  s.out_mult = fo.multiplier, s.out_shift = fo.shift;
  return s;
}

// By TFLite's kernel under both rule sets; its quotient of scales is of float32.
ElementWiseScales div_scales(const ir::Op& op, const ir::Tensor& a, const ir::Tensor& b,
                             const ir::Tensor& y, ir::Activation act) {
  ElementWiseScales s = zero_points(a, b, y, act, ir::Numerics::kTflite);
  const float divisor = b.quantization.scale() * y.quantization.scale();
  const FixedPoint out = fixed_point(op, a.quantization.scale() / divisor);
  s.out_mult = out.multiplier, s.out_shift = out.shift;
  return s;
}

ElementWiseScales mul_scales(const ir::Op& op, const ir::Tensor& a, const ir::Tensor& b,
                             const ir::Tensor& y, ir::Activation act, ir::Numerics numerics,
                             bool in_float) {
  ElementWiseScales s = zero_points(a, b, y, act, numerics);
  if (stated(s, op)) return s;
  const float sa = a.quantization.scale(), sb = b.quantization.scale();
  const float sy = y.quantization.scale();
  const float product = sa * sb, ratio = product / sy;
  if (ir::by_fixed_point(numerics)) {
    const double exact =
        static_cast<double>(sa) * static_cast<double>(sb) / static_cast<double>(sy);
    const FixedPoint out = fixed_point(op, in_float ? static_cast<double>(ratio) : exact);
    s.out_mult = out.multiplier, s.out_shift = out.shift;
  } else {
    s.out_mult = float_bits(op, ratio);
  }
  return s;
}

}  // namespace presil::common
