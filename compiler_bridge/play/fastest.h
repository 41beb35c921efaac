// Of plans that the estimate cannot tell apart, the one whose commands take the fewest cycles.
#pragma once

#include <vector>

#include "compiler_bridge/plan/schedule.h"
#include "compiler_bridge/plan/search.h"

namespace presil::play {

/// The commands of the fastest plan as it is played, and its cycles in place of the estimate. Where
/// there is one plan alone nothing is played.
/// @param plan    in: the fastest as estimated; out: the one that is taken
/// @param others  for the same layout
plan::Schedule fastest(const ir::Graph& graph, const plan::Layout& layout, plan::Plan& plan,
                       const std::vector<plan::Plan>& others, const SocConfig& config,
                       plan::Dispatch dispatch, plan::Search& search);

}  // namespace presil::play
