// What a command computes: memory in, memory out. Knows nothing of time.
//
//   max       the largest tap inside the image
//   average   (sum + n / 2) / n with the sign of the sum (away), or floor(sum / n + 1 / 2) (up)
//   nearest   the value at the position of the tables
//   bilinear  sum of four products of value and weights in 1/1024, / 2^20, ties away from zero
//             (away); in 1/2048, (sum + 2^21) >> 22 (up)
// and then cut to clamp_low .. clamp_high.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "pool/pool_command.h"

namespace presil::pool {

inline constexpr unsigned kWord = 16;  ///< bytes of the SRAM's word: a channel each

/// Values as the RTL parameters of the same names make them.
struct Parameters {
  unsigned table_entries = 128;
  unsigned prefetch = 2;
  uint32_t sram_bytes = 1 << 20;
};

/// Taps of a window along one axis that lie inside the image.
struct Taps {
  unsigned first = 0, count = 0;
};
Taps taps_of(unsigned result, unsigned stride, unsigned pad, unsigned kernel, unsigned size);

/// How many words one result is made of.
unsigned taps_of_result(const Command& c, unsigned row, unsigned column);

/// Words that the tables of a resize take, columns and rows.
unsigned table_words(const Command& c);

/// An entry of a resize's tables: from where, and how much of the value one further.
struct Position {
  uint16_t first = 0;
  uint16_t weight = 0;  ///< of the further one
  bool further = false;
};
inline uint32_t entry_of(const Position& p) {
  return p.first | static_cast<uint32_t>(p.weight) << 16 | static_cast<uint32_t>(p.further) << 28;
}

/// @param sram all of it; the command's addresses are inside, as the check has seen
void compute(const Command& c, uint8_t* sram);

/// What is wrong with a command, in the order of the README; nothing: it is taken.
struct Fault {
  presil_queue_error_code code;
  uint8_t rule, word;
  uint64_t address;
};
std::optional<Fault> check(const uint32_t* words, const Parameters& parameters, uint32_t sram_base,
                           unsigned sync_count);

}  // namespace presil::pool
