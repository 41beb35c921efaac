#include "compiler_bridge/reference/fixed_point.h"

#include <cmath>
#include <limits>

namespace presil::reference {
namespace {

constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();

}  // namespace

Scale to_scale(double value) {
  if (value == 0) return {};
  Scale scale;
  const double fraction = std::frexp(value, &scale.shift);  // exact: takes the exponent apart
  const double scaled = fraction * 2147483648.0;
  // Exact: |scaled| <= 2^31 has at least 21 bits of a double left for its fraction.
  int64_t rounded = static_cast<int64_t>(scaled + (scaled >= 0 ? 0.5 : -0.5));
  if (rounded == int64_t{1} << 31) {
    rounded /= 2;
    ++scale.shift;
  }
  if (scale.shift < -31) return {};
  scale.multiplier = static_cast<int32_t>(rounded);
  return scale;
}

int32_t doubling_high_mul(int32_t a, int32_t b) {
  if (a == kMin && b == kMin) return kMax;
  const int64_t product = static_cast<int64_t>(a) * b;
  const int64_t half = product >= 0 ? int64_t{1} << 30 : 1 - (int64_t{1} << 30);
  return static_cast<int32_t>((product + half) / (int64_t{1} << 31));
}

int32_t rounding_shift_right(int32_t x, int exponent) {
  const int64_t half = exponent == 0 ? 0 : int64_t{1} << (exponent - 1);
  const int64_t magnitude = x < 0 ? -static_cast<int64_t>(x) : x;
  const int64_t rounded = (magnitude + half) >> exponent;
  return static_cast<int32_t>(x < 0 ? -rounded : rounded);
}

int32_t saturating_shift_left(int32_t x, int exponent) {
  const int64_t wide = static_cast<int64_t>(x) * (int64_t{1} << exponent);
  return wide > kMax ? kMax : wide < kMin ? kMin : static_cast<int32_t>(wide);
}

int32_t multiply(int32_t x, Scale scale) {
  const int left = scale.shift > 0 ? scale.shift : 0;
  const int right = scale.shift > 0 ? 0 : -scale.shift;
  // The product by 2^left keeps its low 32 bits, as in 32-bit arithmetic.
  const auto shifted = static_cast<int32_t>(
      left > 31 ? 0u : static_cast<uint32_t>(static_cast<uint32_t>(x) << left));
  return rounding_shift_right(doubling_high_mul(shifted, scale.multiplier), right);
}

int32_t multiply_wide(int64_t x, Scale scale) {
  const int32_t rounded = static_cast<int32_t>((int64_t{scale.multiplier} + 32768) >> 16);
  const auto m = static_cast<uint64_t>(rounded > 32767 ? 32767 : rounded);
  const int right = 15 - scale.shift;
  const uint64_t sum = static_cast<uint64_t>(x) * m + (uint64_t{1} << (right - 1));
  return static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(sum) >> right));
}

int32_t round_even(float x) {
  if (!(x > -2147483648.0f)) return kMin;
  if (x >= 2147483648.0f) return kMax;
  const double wide = x;
  auto below = static_cast<int64_t>(wide);
  if (static_cast<double>(below) > wide) --below;                // floor
  const double above_floor = wide - static_cast<double>(below);  // exact
  if (above_floor > 0.5 || (above_floor == 0.5 && (below & 1) != 0)) ++below;
  return below > kMax ? kMax : static_cast<int32_t>(below);
}

}  // namespace presil::reference
