// Logarithms in pairs of floats, whose sum has about 40 bits: nearly always enough to see to which
// float the interpreter's result in double (soft_functions.h) is rounded.
#pragma once

#include "driver/kernels/dsp/lanes.h"

namespace presil::dsp {

/// high + low times by_high + by_low, to about 2^-46 of it.
inline void multiply(Float& high, Float& low, Float by_high, Float by_low, size_t vl) {
  const Float product = times(high, by_high, vl);
  Float rest = product_minus(product, high, by_high, vl);
  rest = plus_product(rest, high, by_low, vl);
  low = plus_product(rest, low, by_high, vl);
  high = product;
}
/// The same by a float.
inline void multiply(Float& high, Float& low, Float by, size_t vl) {
  const Float product = times(high, by, vl);
  low = plus_product(product_minus(product, high, by, vl), low, by, vl);
  high = product;
}
/// Adds large, whose magnitude is that of high or more.
template <class Large>
inline void add_to(Large large, Float& high, Float& low, size_t vl) {
  const Float sum = plus(high, large, vl);
  const Float rest = plus(minus(large, sum, vl), high, vl);
  low = plus(low, rest, vl);
  high = sum;
}

/// high + low is ln x within 2^-39 of it; x is normal and above 0. x = m * 2^k, m from sqrt(1/2)
/// to sqrt(2), s = (m - 1) / (m + 1), z = s * s: 2 s (1 + z (1/3 + z (1/5 + z (1/7 ..)))) + k ln 2.
inline void near_log(Float x, Float& high, Float& low, size_t vl) {
  const Bits from_root = plus_bits(as_bits(x), -0x3f3504f3u, vl);
  const Float k = shifted_right(from_root, 23, vl);
  const Float m = as_float(minus_bits(as_bits(x), and_bits(from_root, 0xff800000u, vl), vl));
  const Float f = plus(m, -1.0f, vl), d = plus(m, 1.0f, vl);
  const Float d_low = minus(m, plus(d, -1.0f, vl), vl);
  Float q = rough_reciprocal(d, vl);
  const Float one = constant(1.0f, vl);
  q = plus_product(q, q, minus_product(one, q, d, vl), vl);
  q = plus_product(q, q, minus_product(one, q, d, vl), vl);
  const Float s = times(f, q, vl);
  const Float s_low = times(minus_product(minus_product(f, s, d, vl), s, d_low, vl), q, vl);
  Float z = s, z_low = s_low;
  multiply(z, z_low, s, s_low, vl);
  Float t = plus_product(constant(1.0f / 13, vl), 1.0f / 15, z, vl);
  t = plus_product(constant(1.0f / 11, vl), t, z, vl);
  t = plus_product(constant(1.0f / 9, vl), t, z, vl);
  t = plus_product(constant(1.0f / 7, vl), t, z, vl);
  high = times(t, z, vl), low = constant(-0x1.99999ap-29f, vl);
  add_to(0x1.99999ap-3f, high, low, vl);  // 1/5
  multiply(high, low, z, z_low, vl);
  low = plus(low, -0x1.555556p-27f, vl);
  add_to(0x1.555556p-2f, high, low, vl);  // 1/3
  multiply(high, low, z, z_low, vl);
  const Float twice = plus(s, s, vl), twice_low = plus(s_low, s_low, vl);
  multiply(high, low, twice, twice_low, vl);
  low = plus(low, twice_low, vl);
  add_to(twice, high, low, vl);
  // ln 2 in two parts; the product with the first is exact.
  low = plus_product(low, 0x1.7f7d1cp-20f, k, vl);
  add_to(times(k, 0x1.62e4p-1f, vl), high, low, vl);
}

/// What high + low is rounded to. @return where a number that is at most `error` away may be
/// rounded to another float
inline Mask rounded(Float high, Float low, Float error, Float& y, size_t vl) {
  y = plus(high, plus(low, error, vl), vl);
  return differs(y, plus(high, minus(low, error, vl), vl), vl);
}

/// The bits of normal floats above 0.
constexpr uint32_t kLeastNormal = 0x00800000, kNormals = 0x7f000000;

/// y is high + low = ln x rounded to float. @return where it is not certain
inline Mask log_from(Float x, Float high, Float low, Float& y, size_t vl) {
  const Mask close = rounded(high, low, times(high, 0x1p-38f, vl), y, vl);
  return or_not(close, within(as_bits(x), kLeastNormal, kNormals, vl), vl);
}

}  // namespace presil::dsp
