// What the generators of random programs share.
#pragma once

#include <iterator>

#include "tests/cpu/cpu_program.h"

namespace presil::cpu {

inline uint32_t pick(Random& random, uint32_t below) {
  return static_cast<uint32_t>(random() % below);
}

inline uint32_t random_integer(Random& random) {
  constexpr uint32_t kEdges[] = {0,      1,          ~0u,        0x7fffffff, 0x80000000, 0x80, 0x7f,
                                 0x8000, 0x7fff,     0xff80,     0x55555555, 31,         32,   33,
                                 0xffff, 0x80008000, 0x7fff7fff, 0xffff0001, 0x00018000};
  const auto bits = static_cast<uint32_t>(random());
  switch (pick(random, 4)) {
    case 0:
      return kEdges[pick(random, static_cast<uint32_t>(std::size(kEdges)))];
    case 1:
      return bits >> pick(random, 32);
    case 2:
      return static_cast<uint32_t>(static_cast<int32_t>(bits) >> pick(random, 32));
    default:
      return bits;
  }
}

inline uint32_t random_float(Random& random) {
  constexpr uint32_t kEdges[] = {
      0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
      0xffc00000, 0x7f800001, 0xff812345, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
      0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x4f000000, 0xcf000000, 0x4f800000,
      0x5f000000, 0x3f000000, 0x4b000000, 0x3f7fffff, 0x7fffffff, 0x43000000, 0x477fff80,
      0x33800000, 0x387fe000, 0x38800000, 0x477fe000, 0x477ff000, 0xff801234, 0x7fc12345};
  const auto bits = static_cast<uint32_t>(random());
  switch (pick(random, 5)) {
    case 0:
      return kEdges[pick(random, static_cast<uint32_t>(std::size(kEdges)))];
    case 1:
      return (bits & 0x80ffffff) | (0x7cu + pick(random, 8)) << 23;  // near 1
    case 2:
      return (bits & 0x80e00000) | (0x7eu + pick(random, 30)) << 23;  // integers, halves
    case 3:
      return (bits & 0x807fffff) | pick(random, 40) << 23;  // products are tiny
    default:
      return bits;
  }
}

/// Products, quotients and sums of these lie at the smallest normal, the largest finite, at ties.
inline uint32_t edge_float(Random& random) {
  constexpr uint32_t kExponents[] = {0,  1,  1,   1,   2,   24,  63,  63,  63,  64,  64,
                                     64, 64, 103, 126, 126, 127, 127, 150, 191, 253, 254};
  constexpr uint32_t kFractions[] = {0,        0,        0,        1,        1,        2,
                                     0x7fffff, 0x7fffff, 0x7ffffe, 0x400000, 0x400001, 0x3fffff,
                                     0x7fe000, 0x7ff000, 0x1000,   0x800};
  const auto sign = static_cast<uint32_t>(random()) & 0x80000000;
  return sign | kExponents[pick(random, static_cast<uint32_t>(std::size(kExponents)))] << 23 |
         kFractions[pick(random, static_cast<uint32_t>(std::size(kFractions)))];
}

inline void append32(Unit& unit, uint32_t word) {
  unit.push_back(static_cast<uint16_t>(word >> 16));
  unit.push_back(static_cast<uint16_t>(word));
}

/// movw and movt: leaves the flags alone.
inline void set_register(Unit& unit, unsigned rd, uint32_t value) {
  for (unsigned top = 0; top < 2; ++top) {
    const uint32_t half = value >> 16 * top & 0xffff;
    append32(unit, 0xf2400000 | (top != 0 ? 0x800000 : 0) | (half >> 12) << 16 |
                       (half >> 11 & 1) << 26 | (half >> 8 & 7) << 12 | rd << 8 | (half & 255));
  }
}

/// Branches, calls, loops, lists on the stack, exclusive pairs: units that are not one instruction.
Unit random_sequence(Random& random, const Config& config);

}  // namespace presil::cpu
