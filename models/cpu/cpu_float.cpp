#include "models/cpu/cpu_float.h"

#include <utility>

#include "models/cpu/cpu_rounding.h"

namespace presil::cpu::soft {
namespace {

constexpr uint32_t kInfinity = 0x7f800000, kNan = 0x7fc00000, kLargest = 0x7f7fffff;

// What is shifted out stays visible in the last bit.
uint64_t shift_right(uint64_t value, unsigned by) {
  if (by == 0) return value;
  if (by > 63) return value != 0 ? 1 : 0;
  return value >> by | ((value << (64 - by)) != 0 ? 1 : 0);
}

unsigned leading_zeros(uint64_t a) {
  return static_cast<unsigned>(__builtin_clzll(a));
}

}  // namespace

Float::Type Float::type_of(uint32_t a) {
  const uint32_t magnitude = a & ~kSign;
  if (magnitude == 0) return Type::kZero;
  if (magnitude < kInfinity) return Type::kFinite;
  if (magnitude == kInfinity) return Type::kInfinity;
  return (a & 0x400000) != 0 ? Type::kQuiet : Type::kSignalling;
}

Float::Number Float::number(uint32_t a) {
  const int e = static_cast<int>(a >> 23 & 255);
  const uint32_t fraction = a & 0x7fffff;
  return {(a & kSign) != 0, (e == 0 ? 1 : e) - 150, e == 0 ? fraction : fraction | 0x800000};
}

uint32_t Float::input(uint32_t a) {
  if ((m_fpscr & kFlush) == 0 || (a & kInfinity) != 0 || (a & 0x7fffff) == 0) return a;
  raise(kDenormal);
  return a & kSign;
}

uint32_t Float::nan(uint32_t a) {
  if (type_of(a) == Type::kSignalling) raise(kInvalid);
  return (m_fpscr & kDefaultNan) != 0 ? kNan : a | 0x400000;
}

// The first signalling one decides, then the first quiet one.
bool Float::nans(const uint32_t* operands, unsigned count, uint32_t& result) {
  for (const Type type : {Type::kSignalling, Type::kQuiet}) {
    for (unsigned i = 0; i < count; ++i) {
      if (type_of(operands[i]) != type) continue;
      result = nan(operands[i]);
      return true;
    }
  }
  return false;
}

// Tininess is seen before rounding.
uint32_t Float::rounded(Number n, Rounding rounding) {
  const uint32_t sign = n.negative ? kSign : 0;
  if (n.significand == 0) return sign;
  const unsigned up = leading_zeros(n.significand) - 1;  // the first bit to bit 62
  if (leading_zeros(n.significand) == 0) {
    n.significand = shift_right(n.significand, 1);
    ++n.exponent;
  } else {
    n.significand <<= up;
    n.exponent -= static_cast<int>(up);
  }
  int e = n.exponent + 62 + 127;
  const bool tiny = e <= 0;
  if (tiny) {
    if ((m_fpscr & kFlush) != 0) {
      raise(kUnderflow);
      return sign;
    }
    n.significand = shift_right(n.significand, static_cast<unsigned>(1 - e));
    e = 0;
  }
  constexpr unsigned kRest = 39;
  const uint64_t rest = n.significand & ((uint64_t{1} << kRest) - 1);
  uint64_t kept = n.significand >> kRest;
  if (rest != 0) raise(kInexact | (tiny ? kUnderflow : 0));
  if (rounds_up(rounding, n.negative, (kept & 1) != 0, rest, uint64_t{1} << (kRest - 1))) ++kept;
  // the first bit of a normal number adds 1 to the exponent field below it
  const uint64_t bits = tiny ? kept : (static_cast<uint64_t>(e - 1) << 23) + kept;
  if (bits < kInfinity) return sign | static_cast<uint32_t>(bits);
  raise(kOverflow | kInexact);
  const bool infinite = rounding == Rounding::kNearest || rounding == Rounding::kAway ||
                        (rounding == Rounding::kUp && !n.negative) ||
                        (rounding == Rounding::kDown && n.negative);
  return sign | (infinite ? kInfinity : kLargest);
}

// Both are not zero.
uint32_t Float::sum(Number a, Number b) {
  // first bits to bit 61: a sum has at most 63
  for (Number* n : {&a, &b}) {
    const unsigned up = leading_zeros(n->significand) - 2;
    n->significand <<= up;
    n->exponent -= static_cast<int>(up);
  }
  if (a.exponent < b.exponent) std::swap(a, b);
  b.significand = shift_right(b.significand, static_cast<unsigned>(a.exponent - b.exponent));
  if (a.negative == b.negative) {
    a.significand += b.significand;
  } else if (a.significand == b.significand) {
    return rounding() == Rounding::kDown ? kSign : 0;
  } else if (a.significand > b.significand) {
    a.significand -= b.significand;
  } else {
    a.significand = b.significand - a.significand;
    a.negative = b.negative;
  }
  return rounded(a, rounding());
}

uint32_t Float::add(uint32_t a, uint32_t b) {
  const uint32_t in[2] = {input(a), input(b)};
  uint32_t result = 0;
  if (nans(in, 2, result)) return result;
  const Type x = type_of(in[0]), y = type_of(in[1]);
  if (x == Type::kInfinity && y == Type::kInfinity && in[0] != in[1]) {
    raise(kInvalid);
    return kNan;
  }
  if (x == Type::kInfinity) return in[0];
  if (y == Type::kInfinity) return in[1];
  if (x == Type::kZero && y == Type::kZero) {
    if (in[0] == in[1]) return in[0];
    return rounding() == Rounding::kDown ? kSign : 0;
  }
  if (x == Type::kZero) return rounded(number(in[1]), rounding());
  if (y == Type::kZero) return rounded(number(in[0]), rounding());
  return sum(number(in[0]), number(in[1]));
}

uint32_t Float::multiply(uint32_t a, uint32_t b) {
  const uint32_t in[2] = {input(a), input(b)};
  uint32_t result = 0;
  if (nans(in, 2, result)) return result;
  const Type x = type_of(in[0]), y = type_of(in[1]);
  const uint32_t sign = (in[0] ^ in[1]) & kSign;
  if (x == Type::kInfinity || y == Type::kInfinity) {
    if (x != Type::kZero && y != Type::kZero) return sign | kInfinity;
    raise(kInvalid);
    return kNan;
  }
  const Number n = number(in[0]), m = number(in[1]);
  return rounded({sign != 0, n.exponent + m.exponent, n.significand * m.significand}, rounding());
}

uint32_t Float::multiply_add(uint32_t c, uint32_t a, uint32_t b) {
  const uint32_t in[3] = {input(c), input(a), input(b)};
  const Type z = type_of(in[0]), x = type_of(in[1]), y = type_of(in[2]);
  const bool undefined =
      (x == Type::kInfinity && y == Type::kZero) || (x == Type::kZero && y == Type::kInfinity);
  uint32_t result = 0;
  if (undefined && z == Type::kQuiet) {
    raise(kInvalid);
    return kNan;
  }
  if (nans(in, 3, result)) return result;
  const uint32_t sign = (in[1] ^ in[2]) & kSign;
  const bool infinite = x == Type::kInfinity || y == Type::kInfinity;
  if (undefined || (infinite && z == Type::kInfinity && (in[0] & kSign) != sign)) {
    raise(kInvalid);
    return kNan;
  }
  if (infinite) return sign | kInfinity;
  if (z == Type::kInfinity) return in[0];
  if (x == Type::kZero || y == Type::kZero) {
    if (z != Type::kZero) return rounded(number(in[0]), rounding());
    if ((in[0] & kSign) == sign) return sign;
    return rounding() == Rounding::kDown ? kSign : 0;
  }
  const Number n = number(in[1]), m = number(in[2]);
  const Number product{sign != 0, n.exponent + m.exponent, n.significand * m.significand};
  if (z == Type::kZero) return rounded(product, rounding());
  return sum(number(in[0]), product);
}

uint32_t Float::divide(uint32_t a, uint32_t b) {
  const uint32_t in[2] = {input(a), input(b)};
  uint32_t result = 0;
  if (nans(in, 2, result)) return result;
  const Type x = type_of(in[0]), y = type_of(in[1]);
  const uint32_t sign = (in[0] ^ in[1]) & kSign;
  if (x == y && (x == Type::kZero || x == Type::kInfinity)) {
    raise(kInvalid);
    return kNan;
  }
  if (x == Type::kInfinity || y == Type::kZero) {
    if (x != Type::kInfinity) raise(kDivideByZero);
    return sign | kInfinity;
  }
  if (x == Type::kZero || y == Type::kInfinity) return sign;
  Number n = number(in[0]), m = number(in[1]);
  const unsigned up = leading_zeros(n.significand) - 1;
  n.significand <<= up;
  n.exponent -= static_cast<int>(up);
  const uint64_t quotient = n.significand / m.significand;
  const uint64_t rest = n.significand % m.significand != 0 ? 1 : 0;
  // a quotient of at least 62 - 24 bits; the rest stands in one bit below it
  return rounded({sign != 0, n.exponent - m.exponent - 1, quotient << 1 | rest}, rounding());
}

uint32_t Float::root(uint32_t a) {
  a = input(a);
  uint32_t result = 0;
  if (nans(&a, 1, result)) return result;
  if (type_of(a) == Type::kZero) return a;
  if ((a & kSign) != 0) {
    raise(kInvalid);
    return kNan;
  }
  if (type_of(a) == Type::kInfinity) return a;
  Number n = number(a);
  unsigned up = leading_zeros(n.significand) - 2;
  if (((n.exponent - static_cast<int>(up)) & 1) != 0) --up;
  n.significand <<= up;
  n.exponent -= static_cast<int>(up);
  // bit by bit, 31 of them
  uint64_t root = 0, rest = n.significand;
  for (uint64_t bit = uint64_t{1} << 62; bit != 0; bit >>= 2) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  return rounded({false, n.exponent / 2 - 1, root << 1 | (rest != 0 ? 1 : 0)}, rounding());
}

uint32_t Float::maximum(uint32_t a, uint32_t b, bool minimum) {
  uint32_t in[2] = {input(a), input(b)};
  const uint32_t least = minimum ? kInfinity : kSign | kInfinity;
  const bool quiet[2] = {type_of(in[0]) == Type::kQuiet, type_of(in[1]) == Type::kQuiet};
  if (quiet[0] && !quiet[1]) in[0] = least;
  if (quiet[1] && !quiet[0]) in[1] = least;
  uint32_t result = 0;
  if (nans(in, 2, result)) return result;
  // in order as integers: negative ones backwards, -0 below +0
  const auto order = [](uint32_t x) {
    return static_cast<int32_t>((x & kSign) != 0 ? ~x ^ kSign : x);
  };
  return (order(in[0]) > order(in[1])) != minimum ? in[0] : in[1];
}

uint32_t Float::compare(uint32_t a, uint32_t b, bool quiet_is_invalid) {
  const uint32_t in[2] = {input(a), input(b)};
  bool unordered = false;
  for (const uint32_t x : in) {
    const Type type = type_of(x);
    unordered |= type == Type::kQuiet || type == Type::kSignalling;
    if (type == Type::kSignalling || (type == Type::kQuiet && quiet_is_invalid)) raise(kInvalid);
  }
  if (unordered) return 0x30000000;
  if (in[0] == in[1] || ((in[0] | in[1]) & ~kSign) == 0) return 0x60000000;
  const bool negative = (in[0] & kSign) != 0;
  const bool less = negative != ((in[1] & kSign) != 0) ? negative : (in[0] < in[1]) != negative;
  return less ? 0x80000000 : 0x20000000;
}

}  // namespace presil::cpu::soft
