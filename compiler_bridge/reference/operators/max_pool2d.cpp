// The largest tap inside the image, clamped; int8 or int16. The same under both rule sets but for
// the clamp: under xnnpack XNNPACK's where it takes the pool, of int8 with strides of at most the
// kernel along both axes; else LiteRT's own kernel has that of tflite.
#include <limits>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/requantize.h"
#include "compiler_bridge/reference/window.h"

namespace presil::reference::operators {
namespace {

ir::Numerics clamped_by(const Case& c, const ir::Pool2d& a) {
  const bool taken = a.stride_h <= a.kernel_h && a.stride_w <= a.kernel_w;
  return taken ? c.numerics() : ir::Numerics::kTflite;
}

template <class T>
void largest(const Case& c) {
  const auto& a = c.attributes<ir::Pool2d>();
  const Range range = activation_range(clamped_by(c, a), a.act, c.out());
  const int64_t channels = c.in().shape[3], row = c.in().shape[2] * channels;
  T* y = c.write<T>();
  for_each_window(c, a, [&](int64_t first, int64_t rows, int64_t columns) {
    for (int64_t k = 0; k < channels; ++k) {
      const T* tap = c.read<T>() + first + k;
      int32_t largest = std::numeric_limits<T>::min();
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) {
          largest = std::max<int32_t>(largest, tap[i * row + j * channels]);
        }
      }
      *y++ = static_cast<T>(clamp(largest, range.low, range.high));
    }
  });
}

}  // namespace

void max_pool2d(const Case& c) {
  if (c.floats()) return max_pool2d_float(c);
  c.out().dtype == ir::DType::kInt16 ? largest<int16_t>(c) : largest<int8_t>(c);
}

}  // namespace presil::reference::operators
