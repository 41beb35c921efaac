// Logarithm and power as compiler_bridge/reference/float_functions.h defines them in double, by the
// doubles of soft_double.h: up to 3,000 and 6,200 cycles each.
#pragma once

#include "driver/kernels/dsp/soft_double.h"

namespace presil::dsp {

// One copy of each: the instruction memory is small.
[[gnu::noinline]] inline Real product(const Real& a, const Real& b) {
  return a * b;
}
[[gnu::noinline]] inline Real sum(const Real& a, const Real& b) {
  return a + b;
}
[[gnu::noinline]] inline Real real_of(float x) {
  return Real::of_float(x);
}
[[gnu::noinline]] inline float to_float(const Real& x) {
  return x.to_float();
}

constexpr Real constant_of(double c) {
  return Real::of_double_bits(__builtin_bit_cast(uint64_t, c));
}
inline constexpr Real kOne = constant_of(1.0);

/// t * z + *c, and so on to the last of them.
[[gnu::noinline]] inline Real continued(Real t, const Real& z, const Real* c, const Real* end) {
  for (; c != end; ++c) t = sum(product(t, z), *c);
  return t;
}

/// x above 0 and finite.
inline Real soft_log(float x) {
  static constexpr Real kLn2 = constant_of(0x1.62e42fefa39efp-1);
  static constexpr Real kInverse[] = {
      constant_of(1.0 / 23), constant_of(1.0 / 21), constant_of(1.0 / 19), constant_of(1.0 / 17),
      constant_of(1.0 / 15), constant_of(1.0 / 13), constant_of(1.0 / 11), constant_of(1.0 / 9),
      constant_of(1.0 / 7),  constant_of(1.0 / 5),  constant_of(1.0 / 3),  kOne};
  constexpr uint64_t kRootOfHalf = 0x16a09e667f3bcd;  // * 2^-53
  const Real v = real_of(x);
  const bool low = v.m < kRootOfHalf;
  const Real m{false, low ? -52 : -53, v.m};
  const int k = v.exponent + 53 - (low ? 1 : 0);
  const Real s = sum(m, -kOne) / sum(m, kOne), z = product(s, s);
  const Real t = continued(kInverse[0], z, kInverse + 1, kInverse + 12);
  return sum(product(s.scaled(1), t), product(real_of(static_cast<float>(k)), kLn2));
}

/// The largest whole number up to v, whose magnitude is below 2^31.
inline int32_t soft_floor(const Real& v) {
  if (v.m == 0) return 0;
  const int down = -v.exponent;  // above 21
  const uint64_t size = down > 63 ? 0 : v.m >> down;
  const bool cut = down > 63 || size << down != v.m;
  return v.negative ? -static_cast<int32_t>(size) - (cut ? 1 : 0) : static_cast<int32_t>(size);
}

/// Rounded to float: from 128 on infinite, below -128 0.
inline float soft_exponential(const Real& v) {
  if (v.m != 0 && v.exponent + 52 >= 7) return v.negative ? 0.0f : __builtin_inff();
  static constexpr Real kLog2E = constant_of(0x1.71547652b82fep+0), kHalf = constant_of(0.5);
  static constexpr Real kHigh = constant_of(0x1.62e42feep-1),
                        kLow = constant_of(0x1.a39ef35793c76p-33);
  const int32_t n = soft_floor(sum(product(v, kLog2E), kHalf));
  const Real less = real_of(static_cast<float>(-n));
  const Real r = sum(sum(v, product(less, kHigh)), product(less, kLow));
  Real t = kOne;
  for (uint32_t k = 13; k >= 1; --k) t = sum(kOne, product(t, r).divided_by(k));
  return to_float(t.scaled(n));
}

/// ln x rounded to float.
inline float log_of(float x) {
  if (x == 0) return -__builtin_inff();
  if (!(x > 0)) return __builtin_nanf("");
  return x < __builtin_inff() ? to_float(soft_log(x)) : x;
}

/// Of floats from 2^23 on all are whole, from 2^24 on even.
inline bool is_whole(float v) {
  return __builtin_fabsf(v) >= 0x1p23f || static_cast<float>(static_cast<int32_t>(v)) == v;
}
inline bool is_odd(float v) {
  return __builtin_fabsf(v) < 0x1p24f && is_whole(v) && (static_cast<int32_t>(v) & 1) != 0;
}

inline float power_of(float base, float exponent) {
  if (exponent == 0 || base == 1) return 1;
  if (base != base || exponent != exponent) return __builtin_nanf("");
  const float size = __builtin_fabsf(base), infinite = __builtin_inff();
  if (base < 0 && size < infinite && !is_whole(exponent)) return __builtin_nanf("");
  float y;
  if (size == 1) {
    y = 1;
  } else if (size == 0 || size == infinite || __builtin_fabsf(exponent) == infinite) {
    y = (size > 1) == (exponent > 0) ? infinite : 0;
  } else {
    y = soft_exponential(product(real_of(exponent), soft_log(size)));
  }
  return __builtin_signbitf(base) && is_odd(exponent) ? -y : y;
}

}  // namespace presil::dsp
