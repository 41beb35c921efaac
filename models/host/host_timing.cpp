#include "models/host/host_timing.h"

#include <cmath>
#include <stdexcept>

namespace presil::host {

Cycle task_cycles(const HostConfig& config, const Task& task) {
  KernelPrice price;
  if (task.kernel != kNoTask) {
    const KernelPrice* const known = price_of(config, task.kernel);
    if (known == nullptr) {
      throw std::logic_error("host: the list " + config.base + " has no price for '" + task.kernel +
                             "'");
    }
    price = *known;
  }
  const double compute = price.call + price.element * static_cast<double>(task.elements) +
                         price.byte * static_cast<double>(task.bytes);
  return static_cast<Cycle>(config.cycles_call) + static_cast<Cycle>(std::ceil(compute)) +
         invalidate_cycles(config, task.bytes);
}

Cycle copy_cycles(const HostConfig& config, uint64_t bytes) {
  return static_cast<Cycle>(std::ceil(2.0 * static_cast<double>(bytes) / config.bytes_per_cycle));
}

uint64_t cache_lines(const HostConfig& config, uint64_t bytes) {
  if (config.cache_line_bytes == 0) return 0;
  return (bytes + config.cache_line_bytes - 1) / config.cache_line_bytes;
}

Cycle clean_cycles(const HostConfig& config, uint64_t bytes) {
  if (config.cache_line_bytes == 0) return 0;
  const double move = static_cast<double>(bytes) / config.bytes_per_cycle;
  return invalidate_cycles(config, bytes) + static_cast<Cycle>(std::ceil(move));
}

Cycle invalidate_cycles(const HostConfig& config, uint64_t bytes) {
  return static_cast<Cycle>(cache_lines(config, bytes)) * config.cycles_cache_line;
}

}  // namespace presil::host
