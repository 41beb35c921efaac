// Mean of the taps inside the image, halves away from zero or up, then clamped.
#include "driver/kernels/host/pool.h"

namespace presil::kernels {
namespace {

template <class T>
void run(const Task& task) {
  const auto a = task.as<presil_pool_attributes>();
  each_window<T>(task, a, [&a](const T* x, int64_t pixel, int64_t row, int64_t h, int64_t w) {
    int64_t sum = 0;
    for (int64_t i = 0; i < h; ++i) {
      for (int64_t j = 0; j < w; ++j) sum += x[i * row + j * pixel];
    }
    const int64_t n = h * w;
    // Every tap plus 128 is no longer negative: halves away from zero are halves up.
    const int64_t lift = a.ties_up != 0 ? 128 : 0;
    sum += lift * n;
    const int64_t mean = (sum < 0 ? -((-sum + n / 2) / n) : (sum + n / 2) / n) - lift;
    return static_cast<T>(clamp(mean, a.act_min, a.act_max));
  });
}

}  // namespace

// {x i8 [n,h,w,c], y i8 [n,oh,ow,c]}: mean of the taps inside the image, halves away from zero
// or up; x and y share scale and zero point; presil_pool_attributes.
const Kernel kAveragePoolI8{
    "average_pool_i8", sizeof(presil_pool_attributes), 1, check_pool, run<int8_t>, pool_taps};
// int16, as their int8 kernels: {x i16, y i16}; ties away from zero; numerics tflite.
const Kernel kAveragePoolI16{
    "average_pool_i16", sizeof(presil_pool_attributes), 1, check_pool_i16, run<int16_t>, pool_taps};

}  // namespace presil::kernels
