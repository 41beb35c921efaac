#include "compiler_bridge/plan/separate_jobs.h"

#include <algorithm>

#include "compiler_bridge/layer/dla_layer.h"

namespace presil::plan {

int separate_jobs(const Layout& layout, const SocConfig& config, Plan& plan) {
  int last = layout.step_count() - 1;
  while (last > 0 && layout.layer_at(last).engine() != layer::DlaLayer::kEngine) --last;
  for (const int first : {16, 12, 8, 6, 4, 3, 2, 1}) {
    if (first > last) continue;
    Placing placing = place_buffers(plan.buffers, config.sram.bytes, {first, last});
    if (placing.peak > config.sram.bytes) continue;
    plan.placing = std::move(placing);
    return first;
  }
  return 0;
}

}  // namespace presil::plan
