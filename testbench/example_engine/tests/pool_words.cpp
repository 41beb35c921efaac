// Which words a command moves, by the README: tables, then for each result its taps and its word.
#include <algorithm>
#include <cstring>

#include "pool_cases.h"

namespace presil::pool::test {
namespace {

/// Rows, or columns, of the image that make one result of an axis.
std::vector<unsigned> of_window(unsigned result, unsigned stride, unsigned pad, unsigned kernel,
                                unsigned size) {
  std::vector<unsigned> found;
  for (unsigned tap = 0; tap < kernel; ++tap) {
    const int at = static_cast<int>(result * stride + tap) - static_cast<int>(pad);
    if (at >= 0 && at < static_cast<int>(size)) found.push_back(static_cast<unsigned>(at));
  }
  return found;
}

std::vector<unsigned> of_table(uint32_t entry, bool both, unsigned size) {
  const unsigned at = entry & 0xffff, further = at + (entry >> 28 & 1);
  std::vector<unsigned> found{std::min(at, size - 1)};
  if (both) found.push_back(std::min(further, size - 1));
  return found;
}

uint32_t entry_at(const std::vector<uint8_t>& sram, uint32_t table, unsigned index) {
  uint32_t entry = 0;
  std::memcpy(&entry, &sram.at(table + 4 * index), sizeof entry);
  return entry;
}

}  // namespace

Words words_of(const Command& c, const std::vector<uint8_t>& sram) {
  Words words;
  const bool resizes = c.op == Op::kNearest || c.op == Op::kBilinear;
  const bool both = c.op == Op::kBilinear;
  const unsigned column_words = (c.out_w + 3u) / 4, row_words = (c.out_h + 3u) / 4;
  const uint32_t rows = c.table_base + 16 * column_words;
  for (unsigned i = 0; resizes && i < column_words + row_words; ++i) {
    words.read.push_back(c.table_base + 16 * i);
  }
  for (unsigned block = 0; block < c.blocks; ++block) {
    for (unsigned oy = 0; oy < c.out_h; ++oy) {
      for (unsigned ox = 0; ox < c.out_w; ++ox) {
        const auto ys = resizes ? of_table(entry_at(sram, rows, oy), both, c.in_h)
                                : of_window(oy, c.stride_y, c.pad_top, c.kernel_h, c.in_h);
        const auto xs = resizes ? of_table(entry_at(sram, c.table_base, ox), both, c.in_w)
                                : of_window(ox, c.stride_x, c.pad_left, c.kernel_w, c.in_w);
        for (const unsigned y : ys) {
          for (const unsigned x : xs) {
            words.read.push_back(c.in_base + block * c.in_block_pitch + y * c.in_row_pitch +
                                 16 * x);
          }
        }
        words.written.push_back(c.out_base + block * c.out_block_pitch + oy * c.out_row_pitch +
                                16 * ox);
      }
    }
  }
  return words;
}

}  // namespace presil::pool::test
