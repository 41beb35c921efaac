#include "compiler_bridge/plan/tile_buffers.h"

#include <algorithm>

namespace presil::plan {

Ring new_ring(Plan& plan, uint64_t entry, int depth, int first, int last) {
  Ring r;
  r.entry_bytes = entry;
  for (int i = 0; entry != 0 && i < depth; ++i) {
    r.buffers.push_back(static_cast<int>(plan.buffers.size()));
    plan.buffers.push_back({entry, kWordBytes, first, last});
  }
  return r;
}

Around around(const Plan& plan, int step, int step_count) {
  if (plan.prefetch == 0) return {step, step};
  return {std::max(0, step - 1), std::min(step + 1, step_count - 1)};
}

int blocked_ready(const Layout& layout, const Residents& residents, TensorId tensor) {
  const int index = layout.place(tensor).storage;
  const BlockedBuffer& buffer = layout.blocked_buffers[size_t(index)];
  if (buffer.load != kNone) return layout.loads[size_t(buffer.load)].ready;
  return residents.made_by(index);
}

}  // namespace presil::plan
