// What a decision costs, in cycles: the one file that plan's choices ask. Estimates, good enough
// to rank; the simulator has the last word.
#pragma once

#include <string>
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

/// A task of the host, by the cycles of an element that the SoC gives its kernel.
Cycle host_cycles(const layer::HostLayer& layer, const std::string& kernel, const ir::Graph& graph,
                  const SocConfig& config);

/// A layer cut into tiles: what its first tile waits for, what its last one leaves, and between
/// them the slowest of loads, computing, stores, memory and the turns that a tile's buffers take:
/// filled, computed on, drained, and filled again.
struct TileCost {
  Cycle load = 0, compute = 0, store = 0;  ///< of all tiles
  Cycle memory = 0;                        ///< of the DRAM, which loads and stores share
  Cycle first = 0, last = 0;               ///< until the first tile is there; to store the last one
  Cycle fill = 0, drain = 0;               ///< a tile's buffers alone, from wait to signal
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
  Cycle total() const;

 private:
  Cycle with(int dlas) const;
};

/// Layers one after another before one memory: weights that are loaded ahead of a layer hide under
/// the layers before it as far as the memory has time.
class LayersCost {
 public:
  /// @param prefetch  layers that weights may come ahead
  explicit LayersCost(int prefetch) : m_prefetch(prefetch) {}
  /// @param cycles  of the layer, once `ahead` cycles of the memory have gone before it
  /// @param moved   cycles of the memory while it runs
  /// @param turn    of these cycles, before the end: from when on loads of later layers may go; 0:
  ///                they need not wait for weights that come in turn
  void add(Cycle ahead, Cycle cycles, Cycle moved, Cycle turn = 0);
  Cycle total() const { return m_end; }
  /// When one layer more would end.
  Cycle end_with(Cycle ahead, Cycle cycles) const;

 private:
  /// When the memory has moved what comes ahead of the next layer.
  Cycle loaded(Cycle ahead) const;

  int m_prefetch;
  std::vector<Cycle> m_starts;
  Cycle m_memory = 0, m_end = 0;
};

}  // namespace presil::plan
