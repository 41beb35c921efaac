// The whole DMA in RTL (top `dma`) in a tile of models: sync, crossbar, DRAM and SRAM are those of
// the model's tile, asked when the RTL asks and answering on its ports. Rings and streams lie in
// DRAM; registers are reached through AXI4-Lite, as a driver's writes are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/common/ports.h"
#include "models/soc/soc_config.h"

namespace presil::testbench {

class DmaBench {
 public:
  struct End {
    unsigned channel;
    uint32_t tag, index;
    Cycle cycle;
  };
  struct Stalls {  ///< cycles out of 100 in which a port is not ready
    unsigned address = 0, write = 0, sram = 0, registers = 0;
  };

  /// @param system bytes from `at` on: rings, streams, data
  /// @param seed of the stalls and of what is not reset
  DmaBench(const SocConfig& config, uint64_t at, const std::vector<uint8_t>& system,
           uint32_t seed = 1);
  ~DmaBench();

  /// Register accesses of a driver, in order; offsets of the block. @return of a write: the cycle
  /// in which the model would have been written
  Cycle write(uint32_t offset, uint32_t value);
  uint32_t read(uint32_t offset);
  uint8_t last_response() const;
  /// A signal from the host, now.
  void signal(uint8_t counter, uint16_t add);

  /// Goes on until nothing has moved for a while, or for `cycles`.
  void run(Cycle cycles = 2000000);
  void reset();
  Cycle now() const;

  Stalls stalls;
  const std::vector<End>& ends() const;
  std::vector<uint8_t> sram() const;
  /// From `at` on, as many as were given.
  std::vector<uint8_t> system() const;
  uint8_t* sram_byte(uint32_t address);
  bool interrupt() const;
  /// Rules of AXI and of the ports that were broken; empty if none.
  std::string violations() const;
  uint64_t words_written() const;

 private:
  struct Tile;
  std::unique_ptr<Tile> m_tile;
};

}  // namespace presil::testbench
