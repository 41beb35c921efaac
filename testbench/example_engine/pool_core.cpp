#include "pool_core.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "pool/pool_rules.h"

namespace presil::pool {
namespace {

constexpr unsigned kLanes = kWord;
using Sums = std::array<int32_t, kLanes>;

bool resizes(const Command& c) {
  return c.op == Op::kNearest || c.op == Op::kBilinear;
}

Position position(const uint8_t* entries, unsigned index) {
  uint32_t entry = 0;
  std::memcpy(&entry, entries + 4 * index, sizeof entry);
  return {static_cast<uint16_t>(entry), static_cast<uint16_t>(entry >> 16 & 0xfff),
          (entry >> 28 & 1) != 0};
}

int32_t mean(int32_t sum, int32_t count, Rounding rounding) {
  if (rounding == Rounding::kUp) return (sum + 128 * count + count / 2) / count - 128;
  const int32_t magnitude = (std::abs(sum) + count / 2) / count;
  return sum < 0 ? -magnitude : magnitude;
}

int32_t between(int32_t sum, Rounding rounding) {
  if (rounding == Rounding::kUp) return (sum + (1 << 21)) >> 22;
  return (sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20);
}

// One block of 16 channels: where it is, and how one result of it is made.
class Block {
 public:
  Block(const Command& c, const uint8_t* sram, unsigned block)
      : m_command(c),
        m_input(sram + c.in_base + size_t{block} * c.in_block_pitch),
        m_columns(sram + c.table_base),
        m_rows(m_columns + kWord * ((c.out_w + 3u) / 4)) {}

  void result(unsigned oy, unsigned ox, uint8_t* to) const {
    Sums sums{};
    switch (m_command.op) {
      case Op::kMax:
        sums.fill(-128);
        window(oy, ox,
               [&](size_t lane, int8_t tap) { sums[lane] = std::max<int32_t>(sums[lane], tap); });
        break;
      case Op::kAverage: {
        const int32_t n = window(oy, ox, [&](size_t lane, int8_t tap) { sums[lane] += tap; });
        for (int32_t& sum : sums) sum = mean(sum, n, m_command.rounding);
        break;
      }
      default:
        resize(position(m_rows, oy), position(m_columns, ox), sums);
    }
    for (size_t lane = 0; lane < kLanes; ++lane) {
      to[lane] = static_cast<uint8_t>(
          std::clamp<int32_t>(sums[lane], m_command.clamp_low, m_command.clamp_high));
    }
  }

 private:
  const int8_t* word(unsigned y, unsigned x) const {
    return reinterpret_cast<const int8_t*>(m_input + size_t{y} * m_command.in_row_pitch +
                                           size_t{x} * kWord);
  }

  template <class Visit>
  int32_t window(unsigned oy, unsigned ox, Visit visit) const {
    const Command& c = m_command;
    const Taps rows = taps_of(oy, c.stride_y, c.pad_top, c.kernel_h, c.in_h);
    const Taps columns = taps_of(ox, c.stride_x, c.pad_left, c.kernel_w, c.in_w);
    for (unsigned y = rows.first; y < rows.first + rows.count; ++y) {
      for (unsigned x = columns.first; x < columns.first + columns.count; ++x) {
        const int8_t* taps = word(y, x);
        for (size_t lane = 0; lane < kLanes; ++lane) visit(lane, taps[lane]);
      }
    }
    return static_cast<int32_t>(rows.count * columns.count);
  }

  void resize(const Position& row, const Position& column, Sums& sums) const {
    const Command& c = m_command;
    const bool four = c.op == Op::kBilinear;
    const int32_t unit = !four ? 1 : c.rounding == Rounding::kUp ? 2048 : 1024;
    const auto share = [&](const Position& p, bool far) {
      const int32_t weight = std::min<int32_t>(p.weight, unit);
      return far ? weight : unit - weight;
    };
    for (unsigned tap = 0; tap < (four ? 4u : 1u); ++tap) {
      const bool below = tap / 2 != 0, right = tap % 2 != 0;
      const unsigned y = std::min<unsigned>(row.first + (below && row.further), c.in_h - 1u);
      const unsigned x = std::min<unsigned>(column.first + (right && column.further), c.in_w - 1u);
      const int32_t weight = four ? share(row, below) * share(column, right) : 1;
      const int8_t* values = word(y, x);
      for (size_t lane = 0; lane < kLanes; ++lane) sums[lane] += weight * values[lane];
    }
    if (!four) return;
    for (int32_t& sum : sums) sum = between(sum, c.rounding);
  }

  const Command& m_command;
  const uint8_t *m_input, *m_columns, *m_rows;
};

// One past the last byte of a tensor, from the start of the SRAM.
uint64_t end_of(uint32_t base, uint32_t sram_base, uint64_t blocks, uint64_t block_pitch,
                uint64_t rows, uint64_t row_pitch, uint64_t columns) {
  return uint64_t{base} + sram_base + (blocks - 1) * block_pitch + (rows - 1) * row_pitch +
         columns * kWord;
}

// The first rule between fields that is broken, 0: none.
uint8_t broken_rule(const Command& c, const Parameters& parameters) {
  if (c.op == Op::kNop) return 0;
  if (c.clamp_low > c.clamp_high) return PRESIL_POOL_R1_CLAMP;
  if (resizes(c)) {
    return c.out_h > parameters.table_entries || c.out_w > parameters.table_entries
               ? PRESIL_POOL_R4_TABLE_SIZE
               : 0;
  }
  if (c.pad_top >= c.kernel_h || c.pad_left >= c.kernel_w) return PRESIL_POOL_R2_PADDING;
  const unsigned last_row = (c.out_h - 1u) * c.stride_y, last = (c.out_w - 1u) * c.stride_x;
  return last_row >= unsigned{c.in_h} + c.pad_top || last >= unsigned{c.in_w} + c.pad_left
             ? PRESIL_POOL_R3_LAST_WINDOW
             : 0;
}

}  // namespace

Taps taps_of(unsigned result, unsigned stride, unsigned pad, unsigned kernel, unsigned size) {
  const int64_t from = int64_t{result} * stride - pad;
  const int64_t first = std::max<int64_t>(from, 0), end = std::min<int64_t>(from + kernel, size);
  return {static_cast<unsigned>(first), static_cast<unsigned>(end - first)};
}

unsigned taps_of_result(const Command& c, unsigned row, unsigned column) {
  if (c.op == Op::kNearest) return 1;
  if (c.op == Op::kBilinear) return 4;
  return taps_of(row, c.stride_y, c.pad_top, c.kernel_h, c.in_h).count *
         taps_of(column, c.stride_x, c.pad_left, c.kernel_w, c.in_w).count;
}

unsigned table_words(const Command& c) {
  return resizes(c) ? (c.out_w + 3u) / 4 + (c.out_h + 3u) / 4 : 0;
}

void compute(const Command& c, uint8_t* sram) {
  if (c.op == Op::kNop) return;
  for (unsigned block = 0; block < c.blocks; ++block) {
    const Block from(c, sram, block);
    for (unsigned y = 0; y < c.out_h; ++y) {
      uint8_t* row =
          sram + c.out_base + size_t{block} * c.out_block_pitch + size_t{y} * c.out_row_pitch;
      for (unsigned x = 0; x < c.out_w; ++x) from.result(y, x, row + size_t{x} * kWord);
    }
  }
}

std::optional<Fault> check(const uint32_t* words, const Parameters& parameters, uint32_t sram_base,
                           unsigned sync_count) {
  if (const auto v = Command::check(words)) {
    return Fault{v->code, 0, static_cast<uint8_t>(v->word), 0};
  }
  const Command c = Command::decode(words);
  if (const uint8_t rule = broken_rule(c, parameters)) {
    return Fault{PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, rule, 0, 0};
  }
  if (c.wait0 > sync_count || c.wait1 > sync_count || c.signal > sync_count) {
    return Fault{PRESIL_QUEUE_ERROR_CODE_SYNC_LIMIT, 0, 2, 0};
  }
  if (c.op == Op::kNop) return std::nullopt;
  struct Extent {
    uint8_t word;
    uint64_t end;
  };
  const std::array<Extent, 3> extents{{
      {13,
       end_of(c.in_base, sram_base, c.blocks, c.in_block_pitch, c.in_h, c.in_row_pitch, c.in_w)},
      {16, end_of(c.out_base, sram_base, c.blocks, c.out_block_pitch, c.out_h, c.out_row_pitch,
                  c.out_w)},
      {19, resizes(c) ? end_of(c.table_base, sram_base, 1, 0, 1, 0, table_words(c)) : 0},
  }};
  for (const Extent& extent : extents) {
    if (extent.end > parameters.sram_bytes) {
      return Fault{PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE, 0, extent.word, extent.end - 1};
    }
  }
  return std::nullopt;
}

}  // namespace presil::pool
