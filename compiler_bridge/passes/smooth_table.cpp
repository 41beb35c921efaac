#include "compiler_bridge/passes/smooth_table.h"

#include <cmath>

#include "compiler_bridge/common/exponential.h"
#include "compiler_bridge/passes/tabulate.h"

namespace presil::passes {
namespace {

using common::exp_of_negative;
using common::fraction;
using common::kOne;
constexpr int64_t kOneQ29 = int64_t{1} << 29;

// 2 / (1 + a) with 29 fraction bits, for a 31-bit fraction a: Newton's x += x * (1 - d * x) for
// d = (1 + a) / 2, from the line 48/17 - 32/17 * d.
int64_t two_over_one_plus(int64_t a) {
  const int64_t d = (a + kOne + 1) / 2;
  int64_t x = fraction(48.0 / 17, 29) + high_product(d, -fraction(32.0 / 17, 29));
  for (int step = 0; step < 3; ++step) {
    const int64_t error = kOneQ29 - high_product(d, x);
    x += saturated(high_product(x, error) * 4, 32);
  }
  return x;
}

// The real function, in steps of y, to the nearest even; x and y in float32, f in double.
template <class F>
Int8Table rounded_table(const ir::Op& op, const ir::Quantization& x, const ir::Quantization& y,
                        F&& f) {
  return tabulate([&](int q) {
    const float real = x.scale() * static_cast<float>(q - x.zero_point());
    if (!std::isfinite(real)) common::refuse_ratio(op, static_cast<double>(real), 127);
    const auto value = static_cast<float>(f(static_cast<double>(real)));
    const float steps = std::clamp(value / y.scale(), -1024.0f, 1024.0f);
    return static_cast<int64_t>(std::nearbyint(steps)) + y.zero_point();
  });
}

// TFLite's kernels for functions that saturate: x in steps of 2^-27, and beyond 15 the bounds.
// inside(magnitude, negative) for a magnitude in those steps, not 0.
template <class F>
Int8Table saturating_table(const ir::Op& op, const ir::Quantization& x, int at_zero, F&& inside) {
  if (x.scale() >= 8) {  // one step is beyond what they hold: none lies between the bounds
    return tabulate([&](int q) -> int64_t { return q <= x.zero_point() ? -128 : 127; });
  }
  const common::FixedPoint scale =
      common::fixed_point(op, static_cast<double>(x.scale()) * (1 << 27));
  const int64_t reach = (int64_t{15} << 27) >> std::max(scale.shift, 0);
  return tabulate([&](int q) -> int64_t {
    const int64_t v = q - x.zero_point();
    if (v <= -reach) return -128;
    if (v >= reach) return 127;
    const int64_t steps = scaled_twice(v, scale);
    if (steps == 0) return at_zero;
    return inside(std::abs(steps), steps < 0);
  });
}

}  // namespace

Int8Table logistic_table(const ir::Op& op, const ir::Quantization& x, const ir::Quantization& y,
                         ir::Numerics numerics) {
  if (!ir::by_fixed_point(numerics)) {
    return rounded_table(op, x, y, [](double v) { return 1.0 / (1.0 + std::exp(-v)); });
  }
  return saturating_table(op, x, 0, [](int64_t magnitude, bool negative) {
    // 1 / (1 + e): the bits of 2 / (1 + e) with one bit less
    const int64_t p = saturated(two_over_one_plus(exp_of_negative(-magnitude, 27)) * 2, 32);
    return rounded_right(negative ? kOne - p : p, 23) - 128;
  });
}

Int8Table tanh_table(const ir::Op& op, const ir::Quantization& x, const ir::Quantization& y,
                     ir::Numerics numerics) {
  if (!ir::by_fixed_point(numerics)) {
    return rounded_table(op, x, y, [](double v) { return std::tanh(v); });
  }
  return saturating_table(op, x, 0, [](int64_t magnitude, bool negative) {
    // (1 - e) / (1 + e) = 2 / (1 + e) - 1 with e = exp(-2 x): x's bits with one bit less
    const int64_t e = exp_of_negative(-magnitude, 26);
    const int64_t t = saturated((two_over_one_plus(e) - kOneQ29) * 4, 32);
    return rounded_right(negative ? -t : t, 24);
  });
}

namespace {

// A scale whose multiplier keeps 16 bits.
common::FixedPoint short_scale(const ir::Op& op, float value) {
  common::FixedPoint scale = common::fixed_point(op, static_cast<double>(value));
  const int64_t rounded = (int64_t{scale.multiplier} + (1 << 15)) >> 16;
  scale.multiplier = static_cast<int32_t>(saturated(rounded, 16));
  return scale;
}

}  // namespace

// Both factors in 16 bits: x in steps of y, and the ramp min(max(x + 3, 0), 6) / 6 as a fraction.
Int8Table hard_swish_table(const ir::Op& op, const ir::Quantization& x, const ir::Quantization& y) {
  const float fine_scale = (1.0f / 128.0f) * x.scale();
  const common::FixedPoint to_y = short_scale(op, fine_scale / y.scale());
  const common::FixedPoint to_ramp = short_scale(op, fine_scale / (3.0f / 32768.0f));
  return tabulate([&](int q) {
    const int64_t fine = saturated(int64_t{q - x.zero_point()} * 128, 16);
    const int64_t out = high_product(fine, to_y.multiplier, 16);
    int64_t ramp = fine;
    const int left = std::max(to_ramp.shift, 0), right = std::max(-to_ramp.shift, 0);
    if (left > 0) ramp = saturated(ramp * (int64_t{1} << (left - 1)), 16);
    ramp = high_product(ramp, to_ramp.multiplier, 16);
    if (left > 0) ramp = saturated(ramp * 2, 16);
    ramp = (rounded_right(ramp, right) + (1 << 15)) >> 1;
    const int64_t product = out * ramp / (1 << 15);  // cut towards zero
    const int64_t v = to_y.shift <= 0 ? rounded_right(product, -to_y.shift)
                                      : product * (int64_t{1} << to_y.shift);
    return v + y.zero_point();
  });
}

}  // namespace presil::passes
