// What the ARM takes for its work, by the native cost model of SocConfig::host.
#pragma once

#include <cstdint>
#include <string>

#include "models/soc/soc_config.h"

namespace presil::host {

/// What the host has computed: one task of its queue.
struct Task {
  std::string kernel;     ///< name in driver/kernels/host
  uint64_t elements = 0;  ///< results, or what the kernel's cost is counted in
  uint64_t bytes = 0;     ///< operands read and results written
};

/// cycles_call + elements * cycles per element of the kernel + bytes / bytes_per_cycle, rounded up.
Cycle task_cycles(const HostConfig& config, const Task& task);

}  // namespace presil::host
