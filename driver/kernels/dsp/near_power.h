// Powers in pairs of floats, as near_log.h has logarithms.
#pragma once

#include "driver/kernels/dsp/near_log.h"

namespace presil::dsp {

/// high + low is e^(p + p_low) / 2^n within `error`, where p has no more than `p_error` of itself;
/// n * 2^23 is `power`, p from -87 to 89. With r
/// what is left of n ln 2, h = r / 8: h + h^2/2 (1 + h (1/3 + h (1/12 + h (1/60 + h / 360)))) is
/// e^h - 1; three times e' = 2 e + e^2; 1 + e. The cube's last digits count most.
inline void near_exponential(Float p, Float p_low, float p_error, Float& high, Float& low,
                             Float& error, Bits& power, size_t vl) {
  const Float shifter = constant(12582912.0f, vl);
  const Float shifted = plus_product(shifter, 0x1.715476p+0f, p, vl);
  power = shifted_left(as_bits(shifted), 23, vl);
  const Float n = minus(shifted, shifter, vl);
  const Float a = minus_product(p, 0x1.62e4p-1f, n, vl);  // exact
  const Float b = minus_product(p_low, 0x1.7f7d1cp-20f, n, vl);
  const Float r = plus(a, b, vl), b_there = minus(r, a, vl);
  const Float r_low = plus(minus(a, minus(r, b_there, vl), vl), minus(b, b_there, vl), vl);
  const Float h = times(r, 0.125f, vl), h_low = times(r_low, 0.125f, vl);
  Float t = plus_product(constant(1.0f / 60, vl), 1.0f / 360, h, vl);
  t = plus_product(constant(1.0f / 12, vl), t, h, vl);
  t = plus_product(constant(1.0f / 3, vl), t, h, vl);
  Float square = h, square_low = h_low;
  multiply(square, square_low, times(h, 0.5f, vl), times(h_low, 0.5f, vl), vl);
  high = times(times(t, h, vl), square, vl), low = plus(square_low, h_low, vl);
  error = plus_product(constant(0x1p-43f, vl), 0x1p-18f, magnitude(high, vl), vl);
  error = plus_product(error, p_error + 0x1p-41f, magnitude(p, vl), vl);
  add_to(square, high, low, vl);
  add_to(h, high, low, vl);
  for (int i = 0; i < 3; ++i) {
    const Float twice = plus(high, high, vl), twice_low = plus(low, low, vl);
    multiply(high, low, high, low, vl);
    low = plus(low, twice_low, vl);
    add_to(twice, high, low, vl);
  }
  add_to(1.0f, high, low, vl);
}

/// y is base^exponent rounded to float, p + p_low = ln base. @return where it is not certain: where
/// base is not normal and above 0, exponent not finite, or the result denormal or at the edge of
/// what is finite; but 0 to a power above 0 is.
inline Mask power_from(Float base, Float exponent, Float p, Float p_low, Float& y, size_t vl) {
  Float high, low, error;
  Bits power;
  multiply(p, p_low, exponent, vl);
  near_exponential(p, p_low, 0x1.4p-39f, high, low, error, power, vl);
  const Mask close = rounded(high, low, error, y, vl);
  y = as_float(plus_bits(as_bits(y), power, vl));
  const Mask usual = both(below(magnitude(plus(p, -0.8f, vl), vl), 87.8f, vl),
                          within(as_bits(base), kLeastNormal, kNormals, vl), vl);
  const Mask zero = both(within(as_bits(base), 0, 1, vl),
                         within(as_bits(exponent), 1, kLeastNormal - 1 + kNormals, vl), vl);
  y = without(y, zero, vl);
  return but_not(or_not(close, usual, vl), zero, vl);
}

/// The same for a whole exponent of 2 and more, of bases with either sign.
inline Mask whole_power(Float base, int exponent, Float& y, size_t vl) {
  constexpr uint32_t kLeast = 0x18800000, kMost = 0x7f800000;  // 2^-78: low has its digits too
  Float high = times(base, base, vl), low = product_minus(high, base, base, vl);
  for (int i = 2; i < exponent; ++i) multiply(high, low, base, vl);
  const Mask close = rounded(high, low, times(high, 0x1p-42f, vl), y, vl);
  y = with_sign(y, high, vl);  // of 0
  const Mask usual = either(within(as_bits(magnitude(y, vl)), kLeast, kMost - kLeast, vl),
                            within(as_bits(magnitude(base, vl)), 0, 1, vl), vl);
  return or_not(close, usual, vl);
}

}  // namespace presil::dsp
