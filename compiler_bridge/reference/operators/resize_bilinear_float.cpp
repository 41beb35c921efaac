// Between four neighbours, all in float32. Along an axis of `in` and `out` pixels:
//   scale = in / out, or (in - 1) / (out - 1) for align_corners and out > 1;
//   p = o * scale, or (o + 0.5) * scale - 0.5 for half_pixel_centers;
//   low = max(floor(p), 0), high = min(ceil(p), in - 1), f = max(p - low, 0).
//   y = (a * (1 - f) + b * f) of the upper row's low and high * (1 - g) + the same of the lower *
//   g, where f is of the columns, g of the rows.
#include <algorithm>
#include <cmath>

#include "compiler_bridge/reference/float32.h"

namespace presil::reference {
namespace {

struct Between {
  int64_t low, high;
  float weight;  ///< of high
};

Between between(const ir::Resize& a, int64_t o, int64_t in, int64_t out) {
  const bool corners = a.align_corners && out > 1;
  const float scale = corners ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                              : static_cast<float>(in) / static_cast<float>(out);
  const float p = a.half_pixel_centers ? (static_cast<float>(o) + 0.5f) * scale - 0.5f
                                       : static_cast<float>(o) * scale;
  const int64_t low = std::min(std::max<int64_t>(static_cast<int64_t>(std::floor(p)), 0), in - 1);
  const int64_t high = std::min(std::max<int64_t>(static_cast<int64_t>(std::ceil(p)), 0), in - 1);
  return {low, high, std::max(p - static_cast<float>(low), 0.0f)};
}

}  // namespace

void resize_bilinear_float(const Case& c) {
  const auto& a = c.attributes<ir::Resize>();
  const auto &xs = c.in().shape, &ys = c.out().shape;
  float* y = c.write<float>();
  for (int64_t n = 0; n < ys[0]; ++n) {
    for (int64_t oy = 0; oy < ys[1]; ++oy) {
      const Between row = between(a, oy, xs[1], ys[1]);
      const float* upper = c.read<float>() + (n * xs[1] + row.low) * xs[2] * xs[3];
      const float* lower = c.read<float>() + (n * xs[1] + row.high) * xs[2] * xs[3];
      for (int64_t ox = 0; ox < ys[2]; ++ox) {
        const Between column = between(a, ox, xs[2], ys[2]);
        const int64_t left = column.low * xs[3], right = column.high * xs[3];
        const float f = column.weight, g = row.weight;
        for (int64_t k = 0; k < xs[3]; ++k) {
          const float top = upper[left + k] * (1.0f - f) + upper[right + k] * f;
          const float bottom = lower[left + k] * (1.0f - f) + lower[right + k] * f;
          *y++ = settled(top * (1.0f - g) + bottom * g);
        }
      }
    }
  }
}

}  // namespace presil::reference
