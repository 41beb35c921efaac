// TOSA's arithmetic of scales (specification 1.0, apply_scale_32, apply_scale_16,
// reciprocal_scale): a product of 64 bits, what rounds added, shifted to the right.
#pragma once

#include <cstdint>

namespace presil::reference {

/// (value * multiplier + half) >> shift, half = 2^(shift - 1). twice: where shift is above 31,
/// 2^30 more for a value from 0 on, 2^30 less below.
/// @pre shift 2..62, |value| < 2^47 for a multiplier of 16 bits, else < 2^31
inline int64_t apply_scale(int64_t value, int32_t multiplier, int shift, bool twice = false) {
  int64_t half = int64_t{1} << (shift - 1);
  if (twice && shift > 31) half += value >= 0 ? int64_t{1} << 30 : -(int64_t{1} << 30);
  return (value * multiplier + half) >> shift;
}

struct Reciprocal {
  int32_t multiplier;
  int shift;
};
/// 1 / count as such a scale. @pre count >= 1
inline Reciprocal reciprocal(uint32_t count) {
  int k = 0;
  while (k < 32 && (uint64_t{count} - 1) >> k != 0) ++k;
  return {static_cast<int32_t>((((int64_t{1} << 30) + 1) << k) / count), 30 + k};
}

}  // namespace presil::reference
