// Largest tap inside the image, then clamped.
#include "driver/kernels/pool.h"

namespace presil::kernels {
namespace {

void run(const Task& task) {
  const auto a = task.as<presil_pool_attributes>();
  each_window(task, a, [&a](const int8_t* x, int64_t pixel, int64_t row, int64_t h, int64_t w) {
    int8_t largest = -128;
    for (int64_t i = 0; i < h; ++i) {
      for (int64_t j = 0; j < w; ++j) {
        const int8_t v = x[i * row + j * pixel];
        largest = v > largest ? v : largest;
      }
    }
    return static_cast<int8_t>(clamp(largest, a.act_min, a.act_max));
  });
}

}  // namespace

extern const Kernel kMaxPoolI8;
const Kernel kMaxPoolI8{"max_pool_i8", sizeof(presil_pool_attributes), 1, check_pool, run,
                        pool_taps};

}  // namespace presil::kernels
