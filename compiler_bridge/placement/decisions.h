// What placement has decided beyond what the rules say: a value. A round of the stage reads it, and
// what the round finds out is added to it, until a round finds nothing more.
#pragma once

#include <cstddef>
#include <vector>

#include "compiler_bridge/partition/grouping.h"
#include "compiler_bridge/placement/verdict.h"

namespace presil::placement {

/// The op does not go where a round has put it.
struct Learnt {
  int op = -1;  ///< of the graph that was partitioned
  Verdict verdict;
  /// It only leaves the layer that it is fused into, for a command of its own.
  bool unfuse = false;
};

struct Decisions {
  partition::Limits limits;

  /// @return whether anything of it is new
  bool add(const std::vector<Learnt>& learnt);
  /// Each round but the last adds something: of every op an engine that it leaves, or a layer.
  static size_t most_rounds(size_t ops, size_t engines) { return (engines + 1) * ops + 1; }
};

}  // namespace presil::placement
