// What the DLA reads and writes, as pixels: dense, [rows, columns, channels], or in its blocks, [1,
// blocks, rows, columns, 16].
#pragma once

#include <riscv_vector.h>

#include "driver/kernels/dsp/walk.h"

namespace presil::dsp {

struct Blocks {
  static constexpr int64_t kLanes = 16;

  char* data = nullptr;
  int64_t rows = 0, columns = 0, count = 0;  ///< count: of blocks
  int64_t channels = 0;                      ///< that a pixel has
  int64_t row = 0, column = 0, block = 0;    ///< bytes from one to the next
  bool fits = false;

  explicit Blocks(const DLTensor& t) : data(static_cast<char*>(presil_dsp_data(&t))) {
    if (t.dtype.bits != 8) return;
    if (t.ndim == 3) {
      rows = t.shape[0], columns = t.shape[1], channels = t.shape[2];
      row = t.strides[0], column = t.strides[1], block = kLanes;
      fits = channels == 1 || t.strides[2] == 1;
    } else if (t.ndim == 5) {
      rows = t.shape[2], columns = t.shape[3], channels = kLanes * t.shape[1];
      row = t.strides[2], column = t.strides[3], block = t.strides[1];
      fits = t.shape[0] == 1 && t.shape[4] == kLanes && t.strides[4] == 1;
    }
    count = (channels + kLanes - 1) / kLanes;
  }
  char* at(int64_t y, int64_t x) const { return data + y * row + x * column; }
  /// Channels of a pixel follow one another, and so do those of neighbouring pixels.
  bool is_dense() const { return column == channels && (block == kLanes || count == 1); }
};

/// Some of an image's rows, or a part of one, from where pixels lie `pitch` bytes apart, a multiple
/// of 16, to their blocks.
struct Piece {
  int64_t row, column;       ///< of y
  int64_t rows, width;       ///< pixels of a row
  int64_t pitch, row_pitch;  ///< bytes from a pixel to the next one, from a row
};
inline void put_blocks(const int8_t* from, const Piece& p, const Blocks& y) {
  for (int64_t b = 0; b < p.pitch / Blocks::kLanes; ++b) {
    const int8_t* row = from + b * Blocks::kLanes;
    char* to_row = y.at(p.row, p.column) + b * y.block;
    for (int64_t i = 0; i < p.rows; ++i, row += p.row_pitch, to_row += y.row) {
      const int8_t* pixel = row;
      char* to = to_row;
      for (size_t n = static_cast<size_t>(p.width), vl; n > 0; n -= vl) {
        vl = __riscv_vsetvl_e32m2(n);
        const vuint32m2x4_t words =
            __riscv_vlsseg4e32_v_u32m2x4(reinterpret_cast<const uint32_t*>(pixel), p.pitch, vl);
        __riscv_vssseg4e32_v_u32m2x4(reinterpret_cast<uint32_t*>(to), y.column, words, vl);
        pixel += static_cast<int64_t>(vl) * p.pitch, to += static_cast<int64_t>(vl) * y.column;
      }
    }
  }
}

}  // namespace presil::dsp
