// y[n, oy, ox, c]: of y = oy * denominator + offset the row is floor(y / numerator), the rest d;
// columns alike. nearest: the row after it where 2 * d >= numerator. Else the four around, weighted
// by numerator - d and d along both axes. Rows and columns outside are the nearest inside (TOSA
// 1.0, RESIZE).
#include "compiler_bridge/reference/integers.h"

namespace presil::reference::operators {
namespace {

struct Spot {
  int64_t first, second;  ///< rows of the image
  int64_t rest, whole;    ///< d, numerator
};

Spot spot(int64_t at, int64_t numerator, int64_t denominator, int64_t offset, int64_t extent) {
  const int64_t y = at * denominator + offset;
  int64_t row = y / numerator;
  if (y % numerator < 0) --row;
  return {limited(row, 0, extent - 1), limited(row + 1, 0, extent - 1), y - row * numerator,
          numerator};
}

}  // namespace

void resize_by_ratio(const Case& c) {
  const auto& a = c.attributes<ir::ResizeByRatio>();
  const std::vector<int64_t> x = integers(c, 0);
  const auto& xs = c.in().shape;
  size_t next = 0;
  for_each_index(c.out().shape, [&](const std::vector<int64_t>& y) {
    const Spot r = spot(y[1], a.scale[0], a.scale[1], a.offset[0], xs[1]);
    const Spot s = spot(y[2], a.scale[2], a.scale[3], a.offset[1], xs[2]);
    const auto pixel = [&](int64_t row, int64_t column) {
      return x[static_cast<size_t>(((y[0] * xs[1] + row) * xs[2] + column) * xs[3] + y[3])];
    };
    if (a.nearest) {
      return store(c, next++,
                   pixel(2 * r.rest >= r.whole ? r.second : r.first,
                         2 * s.rest >= s.whole ? s.second : s.first));
    }
    const int64_t upper =
        pixel(r.first, s.first) * (s.whole - s.rest) + pixel(r.first, s.second) * s.rest;
    const int64_t lower =
        pixel(r.second, s.first) * (s.whole - s.rest) + pixel(r.second, s.second) * s.rest;
    store(c, next++, upper * (r.whole - r.rest) + lower * r.rest);
  });
}

}  // namespace presil::reference::operators
