// Functions whose steps are in double, so that the result, rounded to float32 once, is that of the
// exact function in all but a few cases in a million. NaN gives NaN. No function of a mathematical
// library but the exact ones frexp, ldexp, floor, sqrt.
#pragma once

#include <cstdint>

namespace presil::reference {

/// ln v. v = m * 2^k with m in [sqrt(1/2), sqrt 2), s = (m - 1) / (m + 1), z = s * s, t = 1 / 23,
/// t = t * z + 1 / n for n = 21, 19 .. 1; 2 * s * t + k * ln 2. Of 0 minus infinity, below NaN.
double natural_log(double v);
/// e^v. v within -700..700; n = floor(v * log2 e + 0.5), r = (v - n * 0x1.62e42feep-1) - n *
/// 0x1.a39ef35793c76p-33, t = 1, t = 1 + t * r / k for k = 13 .. 1; t * 2^n.
double exponential_double(double v);
/// e^(exponent * ln |base|), with the sign of an odd whole exponent where base is negative; of a
/// negative base and another exponent NaN. 1 where exponent is 0 or base 1; 0 and infinities as
/// limits.
float power_of(float base, float exponent);
/// x = q * pi / 2 + r, |r| <= pi / 4, from 2 / pi of 224 bits; then the sums of x^n / n! to n = 17
/// (sine) and 16 (cosine), from the last term on: s = 1 - s * z / (n * (n - 1)). Of infinity NaN.
float sine_of(float x);
float cosine_of(float x);
/// (2 / sqrt pi) * e^(-v^2) * v * s, where s = 1 + 2 v^2 / 3 * (1 + 2 v^2 / 5 * ..) of 120 factors;
/// 1 with v's sign from |v| = 6 on.
double error_function(double v);

}  // namespace presil::reference
