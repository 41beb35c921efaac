// Program order made safe for queues that run on their own: waits where one queue touches what
// another has written or read, and nowhere else.
#pragma once

#include "compiler_bridge/plan/order.h"

namespace presil::plan {

/// Finds every hazard of the steps as written (read after write, write after read, write after
/// write) and gives the later command a wait for the earlier one, unless that is implied by what
/// its queue has already waited for. Where a command would need more waits than it has ports, nops
/// before it carry the rest.
///
/// Inside a queue: the host runs one task after another; a DMA channel keeps loads and stores in
/// order and gets a fence for copies within one memory; the DLA's units each work in order, so only
/// a read of what an earlier DLA command writes needs a wait (on its own counter).
Program synchronise(const std::vector<ProgramStep>& steps, const Told& told = {});

}  // namespace presil::plan
