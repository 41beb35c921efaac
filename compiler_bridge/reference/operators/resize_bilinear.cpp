// Between four neighbours, positions in 1/1024 of a pixel; TFLite's integer rule under both sets.
//   step = (1024 * in + out / 2) / out; align_corners and out > 1: of in - 1 and out - 1;
//   p = o * step, half_pixel_centers: + step / 2 - 512; low = max(p / 1024, 0),
//   high = min((p + 1023) / 1024, in - 1), weight of high = p - 1024 * low; divisions truncate;
//   y = sum of the four products of value and weights / 2^20, ties away from zero.
#include <algorithm>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/fixed_point.h"

namespace presil::reference::operators {
namespace {

struct Between {
  int64_t low, high, weight;
};

Between between(const ir::Resize& a, int64_t o, int64_t in, int64_t out) {
  const int64_t last = in - 1;
  if (a.align_corners && out > 1) --in, --out;
  const int64_t step = (1024 * in + out / 2) / out;
  const int64_t p = o * step + (a.half_pixel_centers ? step / 2 - 512 : 0);
  const int64_t low = std::max<int64_t>(p / 1024, 0);
  return {low, std::min((p + 1023) / 1024, last), p - 1024 * low};
}

}  // namespace

void resize_bilinear(const Case& c) {
  const auto& a = c.attributes<ir::Resize>();
  const auto &xs = c.in().shape, &ys = c.out().shape;
  int8_t* y = c.write<int8_t>();
  for (int64_t n = 0; n < ys[0]; ++n) {
    for (int64_t oy = 0; oy < ys[1]; ++oy) {
      const Between row = between(a, oy, xs[1], ys[1]);
      for (int64_t ox = 0; ox < ys[2]; ++ox) {
        const Between column = between(a, ox, xs[2], ys[2]);
        for (int64_t k = 0; k < xs[3]; ++k) {
          const auto tap = [&](int64_t iy, int64_t ix) {
            return int64_t{c.read<int8_t>()[((n * xs[1] + iy) * xs[2] + ix) * xs[3] + k]};
          };
          const int64_t top = tap(row.low, column.low) * (1024 - column.weight) +
                              tap(row.low, column.high) * column.weight;
          const int64_t bottom = tap(row.high, column.low) * (1024 - column.weight) +
                                 tap(row.high, column.high) * column.weight;
          const int64_t sum = top * (1024 - row.weight) + bottom * row.weight;
          const int64_t half = sum > 0 ? 1 << 19 : -(1 << 19);
          *y++ = to_int8(static_cast<int32_t>((sum + half) / (1 << 20)));
        }
      }
    }
  }
}

}  // namespace presil::reference::operators
