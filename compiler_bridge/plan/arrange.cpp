#include "compiler_bridge/plan/arrange.h"

#include <algorithm>

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

}  // namespace

Arranged arrange(const ir::Graph& graph, const Layers& layers, const SocConfig& config,
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
  const std::set<int> stored = storing(best.layout);
  if ((stored.empty() && !has_linear_buffers(best.plan)) || keeps_all(best.plan)) return best;
  dense.insert(stored.begin(), stored.end());
  Arranged other{lay_out(graph, layers, config, dense)};
  for (LinearBuffer& flat : other.layout.linear_buffers) flat.uses_of_dsp = 0;
  planned = make_plan(other.layout, config, search);
  if (!planned.fits() || planned.plan.cycles >= best.plan.cycles) return best;
  other.plan = std::move(planned.plan);
  return other;
}

}  // namespace presil::plan
