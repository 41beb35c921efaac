// What a tiling of one layer costs: bytes of the SRAM and, as estimated, cycles.
#pragma once

#include <map>
#include <tuple>
#include <utility>

#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/tile_counts.h"

namespace presil::plan {

/// Costs of the tilings of one layer; commands of one size are timed once.
class TilingCosts {
 public:
  TilingCosts(const LayerShape& shape, const SocConfig& config)
      : m_shape(shape), m_config(config) {}

  /// Of the SRAM, of all its buffers.
  uint64_t bytes(const Tiling& tiling);

  /// Of the layer, if it computed in no time: no tiling is faster than that.
  Cycle least_cycles(const Tiling& tiling);

  TilingChoice operator()(const Tiling& tiling);

  /// Commands that were timed.
  uint64_t timed() const { return m_compute.size(); }

 private:
  /// A command that waits for its predecessor's words, beyond the 2 cycles of one that does not.
  static constexpr Cycle kHandOver = 14;

  Cycle moved(uint64_t size, int times) const;

  /// Tiles that are computed at once: as many as there are DLAs, and buffers for what comes and
  /// goes by tiles. Parts of sums have one buffer.
  int parallel(const Tiling& tiling, const TileCounts& n) const;

  /// All but computing.
  TileCost moving(const Tiling& tiling, const TileCounts& n, const TileBytes& bytes);

  /// Bytes that the DRAM moves while the layer runs.
  uint64_t traffic(const Tiling& tiling, const TileBytes& bytes, const TileCounts& n);

  /// Bytes of an output's tile that are stored before the layer's end.
  uint64_t stored(const Tiling& tiling, const TileBytes& bytes) const;

  /// Of a stream whose tiles have `blocks` blocks of its channels: dense pixels, or rows of one.
  uint64_t traffic(uint64_t bytes, int times, bool linear, int channels, int blocks);

  double row_traffic_of(int blocks, int channels);

  Cycle moved_input(const Tiling& tiling, const TileBytes& bytes, const TileCounts& n);

  /// Rows of a pixel each, some blocks of its channels, so many times.
  Cycle rows_moved(int pixels, int times, int blocks, int channels, int commands);

  const ChannelCut& channels_cut_by(const Tiling& tiling);

  /// first: what the first command takes longer; more, words: of all tiles of a pixel.
  const ComputeCycles& compute(const Tiling& tiling, const ChannelCut& channels);

  Cycle correction(const Tiling& tiling) const;

  const LayerShape& m_shape;
  const SocConfig& m_config;
  std::map<std::pair<int, int>, ChannelCut> m_channels;
  std::map<std::pair<int, int>, double> m_row_traffic;  ///< by blocks, of channels
  std::map<std::tuple<int, int, int, int>, ComputeCycles> m_compute;
};

}  // namespace presil::plan
