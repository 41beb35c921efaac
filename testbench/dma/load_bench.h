// The DMA's read side in RTL (dma_load, four channels) in a tile of models: queues, sync, crossbar
// and DRAM are those of the model's tile, asked at the times of the RTL's AR and answering on its
// R.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/common/ports.h"
#include "models/soc/soc_config.h"

namespace presil::testbench {

class LoadBench {
 public:
  struct End {
    uint32_t tag;
    Cycle offered, cycle;
  };
  struct Run {
    std::vector<End> ends;      ///< in order
    std::vector<uint8_t> sram;  ///< afterwards
    uint64_t words = 0;         ///< written to SRAM
    uint64_t failed = 0;        ///< channels that met an error, a bit each
    uint64_t failed_address = 0;
    Cycle cycles = 0;
  };
  struct Stalls {  ///< cycles out of 100 in which a port is not ready
    unsigned address = 0, sram = 0;
  };

  /// @param system bytes from `at` on: rings, streams, data
  LoadBench(const SocConfig& config, uint64_t at, const std::vector<uint8_t>& system);
  ~LoadBench();

  /// A queue as its driver sets it up, with `jobs` entries in the ring.
  void queue(unsigned channel, uint64_t ring, unsigned size_log2, uint32_t jobs);

  /// Until nothing has been under way for a while, or `limit`.
  Run run(Stalls stalls, uint32_t seed, Cycle limit = 2000000);

 private:
  struct Tile;
  std::unique_ptr<Tile> m_tile;
};

}  // namespace presil::testbench
