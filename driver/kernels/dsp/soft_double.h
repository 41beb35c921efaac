// Doubles of IEEE 754 from integers, for the few operations of an operator that is defined in them:
// product, sum, quotient and rounding to float, each to nearest, ties to even. The DSP has no
// double.
//
// Exponents are not bounded: what would be denormal or infinite as a double is 0 or infinite as a
// float nevertheless. Infinities and what is no number do not come in. 30 to 50 cycles each.
#pragma once

#include <stdint.h>

namespace presil::dsp {

/// (-1)^negative * m * 2^exponent; m has 53 bits, or is 0.
struct Real {
  __extension__ typedef unsigned __int128 Wide;

  bool negative;
  int exponent;
  uint64_t m;

  static Real of_float(float x) {
    uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    const uint32_t biased = bits >> 23 & 255, fraction = bits & 0x7fffff;
    return of(bits >> 31 != 0, biased, uint64_t{fraction} << 29, 127);
  }
  static constexpr Real of_double_bits(uint64_t bits) {
    return of(bits >> 63 != 0, bits >> 52 & 2047, bits & (kOne - 1), 1023);
  }

  float to_float() const {
    const int top = exponent + 52;  // of the first one
    uint32_t bits = 0;
    if (usual(m != 0 && top >= -126 && top <= 127)) {
      // A fraction that rounds up to 2^24 moves into the exponent.
      bits = (static_cast<uint32_t>(top + 126) << 23) + static_cast<uint32_t>(shifted(m, 29));
    } else if (m != 0 && top > 127) {
      bits = 0x7f800000;
    } else if (m != 0 && top >= -150) {
      bits = static_cast<uint32_t>(shifted(m, 29 - 126 - top));
    }
    bits |= static_cast<uint32_t>(negative) << 31;
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
  }
  Real operator-() const { return {!negative, exponent, m}; }
  /// Times 2^by.
  Real scaled(int by) const { return {negative, exponent + by, m}; }
  /// by 1..255: two bits and more are left below the 53.
  Real divided_by(uint32_t by) const {
    if (m == 0) return *this;
    const uint64_t wide = m << 10, quotient = wide / by;
    const uint64_t sum = quotient | (quotient * by != wide ? 1 : 0);  // as in a sum, below
    const int down = 11 - __builtin_clzll(sum);
    return of(negative, exponent - 10 + down, shifted(sum, down));
  }

 private:
  static constexpr bool usual(bool condition) { return __builtin_expect(condition, true); }
  static constexpr uint64_t kOne = uint64_t{1} << 52;

  static constexpr Real of(bool negative, uint64_t biased, uint64_t fraction, int bias) {
    const int exponent = static_cast<int>(biased) - bias - 52;
    if (usual(biased != 0)) return {negative, exponent, fraction | kOne};
    if (fraction == 0) return {negative, 0, 0};
    const int up = __builtin_clzll(fraction) - 11;
    return {negative, exponent + 1 - up, fraction << up};
  }
  /// m / 2^by to nearest, ties to even; by 1..63. An odd result takes a half with it.
  static uint64_t shifted(uint64_t m, int by) {
    const uint64_t kept = m >> by, rest = m << (64 - by);
    return kept + (rest > (uint64_t{1} << 63) - (kept & 1) ? 1 : 0);
  }
  /// Of 53 bits, or of 54 after rounding.
  static Real of(bool negative, int exponent, uint64_t m) {
    return m >> 53 != 0 ? Real{negative, exponent + 1, m >> 1} : Real{negative, exponent, m};
  }

  [[gnu::always_inline]] friend Real operator*(const Real& a, const Real& b) {
    const bool negative = a.negative != b.negative;
    if (!usual(a.m != 0 && b.m != 0)) return {negative, 0, 0};
    const Wide m = static_cast<Wide>(a.m) * b.m;
    const auto high = static_cast<uint64_t>(m >> 64), low = static_cast<uint64_t>(m);
    const int by = 52 + static_cast<int>(high >> 41);  // of 105 bits or 106
    const uint64_t kept = high << (64 - by) | low >> by, rest = low << (64 - by);
    const uint64_t up = rest > (uint64_t{1} << 63) - (kept & 1) ? 1 : 0;
    return of(negative, a.exponent + b.exponent + by, kept + up);
  }
  /// With ten bits below the 53 the lowest of them may stand for all that is lost: bits are lost
  /// where the terms are more than ten places apart, and then the sum has 62 bits or more.
  [[gnu::always_inline]] friend Real operator+(const Real& a, const Real& b) {
    if (!usual(a.m != 0 && b.m != 0)) {
      return a.m != 0 ? a : b.m != 0 ? b : Real{a.negative && b.negative, 0, 0};
    }
    const bool swap = a.exponent < b.exponent;
    const Real &large = swap ? b : a, &small = swap ? a : b;
    const int apart = large.exponent - small.exponent;
    const uint64_t x = large.m << 10;
    uint64_t y = small.m << 10;
    if (!usual(apart <= 62)) {
      y = 1;
    } else if (usual(apart > 0)) {
      y = y >> apart | (y << (64 - apart) != 0 ? 1 : 0);
    }
    bool negative = large.negative;
    uint64_t sum = x + y;
    if (small.negative != negative) {
      if (!usual(x != y)) return {false, 0, 0};
      sum = x - y;
      if (!usual(x > y)) sum = y - x, negative = small.negative;
    }
    const int by = 11 - __builtin_clzll(sum), exponent = large.exponent - 10 + by;
    if (!usual(by > 0)) return {negative, exponent, sum << -by};
    return of(negative, exponent, shifted(sum, by));
  }
  /// b is not 0.
  friend Real operator/(const Real& a, const Real& b) {
    const bool negative = a.negative != b.negative, less = a.m < b.m;
    if (a.m == 0) return {negative, 0, 0};
    uint64_t rest = less ? a.m << 1 : a.m, quotient = 0;  // of 54 bits, the last to round by
    for (int i = 0; i < 54; ++i) {
      const bool one = rest >= b.m;
      quotient = quotient << 1 | (one ? 1 : 0);
      rest = (one ? rest - b.m : rest) << 1;
    }
    const uint64_t kept = quotient >> 1;
    const uint64_t up = quotient & (rest != 0 ? 1 : kept) & 1;
    return of(negative, a.exponent - b.exponent - 52 - (less ? 1 : 0), kept + up);
  }
};

}  // namespace presil::dsp
