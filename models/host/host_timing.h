// What the ARM's native work costs: a stated model, not a measurement. Plain C++.
#pragma once

#include <cstdint>
#include <string>

#include "rtl/soc/soc_config.h"

namespace presil::host {

/// One task of driver/kernels as its driver reports it.
struct Task {
  std::string kernel;     ///< name, key of HostConfig::kernel_cycles_per_element
  uint64_t elements = 0;  ///< what the kernel's cost is counted in
  uint64_t bytes = 0;     ///< operands read and results written
};

/// call + the larger of computing and moving: ceil(max(elements * cycles_per_element(kernel),
/// bytes / bytes_per_cycle)). An in-order core with a prefetcher overlaps the two.
Cycle cycles_of(const Task& task, const HostConfig& config);

}  // namespace presil::host
