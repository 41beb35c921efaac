// Shapes of a tensor's bytes: pixels and channels, channels in blocks of 16, rows with their pitch.
#pragma once

#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/layer/dla_layer.h"
#include "compiler_bridge/layer/layer.h"

namespace presil::plan {

using layer::Extent;
using layer::extent_of;
using layer::kNoTensor;
using layer::Layer;
using layer::Layers;
using layer::Operand;
using layer::Operands;
using layer::TensorId;

inline constexpr int kNone = -1;
inline constexpr int kWordBytes = 16;

/// A run of channels that begins at lane 0 of a block: what concatenation leaves of each input.
struct Segment {
  int channel = 0;  ///< first channel of the tensor
  int channels = 0;
  int block = 0;  ///< first block, counted from the tensor's own first
  bool operator==(const Segment& o) const {
    return channel == o.channel && channels == o.channels && block == o.block;
  }
};
/// The channels of a tensor over its blocks, ascending in both.
struct Lanes {
  std::vector<Segment> segments;

  static Lanes dense(int channels) { return {{{0, channels, 0}}}; }
  int blocks() const;
  int channels() const;
  /// Channel of lane `lane` (16 per block), -1 for padding.
  std::vector<int> channel_of_lane() const;
  /// The block that holds a channel.
  int block_of(int channel) const;
  bool is_dense() const { return segments.size() == 1; }
  /// Merges runs that follow each other without padding between them.
  void append(const Lanes& more);
  bool operator==(const Lanes& o) const { return segments == o.segments; }
};

/// Which pixels of a storage or flat belong to a tensor: its pixel (y, x) lies where pixel
/// (y0 + y * step_y, x0 + x * step_x) of the whole image does.
struct Lattice {
  int y0 = 0, x0 = 0, step_y = 1, step_x = 1;
  int columns = 0;  ///< of the whole image's rows; 0: the tensor's own
  bool is_whole() const { return step_y == 1 && step_x == 1; }
};

enum class Form : uint8_t {
  kC16,   ///< [block][y][x][16]
  kRows,  ///< [y][x][c], rows padded to whole words: the packed mode of the DLA
};

struct BlockedBuffer {
  Form form = Form::kC16;
  Extent extent;   ///< pixels; c: bytes of a pixel of kRows
  int blocks = 0;  ///< of 16 channels, all tensors together; kRows: 1
  /// Four rows read at once fall into four banks: an odd number of words per row.
  bool odd_rows = false;
  int blocks_at_once = 1;  ///< read in one step; kept in banks of their own, like the rows
  std::vector<TensorId> tensors;
  int load = kNone;         ///< index in Layout::loads; kNone: the DLA makes it
  int first = 0, last = 0;  ///< steps of the first and the last layer that touches it

  uint32_t x_step() const { return form == Form::kC16 ? kWordBytes : uint32_t(extent.c); }
  uint32_t row_pitch() const { return row_pitch(extent.w); }
  uint32_t row_pitch(int columns) const;
  uint32_t block_pitch() const { return block_pitch(extent.h, extent.w); }
  uint32_t block_pitch(int rows, int columns) const;
  uint64_t bytes() const { return uint64_t(block_pitch()) * static_cast<uint64_t>(blocks); }
};

}  // namespace presil::plan
