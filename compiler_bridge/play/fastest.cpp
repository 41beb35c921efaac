#include "compiler_bridge/play/fastest.h"

#include <limits>

#include "compiler_bridge/play/command_cycles.h"
#include "compiler_bridge/play/play.h"

namespace presil::play {

plan::Schedule fastest(const ir::Graph& graph, const plan::Layout& layout, plan::Plan& plan,
                       const std::vector<plan::Plan>& others, const SocConfig& config,
                       plan::Dispatch dispatch, plan::Search& search) {
  plan::Schedule best = plan::make_schedule(graph, layout, plan, config, dispatch, &search);
  if (others.empty()) return best;
  const auto cycles_of = [&](const plan::Plan& one, const plan::Schedule& commands, Cycle most) {
    return play({commands, layout.input_bytes, layout.output_bytes, one.scratch_bytes}, config,
                CommandCycles(graph, layout, one, config), most);
  };
  const std::optional<Cycle> first = cycles_of(plan, best, std::numeric_limits<Cycle>::max());
  if (!first) return best;
  plan.cycles = *first;
  for (const plan::Plan& other : others) {
    plan::Schedule commands = plan::make_schedule(graph, layout, other, config, dispatch, &search);
    const std::optional<Cycle> cycles = cycles_of(other, commands, 2 * plan.cycles);
    if (!cycles || *cycles >= plan.cycles) continue;
    plan = other;
    plan.cycles = *cycles;
    best = std::move(commands);
  }
  return best;
}

}  // namespace presil::play
