// Functions in fixed point as TFLite Micro's int8 kernels define them (the rational and polynomial
// forms of gemmlowp's fixed-point library). "Qn" has n fraction bits in an int32; "*" between such
// numbers is doubling_high_mul.
#pragma once

#include <cstdint>

#include "compiler_bridge/reference/fixed_point.h"

namespace presil::reference {

/// exp(x) for x <= 0. x has 31 - integer_bits fraction bits, the result is Q31; exp(0) is
/// INT32_MAX.
///   x = r - q * 1/4 with r in [-1/4, 0); exp(r) by a Taylor polynomial around -1/8;
///   then one factor exp(-2^e) for each bit e = -2 .. integer_bits - 1 of q.
int32_t exp_of_negative(int32_t x, int integer_bits);

/// 1 / (1 + a) for a in [0, 1), both Q31: three Newton steps from 48/17 - 32/17 * d, d = (1 + a) /
/// 2.
int32_t one_over_one_plus(int32_t a);

/// (1 - a) / (1 + a) for a in [0, 1), both Q31: the same steps.
int32_t one_minus_over_one_plus(int32_t a);

/// 1 / sqrt(v), v >= 0. Of 0 and 1 it is (2^31 - 1) / 2^31. Else v = w * 4^-k with w in [2^27,
/// 2^29), cut where k is below 0, and from t = 1, in Q28 ("*" with the shift that keeps Q28,
/// saturating), five times
///   t = 3/2 * t - u/2 * t * t * t, u = w / 2, which leads to sqrt(1 / u);
/// the result is t * (sqrt(2) / 2) / 2^31 * 2^(k - 11).
Scale inverse_root(int32_t v);

}  // namespace presil::reference
