#include "compiler_bridge/reference/fixed_point.h"

#include <cmath>

namespace presil::reference {

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

int32_t multiply_wide(int64_t x, Scale scale) {
  const int32_t rounded = static_cast<int32_t>((int64_t{scale.multiplier} + 32768) >> 16);
  const auto m = static_cast<uint64_t>(rounded > 32767 ? 32767 : rounded);
  const int right = 15 - scale.shift;
  const uint64_t sum = static_cast<uint64_t>(x) * m + (uint64_t{1} << (right - 1));
  return static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(sum) >> right));
}

int64_t multiply_once(int64_t x, Scale scale) {
  const int right = 31 - scale.shift;
  // The product has up to 78 bits: x = high * 2^16 + low.
  const int64_t high = x >> 16, low = x & 65535;
  const int64_t rest = low * scale.multiplier + (int64_t{1} << (right - 1));
  return (high * scale.multiplier + (rest >> 16)) >> (right - 16);
}

int32_t round_even(float x) {
  if (!(x > -2147483648.0f)) return kInt32Min;
  if (x >= 2147483648.0f) return kInt32Max;
  const double wide = x;
  auto below = static_cast<int64_t>(wide);
  if (static_cast<double>(below) > wide) --below;                // floor
  const double above_floor = wide - static_cast<double>(below);  // exact
  if (above_floor > 0.5 || (above_floor == 0.5 && (below & 1) != 0)) ++below;
  return below > kInt32Max ? kInt32Max : static_cast<int32_t>(below);
}

}  // namespace presil::reference
