#include "compiler_bridge/plan/scratch.h"

namespace presil::plan {

void place_scratch(const Layout& layout, Plan& plan) {
  std::vector<Buffer> buffers;
  std::vector<uint64_t*> offsets;
  plan.linear_offsets.resize(layout.linear_buffers.size());
  for (size_t i = 0; i < layout.linear_buffers.size(); ++i) {
    const LinearBuffer& flat = layout.linear_buffers[i];
    plan.linear_offsets[i] = flat.offset;
    if (flat.region != PRESIL_REGION_SCRATCH || flat.last < flat.first) continue;
    if (plan.is_resident(static_cast<int>(i))) continue;
    buffers.push_back({flat.bytes, PRESIL_BURST_BYTES, flat.first, flat.last});
    offsets.push_back(&plan.linear_offsets[i]);
  }
  for (size_t i = 0; i < plan.blocked_buffers.size(); ++i) {
    if (plan.blocked_buffers[i].keep != Keep::kTiles) continue;
    const BlockedBuffer& storage = layout.blocked_buffers[i];
    buffers.push_back({storage.bytes(), PRESIL_BURST_BYTES, storage.first, storage.last});
    offsets.push_back(&plan.blocked_buffers[i].offset);
  }
  const Placing placing = place_buffers(buffers);
  for (size_t i = 0; i < offsets.size(); ++i) *offsets[i] = placing.offsets[i];
  plan.scratch_bytes = placing.peak;
}

}  // namespace presil::plan
