// Which pixel a nearest-neighbour resize takes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "compiler_bridge/ir/graph.h"

namespace presil::common {

/// The row (column) of x, of `in`, that row (column) `at` of y, of `out`, is made of, as
/// resize_nearest says: in float32.
inline int64_t nearest(const ir::Resize& r, int64_t at, int64_t in, int64_t out) {
  const bool corners = r.align_corners && out > 1;
  const float scale = corners ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                              : static_cast<float>(in) / static_cast<float>(out);
  const float from = (static_cast<float>(at) + (r.half_pixel_centers ? 0.5f : 0.0f)) * scale;
  auto whole = static_cast<int64_t>(from);
  if (r.align_corners && from - static_cast<float>(whole) >= 0.5f) ++whole;
  return std::min(whole, in - 1);
}

}  // namespace presil::common
