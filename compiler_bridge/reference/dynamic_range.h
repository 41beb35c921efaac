// Dynamic range: x of float32 times int8 weights. What x, an image or a row of a fully connected
// layer, becomes before the sums, by two runtimes. m and M: the least and the largest of 0 and x,
// what is no number left out; r = M - m, float32. What is no number becomes z. cut(v): v + 0.5 with
// v's sign, in float32, towards zero: what is next below a half may go away from zero with it.
//   symmetric   TFLite's SymmetricQuantizeFloats. a = the largest |x|; q = cut(x * (127 / a)),
//               within -127..127; s = a / 127, z = 0. Where a is 0: q = 0, s = 1
//   asymmetric  TFLite's AsymmetricQuantizeFloats. In double t = r / 255, z = -128 - m / t where
//               128 + |m / t| < 127 + |M / t|, else 127 - M / t, ties away from zero, within
//               -128..127; s = float32(t); q = z + cut(x * (1 / s)), within -128..127. Where r is
//               0: q = z = 0, s = 1
//   qd8         XNNPACK's qd8. All in float32: t = 255 / r, or 1 where r is 0; z = -128 - m * t
//               where (-128 + m * t) + (127 + M * t) > 0, else 127 - M * t, within -128..127, then
//               to even; q = z + x * t, the product to even, within -128..127; s = 1 / t
// A range of which s or 1 / s is no float32 of full precision (2^-118 and less, or infinite) is
// left open by the runtimes; q is here within its type whatever x is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace presil::reference {

enum class DynamicRange { kSymmetric, kAsymmetric, kQd8 };

struct Dynamic {
  std::vector<int16_t> centred;  ///< q - z
  float scale = 1.0f;            ///< s
};

Dynamic quantised(const float* x, size_t count, DynamicRange how);

}  // namespace presil::reference
