#include "compiler_bridge/play/fastest.h"

#include "compiler_bridge/play/command_cycles.h"
#include "compiler_bridge/play/play.h"
#include "models/dma/dma_timing.h"

namespace presil::play {
namespace {

uint64_t bursts_of(const dma::Side& side) {
  return side.rows() * ((side.row_bytes + PRESIL_BURST_BYTES - 1) / PRESIL_BURST_BYTES);
}

/// What the time of playing it goes by.
uint64_t bursts_of(const plan::Schedule& schedule) {
  uint64_t bursts = schedule.commands.size();
  for (const plan::ScheduledCommand& command : schedule.commands) {
    const auto* copy = std::get_if<dma::Command>(&command.word);
    if (copy == nullptr) continue;
    if (copy->src_space == dma::Space::kSystem) bursts += bursts_of(dma::source_of(*copy, 0));
    if (copy->dst_space == dma::Space::kSystem) bursts += bursts_of(dma::destination_of(*copy, 0));
  }
  return bursts;
}

}  // namespace

plan::Schedule fastest(const ir::Graph& graph, const plan::Layout& layout, plan::Plan& plan,
                       const std::vector<plan::Plan>& others, const SocConfig& config,
                       plan::Dispatch dispatch, plan::Search& search) {
  plan::Schedule best = plan::make_schedule(graph, layout, plan, config, dispatch, &search);
  const uint64_t bursts = bursts_of(best);
  size_t played = 0;  // of the others
  while (played < others.size() && search.may_play((2 + played) * bursts)) ++played;
  if (played == 0) return best;
  search.stage("play", 1 + played);
  const auto cycles_of = [&](const plan::Plan& one, const plan::Schedule& commands) {
    return play({commands, layout.input_bytes, layout.output_bytes, one.scratch_bytes}, config,
                CommandCycles(graph, layout, one, config));
  };
  const std::optional<Cycle> first = cycles_of(plan, best);
  if (!first) return best;
  plan.cycles = *first;
  for (size_t i = 0; i < played; ++i) {
    search.tell(i + 1);
    const plan::Plan& other = others[i];
    plan::Schedule commands = plan::make_schedule(graph, layout, other, config, dispatch, &search);
    const std::optional<Cycle> cycles = cycles_of(other, commands);
    if (!cycles || *cycles >= plan.cycles) continue;
    plan = other;
    plan.cycles = *cycles;
    best = std::move(commands);
  }
  return best;
}

}  // namespace presil::play
