// Ways to plan all steps with what stays in SRAM: how far weights are loaded ahead, how large tiles
// may be.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "compiler_bridge/plan/plan.h"

namespace presil::plan {

/// How hard to try: weights loaded this many steps ahead, tiles in this share of the room left.
struct Attempt {
  int prefetch = 0;
  double share = 1.0;
  bool in_order = false;  ///< tilings are chosen for what the layers before leave to be waited for
  uint64_t most = std::numeric_limits<uint64_t>::max();  ///< bytes of tiles
  /// Asks for the least room in every step: where it fails, something has to go.
  bool is_least() const { return prefetch == 0 && share == 1.0; }
  /// Bytes that stay, by step: of blocked buffers and linear buffers.
  std::vector<uint64_t> live = {};
  /// Steps below this one have capacity for their layers, as long as nothing moves.
  int checked = 0;
  /// The step at which its buffers are too many for any placing, as long as nothing moves near it.
  int crowded = kNone;
};

/// From the most overlap to the least; the last words are small tiles without any overlap.
/// @param decided  the only distance to load weights ahead
std::vector<Attempt> attempts(int steps, const std::optional<int>& decided);

}  // namespace presil::plan
