// The engine of the DLA in RTL, fed with commands, behind an SRAM of bytes. The model is the second
// device under test: values of models/dla/dla_core, cycles of models/dla/dla_timing.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/dla/dla_timing.h"
#include "rtl/dla/dla_command.h"
#include "rtl/soc/soc_config.h"

namespace presil::dla::bench {

struct Written {
  uint32_t address;
  Cycle cycle;
};

/// Of a command that the RTL has run.
struct Outcome {
  Cycle end = 0;  ///< from its offer to the last word granted
  Cycle steps = 0;
  std::vector<Written> writes;
};

class EngineBench {
 public:
  explicit EngineBench(const DlaConfig& config);
  ~EngineBench();
  /// Runs a command alone on `sram`; `limit` cycles at most, then end is -1.
  Outcome run(const Command& command, std::vector<uint8_t>& sram, Cycle limit);
  Cycle cycles() const;

 private:
  struct Top;
  std::unique_ptr<Top> m_top;
};

}  // namespace presil::dla::bench
