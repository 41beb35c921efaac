// Where buffers lie that live for a while: an offset for each, so that two that live at the same
// step never share a byte. Used for the SRAM (capacity: its size) and the scratch region.
#pragma once

#include <climits>
#include <cstdint>
#include <vector>

namespace presil::plan {

/// A span of bytes that is needed from step `first` to step `last`, both included.
struct Buffer {
  uint64_t bytes = 0;
  uint32_t align = 16;
  int first = 0;
  int last = 0;
};

struct Placing {
  std::vector<uint64_t> offsets;  ///< by buffer
  uint64_t peak = 0;              ///< highest byte used + 1
  uint64_t looked_at = 0;         ///< buffers that others were compared with, in finding it
};

/// First fit in several orders (largest first, largest bytes x steps first, oldest first); the
/// order with the lowest peak wins, the earlier one at a tie. Where its peak is above `enough`,
/// what lies above goes first, a few times. Never fails: the caller compares the peak with what
/// there is.
/// `apart`: buffers that live before step `before` and buffers that live in step `from` or later
/// share no byte, though they do not live at once: the next job begins while this one ends.
struct Apart {
  int before = 0;
  int from = INT_MAX;
};
Placing place_buffers(const std::vector<Buffer>& buffers, uint64_t enough = UINT64_MAX,
                      Apart apart = {});

/// The step at which most bytes are alive, and how many: no placing can have a lower peak.
struct Pressure {
  int step = 0;
  uint64_t bytes = 0;
};
Pressure highest_pressure(const std::vector<Buffer>& buffers);

}  // namespace presil::plan
