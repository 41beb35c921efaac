// Where what does not stay in the SRAM lies in the scratch region.
#pragma once

#include "compiler_bridge/plan/plan.h"

namespace presil::plan {

/// Offsets of linear buffers and of blocked buffers kept as tiles; the plan's `scratch_bytes`.
void place_scratch(const Layout& layout, Plan& plan);

}  // namespace presil::plan
