// Products and shifts of fixed-point numbers, rounded as TFLite's are.
#pragma once

#include <algorithm>
#include <cstdint>

#include "compiler_bridge/common/scales.h"

namespace presil::common {

inline int64_t saturated(int64_t v, int bits) {
  const int64_t top = (int64_t{1} << (bits - 1)) - 1;
  return std::clamp(v, -top - 1, top);
}

/// a * b / 2^(bits-1) of two `bits`-wide fractions, to nearest. Exact halves go up (-0.5 becomes
/// 0): the nudge of a negative product is one less than half.
inline int64_t high_product(int64_t a, int64_t b, int bits = 32) {
  const int64_t one = int64_t{1} << (bits - 1);
  const int64_t product = a * b;
  const int64_t nudge = product >= 0 ? one / 2 : 1 - one / 2;
  return saturated((product + nudge) / one, bits);
}

/// v / 2^places to nearest, halves away from zero.
inline int64_t rounded_right(int64_t v, int places) {
  if (places == 0) return v;
  const int64_t magnitude = ((v < 0 ? -v : v) + (int64_t{1} << (places - 1))) >> places;
  return v < 0 ? -magnitude : magnitude;
}

/// v * multiplier * 2^(shift - 31) with both roundings: the rule `double` of rtl/dla/README.md. A
/// left shift keeps the low 32 bits.
inline int64_t scaled_twice(int64_t v, const FixedPoint& scale) {
  const int left = std::max(scale.shift, 0), right = std::max(-scale.shift, 0);
  const auto moved = static_cast<int32_t>(static_cast<uint32_t>(v * (int64_t{1} << left)));
  return rounded_right(high_product(moved, scale.multiplier), right);
}

}  // namespace presil::common
