#include "compiler_bridge/placement/issue.h"

#include <utility>

#include "compiler_bridge/placement/faster.h"
#include "compiler_bridge/plan/issue_order.h"

namespace presil::placement {

std::optional<Placed> in_issue_order(const Placed& placed, const SocConfig& config,
                                     plan::Search& search) {
  constexpr Cycle kWorth = 64;  // one cycle of so many
  const layer::Layers& layers = placed.partition.layers;
  std::vector<Cycle> cycles;
  for (size_t i = 0; i < layers.size(); ++i)
    cycles.push_back(cycles_of(placed, static_cast<int>(i), config));
  const plan::IssueOrder order = plan::issue_order(layers, cycles);
  if (order.after + order.before / kWorth >= order.before) return std::nullopt;

  Placed other;
  other.graph = placed.graph;
  other.partition.placements = placed.partition.placements;
  for (size_t i = 0; i < layers.size(); ++i) {
    other.partition.layers.push_back(layers[static_cast<size_t>(order.layers[i])]);
    other.partition.layers.back().beside = order.beside[i];
  }
  plan::Layout layout = plan::lay_out(other.graph, other.partition.layers, config);
  plan::Arranged arranged =
      plan::arrange(other.graph, other.partition.layers, config, std::move(layout), search);
  if (!arranged.misfits.empty()) return std::nullopt;
  other.layout = std::move(arranged.layout);
  other.plan = std::move(arranged.plan);
  other.others = std::move(arranged.others);
  return other;
}

}  // namespace presil::placement
