// What rules cannot know of a layer where it has been put: whether a program fits the DSP, whether
// another engine takes fewer cycles, whether it fits the SRAM. Each names the ops that leave.
#pragma once

#include <vector>

#include "compiler_bridge/placement/decisions.h"
#include "compiler_bridge/placement/placed.h"
#include "models/soc/soc_config.h"

namespace presil::placement {

/// Kernels whose programs the DSP cannot hold.
std::vector<Learnt> unfit_programs(const Placed& placed, const SocConfig& config);

/// What the DMA moves and another engine moves faster. @param host  whether the host may
std::vector<Learnt> slow_copies(const Placed& placed, const SocConfig& config, bool host,
                                const Decisions& decisions);

/// Layers of the DSP that the host is faster at; the layout says which tensors have to be moved.
std::vector<Learnt> slow_on_dsp(const Placed& placed, const SocConfig& config);

/// Layers that do not fit the SRAM: what is fused into one leaves it if that may help, else its
/// first op goes to the host. @param host  whether it may
std::vector<Learnt> unfit_layers(const Placed& placed, bool host, const Decisions& decisions);

}  // namespace presil::placement
