#include "models/dsp/dsp_float.h"

#include "models/dsp/dsp_wide.h"

namespace presil::dsp {
namespace {

constexpr uint32_t kInfinity = 0x7f800000;
constexpr uint32_t kSign = 0x80000000;

bool negative(uint32_t a) {
  return (a & kSign) != 0;
}
bool is_infinite(uint32_t a) {
  return (a & 0x7fffffff) == kInfinity;
}
bool is_zero(uint32_t a) {
  return (a & 0x7fffffff) == 0;
}

// A finite, nonzero number: significand x 2^exponent with bit 23 of the significand set.
struct Parts {
  uint64_t significand;
  int exponent;
};
Parts parts(uint32_t a) {
  const int e = static_cast<int>(a >> 23 & 0xff);
  uint64_t m = a & 0x7fffff;
  if (e != 0) return {m | 0x800000, e - 150};
  const int up = __builtin_clz(static_cast<uint32_t>(m)) - 8;
  return {m << up, -149 - up};
}

Wide shift_right_sticky(Wide value, int by) {
  if (by <= 0) return value;
  if (by >= 128) return value != 0;
  const Wide rest = value & ((Wide{1} << by) - 1);
  return value >> by | (rest != 0);
}

}  // namespace

bool Binary32::rounds_up(bool neg, bool odd, uint64_t rest, uint64_t half) const {
  switch (m_rounding) {
    case kRne:
      return rest > half || (rest == half && odd);
    case kRmm:
      return rest >= half;
    case kRdn:
      return neg && rest != 0;
    case kRup:
      return !neg && rest != 0;
    default:
      return false;
  }
}

uint32_t Binary32::round(bool neg, int exponent, uint64_t significand) {
  // The leading bit to place 62.
  const int zeros = __builtin_clzll(significand);
  if (zeros == 0) {
    significand = significand >> 1 | (significand & 1);
    exponent += 1;
  } else {
    significand <<= zeros - 1;
    exponent -= zeros - 1;
  }
  const int e = exponent + 62;  // of the leading bit
  const uint32_t sign = neg ? kSign : 0;
  auto rounded = [&](int shift) {
    const uint64_t rest = significand & ((uint64_t{1} << shift) - 1);
    const uint64_t kept = significand >> shift;
    return kept + rounds_up(neg, (kept & 1) != 0, rest, uint64_t{1} << (shift - 1));
  };
  constexpr int kShift = 62 - 23;
  if (e >= -126) {
    const bool inexact = (significand & ((uint64_t{1} << kShift) - 1)) != 0;
    uint64_t m = rounded(kShift);
    const int up = static_cast<int>(m >> 24);
    m >>= up;
    if (e + up > 127) {
      m_flags |= kOf | kNx;
      const bool to_infinity = m_rounding == kRne || m_rounding == kRmm ||
                               (m_rounding == kRdn && neg) || (m_rounding == kRup && !neg);
      return sign | (to_infinity ? kInfinity : kInfinity - 1);
    }
    if (inexact) m_flags |= kNx;
    return sign | static_cast<uint32_t>(e + up + 127) << 23 | (m & 0x7fffff);
  }
  // Below the normal numbers. Tiny is decided after rounding to 24 bits with any exponent.
  const bool tiny = e < -127 || rounded(kShift) >> 24 == 0;
  int shift = kShift + (-126 - e);
  if (shift > 63) {
    significand = 1;  // all of it is sticky
    shift = 63;
  }
  const uint64_t rest = significand & ((uint64_t{1} << shift) - 1);
  const uint64_t m = rounded(shift);
  if (rest != 0) m_flags |= tiny ? kUf | kNx : kNx;
  return sign | static_cast<uint32_t>(m);  // a carry into bit 23 is the smallest normal number
}

uint32_t Binary32::nan_of(uint32_t a, uint32_t b, uint32_t c) {
  if (is_signalling(a) || is_signalling(b) || is_signalling(c)) m_flags |= kNv;
  return kCanonicalNan;
}

uint32_t Binary32::add(uint32_t a, uint32_t b) {
  return fma(a, 0x3f800000, b);
}
uint32_t Binary32::sub(uint32_t a, uint32_t b) {
  return add(a, b ^ kSign);
}
uint32_t Binary32::mul(uint32_t a, uint32_t b) {
  return fma(a, b, (a ^ b) & kSign);
}

uint32_t Binary32::fma(uint32_t a, uint32_t b, uint32_t c) {
  // Infinity times zero is invalid even where the addend is a quiet NaN.
  if ((is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b))) return invalid();
  if (is_nan(a) || is_nan(b) || is_nan(c)) return nan_of(a, b, c);
  const bool product = negative(a) != negative(b);
  if (is_infinite(a) || is_infinite(b)) {
    if (is_infinite(c) && negative(c) != product) return invalid();
    return kInfinity | (product ? kSign : 0);
  }
  if (is_infinite(c)) return c;
  if (is_zero(a) || is_zero(b)) {
    if (!is_zero(c)) return c;
    if (negative(c) == product) return c;
    return m_rounding == kRdn ? kSign : 0;
  }
  const Parts pa = parts(a), pb = parts(b);
  // Product of 47 or 48 bits and addend of 24 both with their leading bits near place 107.
  Wide p = Wide{pa.significand * pb.significand} << 60;
  int exponent = pa.exponent + pb.exponent - 60;
  if (is_zero(c)) {
    const auto sum = static_cast<uint64_t>(shift_right_sticky(p, 50));
    return round(product, exponent + 50, sum);
  }
  const Parts pc = parts(c);
  Wide q = Wide{pc.significand} << 84;
  const int other = pc.exponent - 84;
  if (exponent >= other) {
    q = shift_right_sticky(q, exponent - other);
  } else {
    p = shift_right_sticky(p, other - exponent);
    exponent = other;
  }
  bool neg = product;
  Wide sum;
  if (negative(c) == product) {
    sum = p + q;
  } else if (p == q) {
    return m_rounding == kRdn ? kSign : 0;
  } else {
    sum = p > q ? p - q : q - p;
    neg = p > q ? product : !product;
  }
  // At most 110 bits, to 64. Massive cancellation leaves few bits, all of them exact.
  int down = 0;
  while (sum >> down >> 62 != 0) ++down;
  return round(neg, exponent + down, static_cast<uint64_t>(shift_right_sticky(sum, down)));
}

uint32_t Binary32::div(uint32_t a, uint32_t b) {
  if (is_nan(a) || is_nan(b)) return nan_of(a, b, 0);
  const uint32_t sign = (a ^ b) & kSign;
  if (is_infinite(a)) return is_infinite(b) ? invalid() : sign | kInfinity;
  if (is_infinite(b)) return sign;
  if (is_zero(b)) {
    if (is_zero(a)) return invalid();
    m_flags |= kDz;
    return sign | kInfinity;
  }
  if (is_zero(a)) return sign;
  const Parts pa = parts(a), pb = parts(b);
  const uint64_t dividend = pa.significand << 39;
  const uint64_t quotient = dividend / pb.significand;  // 39 or 40 bits
  const bool rest = dividend % pb.significand != 0;
  return round(sign != 0, pa.exponent - pb.exponent - 40, quotient << 1 | rest);
}

uint32_t Binary32::sqrt(uint32_t a) {
  if (is_nan(a)) return nan_of(a, 0, 0);
  if (is_zero(a)) return a;
  if (negative(a)) return invalid();
  if (is_infinite(a)) return a;
  Parts p = parts(a);
  if ((p.exponent & 1) != 0) {
    p.significand <<= 1;
    p.exponent -= 1;
  }
  const uint64_t square = p.significand << 38;  // 62 or 63 bits; the root has 31 or 32
  uint64_t root = 0;
  for (uint64_t bit = uint64_t{1} << 31; bit != 0; bit >>= 1)
    if ((root | bit) * (root | bit) <= square) root |= bit;
  const bool rest = root * root != square;
  return round(false, (p.exponent - 38) / 2 - 1, root << 1 | rest);
}

bool Binary32::eq(uint32_t a, uint32_t b) {
  if (is_nan(a) || is_nan(b)) {
    nan_of(a, b, 0);
    return false;
  }
  return a == b || (is_zero(a) && is_zero(b));
}

bool Binary32::lt(uint32_t a, uint32_t b) {
  if (is_nan(a) || is_nan(b)) {
    m_flags |= kNv;
    return false;
  }
  if (is_zero(a) && is_zero(b)) return false;
  if (negative(a) != negative(b)) return negative(a);
  return negative(a) ? a > b : a < b;
}

bool Binary32::le(uint32_t a, uint32_t b) {
  if (is_nan(a) || is_nan(b)) {
    m_flags |= kNv;
    return false;
  }
  return !lt(b, a);
}

uint32_t Binary32::min(uint32_t a, uint32_t b) {
  if (is_signalling(a) || is_signalling(b)) m_flags |= kNv;
  if (is_nan(a)) return is_nan(b) ? kCanonicalNan : b;
  if (is_nan(b)) return a;
  if (is_zero(a) && is_zero(b)) return a | b;
  return lt(b, a) ? b : a;
}

uint32_t Binary32::max(uint32_t a, uint32_t b) {
  if (is_signalling(a) || is_signalling(b)) m_flags |= kNv;
  if (is_nan(a)) return is_nan(b) ? kCanonicalNan : b;
  if (is_nan(b)) return a;
  if (is_zero(a) && is_zero(b)) return a & b;
  return lt(a, b) ? b : a;
}

// The magnitude of a finite number rounded to an integer; false where it exceeds 64 bits.
bool Binary32::magnitude(uint32_t a, uint64_t& value, bool& inexact) const {
  value = 0;
  inexact = false;
  if (is_zero(a)) return true;
  const Parts p = parts(a);
  if (p.exponent >= 0) {
    if (p.exponent > 40) return false;
    value = p.significand << p.exponent;
    return true;
  }
  const int shift = -p.exponent > 40 ? 40 : -p.exponent;  // 24 bits: all below one half from 25 on
  const uint64_t rest = p.significand & ((uint64_t{1} << shift) - 1);
  value = p.significand >> shift;
  value += rounds_up(negative(a), (value & 1) != 0, rest, uint64_t{1} << (shift - 1));
  inexact = rest != 0;
  return true;
}

uint64_t Binary32::to_unsigned(uint32_t a, unsigned bits) {
  const uint64_t most = ~uint64_t{0} >> (64 - bits);
  uint64_t value = 0;
  bool inexact = false;
  const bool fits = !is_nan(a) && !is_infinite(a) && magnitude(a, value, inexact) && value <= most;
  if (!fits || (negative(a) && value != 0)) {
    m_flags |= kNv;
    return negative(a) && !is_nan(a) ? 0 : most;
  }
  if (inexact) m_flags |= kNx;
  return value;
}

int64_t Binary32::to_signed(uint32_t a, unsigned bits) {
  const uint64_t half = uint64_t{1} << (bits - 1);  // magnitude of the least
  uint64_t value = 0;
  bool inexact = false;
  const bool neg = negative(a) && !is_nan(a);
  const bool fits = !is_nan(a) && !is_infinite(a) && magnitude(a, value, inexact) &&
                    value <= (neg ? half : half - 1);
  if (!fits) {
    m_flags |= kNv;
    return neg ? -static_cast<int64_t>(half - 1) - 1 : static_cast<int64_t>(half - 1);
  }
  if (inexact) m_flags |= kNx;
  return static_cast<int64_t>(neg ? 0 - value : value);
}

uint32_t Binary32::from_unsigned(uint64_t a) {
  return a == 0 ? 0 : round(false, 0, a);
}

uint32_t Binary32::from_signed(int64_t a) {
  const auto u = static_cast<uint64_t>(a);
  return a == 0 ? 0 : round(a < 0, 0, a < 0 ? 0 - u : u);
}

uint32_t classify(uint32_t a) {
  if (is_nan(a)) return is_signalling(a) ? 1u << 8 : 1u << 9;
  const uint32_t exponent = a >> 23 & 0xff, fraction = a & 0x7fffff;
  // -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf
  const unsigned from_zero = exponent == 0xff ? 3 : exponent != 0 ? 2 : fraction != 0 ? 1 : 0;
  return 1u << (negative(a) ? 3 - from_zero : 4 + from_zero);
}

uint32_t reciprocal_estimate(uint32_t a, Rounding rounding, uint8_t& flags) {
  const uint32_t sign = a & kSign;
  if (is_nan(a)) {
    if (is_signalling(a)) flags |= kNv;
    return kCanonicalNan;
  }
  if (is_infinite(a)) return sign;
  if (is_zero(a)) {
    flags |= kDz;
    return sign | kInfinity;
  }
  int exponent = static_cast<int>(a >> 23 & 0xff);
  uint32_t fraction = a & 0x7fffff;
  if (exponent == 0) {
    const int zeros = __builtin_clz(fraction) - 9;
    if (zeros > 1) {  // 1 / a is too large
      flags |= kOf | kNx;
      const bool largest =
          rounding == kRtz || (rounding == kRdn && sign == 0) || (rounding == kRup && sign != 0);
      return sign | (largest ? kInfinity - 1 : kInfinity);
    }
    exponent = -zeros;
    fraction = fraction << (zeros + 1) & 0x7fffff;
  }
  // 7 bits of the reciprocal of the middle of the interval [1 + i/128, 1 + (i+1)/128).
  const uint32_t i = fraction >> 16;
  const uint32_t estimate = (2u * 256 * 256 / (256 + 2 * i + 1) + 1) / 2 - 128;
  const int result = 253 - exponent;
  fraction = estimate << 16;
  if (result > 0) return sign | static_cast<uint32_t>(result) << 23 | fraction;
  fraction = (fraction | 0x800000) >> (1 - result);  // 0 and -1 are subnormal
  return sign | fraction;
}

uint32_t reciprocal_root_estimate(uint32_t a, uint8_t& flags) {
  const uint32_t sign = a & kSign;
  if (is_nan(a) || (sign != 0 && !is_zero(a))) {
    if (is_signalling(a) || !is_nan(a)) flags |= kNv;
    return kCanonicalNan;
  }
  if (is_infinite(a)) return 0;
  if (is_zero(a)) {
    flags |= kDz;
    return sign | kInfinity;
  }
  int exponent = static_cast<int>(a >> 23 & 0xff);
  uint32_t fraction = a & 0x7fffff;
  if (exponent == 0) {
    const int zeros = __builtin_clz(fraction) - 9;
    exponent = -zeros;
    fraction = fraction << (zeros + 1) & 0x7fffff;
  }
  // Exponent parity and 6 bits of the fraction choose an interval of [1, 4); the root of the
  // reciprocal of its middle m / 64: 256 x 8 / sqrt(m), with m in units of 1 / 128.
  const bool even = (exponent & 1) == 0;  // biased: the value is 2 x [1, 2) x 4^k
  const uint32_t i = fraction >> 17;
  const uint64_t middle = (128 + 2 * i + 1) * (even ? 2u : 1u);
  // estimate = round(256 / sqrt(middle / 128)) = floor(sqrt(256^2 x 128 x 4 / middle)) + 1, halved
  const uint64_t square = (uint64_t{1} << 25) / middle;
  uint64_t root = 0;
  while ((root + 1) * (root + 1) <= square) ++root;
  const auto estimate = static_cast<uint32_t>((root + 1) / 2 - 128);
  const auto result = static_cast<uint32_t>((380 - exponent) / 2);
  return result << 23 | estimate << 16;
}

}  // namespace presil::dsp
