// What the DLA reads and writes, as pixels: dense, [rows, columns, channels], or in its blocks, [1,
// blocks, rows, columns, 16].
#pragma once

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

}  // namespace presil::dsp
