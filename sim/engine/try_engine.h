// Looks at a library in a process of its own, so that what goes wrong there stays there.
#pragma once

#include "sim/engine/find_engine.h"

namespace presil {

/// Opens it, looks at its version and numbers, asks check and estimate for small commands, as
/// presil_engine_check does when it is built.
/// @throws Refusal where it is no engine of this presil, crashes, or does not return
void try_engine(const BuiltEngine& built, unsigned seconds = 60);

}  // namespace presil
