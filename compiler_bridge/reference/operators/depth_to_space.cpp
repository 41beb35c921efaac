// Each pixel becomes a block of block x block pixels, row by row; each takes as many channels, in
// their order, as it has itself.
#include <cstring>

#include "compiler_bridge/reference/case.h"

namespace presil::reference::operators {

void depth_to_space(const Case& c) {
  const int64_t block = c.attributes<ir::Blocks>().block;
  const auto &x = c.in().shape, &y = c.out().shape;
  const size_t pixel = static_cast<size_t>(y[3]) * ir::size_of(c.out().dtype);
  uint8_t* to = c.write<uint8_t>();
  for (int64_t n = 0; n < y[0]; ++n) {
    for (int64_t row = 0; row < y[1]; ++row) {
      for (int64_t column = 0; column < y[2]; ++column, to += pixel) {
        const int64_t part = row % block * block + column % block;
        const int64_t at = (n * x[1] + row / block) * x[2] + column / block;
        std::memcpy(to, c.read<uint8_t>() + static_cast<size_t>(at * block * block + part) * pixel,
                    pixel);
      }
    }
  }
}

}  // namespace presil::reference::operators
