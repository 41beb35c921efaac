#include "sim/platform/shared_tensors.h"

#include <boost/interprocess/shared_memory_object.hpp>

#include "sim/platform/session.h"

namespace presil::platform {
namespace ipc = boost::interprocess;

SharedTensors::SharedTensors(const std::string& name) {
  try {
    const ipc::shared_memory_object memory(ipc::open_only, name.c_str(), ipc::read_write);
    m_region = ipc::mapped_region(memory, ipc::read_write);
  } catch (const ipc::interprocess_exception& e) {
    throw Failure(70, "simulation: shared memory '" + name + "' cannot be opened: " + e.what());
  }
}

uint8_t* SharedTensors::at(uint64_t offset, uint64_t bytes) {
  if (offset > m_region.get_size() || bytes > m_region.get_size() - offset) {
    throw Failure(70, "simulation: tensor at " + std::to_string(offset) + " of " +
                          std::to_string(bytes) + " bytes lies outside the shared memory");
  }
  return static_cast<uint8_t*>(m_region.get_address()) + offset;
}

}  // namespace presil::platform
