// What operations of floats and their conversions share: bits of FPSCR, and when to round up.
#pragma once

#include "models/cpu/cpu_float.h"

namespace presil::cpu::soft {

/// Of FPSCR: flags that add up, and modes.
constexpr uint32_t kInvalid = 1, kDivideByZero = 2, kOverflow = 4, kUnderflow = 8, kInexact = 16,
                   kDenormal = 128, kFlush = 1u << 24, kDefaultNan = 1u << 25,
                   kAlternativeHalf = 1u << 26;
constexpr uint32_t kSign = 1u << 31;  ///< of a binary32

/// Is a value that lies `rest` above what is kept, whose last bit is 1 if `odd`, rounded up in
/// magnitude? `half` is half of that bit.
inline bool rounds_up(Rounding rounding, bool negative, bool odd, uint64_t rest, uint64_t half) {
  switch (rounding) {
    case Rounding::kNearest:
      return rest > half || (rest == half && odd);
    case Rounding::kAway:
      return rest >= half;
    case Rounding::kUp:
      return rest != 0 && !negative;
    case Rounding::kDown:
      return rest != 0 && negative;
    default:
      return false;
  }
}

}  // namespace presil::cpu::soft
