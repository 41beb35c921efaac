// Doubles of IEEE 754 from integers, for the few operations of an operator that is defined in them:
// product, sum and rounding to float, each to nearest, ties to even. The DSP has no double.
//
// Exponents are not bounded: what would be denormal or infinite as a double is 0 or infinite as a
// float all the same. Infinities and what is no number do not come in. 60 to 100 cycles each.
#pragma once

#include <stdint.h>

namespace presil::dsp {

/// (-1)^negative * m * 2^exponent; m has 53 bits, or is 0.
struct Real {
  bool negative;
  int exponent;
  uint64_t m;

  static Real of_float(float x) {
    uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    const uint32_t biased = bits >> 23 & 255, fraction = bits & 0x7fffff;
    return rounded(bits >> 31 != 0, biased == 0 ? fraction : fraction | 0x800000u,
                   (biased == 0 ? 1 : static_cast<int>(biased)) - 150);
  }
  static Real of_double_bits(uint64_t bits) {
    const int biased = static_cast<int>(bits >> 52 & 2047);
    const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
    return rounded(bits >> 63 != 0, biased == 0 ? fraction : fraction | uint64_t{1} << 52,
                   (biased == 0 ? 1 : biased) - 1075);
  }

  /// To 53 bits; the lowest bit of `m` may stand for all below it.
  static Real rounded(bool negative, unsigned __int128 m, int exponent) {
    if (m == 0) return {negative, 0, 0};
    const auto high = static_cast<uint64_t>(m >> 64), low = static_cast<uint64_t>(m);
    const int bits = high != 0 ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll(low);
    if (bits <= 53) return {negative, exponent - (53 - bits), low << (53 - bits)};
    uint64_t kept = shifted(m, bits - 53);
    exponent += bits - 53;
    if (kept >> 53 != 0) kept >>= 1, ++exponent;
    return {negative, exponent, kept};
  }
  float to_float() const {
    uint32_t bits = 0;
    if (m != 0) {
      const int top = exponent + 52;  // of the first one
      if (top > 127) {
        bits = 0x7f800000;
      } else if (top >= -126) {
        // A fraction that rounds up to 2^24 moves into the exponent.
        bits = (static_cast<uint32_t>(top + 126) << 23) + static_cast<uint32_t>(shifted(m, 29));
      } else if (top >= -150) {
        bits = static_cast<uint32_t>(shifted(m, 29 - 126 - top));
      }
    }
    bits |= negative ? 0x80000000u : 0;
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
  }

 private:
  /// m / 2^by to nearest, ties to even; by 1..127
  static uint64_t shifted(unsigned __int128 m, int by) {
    const auto kept = static_cast<uint64_t>(m >> by);
    const unsigned __int128 rest = m << (128 - by);
    const unsigned __int128 half = static_cast<unsigned __int128>(1) << 127;
    return kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
  }
};

inline Real operator*(const Real& a, const Real& b) {
  return Real::rounded(a.negative != b.negative, static_cast<unsigned __int128>(a.m) * b.m,
                       a.exponent + b.exponent);
}

inline Real operator+(const Real& a, const Real& b) {
  if (a.m == 0 && b.m == 0) return {a.negative && b.negative, 0, 0};
  if (a.m == 0) return b;
  if (b.m == 0) return a;
  const bool swap = a.exponent < b.exponent;
  const Real &high = swap ? b : a, &low = swap ? a : b;
  const int apart = high.exponent - low.exponent;
  const unsigned __int128 x = static_cast<unsigned __int128>(high.m) << 64;
  unsigned __int128 y = static_cast<unsigned __int128>(low.m) << 64;
  if (apart > 120) {
    y = 1;  // it decides nothing but which side of a tie
  } else if (apart > 0) {
    const bool lost = apart > 64 && (y & ((static_cast<unsigned __int128>(1) << apart) - 1)) != 0;
    y = y >> apart | (lost ? 1 : 0);
  }
  if (high.negative == low.negative) return Real::rounded(high.negative, x + y, high.exponent - 64);
  if (x == y) return {false, 0, 0};
  return x > y ? Real::rounded(high.negative, x - y, high.exponent - 64)
               : Real::rounded(low.negative, y - x, high.exponent - 64);
}

}  // namespace presil::dsp
