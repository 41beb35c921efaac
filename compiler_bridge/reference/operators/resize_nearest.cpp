// y[oy, ox] = x[source(oy), source(ox)] with, in float32, scale = in / out, or (in - 1) / (out - 1)
// for align_corners and out > 1; half = 0.5 for half_pixel_centers, else 0;
//   source(o) = floor((o + half) * scale), with align_corners rounded to nearest (ties away from
// zero), cut to 0..in-1.
#include <algorithm>
#include <cstring>

#include "compiler_bridge/reference/case.h"

namespace presil::reference::operators {
namespace {

int64_t source(const ir::Resize& a, int64_t o, int64_t in, int64_t out) {
  const bool corners = a.align_corners && out > 1;
  const float scale = corners ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                              : static_cast<float>(in) / static_cast<float>(out);
  const float half = a.half_pixel_centers ? 0.5f : 0.0f;
  const float position = (static_cast<float>(o) + half) * scale;  // never negative
  const auto whole = static_cast<int64_t>(a.align_corners ? static_cast<double>(position) + 0.5
                                                          : static_cast<double>(position));
  return std::min(whole, in - 1);
}

}  // namespace

void resize_nearest(const Case& c) {
  const auto& a = c.attributes<ir::Resize>();
  const auto &x = c.in().shape, &y = c.out().shape;
  const size_t pixel = static_cast<size_t>(x[3]) * ir::size_of(c.in().dtype);
  uint8_t* to = c.write<uint8_t>();
  for (int64_t n = 0; n < y[0]; ++n) {
    for (int64_t oy = 0; oy < y[1]; ++oy) {
      const int64_t row = n * x[1] + source(a, oy, x[1], y[1]);
      for (int64_t ox = 0; ox < y[2]; ++ox, to += pixel) {
        const int64_t from = row * x[2] + source(a, ox, x[2], y[2]);
        std::memcpy(to, c.read<uint8_t>() + static_cast<size_t>(from) * pixel, pixel);
      }
    }
  }
}

}  // namespace presil::reference::operators
