#include "compiler_bridge/plan/engine_planners.h"

#include <map>
#include <string>

#include "compiler_bridge/plan/dla_planner.h"
#include "compiler_bridge/plan/dsp_planner.h"
#include "compiler_bridge/plan/outside_planner.h"

namespace presil::plan {

EnginePlanners::EnginePlanners(const Layout& layout, const SocConfig& config,
                               const Residents& residents, Search& search) {
  const auto made = [&](std::unique_ptr<EnginePlanner> planner) {
    m_all.push_back(std::move(planner));
    return m_all.back().get();
  };
  EnginePlanner* in_memory = made(std::make_unique<EnginePlanner>());
  EnginePlanner* outside = made(std::make_unique<OutsidePlanner>(layout, config, residents));
  std::map<std::string, EnginePlanner*> engines = {
      {layer::DlaLayer::kEngine,
       made(std::make_unique<DlaPlanner>(layout, config, residents, search))},
      {layer::DspLayer::kEngine,
       made(std::make_unique<DspPlanner>(layout, config, residents, search))}};
  for (const engine::Joined& joined : engine::joined()) engines[joined.name] = outside;
  for (int step = 0; step < layout.step_count(); ++step) {
    const auto found = engines.find(layout.layer_at(step).engine());
    m_of.push_back(found == engines.end() ? in_memory : found->second);
  }
}

std::vector<Unfit> unfit_steps(const EnginePlanners& planners, int steps, uint64_t sram_bytes) {
  std::vector<Unfit> unfit;
  for (int step = 0; step < steps; ++step) {
    EnginePlanner& planner = planners.of(step);
    const uint64_t needed = planner.least(step);
    if (needed <= sram_bytes) continue;
    if (planner.least_with_any_kept(step) > sram_bytes) unfit.push_back({step, needed});
  }
  return unfit;
}

}  // namespace presil::plan
