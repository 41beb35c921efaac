// Short and upsampling commands, played cycle by cycle with every port of the SRAM: there a bank
// conflict of weights, second operand or output is a good part of the time, and equations leave it
// out. The stages are those of rtl/dla/README.md, each as far as it can stop.
#pragma once

#include "models/dla/dla_stepper.h"

namespace presil::dla {

struct PlayedRun : SteppedRun {
  Cycle turn = 0;         ///< of first .. last: passes that wait for the accumulators
  Cycle loader_free = 0;  ///< the cycle after its last word
};

/// @param loader     start of each unit
/// @param post_free  post-processing is the command's from here on, as seen from the operand stage
/// @param last_pass  first step of the last pass of the command before
PlayedRun run_played(const Plan& plan, Cycle sequencer, Cycle loader, Cycle first_write,
                     Cycle post_free, Cycle last_pass);

}  // namespace presil::dla
