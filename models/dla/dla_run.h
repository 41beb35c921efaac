// What a command's run in the array depends on and what it leaves to the next; runs that are known
// already. A run starts where it starts: two with the same distances between their units take the
// same cycles, whenever they come. So a network's second sample is not played a second time.
#pragma once

#include <vector>

#include "models/dla/dla_timing.h"

namespace presil::dla {

/// Starts of the units, and what the command before has left.
struct RunStart {
  Cycle sequencer = 0, loader = 0;
  Cycle first_write = 0;               ///< earliest grant of the output port
  Cycle post_free = 0, last_pass = 0;  ///< as in Pipeline
};

/// What the operand stage did between its first and last step, and when the results are out.
struct Run {
  Cycle first = 0, last = 0, last_pass = 0;
  Cycle post_free = 0;
  Cycle end = 0;
  Cycle loader_free = 0;
  Cycle steps = 0, bank = 0, weights = 0, post = 0, turn = 0, out = 0;
};

Run run_of(const Plan& plan, const RunStart& start);

/// Runs of one command, relative to their sequencer's start.
class KnownRuns {
 public:
  Run find(const Plan& plan, const RunStart& start);

 private:
  struct Known {
    RunStart start;
    Run run;
  };
  static constexpr size_t kMost = 16;
  std::vector<Known> m_known;
  size_t m_next = 0;  // is forgotten for a new one
};

}  // namespace presil::dla
