#include "compiler_bridge/plan/arrange.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler_bridge/plan/finalists.h"
#include "compiler_bridge/plan/ladder.h"
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

/// Beside those that are there, unless it is one of them.
void add(Plan plan, Arranged& arranged) {
  const auto same = [&](const Plan& other) { return other.cycles == plan.cycles; };
  std::vector<Plan>& others = arranged.others;
  if (same(arranged.plan) || std::any_of(others.begin(), others.end(), same)) return;
  if (plan.cycles < arranged.plan.cycles) std::swap(plan, arranged.plan);
  others.push_back(std::move(plan));
  others.erase(
      std::remove_if(others.begin(), others.end(),
                     [&](const Plan& other) { return !about_as_fast(other, arranged.plan); }),
      others.end());
  std::stable_sort(others.begin(), others.end(),
                   [](const Plan& a, const Plan& b) { return a.cycles < b.cycles; });
}

/// What is found with less SRAM fits as well. @return bytes that it needs; nullopt: none fits
std::optional<uint64_t> look_with(uint64_t bytes, const SocConfig& config, Search& search,
                                  Arranged& arranged) {
  SocConfig less = config;
  less.sram.bytes = static_cast<uint32_t>(bytes / kWordBytes * kWordBytes);
  const Search::Trial trial(search);
  Planned planned = make_plan(arranged.layout, less, search);
  if (!planned.fits()) return std::nullopt;
  const uint64_t used = planned.plan.placing.peak;
  add(std::move(planned.plan), arranged);
  for (Plan& other : planned.others) add(std::move(other), arranged);
  return used;
}

/// The search finds other plans with less SRAM, some of them faster ones: with the rungs below what
/// the best plan uses, two at least, until there is another plan that is no better; and once with
/// the rung above, so that all that is beyond it changes nothing.
void look_with_less(const SocConfig& config, Search& search, Arranged& arranged) {
  constexpr int kRungs = 3;
  const uint64_t used = arranged.plan.placing.peak, above = rung_from(used);
  uint64_t rung = rung_below(used);
  for (int i = 0; i < kRungs && rung != 0; ++i) {
    const Cycle best = arranged.plan.cycles;
    const size_t others = arranged.others.size();
    rung = rung_below(look_with(rung, config, search, arranged).value_or(rung));
    if (i > 0 && arranged.plan.cycles == best && arranged.others.size() != others) break;
  }
  if (above < config.sram.bytes) look_with(above, config, search, arranged);
}

/// Of few layers with whatever is less than what the plan before uses: all that are met with some
/// are met with more as well.
void look_at_all(const SocConfig& config, Search& search, Arranged& arranged) {
  constexpr int kPlans = 64;
  std::optional<uint64_t> used = arranged.plan.placing.peak;
  for (int i = 0; i < kPlans && used && *used > kWordBytes && !search.is_spent(); ++i)
    used = look_with(*used - kWordBytes, config, search, arranged);
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
  if (!arranged.misfits.empty() || search.is_spent() || search.decided().any()) return arranged;
  if (has_few_layers(static_cast<size_t>(arranged.layout.step_count()))) {
    if (!is_told(arranged.plan)) look_at_all(config, search, arranged);
  } else if (loses(arranged.plan)) {
    look_with_less(config, search, arranged);
  }
  return arranged;
}

}  // namespace presil::plan
