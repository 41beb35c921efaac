// The commands in which feature and output port keep meeting in a bank: a single pass per block, a
// pixel every cycle, and features that do not move on by one word a step. The output port then has
// no cycle to spare, so each meeting is lost; these commands are played step by step with both
// ports' banks.
#pragma once

#include "models/dla/dla_loader.h"
#include "models/dla/dla_timing.h"

namespace presil::dla {

struct SteppedRun {
  Cycle first = 0, last = 0;                                  ///< operand stage
  Cycle last_pass = 0;                                        ///< first step of the last pass
  Cycle end = 0;                                              ///< last word granted
  Cycle steps = 0, bank = 0, weights = 0, post = 0, out = 0;  ///< of first .. last
};

/// @param sequencer   its start
/// @param first_write earliest grant of the output port
SteppedRun run_stepped(const Plan& plan, Cycle sequencer, Cycle first_write, Loader& loader);

}  // namespace presil::dla
