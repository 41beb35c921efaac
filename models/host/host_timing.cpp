#include "models/host/host_timing.h"

#include <cmath>

namespace presil::host {

Cycle task_cycles(const HostConfig& config, const Task& task) {
  const auto named = config.kernel_cycles_per_element.find(task.kernel);
  const double per_element =
      named != config.kernel_cycles_per_element.end() ? named->second : config.cycles_per_element;
  const double compute = per_element * static_cast<double>(task.elements);
  const double move = static_cast<double>(task.bytes) / config.bytes_per_cycle;
  return static_cast<Cycle>(config.cycles_call) + static_cast<Cycle>(std::ceil(compute + move));
}

}  // namespace presil::host
