// The taps of a pooling window that lie inside the image.
#pragma once

#include <algorithm>

#include "compiler_bridge/reference/case.h"

namespace presil::reference {

/// Calls visit(first, rows, columns) for each output pixel in order: the element offset of the
/// window's first tap inside the image (channel 0), and how many rows and columns are inside.
template <class Visit>
void for_each_window(const Case& c, const ir::Pool2d& a, Visit visit) {
  const auto& x = c.in().shape;
  const auto& y = c.out().shape;
  for (int64_t n = 0; n < y[0]; ++n) {
    for (int64_t oy = 0; oy < y[1]; ++oy) {
      const int64_t top = oy * a.stride_h - a.pad_top;
      const int64_t y0 = std::max<int64_t>(top, 0), y1 = std::min(top + a.kernel_h, x[1]);
      for (int64_t ox = 0; ox < y[2]; ++ox) {
        const int64_t left = ox * a.stride_w - a.pad_left;
        const int64_t x0 = std::max<int64_t>(left, 0), x1 = std::min(left + a.kernel_w, x[2]);
        visit(((n * x[1] + y0) * x[2] + x0) * x[3], y1 - y0, x1 - x0);
      }
    }
  }
}

}  // namespace presil::reference
