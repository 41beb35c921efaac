// Weights that all images of a batch read: loaded for the first, resident until the last.
#pragma once

#include "compiler_bridge/plan/engine_planners.h"

namespace presil::plan {

/// Of layers whose parameter blocks are the same bytes, whole in one buffer, the later ones read
/// that of the first, as far as the SRAM has capacity for what lives longer; the smallest first.
void keep_weights(const Layout& layout, const SocConfig& config, const EnginePlanners& planners,
                  Plan& plan);

}  // namespace presil::plan
