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

/// Pixels of 16 or more channels that lie `pitch` bytes apart, a multiple of 16, to their
/// blocks.
inline void put_blocks(const int8_t* from, int64_t pitch, const Blocks& y, int64_t row,
                       int64_t column, int64_t pixels) {
  for (int64_t b = 0; b < pitch / Blocks::kLanes; ++b) {
    const auto* piece = reinterpret_cast<const uint32_t*>(from + b * Blocks::kLanes);
    char* to = y.at(row, column) + b * y.block;
    for (size_t n = static_cast<size_t>(pixels), vl; n > 0; n -= vl) {
      vl = __riscv_vsetvl_e32m2(n);
      const vuint32m2x4_t words = __riscv_vlsseg4e32_v_u32m2x4(piece, pitch, vl);
      __riscv_vssseg4e32_v_u32m2x4(reinterpret_cast<uint32_t*>(to), y.column, words, vl);
      piece += static_cast<int64_t>(vl) * pitch / 4, to += static_cast<int64_t>(vl) * y.column;
    }
  }
}

}  // namespace presil::dsp
