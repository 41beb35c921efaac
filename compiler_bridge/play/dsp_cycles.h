// What a command of the DSP takes, as its layer is estimated.
#pragma once

#include <optional>

#include "compiler_bridge/plan/schedule.h"

namespace presil::play {

/// From its last wait to its signal. Nothing: the layer is another engine's.
/// @param planned  the layer in time and memory
std::optional<Cycle> dsp_cycles(const layer::Work& work, const plan::LayerPlan& planned,
                                uint32_t tile, const SocConfig& config);

/// Of one that brings an image.
Cycle select_cycles(const dsp::Command& command, const SocConfig& config);

}  // namespace presil::play
