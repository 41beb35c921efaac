#include "compiler_bridge/plan/finalists.h"

#include <algorithm>

#include "compiler_bridge/plan/search.h"

namespace presil::plan {
namespace {

/// Weights no layer ahead (but where bytes are found free when all else is planned), one, several.
int way_of(const Plan& plan) {
  return std::min(plan.prefetch, 2);
}

}  // namespace

bool about_as_fast(const Plan& plan, const Plan& best) {
  const Cycle error = has_few_layers(plan.layers.size()) ? 8 : 32;  // one cycle of so many
  return plan.cycles <= best.cycles + best.cycles / error;
}

double lost_share(const Plan& plan) {
  Cycle all = 0, computed = 0;
  for (const LayerPlan& layer : plan.layers) {
    all += layer.cycles;
    computed += layer.cycles - (layer.dsp.tiles == 0 ? layer.lost : 0);
  }
  if (!is_told(plan)) all = plan.cycles;  // with all waiting
  return all > computed ? double(all - computed) / double(plan.cycles) : 0;
}

bool loses(const Plan& plan) {
  constexpr double kLittle = 1.0 / 32;
  return lost_share(plan) > kLittle;
}

bool is_told(const Plan& plan) {
  return has_few_layers(plan.layers.size()) &&
         std::any_of(plan.layers.begin(), plan.layers.end(),
                     [](const LayerPlan& layer) { return layer.dsp.tiles != 0; });
}

void Finalists::offer(const Plan& plan) {
  const auto same = std::find_if(m_plans.begin(), m_plans.end(),
                                 [&](const Plan& p) { return way_of(p) == way_of(plan); });
  if (same == m_plans.end()) {
    m_plans.push_back(plan);
  } else if (plan.cycles < same->cycles) {
    *same = plan;
  }
}

std::vector<Plan> Finalists::beside(const Plan& best) {
  std::vector<Plan> others;
  if (!loses(best)) m_plans.clear();
  for (Plan& plan : m_plans) {
    const bool differs = way_of(plan) != way_of(best) && plan.cycles != best.cycles;
    if (differs && about_as_fast(plan, best)) others.push_back(std::move(plan));
  }
  std::sort(others.begin(), others.end(),
            [](const Plan& a, const Plan& b) { return a.cycles < b.cycles; });
  m_plans.clear();
  return others;
}

}  // namespace presil::plan
