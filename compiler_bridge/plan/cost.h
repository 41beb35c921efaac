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

/// `commands` DMA commands that move `bytes` in all, the memory to themselves.
Cycle move_cycles(uint64_t bytes, uint64_t commands, const SocConfig& config);

/// Of the DRAM alone, for `bytes` that loads and stores move, with its refreshes: what they share.
Cycle memory_cycles(uint64_t bytes, const SocConfig& config);
/// Bytes that the DRAM moves for all short rows of `bytes` each that lie `pitch` apart, by row:
/// rows begin anywhere in its atoms.
double row_traffic(uint64_t bytes, uint64_t pitch);

/// A short row, a burst of its own: as many are on their way as the channel may have, each for the
/// latency of one; but no faster than the memory moves its `traffic` bytes.
double row_cycles(double traffic, const SocConfig& config);

/// A layer of the DMA, alone: small tensors between layers lie in the SRAM as a rule, all others in
/// memory. And the same by the host: its kernel, the call, the interrupt where an engine makes what
/// it reads, and the signal.
Cycle copy_cycles(const layer::DmaLayer& layer, const ir::Graph& graph, const SocConfig& config);
Cycle host_cycles(const layer::DmaLayer& layer, const ir::Graph& graph, const SocConfig& config);

/// A task of the host, by the cycles of an element that the SoC gives its kernel.
Cycle host_cycles(const layer::HostLayer& layer, const std::string& kernel, const ir::Graph& graph,
                  const SocConfig& config);

/// A layer cut into tiles: the slowest of loads, compute and stores, plus what the first tile waits
/// for and the last one leaves; all one after another where tiles have one buffer only.
struct TileCost {
  Cycle load = 0, compute = 0, store = 0;  ///< of all tiles
  Cycle memory = 0;                        ///< of the DRAM, which loads and stores share
  Cycle first = 0;                         ///< of the loads: the first tile's
  /// Of the loads: those of an input that is kept, while the first of `ranges` of output channels
  /// is computed.
  Cycle arriving = 0;
  int ranges = 1;
  int tiles = 1, commands = 1;
  int sums = 1;      ///< that several DLAs can share: tiles, those of one sum in parts together
  int parallel = 1;  ///< at most so many at once, on a DLA each
  int depth = 2;
  double meetings = 0;  ///< of two DLAs at the SRAM's banks, a cycle of computing
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
