// What a decision costs, in cycles: the one file that plan's choices ask. Estimates, good enough
// to rank; the simulator has the last word.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler_bridge/layer/dma_layer.h"
#include "compiler_bridge/layer/host_layer.h"
#include "compiler_bridge/plan/tiling.h"

namespace presil::plan {

/// The DLA's own timing of a command whose data is there: alone, and each further one like it; and
/// the words of the SRAM that it reads and writes.
struct ComputeCycles {
  Cycle first = 0, more = 0;
  uint64_t words = 0;
};
ComputeCycles compute_cycles(const dla::Command& command, const DlaConfig& config);

/// Output rows of an accumulator block, for `rows` x `columns` output pixels: as many as fit,
/// evenly.
int block_rows(const layer::DlaLayer& layer, int rows, int columns, const DlaConfig& config);

/// A DMA command whose data take no time, from the wait that is met to its signal's: a load; a
/// store.
Cycle load_latency(const SocConfig& config);
Cycle store_latency(const SocConfig& config);

/// `commands` DMA commands that move `bytes` in all, each after the one before, the memory to
/// themselves.
Cycle move_cycles(uint64_t bytes, uint64_t commands, const SocConfig& config);

/// Of the DRAM alone, for `bytes` in long rows that loads and stores move: what they share.
Cycle memory_cycles(uint64_t bytes, const SocConfig& config);

/// Between commands of the DLA that do nothing: their fetches.
Cycle fetch_cycles(const SocConfig& config);

/// A layer of the DMA, alone: small tensors between layers lie in the SRAM as a rule, all others in
/// memory. And the same by the host: its kernel, the call, the interrupt where an engine makes what
/// it reads, and the signal.
Cycle copy_cycles(const layer::DmaLayer& layer, const ir::Graph& graph, const SocConfig& config);
Cycle host_cycles(const layer::DmaLayer& layer, const ir::Graph& graph, const SocConfig& config);

/// A task of the host, by the price that the SoC gives its kernel, and an interrupt before it.
Cycle host_cycles(const layer::HostLayer& layer, const ir::Graph& graph, const SocConfig& config);

/// A layer cut into tiles: what its first tile waits for, what its last one leaves, and between
/// them the slowest of loads, computing, stores, memory and the turns that a tile's buffers take:
/// filled, computed on, drained, and filled again.
struct TileCost {
  Cycle load = 0, compute = 0, store = 0;  ///< of all tiles
  Cycle memory = 0;                        ///< of the DRAM, which loads and stores share
  Cycle first = 0, last = 0;               ///< until the first tile is there; to store the last one
  Cycle fill = 0, drain = 0;               ///< a tile's buffers alone, from wait to signal
  int border_loads = 0;                    ///< of weights, each after the tile that had its buffer,
  Cycle border_fill = 0;                   ///< which take so long
  /// Of the loads: those of an input that is kept, while the first of `ranges` of output channels
  /// is computed.
  Cycle arriving = 0;
  int ranges = 1;
  int tiles = 1, commands = 1;
  int sums = 1;      ///< that several DLAs can share: tiles, those of one sum in parts together
  int parallel = 1;  ///< at most so many at once, on a DLA each
  int depth = 2;
  Cycle fetch = 0;       ///< of a command: it is not over before the next one is there
  Cycle queued = 0;      ///< and after loads, where the memory has no time left
  Cycle words = 0;       ///< of the memory, for the words of all commands: between data
  bool in_turn = false;  ///< weights: they cannot come where the memory has time, before the layer
  double meetings = 0;   ///< of two DLAs at the SRAM's banks, a cycle of computing
  Cycle meet = 0;        ///< before the first tile of several DLAs, each waits for all of them
  Cycle weights = 0;     ///< of the loads: of the first tile, before which none may have come
  double beside = 1;     ///< the memory takes so much longer where it reads and writes at once
  Cycle total() const;

  /// Computing, on one DLA; and between data: words of commands.
  double computed() const;
  double words_between() const;

 private:
  double busy() const;  ///< the memory, of the time
  Cycle with(int dlas) const;
};

/// What a layer asks of the memory and of its engine.
struct LayerCost {
  Cycle ahead = 0;   ///< of the memory, before the layer can begin
  Cycle cycles = 0;  ///< of the layer, from then on
  Cycle moved = 0;   ///< of the memory while it runs
  /// Of its cycles, before the end: from when on loads of later layers may go; 0: they need not
  /// wait for weights that come in turn.
  Cycle turn = 0;
  bool only_next = false;  ///< what comes ahead may begin with the layer before, no earlier
};

/// Layers one after another before one memory: weights that are loaded ahead of a layer hide under
/// the layers before it as far as the memory has time.
class LayersCost {
 public:
  /// @param prefetch  layers that weights may come ahead
  /// @param former    all layers as another plan has them: end_with() takes those that are still
  ///                  to be added from there
  explicit LayersCost(int prefetch, std::vector<LayerCost> former = {})
      : m_prefetch(prefetch), m_former(std::move(former)) {}
  void add(const LayerCost& layer);
  Cycle total() const { return m_clock.end; }
  /// The layers that were added.
  const std::vector<LayerCost>& layers() const { return m_layers; }
  /// When one layer more would end, and the former ones after it.
  Cycle end_with(const LayerCost& layer) const;

 private:
  /// The clocks of engines and memory.
  struct Clock {
    Cycle end = 0, memory = 0;
  };
  /// After one layer more, for which nothing is loaded before `start`.
  static Clock after(const Clock& clock, const LayerCost& layer, Cycle start);
  /// When loads for a layer may begin that comes after these and `more`.
  Cycle start_of(const LayerCost& layer, const std::vector<Cycle>& more) const;

  int m_prefetch;
  std::vector<LayerCost> m_former, m_layers;
  std::vector<Cycle> m_starts;
  Clock m_clock;
};

}  // namespace presil::plan
