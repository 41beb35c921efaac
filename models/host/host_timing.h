// What the ARM takes for its work, by the native cost model of SocConfig::host.
#pragma once

#include <cstdint>
#include <string>

#include "models/soc/soc_config.h"

namespace presil::host {

/// The name of a task of no kernel, which only waits and signals.
constexpr const char* kNoTask = "nop";

/// What the host has computed: one task of its queue.
struct Task {
  std::string kernel;     ///< name in driver/kernels/host, or kNoTask
  uint64_t elements = 0;  ///< results, or what the kernel's cost is counted in
  uint64_t bytes = 0;     ///< operands read and results written
};

/// cycles_call + call + elements * element + bytes * byte of the kernel's price, rounded up, +
/// invalidate_cycles: what the caches do for it.
/// @throws std::logic_error for a kernel without a price
Cycle task_cycles(const HostConfig& config, const Task& task);

/// A program's copy of so many bytes: each is read and written at bytes_per_cycle.
Cycle copy_cycles(const HostConfig& config, uint64_t bytes);

/// Lines of the cache that so many bytes at an address multiple of a line have; 0 without a cache.
uint64_t cache_lines(const HostConfig& config, uint64_t bytes);
/// CPU writes become visible: cycles_cache_line for each line, and the bytes go to DRAM.
Cycle clean_cycles(const HostConfig& config, uint64_t bytes);
/// Engine writes become visible: cycles_cache_line for each line.
Cycle invalidate_cycles(const HostConfig& config, uint64_t bytes);

}  // namespace presil::host
