// Pools of floats: the taps inside the image, rows and columns ascending. The average adds them
// from +0 on and divides by their number; the maximum starts at minus infinity; then the clamp.
#include "driver/kernels/host/float_math.h"
#include "driver/kernels/host/pool.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  const auto a = task.as<presil_pool_f32_attributes>();
  check_windows(task, a, PRESIL_FLOAT32, c);
  check_bounds(a.low, a.high, c);
}

uint64_t taps(const Task& task) {
  const auto a = task.as<presil_pool_f32_attributes>();
  return presil_tensor_elements(&task[1]) * a.kernel_h * a.kernel_w;
}

void run_average(const Task& task) {
  const auto a = task.as<presil_pool_f32_attributes>();
  each_window<float>(task, a,
                     [&a](const float* x, int64_t pixel, int64_t row, int64_t h, int64_t w) {
                       float sum = 0.0f;
                       for (int64_t tap = 0; tap < h * w; ++tap)
                         sum += x[tap / w * row + tap % w * pixel];
                       return within(sum / static_cast<float>(h * w), a.low, a.high);
                     });
}

void run_max(const Task& task) {
  const auto a = task.as<presil_pool_f32_attributes>();
  each_window<float>(task, a,
                     [&a](const float* x, int64_t pixel, int64_t row, int64_t h, int64_t w) {
                       float best = -infinity();
                       for (int64_t tap = 0; tap < h * w; ++tap) {
                         best = max_number(best, x[tap / w * row + tap % w * pixel]);
                       }
                       return within(best, a.low, a.high);
                     });
}

}  // namespace

// {x [n,h,w,c], y}: presil_pool_f32_attributes.
const Kernel kAveragePoolF32{
    "average_pool_f32", sizeof(presil_pool_f32_attributes), 1, check, run_average, taps};
const Kernel kMaxPoolF32{
    "max_pool_f32", sizeof(presil_pool_f32_attributes), 1, check, run_max, taps};

}  // namespace presil::kernels
