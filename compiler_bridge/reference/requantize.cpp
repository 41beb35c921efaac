#include "compiler_bridge/reference/requantize.h"

#include <cmath>
#include <limits>

#include "compiler_bridge/reference/apply_scale.h"

namespace presil::reference {
namespace {

int32_t stored(ir::Numerics numerics, float bound, const ir::Quantization& q) {
  const float quotient = bound / q.scale();
  if (!ir::by_fixed_point(numerics)) {
    return round_even(quotient + static_cast<float>(q.zero_point()));
  }
  const float limited = quotient > 1e6f ? 1e6f : quotient < -1e6f ? -1e6f : quotient;
  const double half = limited >= 0 ? 0.5 : -0.5;  // in double the sum is exact
  return q.zero_point() + static_cast<int32_t>(static_cast<double>(limited) + half);
}

bool rows_by_computed(const Case& c) {
  return c.op.kind == ir::OpKind::kFullyConnected && !c.in(1).is_constant();
}

/// XNNPACK multiplies rows by constants alone, matrices by those whose zero point is 0, and takes
/// not every transpose_conv2d; the rest LiteRT computes by kernels of its own.
ir::Numerics rules_of(const Case& c) {
  if (c.onnx()) return c.graph.numerics;
  const bool shifted =
      c.op.kind == ir::OpKind::kBatchMatmul && c.in(1).quantization.zero_point() != 0;
  const bool wide_stride =
      c.op.kind == ir::OpKind::kTransposeConv2d && c.attributes<ir::TransposeConv2d>().vector != 0;
  return shifted || wide_stride || rows_by_computed(c) ? ir::Numerics::kTflite : c.graph.numerics;
}

/// The multiplier of each output channel, tflite.
std::vector<Scale> channel_scales(const Case& c, bool in_double = false) {
  const float x = c.in(0).quantization.scale();
  const float y = c.out().quantization.scale();
  const std::vector<float>& weights = c.in(1).quantization.scales;
  const bool float_product =
      !in_double && (c.op.kind == ir::OpKind::kBatchMatmul ||
                     (c.op.kind == ir::OpKind::kFullyConnected && weights.size() == 1));
  std::vector<Scale> scales;
  for (size_t i = 0; i < static_cast<size_t>(c.out().shape.back()); ++i) {
    const float w = weights[weights.size() == 1 ? 0 : i];
    const double exact = static_cast<double>(x) * static_cast<double>(w);
    const double wide = float_product ? static_cast<double>(x * w) : exact;
    scales.push_back(to_scale(wide / static_cast<double>(y)));
  }
  return scales;
}

}  // namespace

Range range_of(ir::DType dtype) {
  return dtype == ir::DType::kInt16 ? Range{-32768, 32767} : Range{-128, 127};
}

Range activation_range(ir::Numerics numerics, ir::Activation act, const ir::Tensor& y) {
  const Range whole = range_of(y.dtype);
  Range range = whole;
  float low = -std::numeric_limits<float>::infinity();
  float high = std::numeric_limits<float>::infinity();
  if (act == ir::Activation::kRelu || act == ir::Activation::kRelu6) low = 0;
  if (act == ir::Activation::kRelu6) high = 6;
  if (act == ir::Activation::kReluN1To1) low = -1, high = 1;
  const auto bound = [&](float real) {
    return clamp(stored(numerics, real, y.quantization), whole.low, whole.high);
  };
  if (std::isfinite(low)) range.low = bound(low);
  if (std::isfinite(high)) range.high = bound(high);
  return range;
}

Requantizer::Requantizer(const Case& c, ir::Activation act)
    : m_tflite(ir::by_fixed_point(rules_of(c))),
      m_up(!c.tflite() && !c.onnx() && rows_by_computed(c)),
      m_scales(channel_scales(c)),
      m_zero_point(c.out().quantization.zero_point()),
      m_range(activation_range(rules_of(c), act, c.out())),
      m_fixed(c.in(1).quantization.fixed),
      m_twice(c.in(1).quantization.round_twice) {
  if (c.op.kind == ir::OpKind::kBatchMatmul) {
    m_fixed.clear();
    const std::vector<int64_t>& f = c.attributes<ir::BatchMatmul>().fixed;
    if (f.size() == 3) {
      m_fixed = {{static_cast<int32_t>(f[0]), static_cast<int8_t>(f[1])}};
      m_twice = f[2] != 0;
    }
  }
  const float x = c.in(0).quantization.scale();
  const float y = c.out().quantization.scale();
  const std::vector<float>& weights = c.in(1).quantization.scales;
  for (size_t i = 0; i < m_scales.size(); ++i) {
    const float product = x * weights[weights.size() == 1 ? 0 : i];
    m_factors.push_back(product / y);
  }
}

int8_t Requantizer::stated(int32_t acc, size_t channel) const {
  const ir::FixedScale& scale = m_fixed[m_fixed.size() == 1 ? 0 : channel];
  const int64_t y = apply_scale(acc, scale.multiplier, scale.shift, m_twice) + m_zero_point;
  return static_cast<int8_t>(y < m_range.low ? m_range.low : y > m_range.high ? m_range.high : y);
}

std::vector<int32_t> bias_of(const Case& c, size_t channels) {
  if (!c.has(2)) return std::vector<int32_t>(channels, 0);
  return std::vector<int32_t>(c.read<int32_t>(2), c.read<int32_t>(2) + channels);
}

namespace {

bool has_wide_bias(const Case& c) {
  return c.has(2) && c.in(2).dtype == ir::DType::kInt64;
}

}  // namespace

WideRequantizer::WideRequantizer(const Case& c, ir::Activation act)
    : m_wide(!c.has(2) || has_wide_bias(c)),
      m_rows_of_litert(!c.tflite() && !c.onnx() && c.op.kind == ir::OpKind::kFullyConnected),
      m_scales(channel_scales(c, m_rows_of_litert && has_wide_bias(c))),
      m_bias(m_scales.size(), 0),
      m_range(activation_range(ir::Numerics::kTflite, act, c.out())) {
  if (m_rows_of_litert) m_wide = has_wide_bias(c);
  for (size_t i = 0; c.has(2) && i < m_bias.size(); ++i) {
    m_bias[i] = m_wide ? c.read<int64_t>(2)[i] : c.read<int32_t>(2)[i];
  }
}

int64_t WideRequantizer::scaled(int64_t acc, const Scale& scale) const {
  if (m_wide) return m_rows_of_litert ? multiply_once(acc, scale) : multiply_wide(acc, scale);
  const auto low = static_cast<int32_t>(acc);
  return m_rows_of_litert ? multiply_up(low, scale) : multiply(low, scale);
}

int16_t WideRequantizer::operator()(int64_t sum, size_t channel) const {
  const uint64_t acc = static_cast<uint64_t>(sum) + static_cast<uint64_t>(m_bias[channel]);
  const int64_t y = scaled(static_cast<int64_t>(acc), m_scales[channel]);
  return static_cast<int16_t>(y < m_range.low ? m_range.low : y > m_range.high ? m_range.high : y);
}

}  // namespace presil::reference
