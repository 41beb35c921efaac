// IEEE 754 binary32 as RISC-V defines it, from integers alone: every rounding mode, every flag.
// What the host's floating point cannot say (round to nearest, ties to maximum magnitude; which
// lane raised a flag) is decided here, and scalar instructions are executed by it.
#pragma once

#include <cstdint>

namespace presil::dsp {

enum Rounding : uint8_t { kRne = 0, kRtz = 1, kRdn = 2, kRup = 3, kRmm = 4 };
enum FloatFlag : uint8_t { kNx = 1, kUf = 2, kOf = 4, kDz = 8, kNv = 16 };

constexpr uint32_t kCanonicalNan = 0x7fc00000;

constexpr bool is_nan(uint32_t a) {
  return (a & 0x7fffffff) > 0x7f800000;
}
constexpr bool is_signalling(uint32_t a) {
  return is_nan(a) && (a & 0x00400000) == 0;
}

/// Operations with one rounding mode; flags accumulate.
class Binary32 {
 public:
  explicit Binary32(Rounding rounding) : m_rounding(rounding) {}
  uint8_t flags() const { return m_flags; }

  uint32_t add(uint32_t a, uint32_t b);
  uint32_t sub(uint32_t a, uint32_t b);
  uint32_t mul(uint32_t a, uint32_t b);
  uint32_t div(uint32_t a, uint32_t b);
  uint32_t sqrt(uint32_t a);
  /// a * b + c, rounded once
  uint32_t fma(uint32_t a, uint32_t b, uint32_t c);
  /// minimumNumber and maximumNumber: -0 < +0, a quiet NaN loses against a number
  uint32_t min(uint32_t a, uint32_t b);
  uint32_t max(uint32_t a, uint32_t b);
  bool eq(uint32_t a, uint32_t b);
  bool lt(uint32_t a, uint32_t b);
  bool le(uint32_t a, uint32_t b);

  /// To an integer of `bits` bits; out of range saturates and sets NV, NaN is the largest.
  uint64_t to_unsigned(uint32_t a, unsigned bits);
  int64_t to_signed(uint32_t a, unsigned bits);
  uint32_t from_unsigned(uint64_t a);
  uint32_t from_signed(int64_t a);

 private:
  // sign, value significand x 2^exponent, significand > 0; bit 0 may be sticky if bit 40 or above
  // is set
  uint32_t round(bool negative, int exponent, uint64_t significand);
  uint32_t invalid() {
    m_flags |= kNv;
    return kCanonicalNan;
  }
  uint32_t nan_of(uint32_t a, uint32_t b, uint32_t c);
  bool rounds_up(bool negative, bool odd, uint64_t rest, uint64_t half) const;
  bool magnitude(uint32_t a, uint64_t& value, bool& inexact) const;

  Rounding m_rounding;
  uint8_t m_flags = 0;
};

/// The ten classes of fclass, as a one-hot mask.
uint32_t classify(uint32_t a);
/// The 7-bit estimates of the vector extension.
uint32_t reciprocal_estimate(uint32_t a, Rounding rounding, uint8_t& flags);
uint32_t reciprocal_root_estimate(uint32_t a, uint8_t& flags);

}  // namespace presil::dsp
