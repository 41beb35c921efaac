// y = 1 / sqrt(x) in fixed point, as TFLite Micro's and LiteRT's rsqrt: at 0, and below where they
// stop, the largest value of y; else with v = x - z_x in 1 .. 255
//   r = 1 / sqrt(v) as a Scale, d = multiply(1, r * 2^20),
//   y = multiply(d, Scale(1 / (sqrt(s_x) * s_y)) * 2^-20) + z_y, saturated.
// 1 / (sqrt(s_x) * s_y): tflite in double, xnnpack the root and the product in float32.
// r of v = 1 is (2^31 - 1) / 2^31. Else v = w * 4^-k with w in [2^27, 2^29), and from t = 1, in Q28
// ("*" is doubling_high_mul and the shift that keeps Q28, saturating), five times
//   t = 3/2 * t - u/2 * t * t * t, u = w / 2, which leads to sqrt(1 / u);
// r = t * (sqrt(2) / 2) / 2^31 * 2^(k - 11).
#include <cmath>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {
namespace {

Scale inverse_root(int32_t v) {
  if (v <= 1) return {2147483647, 0};
  constexpr int32_t kHalfRootOf2 = 1518500250;  // Q31
  constexpr int32_t kThreeHalves = (1 << 28) + (1 << 27);
  int32_t w = v;
  int k = 0;
  while (w < 1 << 27) w *= 4, ++k;
  const int32_t half = rounding_shift_right(w >> 1, 1);
  int32_t t = 1 << 28;
  for (int step = 0; step < 5; ++step) {
    // Three fractions of 28 bits: 22 are left of their product.
    const int32_t cube = saturating_shift_left(doubling_high_mul(doubling_high_mul(t, t), t), 6);
    const int32_t next = doubling_high_mul(kThreeHalves, t) - doubling_high_mul(half, cube);
    t = saturating_shift_left(next, 3);
  }
  return {doubling_high_mul(t, kHalfRootOf2), k - 11};
}

}  // namespace

void rsqrt(const Case& c) {
  if (c.floats()) return function_float(c);
  const float x = c.in().quantization.scale(), y = c.out().quantization.scale();
  const float product = std::sqrt(x) * y;
  const double real = c.tflite()
                          ? 1.0 / (std::sqrt(static_cast<double>(x)) * static_cast<double>(y))
                          : 1.0 / static_cast<double>(product);
  const Scale out = to_scale(real);
  for_each_value(c, [&](int32_t stored) -> int64_t {
    const int32_t v = stored - c.in().quantization.zero_point();
    if (v <= 0) return 127;
    const Scale root = inverse_root(v);
    const int32_t d = multiply(1, {root.multiplier, root.shift + 20});
    const Scale scale = {out.multiplier, out.shift - 20};
    const int64_t scaled = scale.shift < -31 ? 0 : multiply(d, scale);
    return scaled + c.out().quantization.zero_point();
  });
}

}  // namespace presil::reference::operators
