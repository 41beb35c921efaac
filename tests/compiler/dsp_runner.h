// Commands of the DSP without time: the programs run on the model's processor, which may touch what
// their region tables say and nothing else.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "models/soc/soc_config.h"

namespace presil::tests {

class DspRunner {
 public:
  explicit DspRunner(const DspConfig& config);
  ~DspRunner();

  using Regions = std::array<std::vector<uint8_t>, 8>;
  /// @return empty, or what went wrong
  std::string execute(const uint32_t* words, std::vector<uint8_t>& sram, Regions& regions);

 private:
  class Machine;
  std::unique_ptr<Machine> m_machine;
};

}  // namespace presil::tests
