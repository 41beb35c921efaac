// What the generators of random programs share.
#pragma once

#include "tests/dsp/dsp_program.h"

namespace presil::dsp {

// x2 and x8 point into the memory, x9 to the state; a body leaves them alone.
constexpr unsigned kStack = 2, kBase = 8, kState = 9;

inline uint64_t pick(Random& random, uint64_t below) {
  return random() % below;
}

inline uint64_t random_integer(Random& random) {
  constexpr uint64_t kEdges[] = {0,          1,         ~0ull,     0x7fffffff,         0x80000000,
                                 0xffffffff, 0x80ull,   0x7full,   1ull << 63,         ~0ull >> 1,
                                 0x8000ull,  0x7fffull, 0xff80ull, 0x5555555555555555, 31,
                                 32,         63,        64,        0xffffffff80000000};
  switch (pick(random, 4)) {
    case 0:
      return kEdges[pick(random, std::size(kEdges))];
    case 1:
      return random() >> pick(random, 64);
    case 2:
      return static_cast<uint64_t>(static_cast<int64_t>(random()) >> pick(random, 64));
    default:
      return random();
  }
}

inline uint32_t random_float(Random& random) {
  constexpr uint32_t kEdges[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xff812345,
                                 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
                                 0x80800000, 0x7f7fffff, 0xff7fffff, 0x4f000000, 0xcf000000,
                                 0x4f800000, 0x5f000000, 0x5f800000, 0x3f000000, 0x4b000000,
                                 0x3f7fffff, 0x7fffffff, 0x43000000, 0x477fff80, 0x42fe0000};
  const auto bits = static_cast<uint32_t>(random());
  switch (pick(random, 4)) {
    case 0:
      return kEdges[pick(random, std::size(kEdges))];
    case 1:  // near 1
      return (bits & 0x80ffffff) | (0x7cu + static_cast<uint32_t>(pick(random, 8))) << 23;
    case 2:  // small integers and halves
      return (bits & 0x80e00000) | (0x7eu + static_cast<uint32_t>(pick(random, 30))) << 23;
    default:
      return bits;
  }
}

inline Unit unit_of(uint32_t word) {
  return {static_cast<uint16_t>(word), static_cast<uint16_t>(word >> 16)};
}
inline void append(Unit& unit, uint32_t word) {
  for (const uint16_t h : unit_of(word)) unit.push_back(h);
}

inline bool free_x(uint32_t n) {
  return n != kStack && n != kBase && n != kState;
}

inline unsigned x_target(Random& random) {
  unsigned n = 0;
  do n = static_cast<unsigned>(pick(random, 32));
  while (!free_x(n));
  return n;
}

}  // namespace presil::dsp
