// y[n, r * stride_h + i, c * stride_w + j] = x(i * stride_w + j)[n, r, c]: values are moved.
#include <cstring>

#include "compiler_bridge/reference/case.h"

namespace presil::reference::operators {

void interleave(const Case& c) {
  const auto& a = c.attributes<ir::Interleave>();
  const auto& y = c.out().shape;
  const size_t pixel = static_cast<size_t>(y[3]) * ir::size_of(c.out().dtype);
  uint8_t* to = c.write<uint8_t>();
  for (int64_t n = 0; n < y[0]; ++n) {
    for (int64_t row = 0; row < y[1]; ++row) {
      for (int64_t column = 0; column < y[2]; ++column, to += pixel) {
        const auto from = static_cast<size_t>(row % a.stride_h * a.stride_w + column % a.stride_w);
        const auto& x = c.in(from).shape;
        const int64_t at = (n * x[1] + row / a.stride_h) * x[2] + column / a.stride_w;
        std::memcpy(to, c.read<uint8_t>(from) + static_cast<size_t>(at) * pixel, pixel);
      }
    }
  }
}

}  // namespace presil::reference::operators
