// Where buffers lie when the next job begins while this one ends: what the first steps use apart
// from what the last ones use, as far as the SRAM allows it.
#pragma once

#include "compiler_bridge/plan/plan.h"

namespace presil::plan {

/// Allocates the plan's buffers again, so that as many first steps as possible (up to 16) share no
/// byte with the last step of the DLA and all after it. Where not even the first one can, the
/// placing stays.
/// @return first steps that are apart
int separate_jobs(const Layout& layout, const SocConfig& config, Plan& plan);

}  // namespace presil::plan
