#include "compiler_bridge/common/exponential.h"

#include <algorithm>

#include "compiler_bridge/common/fixed_arithmetic.h"

namespace presil::common {
namespace {

constexpr int kIntegerBits = 5, kFractionBits = 31 - kIntegerBits;

}  // namespace

// v = r - k/4 with r in
// [-1/4, 0): a polynomial for exp(r), and for each set bit of k its power of e.
int64_t exp_of_negative(int64_t v, int bits) {
  if (v == 0) return kOne;
  const int64_t quarter = int64_t{1} << (bits - 2);
  const int64_t r = (v & (quarter - 1)) - quarter;
  const int64_t t = r * (int64_t{1} << (31 - bits)) + (int64_t{1} << 28);  // around -1/8
  const int64_t t2 = high_product(t, t);
  const int64_t t3 = high_product(t2, t);
  const int64_t t4 = high_product(t2, t2);
  // 1 + t + t^2/2 + t^3/6 + t^4/24, the last three as ((t^4/4 + t^3)/3 + t^2)/2
  const int64_t third = high_product(rounded_right(t4, 2) + t3, fraction(1.0 / 3));
  const int64_t tail = rounded_right(third + t2, 1);
  const int64_t centre = fraction(std::exp(-0.125));
  int64_t result = centre + high_product(centre, t + tail);
  const int64_t quarters = (r - v) / quarter;
  for (int bit = 0; quarters >> bit != 0; ++bit) {
    if ((quarters >> bit & 1) == 0) continue;
    result = high_product(result, fraction(std::exp(-std::ldexp(0.25, bit))));
  }
  return result;
}

FixedSoftmax::FixedSoftmax(const ir::Op& op, double scale) {
  const double real = std::min(scale * (1 << kFractionBits), 2147483647.0);
  const FixedPoint half = fixed_point(op, real / 2);  // up to 2^30
  multiplier = half.multiplier, left_shift = half.shift + 1;
  const double radius = ((1 << kIntegerBits) - 1) * std::ldexp(1.0, kFractionBits - left_shift);
  diff_min = -static_cast<int32_t>(std::floor(radius));
}

std::vector<int32_t> FixedSoftmax::exponentials() const {
  std::vector<int32_t> by_byte(256, 0);
  for (int32_t d = 0; d > -256 && d >= diff_min; --d) {
    const int64_t x = high_product(d * (int64_t{1} << left_shift), multiplier);
    by_byte[static_cast<uint8_t>(d)] = static_cast<int32_t>(exp_of_negative(x, kFractionBits));
  }
  return by_byte;
}

}  // namespace presil::common
