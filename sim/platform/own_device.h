// A tile of the SoC as a device, opened by the driver in this process.
#pragma once

#include <presil/presil.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/soc/soc_config.h"
#include "sim/platform/soc.h"

namespace presil::platform {

class OwnDevice {
 public:
  /// @param config  of the tile
  /// @throws Failure where it does not open
  OwnDevice(Soc& soc, const SocConfig& config, unsigned tile = 0);
  ~OwnDevice();
  OwnDevice(const OwnDevice&) = delete;
  OwnDevice& operator=(const OwnDevice&) = delete;

  presil_device* get() const { return m_device; }

 private:
  std::vector<std::max_align_t> m_storage;
  std::map<std::string, std::vector<uint64_t>> m_parameters;  ///< of engines from outside
  presil_device* m_device = nullptr;
};

}  // namespace presil::platform
