// What a task of the host takes, as its layer is estimated.
#pragma once

#include <optional>

#include "compiler_bridge/plan/schedule.h"

namespace presil::play {

/// From its last wait to its signal. Nothing: the layer is an engine's.
std::optional<Cycle> host_cycles(const layer::Work& work, const ir::Graph& graph,
                                 const SocConfig& config);

/// Of a word that only passes on what has ended.
Cycle host_nop_cycles(const SocConfig& config);

}  // namespace presil::play
