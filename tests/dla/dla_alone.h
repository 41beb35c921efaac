// One command alone on the DLA in RTL: offered when all before it has ended, waiting for nothing.
#pragma once

#include <memory>

#include "tests/dla/dla_jobs.h"

namespace presil::dla::test {

struct Outcome {
  Cycle end = -1;  ///< from its offer to the last word granted; -1: there is no end
  uint64_t steps = 0;
  std::vector<uint32_t> addresses;  ///< of the words written, in order
};

class Alone {
 public:
  Alone();
  /// As the RTL is built.
  const SocConfig& config() const { return m_config; }
  /// @param sram up to the tile's bytes; what lies after it is 0
  /// @param limit cycles, fetch and all
  Outcome run(const Command& command, std::vector<uint8_t>& sram, Cycle limit);

 private:
  const SocConfig m_config;
  std::unique_ptr<bench::Dut> m_rtl;
  Driver m_driver;
};

}  // namespace presil::dla::test
