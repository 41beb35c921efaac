// y = a / b, int8, under both rule sets TFLite's kernel. With (M, s) = to_scale(f32(s_a / f32(s_b *
// s_y))), a and b less their zero points, both negated where b < 0:
//   z = leading zeros of b, inverse = one_over_one_plus((b << z) - 2^31), Q31;
//   h = copies of a's sign bit after it (31 for 0), q = doubling_high_mul(a << h, inverse);
//   y = rounding_shift_right(doubling_high_mul(q, M), e), e = 31 - z + h - s, + z_y, clamped.
// The runtimes shift by e modulo 32, as processors do: from e = 32 on (small quotients of a coarse
// y) only a 1 is added to what is not negative: far from the quotient.
// b = 0 they leave open (LiteRT ends the run); here y is then the end of the range on a's side.
#include <algorithm>

#include "compiler_bridge/reference/elementwise.h"
#include "compiler_bridge/reference/fixed_functions.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/requantize.h"

namespace presil::reference::operators {
namespace {

int leading_zeros(uint32_t x) {
  int zeros = 0;
  while (zeros < 32 && (x >> (31 - zeros)) == 0) ++zeros;
  return zeros;
}

int32_t shifted(int32_t x, int exponent) {
  if (exponent < 0) return saturating_shift_left(x, std::min(-exponent, 31));
  if (exponent < 32) return rounding_shift_right(x, exponent);
  return (x >> (exponent % 32)) + (x >= 0 ? 1 : 0);
}

int32_t quotient(int32_t a, int32_t b, Scale scale) {
  if (b == 0) return a == 0 ? 0 : a > 0 ? kInt32Max : kInt32Min;
  if (b < 0) a = -a, b = -b;
  const int zeros = leading_zeros(static_cast<uint32_t>(b));
  const uint32_t fraction = (static_cast<uint32_t>(b) << zeros) - 0x80000000u;
  const int32_t inverse = one_over_one_plus(static_cast<int32_t>(fraction));
  const int headroom = leading_zeros(static_cast<uint32_t>(a < 0 ? ~a : a)) - 1;
  const auto wide = static_cast<int32_t>(int64_t{a} * (int64_t{1} << headroom));
  const int32_t q = doubling_high_mul(wide, inverse);
  return shifted(doubling_high_mul(q, scale.multiplier), 31 - zeros + headroom - scale.shift);
}

}  // namespace

void div(const Case& c) {
  if (c.floats()) return div_float(c);
  const auto &qa = c.in(0).quantization, &qb = c.in(1).quantization, &qy = c.out().quantization;
  const float product = qb.scale() * qy.scale();
  const Scale scale = to_scale(static_cast<double>(qa.scale() / product));
  const Range range =
      activation_range(ir::Numerics::kTflite, c.attributes<ir::Elementwise>().act, c.out());
  for_each_pair<int8_t>(c, [&](int8_t a, int8_t b) {
    const int64_t q = quotient(a - qa.zero_point(), b - qb.zero_point(), scale);
    return static_cast<int8_t>(std::clamp<int64_t>(q + qy.zero_point(), range.low, range.high));
  });
}

}  // namespace presil::reference::operators
