#include "compiler_bridge/plan/arrange.h"

#include <algorithm>
#include <utility>

#include "compiler_bridge/plan/finalists.h"
#include "compiler_bridge/plan/search.h"

namespace presil::plan {
namespace {

/// Layers with operands in blocks by choice.
std::set<int> storing(const Layout& layout) {
  std::set<int> layers;
  for (size_t i = 0; i < layout.layers.size(); ++i) {
    const Operands operands = layout.layers[i].work.operands();
    const bool chosen = std::any_of(operands.begin(), operands.end(),
                                    [](const Operand& operand) { return operand.by_choice; });
    if (chosen) layers.insert(static_cast<int>(i));
  }
  return layers;
}

bool has_linear_buffers(const Plan& plan) {
  return std::any_of(plan.linear_buffers.begin(), plan.linear_buffers.end(),
                     [](int buffer) { return buffer != kNone; });
}

bool keeps_all(const Plan& plan) {
  return std::all_of(plan.blocked_buffers.begin(), plan.blocked_buffers.end(),
                     [](const KeptBuffer& kept) { return kept.keep == Keep::kSram; });
}

/// A plan for less SRAM fits as well. The search finds others in it, some of them faster ones.
void look_with_less(const SocConfig& config, Search& search, Arranged& arranged) {
  constexpr Cycle kLittle = 16;  // lost by a plan that is as good as another
  SocConfig less = config;
  less.sram.bytes = config.sram.bytes / 6 * 5 / kWordBytes * kWordBytes;
  const bool fits = arranged.plan.placing.peak <= less.sram.bytes;
  if (fits || !loses(arranged.plan, kLittle) || search.is_spent()) return;
  Plan& best = arranged.plan;
  const Search::Trial trial(search);
  Planned planned = make_plan(arranged.layout, less, search);
  if (!planned.fits() || !about_as_fast(planned.plan, best)) return;
  if (planned.plan.cycles < best.cycles) std::swap(planned.plan, best);
  std::vector<Plan>& others = arranged.others;
  others.push_back(std::move(planned.plan));
  others.erase(std::remove_if(others.begin(), others.end(),
                              [&](const Plan& other) { return !about_as_fast(other, best); }),
               others.end());
}

/// The faster one of both ways to have what the DSP computes.
Arranged of_both_ways(const ir::Graph& graph, const Layers& layers, const SocConfig& config,
                      Layout first, Search& search) {
  std::set<int> dense;
  Arranged best{std::move(first)};
  Planned planned = make_plan(best.layout, config, search);
  while (!planned.not_stored.empty()) {  // one layer more each time
    dense.insert(planned.not_stored.begin(), planned.not_stored.end());
    best.layout = lay_out(graph, layers, config, dense);
    planned = make_plan(best.layout, config, search);
  }
  best.misfits = std::move(planned.misfits);
  if (!best.misfits.empty()) return best;
  best.plan = std::move(planned.plan);
  best.others = std::move(planned.others);
  const std::set<int> stored = storing(best.layout);
  if ((stored.empty() && !has_linear_buffers(best.plan)) || keeps_all(best.plan)) return best;
  dense.insert(stored.begin(), stored.end());
  Arranged other{lay_out(graph, layers, config, dense)};
  for (LinearBuffer& flat : other.layout.linear_buffers) flat.uses_of_dsp = 0;
  planned = make_plan(other.layout, config, search);
  if (!planned.fits() || planned.plan.cycles >= best.plan.cycles) return best;
  other.plan = std::move(planned.plan);
  other.others = std::move(planned.others);
  return other;
}

}  // namespace

Arranged arrange(const ir::Graph& graph, const Layers& layers, const SocConfig& config,
                 Layout first, Search& search) {
  Arranged arranged = of_both_ways(graph, layers, config, std::move(first), search);
  if (arranged.misfits.empty()) look_with_less(config, search, arranged);
  return arranged;
}

}  // namespace presil::plan
