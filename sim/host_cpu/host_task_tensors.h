// What a host's task reads and writes, as its command and the image say.
#pragma once

#include <cstdint>
#include <vector>

namespace presil::host_cpu {

/// Bytes of a region of the job.
struct TaskBytes {
  uint32_t region = 0;
  uint64_t offset = 0, bytes = 0;
  bool written = false;
};

/// @param words of a host command that has been checked
/// @param image the loadable's; list and attributes of the task lie in it, and are read, too
std::vector<TaskBytes> bytes_of_task(const uint32_t* words, const uint8_t* image);

}  // namespace presil::host_cpu
