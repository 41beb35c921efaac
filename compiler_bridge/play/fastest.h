// Of plans that the estimate cannot tell apart, the one whose commands take the fewest cycles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler_bridge/plan/schedule.h"
#include "compiler_bridge/plan/search.h"

namespace presil::play {

/// A plan as it has been looked at.
struct Candidate {
  int prefetch = 0;             ///< steps that weights are loaded ahead
  uint64_t sram_bytes = 0;      ///< that it needs
  Cycle estimate = 0;           ///< of the plan
  std::optional<Cycle> played;  ///< nothing: the estimate was enough, or there was no time for it
};

struct Fastest {
  plan::Schedule commands;  ///< of the plan that is taken
  std::vector<Candidate> candidates;
  size_t taken = 0;
};

/// The fastest plan as it is played, and its cycles in place of the estimate. Where there is one
/// plan alone, or too much to play (Search::may_play), nothing is played.
/// @param plan    in: the fastest as estimated; out: the one that is taken
/// @param others  for the same layout
Fastest fastest(const ir::Graph& graph, const plan::Layout& layout, plan::Plan& plan,
                const std::vector<plan::Plan>& others, const SocConfig& config,
                plan::Dispatch dispatch, plan::Search& search);

/// Plays the plan that was taken, unless it has been or there is too much to play; its cycles are
/// the plan's estimate then. Nothing: they are not known.
std::optional<Cycle> play_taken(Fastest& fastest, const ir::Graph& graph,
                                const plan::Layout& layout, plan::Plan& plan,
                                const SocConfig& config, plan::Search& search);

/// Faster by enough that another plan is worth taking.
bool worth(Cycle cycles, Cycle before);

/// A plan by itself.
std::optional<Cycle> played(const ir::Graph& graph, const plan::Layout& layout,
                            const plan::Plan& plan, const plan::Schedule& commands,
                            const SocConfig& config);

/// A line for each candidate.
std::string print(const Fastest& fastest);

}  // namespace presil::play
