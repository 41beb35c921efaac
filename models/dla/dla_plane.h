// Input rows made ready for the inner loops: widened to int16, padding filled in, and the columns
// of a strided convolution sorted by phase (column mod stride), so that neighbouring output pixels
// always read neighbouring words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "models/dla/dla_vector.h"
#include "rtl/dla/dla_command.h"

namespace presil::dla {

class Plane {
 public:
  /// @param command conv (packed or not) or dwconv
  void begin(const Command& command, const uint8_t* sram);

  /// Rows of pixels follow each other without a gap: several can be computed as one long row.
  bool rows_touch() const {
    return m_command->stride_y == 1 && m_row == ptrdiff_t{kLanes} * m_command->out_w;
  }
  /// Output rows whose input fits the plane at a comfortable size (at least 1).
  unsigned rows_at_once() const { return m_rows_at_once; }

  /// Reads the input of output rows first .. first + rows - 1 and of input blocks from `block` on
  /// (packed: of all chunks).
  void fill(unsigned first, unsigned rows, unsigned block);

  /// The word that output pixel (row, 0) multiplies with tap (0, 0) of the first block; `row`
  /// counts from the filled ones. The pixel to its right is 16 elements further.
  const int16_t* at(unsigned row) const {
    return m_words.get() + static_cast<ptrdiff_t>(row) * m_command->stride_y * m_row;
  }
  /// From there to tap (ky, kx) of input block (packed: chunk, kx = 0) `block`, in elements.
  ptrdiff_t offset(unsigned block, unsigned ky, unsigned kx) const {
    const unsigned column = kx * m_command->dil_x;
    return block * m_block + static_cast<ptrdiff_t>(ky) * m_command->dil_y * m_row +
           static_cast<ptrdiff_t>(column % m_phases) * m_phase +
           static_cast<ptrdiff_t>(column / m_phases) * static_cast<ptrdiff_t>(kLanes);
  }

 private:
  bool row_used(unsigned row, unsigned rows) const;
  void fill_row(const uint8_t* from, int16_t* to) const;
  void fill_packed_row(const uint8_t* from, unsigned chunk, int16_t* to) const;
  void fill_pixels(int16_t* to, ptrdiff_t pixels, int16_t value) const;

  const Command* m_command = nullptr;
  const uint8_t* m_sram = nullptr;
  unsigned m_blocks = 0;                          // of the plane
  unsigned m_phases = 1;                          // column phases
  ptrdiff_t m_phase_words = 0;                    // words of a row and phase
  ptrdiff_t m_phase = 0, m_row = 0, m_block = 0;  // pitches in elements
  unsigned m_rows_at_once = 1;
  std::unique_ptr<int16_t[]> m_words;
  size_t m_capacity = 0;
};

}  // namespace presil::dla
