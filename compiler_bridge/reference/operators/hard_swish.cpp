// y = x * min(max(x + 3, 0), 6) / 6.
// Under both sets as TFLite's kernel, which LiteRT runs too. In 16 bits, "*" rounding to Q15 (ties
// away from zero), values saturated:
//   fine = (x - z_x) * 128, of scale s = float32(s_x / 128);
//   out = fine * M with M * 2^E the Scale of s / s_y cut to 16 bits;
//   ramp = fine * R * 2^F with R * 2^F the Scale of s / (3 / 32768): 3 is 32768; a left shift is
//   done by F - 1 before and by 1 after the product, a right shift after it; ramp = (ramp + 32768)
//   / 2;
//   y = (out * ramp cut towards zero to Q15) >> -E, rounded, + z_y.
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {
namespace {

int32_t saturate16(int64_t x) {
  return static_cast<int32_t>(x > 32767 ? 32767 : x < -32768 ? -32768 : x);
}

/// round(a * b / 2^15), ties away from zero but for exact negative halves, which go up.
int32_t doubling_high_mul16(int32_t a, int32_t b) {
  const int64_t product = static_cast<int64_t>(a) * b;
  const int64_t half = product >= 0 ? 1 << 14 : 1 - (1 << 14);
  return saturate16((product + half) / (1 << 15));
}

/// A Scale whose multiplier keeps 16 bits.
Scale short_scale(float value) {
  Scale scale = to_scale(static_cast<double>(value));
  scale.multiplier = saturate16((static_cast<int64_t>(scale.multiplier) + (1 << 15)) >> 16);
  return scale;
}

}  // namespace

void hard_swish(const Case& c) {
  if (c.floats()) return function_float(c);
  const ir::Quantization &qx = c.in().quantization, &qy = c.out().quantization;
  const float fine_scale = (1.0f / 128.0f) * qx.scale();
  const Scale to_out = short_scale(fine_scale / qy.scale());
  const Scale to_ramp = short_scale(fine_scale / (3.0f / 32768.0f));
  const int left = to_ramp.shift > 0 ? to_ramp.shift : 0;
  const int right = to_ramp.shift < 0 ? -to_ramp.shift : 0;
  for_each_value(c, [&](int32_t x) {
    const int32_t fine = saturate16((x - qx.zero_point()) * 128);
    const int32_t out = doubling_high_mul16(fine, to_out.multiplier);
    int32_t ramp = fine;
    if (left > 0) ramp = saturate16(static_cast<int64_t>(ramp) * (int64_t{1} << (left - 1)));
    ramp = doubling_high_mul16(ramp, to_ramp.multiplier);
    if (left > 0) ramp = saturate16(static_cast<int64_t>(ramp) * 2);
    ramp = (rounding_shift_right(ramp, right) + (1 << 15)) >> 1;
    const int32_t product = out * ramp / (1 << 15);
    const int shift = to_out.shift;
    const int32_t y =
        shift <= 0 ? rounding_shift_right(product, -shift) : saturating_shift_left(product, shift);
    return clamp(y, -1024, 1024) + qy.zero_point();
  });
}

}  // namespace presil::reference::operators
