// The client's shared memory: where inputs come from and outputs go.
#pragma once

#include <boost/interprocess/mapped_region.hpp>
#include <cstdint>
#include <string>

namespace presil::platform {

class SharedTensors {
 public:
  /// @param name as the client's operating system knows it
  /// @throws Failure where there is none
  explicit SharedTensors(const std::string& name);

  /// @throws Failure where [offset, offset + bytes) is not inside
  uint8_t* at(uint64_t offset, uint64_t bytes);

 private:
  boost::interprocess::mapped_region m_region;
};

}  // namespace presil::platform
