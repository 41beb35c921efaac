#include "models/dla/dla_plane.h"

#include <algorithm>

namespace presil::dla {

// Half of a small second-level cache.
constexpr ptrdiff_t kComfortableBytes = 256 << 10;

void Plane::begin(const Command& c, const uint8_t* sram) {
  m_command = &c;
  m_sram = sram;
  m_blocks = c.op == Op::kConv ? c.in_blocks : 1;
  m_phases = c.packed ? 1 : c.stride_x;
  const unsigned last_column = (c.out_w - 1u) * c.stride_x + (c.kernel_w - 1u) * c.dil_x;
  m_phase_words = c.packed ? c.out_w : last_column / m_phases + 1;
  m_phase = m_phase_words * static_cast<ptrdiff_t>(kLanes);
  m_row = m_phase * m_phases;
  const ptrdiff_t row_bytes = m_row * 2 * m_blocks;
  const ptrdiff_t window = (c.kernel_h - 1) * c.dil_y + 1;
  const ptrdiff_t more = (kComfortableBytes / row_bytes - window) / c.stride_y;
  m_rows_at_once = static_cast<unsigned>(std::clamp<ptrdiff_t>(more + 1, 1, c.out_h));
}

bool Plane::row_used(unsigned row, unsigned rows) const {
  for (unsigned ky = 0; ky < m_command->kernel_h; ++ky) {
    const unsigned top = ky * m_command->dil_y;
    if (row >= top && (row - top) % m_command->stride_y == 0 &&
        (row - top) / m_command->stride_y < rows) {
      return true;
    }
  }
  return false;
}

void Plane::fill_pixels(int16_t* to, ptrdiff_t pixels, int16_t value) const {
  if (pixels > 0) std::fill_n(to, pixels * static_cast<ptrdiff_t>(kLanes), value);
}

void Plane::fill(unsigned first, unsigned rows, unsigned block) {
  const Command& c = *m_command;
  const unsigned in_rows = (rows - 1u) * c.stride_y + (c.kernel_h - 1u) * c.dil_y + 1u;
  m_block = m_row * in_rows;
  const auto need = static_cast<size_t>(m_block) * m_blocks;
  if (need > m_capacity) {
    m_words.reset(new int16_t[need]);
    m_capacity = need;
  }
  for (unsigned r = 0; r < in_rows; ++r) {
    if (!row_used(r, rows)) continue;
    const int y = static_cast<int>(first * c.stride_y + r) - c.pad_top;
    for (unsigned b = 0; b < m_blocks; ++b) {
      int16_t* to = m_words.get() + b * m_block + r * m_row;
      if (y < 0 || y >= c.in_h) {
        fill_pixels(to, m_row / static_cast<ptrdiff_t>(kLanes), c.pad_value);
        continue;
      }
      const uint8_t* row = m_sram + c.in_base + static_cast<size_t>(y) * c.in_row_pitch;
      if (c.packed) {
        fill_packed_row(row, b, to);
      } else {
        fill_row(row + static_cast<size_t>(block + b) * c.in_cb_pitch, to);
      }
    }
  }
}

void Plane::fill_row(const uint8_t* from, int16_t* to) const {
  const Command& c = *m_command;
  for (unsigned phase = 0; phase < m_phases; ++phase, to += m_phase) {
    bool used = false;
    for (unsigned kx = 0; kx < c.kernel_w; ++kx) used |= kx * c.dil_x % m_phases == phase;
    if (!used) continue;
    // Word i holds column i * phases + phase - pad_left; those of the image are first .. last - 1.
    const auto words_before = [&](int column) {
      const int numerator = column + c.pad_left - static_cast<int>(phase);
      const int words = (numerator + static_cast<int>(m_phases) - 1) / static_cast<int>(m_phases);
      return std::clamp<ptrdiff_t>(numerator <= 0 ? 0 : words, 0, m_phase_words);
    };
    const ptrdiff_t first = words_before(0), last = words_before(c.in_w);
    fill_pixels(to, first, c.pad_value);
    if (last > first) {
      const ptrdiff_t column = first * m_phases + phase - c.pad_left;
      vector_loops().widen(from + column * c.in_x_step,
                           static_cast<ptrdiff_t>(c.in_x_step) * m_phases,
                           static_cast<size_t>(last - first), to + first * ptrdiff_t{kLanes});
    }
    fill_pixels(to + last * ptrdiff_t{kLanes}, m_phase_words - last, c.pad_value);
  }
}

void Plane::fill_packed_row(const uint8_t* from, unsigned chunk, int16_t* to) const {
  const Command& c = *m_command;
  int first = 16 * static_cast<int>(chunk) - c.pad_left * c.packed_ic;
  for (unsigned x = 0; x < c.out_w; ++x, first += c.in_x_step, to += kLanes) {
    if (first >= 0 && first + static_cast<int>(kLanes) <= c.row_bytes) {
      vector_loops().widen(from + first, 0, 1, to);
      continue;
    }
    for (int lane = 0; lane < static_cast<int>(kLanes); ++lane) {
      const int byte = first + lane;
      const bool inside = byte >= 0 && byte < c.row_bytes;
      to[lane] = inside ? static_cast<int8_t>(from[byte]) : c.pad_value;
    }
  }
}

}  // namespace presil::dla
