// The placement stage: which engine computes which operator, with which memory, and why. Rounds
// of passes, partition, layout and plan, each with all that those before it have found out.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler_bridge/placement/engine.h"
#include "compiler_bridge/placement/placed.h"
#include "compiler_bridge/placement/user_kernels.h"
#include "compiler_bridge/plan/search.h"

namespace presil::placement {

struct PlaceOptions {
  bool fallback = true;           ///< false: refuse a network with ops that run on the host
  std::set<Engine> without = {};  ///< compute nothing of the network, as if the SoC had none
  /// Of the user; at most one for each op of the graph.
  std::vector<partition::UserKernel> kernels = {};
  std::map<int, std::vector<Verdict>> kernel_verdicts = {};  ///< by op that none takes
  /// That are left out; none: as engines from outside are served best.
  std::optional<std::set<std::string>> passes_without = {};
};

/// Refuses (presil::Refusal) what no engine takes and what does not fit.
Placed place(const ir::Graph& imported, const SocConfig& config, const PlaceOptions& options,
             plan::Search& search);

}  // namespace presil::placement
