// How to cut one layer so that it fits into the SRAM that is left, and takes the least time.
#pragma once

#include <optional>
#include <vector>

#include "compiler_bridge/plan/layout.h"
#include "compiler_bridge/plan/tiling.h"

namespace presil::plan {

/// A DLA layer with what its tiles need and which of its tensors come and go by tiles.
struct LayerShape {
  const layer::DlaLayer* layer = nullptr;
  const BlockedBuffer* input = nullptr;
  const BlockedBuffer* operand = nullptr;  ///< null: none
  const BlockedBuffer* output = nullptr;
  bool stream_input = false, stream_operand = false, stream_output = false;
  /// In memory its pixels lie with all their channels side by side: tiles of some channel blocks
  /// come or go in rows of a pixel each.
  bool linear_input = false, linear_output = false;
  /// No layer comes after it: what it stores of an output that stays is waited for.
  bool last = false;
  bool broadcast = false;  ///< the operand is one pixel
  /// Bytes of the input that come from memory while the layer runs, row by row, to where the whole
  /// input is kept; 0: it is there, or streamed.
  uint64_t arriving = 0;
  bool prefetched = false;  ///< the first parameter block is loaded while earlier layers compute
  bool packed = false;
  std::vector<Run> runs;
  int blocks() const { return runs.back().b1; }
};

/// Bytes of one tile buffer of each stream, for the largest tile; 0: not streamed.
struct TileBytes {
  uint64_t input = 0, operand = 0, output = 0, parameter_block = 0;
  uint64_t sums = 0;  ///< one buffer, read and written in place
};
TileBytes tile_bytes(const LayerShape& shape, const Tiling& tiling, const DlaConfig& config);

/// Entries of the rings under a tiling: tiling.depth, or 1 where only one tile ever goes through.
struct RingDepths {
  int input = 1, operand = 1, output = 1, parameter_block = 1;
};
RingDepths ring_depths(const LayerShape& shape, const Tiling& tiling, const DlaConfig& config);

/// A tiling with what it takes.
struct TilingChoice {
  Tiling tiling;
  uint64_t bytes = 0;  ///< of all its buffers
  Cycle cycles = 0;    ///< of the layer, as estimated
  Cycle lost = 0;      ///< of them: not covered by computing
  Cycle moved = 0;     ///< of the memory, for what comes and goes while the layer runs
  Cycle ahead = 0;     ///< of the memory, for what is there before the layer begins
  Cycle turn = 0;      ///< before its end, from when on no load of its weights is waited for
};

/// What may be cut. Output blocks always; rows where something comes or goes by tiles; columns as
/// far as the accumulators demand.
enum class Cut : uint8_t {
  kRows,
  kColumns,   ///< into any parts
  kChannels,  ///< those of the input too: int32 sums in parts; columns only of one row in parts
};

class Search;

/// A tiling that was decided elsewhere, with what it takes; nullopt: the layer has no such one, as
/// its tensors are kept now.
std::optional<TilingChoice> tiling_choice(const LayerShape& shape, const Tiling& tiling,
                                          const SocConfig& config, Search& search);

/// The tilings worth having: each faster than all that need less room. Ascending in bytes; the
/// first one is the smallest of all, the others are not larger than the SRAM.
/// @param coarse  looks at sizes that are 1, 2, 4, ... parts of the whole, or 1, alone
/// @param search  counts what was looked at
std::vector<TilingChoice> tiling_menu(const LayerShape& shape, Cut cut, const SocConfig& config,
                                      bool coarse = false, Search* search = nullptr);

/// What the smallest tiling of all takes of the SRAM: exact, or as soon as one of at most `enough`
/// bytes is found, that one's.
uint64_t least_bytes(const LayerShape& shape, Cut cut, const SocConfig& config, uint64_t enough);

/// The fastest that fits into `budget` bytes; null: none does.
const TilingChoice* choose_tiling(const std::vector<TilingChoice>& menu, uint64_t budget);

}  // namespace presil::plan
