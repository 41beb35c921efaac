// Pixels and channel blocks at an address: what commands of all engines are made from.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler_bridge/plan/order.h"

namespace presil::plan {

/// [block][y][x] words (C16), or dense NHWC rows (`words` false: x_step bytes per pixel, one
/// block).
struct View {
  Space space = kSram;
  uint64_t base = 0;  ///< of pixel (0, 0) of the first block
  uint32_t x_step = 16, row_pitch = 0, block_pitch = 0;
  int rows = 0, columns = 0, blocks = 1;
  bool words = true;
  uint32_t word_bytes = 16;  ///< of a pixel in a block; int32 sums have more

  /// From the first byte of a row to after its last: words may lie apart.
  uint64_t row_bytes() const {
    return words ? uint64_t(x_step) * uint64_t(columns - 1) + word_bytes
                 : uint64_t(x_step) * uint64_t(columns);
  }
  /// The `count` blocks that begin at block `first` of it.
  View part(int first, int count) const {
    View v = *this;
    v.base += uint64_t(block_pitch) * uint64_t(first);
    v.blocks = count;
    return v;
  }
  bool has_dense_rows() const { return !words || x_step == 16; }
};

/// NHWC bytes in a region; pixel (0, 0), first channel copied.
struct LinearView {
  Space space = region_space(PRESIL_REGION_SCRATCH);
  uint64_t base = 0;
  int channels = 0;        ///< copied of each pixel, from `base` on
  uint32_t x_step = 0;     ///< channels of a whole pixel
  uint32_t row_pitch = 0;  ///< bytes of a whole row
  int rows = 0, columns = 0;
};

/// The bytes of a view, as accesses: one span for each block, or for each row of a part of the
/// columns; neighbours joined.
std::vector<Access> accesses(const View& view, Gate gate, bool write);
Access access(const LinearView& view, bool write);

}  // namespace presil::plan
