// Into how many tiles, loads and commands a tiling cuts a layer, and what its buffers take.
#pragma once

#include <vector>

#include "compiler_bridge/plan/choose_tiling.h"

namespace presil::plan {

inline int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

/// How the channels of a layer are cut, at any one pixel.
struct ChannelCut {
  int ranges = 0;                ///< of output blocks
  int parts = 0;                 ///< of all their sums: tiles
  int commands = 0;              ///< of all tiles
  int inputs = 0;                ///< ranges of input blocks, each another one than the one before
  int in_blocks = 0;             ///< of the tile that reads most
  int blocks_read = 0;           ///< of all tiles
  int blocks_fresh = 0;          ///< of those that read others than the one before
  int inputs_apart = 0;          ///< ranges of input blocks, each counted once
  int blocks_apart = 0;          ///< of these
  std::vector<int> range_parts;  ///< of each range of output blocks
  uint64_t parameter_block = 0;  ///< bytes, of the tile that has most
  /// Commands that are as long as each other, and how many there are: a tile that is cut short
  /// counts as a whole one.
  struct Like {
    Run run;
    int count = 0;
  };
  std::vector<Like> likes;
};
ChannelCut channels_of(const LayerShape& shape, const Tiling& tiling, const DlaConfig& config);

/// Counts of a tiling: tiles over pixels, and how often each stream is moved.
struct TileCounts {
  int pixels = 1;
  int tiles = 1;  ///< that are stored
  int parts = 1;  ///< of the sums of all tiles
  int commands = 1;
  int input_loads = 1, parameter_block_loads = 1;
  /// Of these, such as find no free entry before the range of output blocks before theirs has
  /// ended: its parts fill the ring.
  int border_loads = 0;
  int64_t blocks_loaded = 0;  ///< of the input, at each pixel that tiles read
};
TileCounts count(const LayerShape& shape, const Tiling& tiling, const ChannelCut& channels);

TileBytes bytes_of(const LayerShape& shape, const Tiling& tiling, const ChannelCut& channels);
RingDepths depths_of(const Tiling& tiling, const TileCounts& n);
/// Of the SRAM, of all buffers.
uint64_t buffer_bytes(const TileBytes& bytes, const RingDepths& depths);

}  // namespace presil::plan
