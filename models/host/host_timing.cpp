#include "models/host/host_timing.h"

#include <algorithm>
#include <cmath>

namespace presil::host {

Cycle cycles_of(const Task& task, const HostConfig& config) {
  const auto own = config.kernel_cycles_per_element.find(task.kernel);
  const double per_element =
      own != config.kernel_cycles_per_element.end() ? own->second : config.cycles_per_element;
  const double computing = static_cast<double>(task.elements) * per_element;
  const double moving = static_cast<double>(task.bytes) / config.bytes_per_cycle;
  return static_cast<Cycle>(config.cycles_call) +
         static_cast<Cycle>(std::ceil(std::max(computing, moving)));
}

}  // namespace presil::host
