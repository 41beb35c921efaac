// The exponential of TFLite's fixed point. A value "Qi" is an int32 with i integer bits.
#pragma once

#include "driver/kernels/host/reciprocal.h"

namespace presil::kernels {

constexpr int32_t kOneQ0 = INT32_MAX;  // 1 - 2^-31, the largest Q0
constexpr int kSumIntegerBits = 12;

inline int32_t mul(int32_t a, int32_t b) {
  return doubling_high_multiply(a, b);
}

/// exp(a) for a in [-1/4, 0), Q0: Taylor's polynomial of degree 4 around -1/8.
inline int32_t exp_quarter(int32_t a) {
  constexpr int32_t kExpMinusEighth = 1895147668;  // exp(-1/8)
  constexpr int32_t kThird = 715827883;            // 1/3
  const int32_t x = wrap_add(a, 1 << 28);          // a + 1/8
  const int32_t x2 = mul(x, x);
  const int32_t x3 = mul(x2, x);
  const int32_t x4_4 = rounding_divide_pot(mul(x2, x2), 2);
  // x^2/2 + x^3/6 + x^4/24 = ((x^4/4 + x^3) / 3 + x^2) / 2
  const int32_t tail = rounding_divide_pot(wrap_add(mul(wrap_add(x4_4, x3), kThird), x2), 1);
  return wrap_add(kExpMinusEighth, mul(kExpMinusEighth, wrap_add(x, tail)));
}

/// exp(a) for a <= 0 in Q5, as Q0: a = -k/4 - r with r in (0, 1/4]; each set bit of k multiplies
/// by one power of e.
inline int32_t exp_negative(int32_t a) {
  // exp(-2^i), i = -2 .. 4
  constexpr int32_t kPower[7] = {1672461947, 1302514674, 790015084, 290630308,
                                 39332535,   720401,     242};
  constexpr int32_t kQuarter = 1 << 24;
  if (a == 0) return kOneQ0;
  const int32_t rest = (a & (kQuarter - 1)) - kQuarter;
  int32_t result = exp_quarter(shift_left(rest, 5));
  const int32_t whole = rest - a;  // multiple of a quarter
  for (int i = 0; i < 7; ++i) {
    if (whole & (1 << (24 + i))) result = mul(result, kPower[i]);
  }
  return result;
}

}  // namespace presil::kernels
