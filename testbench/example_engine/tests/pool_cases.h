// Commands to try, and what they should compute: written from the README by itself, in doubles
// where the engine has integers. Shares nothing with pool_core but the command word.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "pool/pool_command.h"

namespace presil::pool::test {

/// An axis of a resize: from `in` values to `out`.
struct Axis {
  unsigned in, out;
  bool corners = false, centers = false;
};

/// Table entries of an axis: {position, weight, further}, as a compiler would write them.
std::vector<uint32_t> nearest_entries(const Axis& axis);
std::vector<uint32_t> bilinear_entries(const Axis& axis, Rounding rounding);

/// A command with its tables; tensors are put into the SRAM by place().
struct Case {
  Command command;
  std::vector<uint32_t> columns, rows;
};

Case window(Op op, unsigned in_h, unsigned in_w, unsigned kernel, unsigned stride, unsigned pad,
            unsigned blocks, Rounding rounding = Rounding::kAway);
Case resize(Op op, const Axis& rows, const Axis& columns, unsigned blocks,
            Rounding rounding = Rounding::kAway);
Case random_case(std::mt19937& random);

/// Input at `base`, then output, then tables, with pitches a little larger than needed; writes the
/// tables. @return one past the last byte
uint32_t place(Case& c, uint32_t base, std::vector<uint8_t>& sram);

/// The output's bytes, row by row and block by block, 16 a result.
std::vector<int8_t> expected(const Case& c, const std::vector<uint8_t>& sram);
/// What is there, in the same order.
std::vector<int8_t> found(const Case& c, const std::vector<uint8_t>& sram);

/// The words that a command moves, by their SRAM address, in its order. Its addresses are absolute.
struct Words {
  std::vector<uint32_t> read, written;  ///< read: those of the tables too
};
Words words_of(const Command& c, const std::vector<uint8_t>& sram);

/// "row 3, column 1, channel 20 (byte 0x4a10)": of the n-th byte of these.
std::string where(const Case& c, size_t n);

}  // namespace presil::pool::test
