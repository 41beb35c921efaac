// 1 / sqrt(v) in fixed point.
#pragma once

#include "driver/kernels/host/arithmetic.h"

namespace presil::kernels {

struct Fraction {
  int32_t multiplier;
  int shift;  ///< multiplier * 2^(shift - 31)
};

/// Of 0 and 1 (2^31 - 1) / 2^31. Else v = w / 4^k, 2^27 <= w < 2^29; t = 1, then five times
/// t = 1.5 * t - w / 4 * t^3, in 28 fraction bits, products by doubling high multiplication; then
/// t * sqrt(1/2), shift k - 11.
inline Fraction inverse_root(uint32_t v) {
  if (v <= 1) return {INT32_MAX, 0};
  constexpr int32_t kOne = 1 << 28, kRootOfHalf = 1518500250;
  int k = 0;
  for (; v >= uint32_t{1} << 29; v >>= 2) --k;
  for (; v < uint32_t{1} << 27; v <<= 2) ++k;
  const auto scaled = [](int32_t x, int n) {
    return saturate32(static_cast<int64_t>(x) * (int64_t{1} << n));
  };
  const int32_t half = rounding_divide_pot(static_cast<int32_t>(v >> 1), 1);
  int32_t t = kOne;
  for (int i = 0; i < 5; ++i) {
    const int32_t square = doubling_high_multiply(t, t);
    const int32_t cube = scaled(doubling_high_multiply(square, t), 6);
    t = scaled(doubling_high_multiply(kOne + kOne / 2, t) - doubling_high_multiply(half, cube), 3);
  }
  return {doubling_high_multiply(t, kRootOfHalf), k - 11};
}

}  // namespace presil::kernels
