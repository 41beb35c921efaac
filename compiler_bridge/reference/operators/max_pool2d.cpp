// The largest tap inside the image, clamped. The same under both rule sets.
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/requantize.h"
#include "compiler_bridge/reference/window.h"

namespace presil::reference::operators {

void max_pool2d(const Case& c) {
  if (c.floats()) return max_pool2d_float(c);
  const auto& a = c.attributes<ir::Pool2d>();
  const Range range = activation_range(c.graph.numerics, a.act, c.out());
  const int64_t channels = c.in().shape[3], row = c.in().shape[2] * channels;
  int8_t* y = c.write<int8_t>();
  for_each_window(c, a, [&](int64_t first, int64_t rows, int64_t columns) {
    for (int64_t k = 0; k < channels; ++k) {
      const int8_t* tap = c.read<int8_t>() + first + k;
      int32_t largest = -128;
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) {
          largest = std::max<int32_t>(largest, tap[i * row + j * channels]);
        }
      }
      *y++ = static_cast<int8_t>(clamp(largest, range.low, range.high));
    }
  });
}

}  // namespace presil::reference::operators
