// Where the tiles of a layer go through, whatever engine computes it: rings of buffers, and from
// which step on they may be filled.
#pragma once

#include "compiler_bridge/plan/residents.h"

namespace presil::plan {

/// So many buffers of the plan, alive from the first step to the last. No entry: none.
Ring new_ring(Plan& plan, uint64_t entry, int depth, int first, int last);

/// The steps at which loads for a step may begin, and its stores may end.
struct Around {
  int before = 0, after = 0;
};
Around around(const Plan& plan, int step, int step_count);

/// The first step at which all of a tensor's blocked buffer is in memory.
int blocked_ready(const Layout& layout, const Residents& residents, TensorId tensor);

/// Calls `f` with each subset of what may be kept.
template <class F>
void each_subset(const std::set<int>& all, F&& f) {
  const std::vector<int> items(all.begin(), all.end());
  for (size_t bits = 0; bits < size_t{1} << items.size(); ++bits) {
    std::set<int> some;
    for (size_t i = 0; i < items.size(); ++i) {
      if ((bits >> i & 1) != 0) some.insert(items[i]);
    }
    f(some);
  }
}

}  // namespace presil::plan
