#include "compiler_bridge/reference/requantize.h"

#include <cmath>
#include <limits>

namespace presil::reference {
namespace {

int32_t stored(ir::Numerics numerics, float bound, const ir::Quantization& q) {
  const float quotient = bound / q.scale();
  if (numerics == ir::Numerics::kXnnpack) {
    return round_even(quotient + static_cast<float>(q.zero_point()));
  }
  const float limited = quotient > 1e6f ? 1e6f : quotient < -1e6f ? -1e6f : quotient;
  const double half = limited >= 0 ? 0.5 : -0.5;  // in double the sum is exact
  return q.zero_point() + static_cast<int32_t>(static_cast<double>(limited) + half);
}

}  // namespace

Range activation_range(ir::Numerics numerics, ir::Activation act, const ir::Tensor& y) {
  Range range;
  float low = -std::numeric_limits<float>::infinity();
  float high = std::numeric_limits<float>::infinity();
  if (act == ir::Activation::kRelu || act == ir::Activation::kRelu6) low = 0;
  if (act == ir::Activation::kRelu6) high = 6;
  if (act == ir::Activation::kReluN1To1) low = -1, high = 1;
  if (std::isfinite(low)) range.low = clamp(stored(numerics, low, y.quantization), -128, 127);
  if (std::isfinite(high)) range.high = clamp(stored(numerics, high, y.quantization), -128, 127);
  return range;
}

Requantizer::Requantizer(const Case& c, ir::Activation act)
    : m_tflite(c.tflite()),
      m_zero_point(c.out().quantization.zero_point()),
      m_range(activation_range(c.graph.numerics, act, c.out())) {
  const float x = c.in(0).quantization.scale();
  const float y = c.out().quantization.scale();
  const ir::Quantization& weights = c.in(1).quantization;
  const auto channels = static_cast<size_t>(c.out().shape.back());
  const bool float_product = c.op.kind == ir::OpKind::kFullyConnected && weights.scales.size() == 1;
  for (size_t i = 0; i < channels; ++i) {
    const float w = weights.scales[weights.scales.size() == 1 ? 0 : i];
    const float product = x * w;
    const double exact = static_cast<double>(x) * static_cast<double>(w);
    const double wide = float_product ? static_cast<double>(product) : exact;
    m_scales.push_back(to_scale(wide / static_cast<double>(y)));
    m_factors.push_back(product / y);
  }
}

std::vector<int32_t> bias_of(const Case& c, size_t channels) {
  if (!c.has(2)) return std::vector<int32_t>(channels, 0);
  return std::vector<int32_t>(c.read<int32_t>(2), c.read<int32_t>(2) + channels);
}

}  // namespace presil::reference
