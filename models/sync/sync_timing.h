// Cycles of sync; t is the cycle in which an engine completes.
#pragma once

#include "models/soc/soc_config.h"

namespace presil::sync {

/// Signal register at the engine's edge (1), counter register (1): `met` is combinational from
/// there.
inline constexpr Cycle cycles_complete_to_met = 2;
/// From a counter's new value: compare registered (1), status bit that drives the line (1).
inline constexpr Cycle cycles_met_to_interrupt = 2;

}  // namespace presil::sync
