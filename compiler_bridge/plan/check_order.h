// Proves that a program's waits keep every hazard in order, and that its queues come to an end. It
// looks at the waits alone and at every pair of accesses, and knows nothing of how they were found.
#pragma once

#include <stdexcept>

#include "compiler_bridge/plan/order.h"

namespace presil::plan {

/// A defect of the compiler, never of what it was given.
class OrderDefect : public std::logic_error {
  using std::logic_error::logic_error;
};

/// Throws OrderDefect with the two commands and the bytes they touch, if a later command may begin
/// to touch bytes before an earlier one is done with them; or if a wait is for a command that comes
/// later in the program, so that the queues could stop indefinitely.
/// @return how many pieces of memory were looked at for that
uint64_t check_order(const std::vector<ProgramStep>& steps, const Program& program,
                     const Told& told = {});

}  // namespace presil::plan
