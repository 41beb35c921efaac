// What engines say of a round: each is asked about its own layers (engine_judge.h).
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/placement/engine_judge.h"

namespace presil::placement {

/// Of the first engine that has something to say; of several, one round after another.
std::vector<Learnt> of_layers(const Round& round);
std::vector<Learnt> of_layout(const Round& round);

/// Layers that do not fit the SRAM: what is fused into one leaves it if that may help, else its
/// first op goes to the host, if it may.
std::vector<Learnt> unfit_layers(const Round& round);

/// A layer by itself, as its engine estimates it without a plan; 0: it does not stand alone.
Cycle cycles_of(const layer::Work& work, const std::string& kind, const ir::Graph& graph,
                const SocConfig& config);

/// The same where the layout has put its tensors, selects of images counted.
Cycle cycles_in(const Round& round, int step);

}  // namespace presil::placement
