#include "sim/platform/own_device.h"

#include "models/base/digest.h"
#include "sim/engine/loaded_engines.h"
#include "sim/platform/job_driver.h"
#include "sim/platform/session.h"

namespace presil::platform {

OwnDevice::OwnDevice(Soc& soc, const SocConfig& config, unsigned tile) {
  m_storage.resize(presil_device_bytes() / sizeof(std::max_align_t) + 1);
  const size_t bytes = m_storage.size() * sizeof(std::max_align_t);
  if (presil_open_tile(soc.port(tile), tile, m_storage.data(), bytes, &m_device) != PRESIL_OK) {
    throw Failure(kDeviceFailed, m_device != nullptr ? presil_error(m_device)->text
                                                     : "driver: the device does not open");
  }
  presil_device_set_stamp(m_device, soc_sha256(config).c_str());
  for (const LoadedEngine& e : loaded_engines()) {
    std::vector<uint64_t>& values = m_parameters[e.description().name];
    values = parameters_of(e.library, config);
    values.push_back(0);  // an array also where there are none
    presil_device_set_parameters(m_device, e.description().name, values.data());
  }
}

OwnDevice::~OwnDevice() {
  presil_close(m_device);
}

}  // namespace presil::platform
