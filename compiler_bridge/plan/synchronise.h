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

/// The same for a job that may begin while the one before, of the same program, is still at work:
/// its commands also wait for those of the job before that touch the same bytes of the SRAM.
/// Regions are each job's own. Such waits have `before` set.
Program synchronise_overlapping(const std::vector<ProgramStep>& steps, const Told& told = {});

/// Two jobs of such a program, one after the other, as `check_order` takes them.
struct TwoJobs {
  std::vector<ProgramStep> steps;
  Program program;
};
TwoJobs two_jobs(const std::vector<ProgramStep>& steps, const Program& program);

}  // namespace presil::plan
