// Functions of floats by steps in double, rounded to float once; NaN gives NaN.
#pragma once

#include "driver/kernels/host/float_math.h"

namespace presil::kernels {

/// ln(v). v = m * 2^k, m in [sqrt(1/2), sqrt(2)); s = (m - 1) / (m + 1), z = s * s; t = 1 / 23,
/// then t * z + 1 / n for n = 21, 19 .. 1; 2 * s * t + k * ln(2). Of 0 -infinity, below NaN.
double log_f64(double v);
/// v within -700..700; n = floor(v * log2(e) + 0.5); r = (v - n * 0x1.62e42feep-1) - n *
/// 0x1.a39ef35793c76p-33; t = 1, then 1 + t * r / k for k = 13 .. 1; t * 2^n.
double exp_f64(double v);
/// 1 where exponent is 0 or base 1; exp(exponent * ln |base|), negative where base is and exponent
/// is odd; NaN for a finite base below 0 and an exponent that is not whole.
float pow_f32(float base, float exponent);
/// r = x where |x| <= 0x1.921fb6p-1; else x * 2 / pi modulo 4 in integers of 128 bits, from four of
/// the 32-bit words of 2 / pi on before which all are multiples of 4: a quarter, to nearest, and 64
/// bits of rest times pi / 2. Sine of r: s = 1, 1 - s * r^2 / (n * (n - 1)) for n = 17, 15 .. 3,
/// times r; cosine with n = 16, 14 .. 2. Of infinity NaN.
float sin_f32(float x);
float cos_f32(float x);
/// 1 with the sign of v for |v| >= 6; s = 1, then 1 + s * (2 * v * v) / n for n = 241, 239 .. 3;
/// (2 / sqrt(pi)) * exp(-v * v) * v * s.
double erf_f64(double v);

}  // namespace presil::kernels
