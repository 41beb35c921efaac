// The DMA's byte stream in RTL (dma_stream with both its walks) around two memories, a command at a
// time, as a load or a store cuts it into bursts. The DUT's type stays in the .cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "models/dma/dma_core.h"

namespace presil::testbench {

class StreamBench {
 public:
  struct Write {
    uint64_t address;  ///< of the word
    uint16_t strobe;
  };
  struct Result {
    bool ended = false;            ///< before the limit of cycles
    bool outside = false;          ///< something was written where there is no memory
    std::vector<uint8_t> written;  ///< the destination memory afterwards
    std::vector<Write> writes;     ///< in order
    std::vector<unsigned> pieces;  ///< cycles of each, from its first word in to its last word out
    uint64_t cycles = 0;
  };

  StreamBench();
  ~StreamBench();

  /// @param stalls out of 100 cycles in which the source (and, apart, the destination) rests
  Result run(const dma::Command& command, bool store, const std::vector<uint8_t>& source,
             uint64_t source_at, const std::vector<uint8_t>& target, uint64_t target_at,
             unsigned stalls, std::mt19937& random);

 private:
  struct Dut;
  std::unique_ptr<Dut> m_dut;
};

}  // namespace presil::testbench
