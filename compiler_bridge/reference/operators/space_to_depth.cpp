// Each block of block x block pixels becomes one pixel: its channels are those of the block's
// pixels, one after the other, row by row.
#include <cstring>

#include "compiler_bridge/reference/case.h"

namespace presil::reference::operators {

void space_to_depth(const Case& c) {
  const int64_t block = c.attributes<ir::Blocks>().block;
  const auto &x = c.in().shape, &y = c.out().shape;
  const size_t pixel = static_cast<size_t>(x[3]) * ir::size_of(c.out().dtype);
  uint8_t* to = c.write<uint8_t>();
  for (int64_t n = 0; n < y[0]; ++n) {
    for (int64_t row = 0; row < y[1]; ++row) {
      for (int64_t column = 0; column < y[2]; ++column) {
        for (int64_t tap = 0; tap < block * block; ++tap, to += pixel) {
          const int64_t iy = row * block + tap / block, ix = column * block + tap % block;
          const int64_t at = (n * x[1] + iy) * x[2] + ix;
          std::memcpy(to, c.read<uint8_t>() + static_cast<size_t>(at) * pixel, pixel);
        }
      }
    }
  }
}

}  // namespace presil::reference::operators
