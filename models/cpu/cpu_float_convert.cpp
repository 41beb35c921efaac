// Conversions: to and from integers, fixed point, half precision; rounding to integral values.
#include "models/cpu/cpu_float.h"
#include "models/cpu/cpu_rounding.h"

namespace presil::cpu::soft {
namespace {

// significand * 2^exponent as an integer; the exponent is below 38.
uint64_t integer(uint64_t significand, int exponent, bool negative, Rounding rounding,
                 bool& inexact) {
  inexact = false;
  if (exponent >= 0) return significand << exponent;
  // below 2^-2 only "not zero" counts
  const unsigned down = exponent < -40 ? 40 : static_cast<unsigned>(-exponent);
  if (exponent < -40) significand = significand != 0 ? 1 : 0;
  const uint64_t rest = significand & ((uint64_t{1} << down) - 1);
  uint64_t value = significand >> down;
  inexact = rest != 0;
  if (rounds_up(rounding, negative, (value & 1) != 0, rest, uint64_t{1} << (down - 1))) ++value;
  return value;
}

}  // namespace

uint32_t Float::round_to_integral(uint32_t a, Rounding rounding, bool tells_inexact) {
  a = input(a);
  uint32_t result = 0;
  if (nans(&a, 1, result)) return result;
  const Number n = number(a);
  if (type_of(a) != Type::kFinite || n.exponent >= 0) return a;
  bool inexact = false;
  const uint64_t value = integer(n.significand, n.exponent, n.negative, rounding, inexact);
  if (inexact && tells_inexact) raise(kInexact);
  return rounded({n.negative, 0, value}, Rounding::kNearest);
}

uint32_t Float::to_integer(uint32_t a, unsigned fraction, unsigned bits, bool is_signed,
                           Rounding rounding) {
  a = input(a);
  const Type type = type_of(a);
  if (type == Type::kQuiet || type == Type::kSignalling) {
    raise(kInvalid);
    return 0;
  }
  const bool negative = (a & kSign) != 0;
  const uint64_t most = is_signed  ? (uint64_t{1} << (bits - 1)) - (negative ? 0 : 1)
                        : negative ? 0
                                   : (uint64_t{1} << bits) - 1;
  const Number n = number(a);
  const int exponent = n.exponent + static_cast<int>(fraction);
  bool inexact = false;
  uint64_t value = most + 1;
  if (type != Type::kInfinity && exponent < 38)
    value = integer(n.significand, exponent, negative, rounding, inexact);
  if (value > most) {
    raise(kInvalid);
    value = most;
  } else if (inexact) {
    raise(kInexact);
  }
  return static_cast<uint32_t>(negative ? -value : value);
}

uint32_t Float::from_integer(int64_t value, unsigned fraction, Rounding rounding) {
  const bool negative = value < 0;
  const auto magnitude = static_cast<uint64_t>(negative ? -value : value);
  return rounded({negative, -static_cast<int>(fraction), magnitude}, rounding);
}

uint32_t Float::from_half(uint16_t a) {
  const uint32_t sign = (a & 0x8000u) << 16, fraction = a & 0x3ffu;
  const int e = a >> 10 & 31;
  if (e == 31 && (m_fpscr & kAlternativeHalf) == 0) {
    if (fraction == 0) return sign | 0x7f800000;
    return nan(sign | 0x7f800000 | fraction << 13);
  }
  if (e != 0) return sign | static_cast<uint32_t>(e + 112) << 23 | fraction << 13;
  if (fraction == 0) return sign;
  const unsigned up = static_cast<unsigned>(__builtin_clz(fraction)) - 21;  // to bit 10
  return sign | (113 - up) << 23 | (fraction << up & 0x3ff) << 13;
}

uint16_t Float::to_half(uint32_t a) {
  a = input(a);
  const auto sign = static_cast<uint32_t>(a >> 16 & 0x8000);
  const bool alternative = (m_fpscr & kAlternativeHalf) != 0, negative = sign != 0;
  const Type type = type_of(a);
  const auto result = [sign](uint32_t bits) { return static_cast<uint16_t>(sign | bits); };
  if (type == Type::kQuiet || type == Type::kSignalling) {
    if (alternative) {
      raise(kInvalid);
      return result(0);
    }
    const uint32_t single = nan(a);
    if ((m_fpscr & kDefaultNan) != 0) return 0x7e00;
    return result(0x7c00 | (single >> 13 & 0x3ff));
  }
  if (type == Type::kInfinity) {
    if (alternative) raise(kInvalid);
    return result(alternative ? 0x7fff : 0x7c00);
  }
  if (type == Type::kZero) return result(0);
  Number n = number(a);
  const unsigned up = static_cast<unsigned>(__builtin_clzll(n.significand)) - 40;  // to bit 23
  n.significand <<= up;
  n.exponent -= static_cast<int>(up);
  int e = n.exponent + 23 + 15;
  const bool tiny = e <= 0;
  unsigned down = 13;
  if (tiny) {
    down += static_cast<unsigned>(1 - e) > 30 ? 30 : static_cast<unsigned>(1 - e);
    e = 0;
  }
  const uint64_t rest = n.significand & ((uint64_t{1} << down) - 1);
  uint64_t kept = n.significand >> down;
  const Rounding mode = rounding();
  if (rounds_up(mode, negative, (kept & 1) != 0, rest, uint64_t{1} << (down - 1))) ++kept;
  const uint64_t bits = tiny ? kept : (static_cast<uint64_t>(e - 1) << 10) + kept;
  if (alternative ? bits > 0x7fff : bits >= 0x7c00) {
    if (alternative) {
      raise(kInvalid);
      return result(0x7fff);
    }
    raise(kOverflow | kInexact);
    const bool infinite = mode == Rounding::kNearest || (mode == Rounding::kUp && !negative) ||
                          (mode == Rounding::kDown && negative);
    return result(infinite ? 0x7c00 : 0x7bff);
  }
  if (rest != 0) raise(kInexact | (tiny ? kUnderflow : 0));
  return result(static_cast<uint32_t>(bits));
}

}  // namespace presil::cpu::soft
