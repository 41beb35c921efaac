// average_pool2d: the taps inside the image added from +0 on, rows and columns ascending, columns
// fastest; the sum divided by their number; the clamp.
// max_pool2d: the largest of them (float_order.h), minus infinity where none is a number; the
// clamp.
#include <limits>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/window.h"

namespace presil::reference {

void average_pool2d_float(const Case& c) {
  const auto& a = c.attributes<ir::Pool2d>();
  const Bounds bounds = bounds_of(a.act);
  const int64_t channels = c.in().shape[3], row = c.in().shape[2] * channels;
  float* y = c.write<float>();
  for_each_window(c, a, [&](int64_t first, int64_t rows, int64_t columns) {
    for (int64_t k = 0; k < channels; ++k) {
      const float* tap = c.read<float>() + first + k;
      float sum = 0.0f;
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) sum += tap[i * row + j * channels];
      }
      *y++ = clamped(sum / static_cast<float>(rows * columns), bounds);
    }
  });
}

void max_pool2d_float(const Case& c) {
  const auto& a = c.attributes<ir::Pool2d>();
  const Bounds bounds = bounds_of(a.act);
  const int64_t channels = c.in().shape[3], row = c.in().shape[2] * channels;
  float* y = c.write<float>();
  for_each_window(c, a, [&](int64_t first, int64_t rows, int64_t columns) {
    for (int64_t k = 0; k < channels; ++k) {
      const float* tap = c.read<float>() + first + k;
      float largest = -std::numeric_limits<float>::infinity();
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j)
          largest = larger(largest, tap[i * row + j * channels]);
      }
      *y++ = clamped(largest, bounds);
    }
  });
}

}  // namespace presil::reference
