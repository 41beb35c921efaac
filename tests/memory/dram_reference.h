// A DRAM controller written apart for the tests: one clock after another, one command a clock, one
// column access per atom, plain vectors. It shares the timing table and the policy's words with the
// model, nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/soc/soc_config.h"

namespace presil::memory::reference {

struct Access {
  uint64_t address = 0;  // inside a block of 256 B
  unsigned bytes = 64;
  bool write = false;
};

/// Closed loop: at most `outstanding` bursts are queued at a time, in the order of the list.
/// @return clocks until the last column access has moved its data
int64_t clocks_of(const DramConfig& config, const std::vector<Access>& list, unsigned outstanding);

}  // namespace presil::memory::reference
