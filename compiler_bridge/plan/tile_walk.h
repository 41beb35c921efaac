// Few tiles of a layer, one after another through their buffers: loads, computing and stores beside
// each other before one memory.
#pragma once

#include <limits>
#include <vector>

namespace presil::plan {

/// One tile. Loads and stores are the cycles that the memory alone takes.
struct WalkedTile {
  double load = 0, compute = 0, store = 0;
};

struct TileWalk {
  int depth = 2;             ///< buffers of each stream
  bool fills_turns = true;   ///< loads wait until what was in their buffer is computed
  double load_latency = 0;   ///< from a free buffer to its first data
  double store_latency = 0;  ///< and of a store
  double first_compute = 0;  ///< what else the first tile waits for is there
  double beside = 1;         ///< a load and a store at once take so much of both in turn

  /// Until the last tile is stored; `tiles` are not empty. Not walked further than `enough`.
  double cycles(const std::vector<WalkedTile>& tiles,
                double enough = std::numeric_limits<double>::infinity()) const;
};

}  // namespace presil::plan
