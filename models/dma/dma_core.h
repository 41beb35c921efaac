// What a DMA command does to bytes, for the whole command at once. No time, no SystemC.
// rtl/dma/README.md is the page; a source is read whole before a destination is written.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/common/ports.h"
#include "rtl/dma/dma_command.h"

namespace presil::dma {

/// One side of a command: rows in loop order, innermost dimension first, at absolute addresses
/// (SRAM offset or system address).
struct Side {
  uint64_t base = 0;
  uint32_t row_bytes = 0;
  std::array<uint16_t, 4> n{1, 1, 1, 1};
  std::array<int32_t, 4> stride{};

  uint64_t rows() const { return uint64_t{n[0]} * n[1] * n[2] * n[3]; }
  uint64_t bytes() const { return rows() * row_bytes; }
  /// Lowest and highest address, relative to base; `high` is one past the last byte.
  int64_t low() const;
  int64_t high() const;
};

Side source_of(const Command& command, uint64_t base);
Side destination_of(const Command& command, uint64_t base);

/// Walks the rows of a side: address() is that of the next byte, in_row() how many are left in its
/// row.
class RowWalk {
 public:
  explicit RowWalk(const Side& side) : m_side(side), m_address(side.base) {}
  bool done() const { return m_done; }
  uint64_t address() const { return m_address + m_offset; }
  uint32_t in_row() const { return m_side.row_bytes - m_offset; }
  void skip(uint32_t bytes) {  // at most in_row()
    m_offset += bytes;
    if (m_offset == m_side.row_bytes) next_row();
  }

 private:
  void next_row();

  Side m_side;
  uint64_t m_address;
  uint32_t m_offset = 0;
  std::array<uint16_t, 4> m_at{};
  bool m_done = false;
};

/// How many destination bytes the first `bytes` of the source stream make (pack; monotonic), and
/// back.
uint64_t packed_from_source(const Command& command, uint64_t bytes);
uint64_t source_from_packed(const Command& command, uint64_t bytes);

/// Bytes of an element with its padding.
constexpr uint32_t padded_element(uint32_t elem_bytes) {
  return (elem_bytes + 15u) & ~15u;
}

/// Reads the source rows: the data bytes, dropped and with the sign bit flipped as the command
/// says, not yet padded.
/// @param stream grows where it is too short: memory of an earlier command may be given again
/// @return false where there is no memory; `stream` is then not defined
bool gather(const Command& command, const Side& source, BytePort& memory,
            std::vector<uint8_t>& stream);

/// Writes the destination rows from what gather made (fill: stream is not looked at), with padding.
bool scatter(const Command& command, const Side& destination, BytePort& memory,
             const std::vector<uint8_t>& stream);

/// The first address of the rows that ECC cannot correct; nothing: all are right.
std::optional<uint64_t> read_error(const Side& side, BytePort& memory);
/// After scatter: what the rows were is gone.
void written(const Side& side, BytePort& memory);

/// One byte of what scatter writes: number `index` of the destination's bytes in loop order, at
/// `address`.
uint8_t destination_byte(const Command& command, const std::vector<uint8_t>& stream, uint64_t index,
                         uint64_t address);

/// Both. Functional runs and tests.
bool run(const Command& command, const Side& source, BytePort& source_memory,
         const Side& destination, BytePort& destination_memory);

}  // namespace presil::dma
