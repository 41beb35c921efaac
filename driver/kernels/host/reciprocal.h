// The reciprocal of TFLite's fixed point. A value "Qi" is an int32 with i integer bits.
#pragma once

#include "driver/kernels/host/arithmetic.h"

namespace presil::kernels {

/// From Qi to Q(i - n): left by n, saturating.
inline int32_t shift_left(int32_t x, int n) {
  return saturate32(static_cast<int64_t>(x) * (int64_t{1} << n));
}

/// 1 / (1 + a) for a in [0, 1), Q0, by three Newton steps on half of the denominator.
inline int32_t reciprocal_of_one_plus(int32_t a) {
  constexpr int32_t kOneQ0 = INT32_MAX, kOneQ2 = 1 << 29;
  constexpr int32_t k48Over17 = 1515870810;        // Q2
  constexpr int32_t kMinus32Over17 = -1010580540;  // Q2
  const int64_t sum = static_cast<int64_t>(a) + kOneQ0;
  const int32_t half = static_cast<int32_t>((sum + (sum >= 0 ? 1 : -1)) / 2);
  int32_t x = wrap_add(k48Over17, doubling_high_multiply(half, kMinus32Over17));
  for (int step = 0; step < 3; ++step) {
    const int32_t error = wrap_add(kOneQ2, -doubling_high_multiply(half, x));
    x = wrap_add(x, shift_left(doubling_high_multiply(x, error), 2));  // Q4 to Q2
  }
  return shift_left(x, 1);  // x = 2 / (1 + a) in Q2 is 1 / (1 + a) in Q1
}

inline int leading_zeros(uint32_t x) {
  int n = 0;
  while (n < 32 && !(x & 0x80000000u)) x <<= 1, ++n;
  return n;
}

}  // namespace presil::kernels
