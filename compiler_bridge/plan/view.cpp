#include "compiler_bridge/plan/view.h"

#include <algorithm>

namespace presil::plan {

namespace {

/// Does a row leave so much of its pitch to other views that these would seem to share its bytes?
/// What only pads a row does not count.
bool leaves_gaps(const View& view) {
  constexpr uint64_t kLeast = 4;  // of a row, one part of so many
  return view.rows > 1 &&
         view.row_bytes() + std::max<uint64_t>(view.row_pitch / kLeast, 1) <= view.row_pitch;
}

}  // namespace

std::vector<Access> accesses(const View& view, Gate gate, bool write) {
  std::vector<Access> spans;
  const auto add = [&](uint64_t begin, uint64_t bytes) {
    if (!spans.empty() && spans.back().end == begin) {
      spans.back().end = begin + bytes;
    } else {
      spans.push_back({view.space, gate, write, begin, begin + bytes});
    }
  };
  const uint64_t row = (view.row_bytes() + 15) / 16 * 16;
  const bool by_row = leaves_gaps(view);
  for (int b = 0; b < view.blocks; ++b) {
    const uint64_t begin = view.base + uint64_t(view.block_pitch) * uint64_t(b);
    if (!by_row) add(begin, uint64_t(view.row_pitch) * uint64_t(view.rows - 1) + row);
    for (int y = 0; by_row && y < view.rows; ++y) {
      add(begin + uint64_t(view.row_pitch) * uint64_t(y), row);
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
