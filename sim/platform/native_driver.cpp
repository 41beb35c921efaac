#include "sim/platform/native_driver.h"

namespace presil::platform {

std::unique_ptr<JobDriver> native_driver(Soc& soc, const SocConfig& config) {
  return std::make_unique<NativeDriver>(soc, config);
}

}  // namespace presil::platform
