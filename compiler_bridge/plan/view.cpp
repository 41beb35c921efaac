#include "compiler_bridge/plan/view.h"

namespace presil::plan {

std::vector<Access> accesses(const View& view, Gate gate, bool write) {
  std::vector<Access> spans;
  const uint64_t bytes =
      uint64_t(view.row_pitch) * uint64_t(view.rows - 1) + (view.row_bytes() + 15) / 16 * 16;
  for (int b = 0; b < view.blocks; ++b) {
    const uint64_t begin = view.base + uint64_t(view.block_pitch) * uint64_t(b);
    if (!spans.empty() && spans.back().end == begin) {
      spans.back().end = begin + bytes;
    } else {
      spans.push_back({view.space, gate, write, begin, begin + bytes});
    }
  }
  return spans;
}

Access access(const LinearView& view, bool write) {
  const uint64_t end = view.base + uint64_t(view.row_pitch) * uint64_t(view.rows - 1) +
                       uint64_t(view.x_step) * uint64_t(view.columns - 1) + uint64_t(view.channels);
  return {view.space, write ? Gate::kOut : Gate::kIn, write, view.base, end};
}

}  // namespace presil::plan
