// binary32 from integers, as the architecture defines it: every rounding mode, every flag, default
// NaN, flush to zero, half precision. Instructions take the host's unit where that must agree.
#pragma once

#include <cstdint>

namespace presil::cpu::soft {

/// Of FPSCR, bits 23:22, and ties away from zero.
enum class Rounding : uint8_t { kNearest, kUp, kDown, kZero, kAway };

/// Operations that read modes from and add flags to an FPSCR.
class Float {
 public:
  explicit Float(uint32_t& fpscr) : m_fpscr(fpscr) {}

  uint32_t add(uint32_t a, uint32_t b);
  uint32_t multiply(uint32_t a, uint32_t b);
  uint32_t divide(uint32_t a, uint32_t b);
  uint32_t root(uint32_t a);
  /// c + a * b, rounded once.
  uint32_t multiply_add(uint32_t c, uint32_t a, uint32_t b);
  uint32_t maximum(uint32_t a, uint32_t b, bool minimum);
  /// N Z C V in bits 31:28.
  uint32_t compare(uint32_t a, uint32_t b, bool quiet_is_invalid);

  uint32_t round_to_integral(uint32_t a, Rounding rounding, bool tells_inexact);
  /// a * 2^fraction as an integer of `bits`, which saturates.
  uint32_t to_integer(uint32_t a, unsigned fraction, unsigned bits, bool is_signed,
                      Rounding rounding);
  uint32_t from_integer(int64_t value, unsigned fraction, Rounding rounding);
  uint32_t from_half(uint16_t a);
  uint16_t to_half(uint32_t a);

  Rounding rounding() const { return static_cast<Rounding>(m_fpscr >> 22 & 3); }

 private:
  struct Number {
    bool negative = false;
    int exponent = 0;  ///< value: significand * 2^exponent
    uint64_t significand = 0;
  };
  enum class Type : uint8_t { kZero, kFinite, kInfinity, kQuiet, kSignalling };

  void raise(uint32_t flag) { m_fpscr |= flag; }
  /// Denormals become zero where the mode says so.
  uint32_t input(uint32_t a);
  uint32_t nan(uint32_t a);
  bool nans(const uint32_t* operands, unsigned count, uint32_t& result);
  static Type type_of(uint32_t a);
  static Number number(uint32_t a);
  uint32_t rounded(Number n, Rounding rounding);
  uint32_t sum(Number a, Number b);

  uint32_t& m_fpscr;
};

}  // namespace presil::cpu::soft
