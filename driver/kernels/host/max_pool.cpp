// Largest tap inside the image, then clamped.
#include "driver/kernels/host/pool.h"

namespace presil::kernels {
namespace {

template <class T>
void run(const Task& task) {
  const auto a = task.as<presil_pool_attributes>();
  each_window<T>(task, a, [&a](const T* x, int64_t pixel, int64_t row, int64_t h, int64_t w) {
    T largest = x[0];
    for (int64_t i = 0; i < h; ++i) {
      for (int64_t j = 0; j < w; ++j) {
        const T v = x[i * row + j * pixel];
        largest = v > largest ? v : largest;
      }
    }
    return static_cast<T>(clamp(largest, a.act_min, a.act_max));
  });
}

}  // namespace

// The same tensors and attributes: largest tap inside the image.
const Kernel kMaxPoolI8{"max_pool_i8", sizeof(presil_pool_attributes), 1, check_pool, run<int8_t>,
                        pool_taps};
// int16, as their int8 kernels: {x i16, y i16}; ties away from zero; numerics tflite.
const Kernel kMaxPoolI16{
    "max_pool_i16", sizeof(presil_pool_attributes), 1, check_pool_i16, run<int16_t>, pool_taps};

}  // namespace presil::kernels
