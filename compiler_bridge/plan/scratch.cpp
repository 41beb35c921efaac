#include "compiler_bridge/plan/scratch.h"

namespace presil::plan {

void place_scratch(const Layout& layout, Plan& plan) {
  std::vector<Buffer> buffers;
  std::vector<uint64_t*> offsets;
  plan.flat_offsets.resize(layout.flats.size());
  for (size_t i = 0; i < layout.flats.size(); ++i) {
    const Flat& flat = layout.flats[i];
    plan.flat_offsets[i] = flat.offset;
    if (flat.region != PRESIL_REGION_SCRATCH || flat.last < flat.first) continue;
    if (plan.stays(static_cast<int>(i))) continue;
    buffers.push_back({flat.bytes, PRESIL_BURST_BYTES, flat.first, flat.last});
    offsets.push_back(&plan.flat_offsets[i]);
  }
  for (size_t i = 0; i < plan.storages.size(); ++i) {
    if (plan.storages[i].keep != Keep::kTiles) continue;
    const Storage& storage = layout.storages[i];
    buffers.push_back({storage.bytes(), PRESIL_BURST_BYTES, storage.first, storage.last});
    offsets.push_back(&plan.storages[i].offset);
  }
  const Placing placing = place_buffers(buffers);
  for (size_t i = 0; i < offsets.size(); ++i) *offsets[i] = placing.offsets[i];
  plan.scratch_bytes = placing.peak;
}

}  // namespace presil::plan
