#include "compiler_bridge/play/fastest.h"

#include "compiler_bridge/play/play.h"
#include "compiler_bridge/play/told_cycles.h"
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

Candidate candidate_of(const plan::Plan& plan) {
  return {plan.prefetch, plan.placing.peak, plan.cycles, {}};
}

}  // namespace

std::optional<Cycle> played(const ir::Graph& graph, const plan::Layout& layout,
                            const plan::Plan& plan, const plan::Schedule& commands,
                            const SocConfig& config) {
  return play({commands, layout.input_bytes, layout.output_bytes, plan.scratch_bytes}, config,
              ToldCycles(graph, layout, plan, config));
}

/// Plans for less SRAM move more through the memory, which energy and other masters pay for.
bool worth(Cycle cycles, Cycle before) {
  constexpr Cycle kWorth = 256;  // one cycle of so many
  return cycles + cycles / kWorth < before;
}

std::optional<Cycle> play_taken(Fastest& fastest, const ir::Graph& graph,
                                const plan::Layout& layout, plan::Plan& plan,
                                const SocConfig& config, plan::Search& search) {
  std::optional<Cycle>& cycles = fastest.candidates[fastest.taken].played;
  if (!cycles && search.may_play(bursts_of(fastest.commands)))
    cycles = played(graph, layout, plan, fastest.commands, config);
  if (cycles) plan.cycles = *cycles;
  return cycles;
}

Fastest fastest(const ir::Graph& graph, const plan::Layout& layout, plan::Plan& plan,
                const std::vector<plan::Plan>& others, const SocConfig& config,
                plan::Dispatch dispatch, plan::Search& search) {
  Fastest best{plan::make_schedule(graph, layout, plan, config, dispatch, &search), {}, 0};
  best.candidates.push_back(candidate_of(plan));
  for (const plan::Plan& other : others) best.candidates.push_back(candidate_of(other));
  const uint64_t bursts = bursts_of(best.commands);
  size_t some = 0;  // of the others
  while (some < others.size() && search.may_play((2 + some) * bursts)) ++some;
  if (some == 0) return best;
  const std::optional<Cycle> first = played(graph, layout, plan, best.commands, config);
  best.candidates[0].played = first;
  if (!first) return best;
  plan.cycles = *first;
  for (size_t i = 0; i < some; ++i) {
    const plan::Plan& other = others[i];
    plan::Schedule commands = plan::make_schedule(graph, layout, other, config, dispatch, &search);
    const std::optional<Cycle> cycles = played(graph, layout, other, commands, config);
    best.candidates[i + 1].played = cycles;
    if (!cycles || !worth(*cycles, plan.cycles)) continue;
    plan = other;
    plan.cycles = *cycles;
    best.commands = std::move(commands);
    best.taken = i + 1;
  }
  return best;
}

std::string print(const Fastest& fastest) {
  std::string text;
  for (size_t i = 0; i < fastest.candidates.size(); ++i) {
    const Candidate& one = fastest.candidates[i];
    text += "plan " + std::to_string(i) + ": weights " + std::to_string(one.prefetch) +
            " steps ahead, " + std::to_string(one.sram_bytes) + " B of SRAM, about " +
            std::to_string(one.estimate) + " cycles, " +
            (one.played ? "played " + std::to_string(*one.played) : "not played") +
            (i == fastest.taken ? ", taken" : "") + "\n";
  }
  return text;
}

}  // namespace presil::play
