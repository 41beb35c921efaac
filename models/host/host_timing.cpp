#include "models/host/host_timing.h"

#include <cmath>

namespace presil::host {

Cycle task_cycles(const HostConfig& config, const Task& task) {
  const auto named = config.kernel_cycles_per_element.find(task.kernel);
  const double per_element =
      named != config.kernel_cycles_per_element.end() ? named->second : config.cycles_per_element;
  const double compute = per_element * static_cast<double>(task.elements);
  const double move = static_cast<double>(task.bytes) / config.bytes_per_cycle;
  return static_cast<Cycle>(config.cycles_call) + static_cast<Cycle>(std::ceil(compute + move)) +
         invalidate_cycles(config, task.bytes);
}

Cycle copy_cycles(const HostConfig& config, uint64_t bytes) {
  return static_cast<Cycle>(std::ceil(2.0 * static_cast<double>(bytes) / config.bytes_per_cycle));
}

uint64_t cache_lines(const HostConfig& config, uint64_t bytes) {
  return (bytes + config.cache_line_bytes - 1) / config.cache_line_bytes;
}

Cycle clean_cycles(const HostConfig& config, uint64_t bytes) {
  const double move = static_cast<double>(bytes) / config.bytes_per_cycle;
  return invalidate_cycles(config, bytes) + static_cast<Cycle>(std::ceil(move));
}

Cycle invalidate_cycles(const HostConfig& config, uint64_t bytes) {
  return static_cast<Cycle>(cache_lines(config, bytes)) * config.cycles_cache_line;
}

}  // namespace presil::host
