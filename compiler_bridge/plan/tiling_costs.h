// What a tiling of one layer costs: bytes of the SRAM and, as estimated, cycles.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler_bridge/plan/command_times.h"
#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/memory_streams.h"
#include "compiler_bridge/plan/tile_counts.h"
#include "compiler_bridge/plan/tile_walk.h"

namespace presil::plan {

/// Costs of the tilings of one layer; commands of one size are timed once.
class TilingCosts {
 public:
  TilingCosts(const LayerShape& shape, const SocConfig& config, MemoryStreams* memory,
              CommandTimes* commands)
      : m_shape(shape), m_config(config), m_memory(memory), m_commands(commands) {}

  static constexpr Cycle kAny = std::numeric_limits<Cycle>::max();

  /// Of the SRAM, of all its buffers.
  uint64_t bytes(const Tiling& tiling);

  /// What is known of a tiling before its commands are timed.
  struct Moved {
    const ChannelCut* channels = nullptr;
    TileCounts counts;
    TileBytes bytes;
    TileCost cost;
  };
  Moved moved(const Tiling& tiling);

  /// Of the layer, if it computed in no time: no tiling is faster than that. Not more than it has
  /// to be to reach `enough`.
  Cycle least_cycles(const Tiling& tiling, const Moved& moved, Cycle enough);

  /// Exact below `enough`; from there on at least that.
  TilingChoice operator()(const Tiling& tiling, Moved moved, Cycle enough = kAny);

  /// Commands that were timed.
  uint64_t timed() const { return m_compute.size(); }

 private:
  /// What a stream of tiles moves: bytes of the memory in these rows, and words of the SRAM.
  struct Stream {
    Rows rows = {};
    uint64_t bytes = 0, words = 0;
  };

  Cycle total(const TileCost& cost, const Tiling& tiling, const TileCounts& n, Cycle enough);

  /// What one tile over pixels reads and makes, of what all do.
  struct Share {
    double read = 0, made = 0;
  };
  /// Of the first kWalked tiles.
  const std::vector<Share>& shares_of(const Tiling& tiling);
  static constexpr size_t kWalked = 48,
                          kPaced = 16;  ///< tiles: walked through; of them, for a pace

  /// Tiles that are computed at once: as many as there are DLAs, and buffers for what comes and
  /// goes by tiles. Parts of sums have one buffer.
  int parallel(const Tiling& tiling, const TileCounts& n) const;

  /// All but computing.
  TileCost moving(const Tiling& tiling, const TileCounts& n, const TileBytes& bytes);

  std::pair<Cycle, Cycle> of_memory(const std::array<Stream, 3>& reads, const Stream& written);
  uint64_t command_bytes(const TileCounts& n, bool stored) const;

  /// Until the first tile's data are there, the memory's latency left out.
  Cycle first(const Tiling& tiling, const TileCounts& n, const TileBytes& bytes, Cycle input,
              Cycle arriving);

  int64_t window_pixels(const Tiling& tiling);
  Stream input(const Tiling& tiling, const TileCounts& n, const TileBytes& bytes);
  Stream output(const Tiling& tiling, const TileBytes& bytes) const;
  /// Some channel blocks of so many pixels, as they lie in memory.
  /// @param columns  that a tile has of an image row
  static Stream stream(const BlockedBuffer& buffer, bool linear, int64_t pixels, int blocks,
                       int64_t all_blocks, int columns);
  Cycle loaded(const Stream& stream);
  Cycle loaded(uint64_t bytes);  ///< in one row

  const ChannelCut& channels_cut_by(const Tiling& tiling);

  /// first: what the first command takes longer; more, words: of all tiles of a pixel.
  const ComputeCycles& compute(const Tiling& tiling, const ChannelCut& channels);

  Cycle correction(const Tiling& tiling) const;

  /// A command that waits for its predecessor's words, beyond one that does not.
  static const Cycle kHandOver;

  const LayerShape& m_shape;
  const SocConfig& m_config;
  MemoryStreams* const m_memory;  ///< this and the next null: only bytes() is asked
  CommandTimes* const m_commands;
  std::map<std::pair<int, int>, ChannelCut> m_channels;
  std::map<std::pair<int, int>, std::vector<Share>> m_shares;  ///< by rows, columns of a tile
  std::vector<WalkedTile> m_walked;
  std::map<int, int64_t> m_rows_read, m_columns_read;  ///< by rows, columns of a tile
  std::map<std::tuple<int, int, int, int>, ComputeCycles> m_compute;
};

}  // namespace presil::plan
