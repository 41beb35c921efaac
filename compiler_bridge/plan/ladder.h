// Sizes that plans are tried with, eight an octave: the same whatever the SRAM, so that what is
// found with some is met with more as well.
#pragma once

#include <cstdint>

namespace presil::plan {

/// The smallest one that is not below `bytes`.
inline uint64_t rung_from(uint64_t bytes) {
  for (uint64_t octave = 1;; octave *= 2) {
    for (const uint64_t rung : {16, 17, 19, 21, 23, 25, 27, 29}) {
      if (octave * rung >= bytes) return octave * rung;
    }
  }
}

/// The largest one below `bytes`; 0: there is none.
inline uint64_t rung_below(uint64_t bytes) {
  uint64_t below = 0;
  for (uint64_t rung = rung_from(1); rung < bytes; rung = rung_from(rung + 1)) below = rung;
  return below;
}

}  // namespace presil::plan
