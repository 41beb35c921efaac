// Means of windows by a rounded reciprocal of how many values are inside the image.
#include "driver/kernels/host/arithmetic.h"
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  const auto a = task.as<presil_mean_pool_attributes>();
  c.rank(0, 4);
  c.rank(1, 4);
  if (task[0].dtype != PRESIL_INT16) c.dtype(0, PRESIL_INT8);
  c.dtype(1, task[0].dtype);
  c.range("kernel_h", a.kernel_h, 1, 65535);
  c.range("kernel_w", a.kernel_w, 1, 65535);
  c.range("stride_h", a.stride_h, 1, 65535);
  c.range("stride_w", a.stride_w, 1, 65535);
  c.range("pad_top", a.pad_top, 0, a.kernel_h - 1);
  c.range("pad_left", a.pad_left, 0, a.kernel_w - 1);
  c.range("in_zero", a.in_zero, -32768, 32767);
  c.range("out_zero", a.out_zero, -32768, 32767);
  if (!c.ok()) return;
  c.dim(1, 0, task[0].shape[0]);
  c.dim(1, 3, task[0].shape[3]);
}

uint64_t taps(const Task& task) {
  const auto a = task.as<presil_mean_pool_attributes>();
  return presil_tensor_elements(&task[1]) * a.kernel_h * a.kernel_w;
}

int64_t mean(int64_t sum, int64_t count) {
  if (count == 0) return 0;
  int bits = 0;
  while ((count - 1) >> bits != 0) ++bits;
  const int64_t reciprocal = (((int64_t{1} << 30) + 1) << bits) / count;
  return (sum * reciprocal + (int64_t{1} << (29 + bits))) >> (30 + bits);
}

template <class T>
void run_as(const Task& task) {
  const auto a = task.as<presil_mean_pool_attributes>();
  const uint32_t *xs = task[0].shape, *ys = task[1].shape;
  const int64_t h = xs[1], w = xs[2], channels = xs[3];
  const int64_t half = int64_t{1} << (8 * sizeof(T) - 1);
  T* y = task.data<T>(1);
  for (int64_t i = 0; i < int64_t{ys[0]} * ys[1] * ys[2]; ++i) {
    const int64_t top = i / ys[2] % ys[1] * a.stride_h - a.pad_top;
    const int64_t left = i % ys[2] * a.stride_w - a.pad_left;
    const int64_t y0 = top < 0 ? 0 : top, x0 = left < 0 ? 0 : left;
    const int64_t y1 = top + a.kernel_h < h ? top + a.kernel_h : h;
    const int64_t x1 = left + a.kernel_w < w ? left + a.kernel_w : w;
    const int64_t count = y1 > y0 && x1 > x0 ? (y1 - y0) * (x1 - x0) : 0;
    const T* image = task.data<const T>(0) + i / (int64_t{ys[1]} * ys[2]) * h * w * channels;
    for (int64_t c = 0; c < channels; ++c) {
      int64_t sum = -count * a.in_zero;
      for (int64_t row = y0; row < y1; ++row) {
        for (int64_t column = x0; column < x1; ++column) {
          sum += image[(row * w + column) * channels + c];
        }
      }
      *y++ = static_cast<T>(clamp(mean(sum, count) + a.out_zero, -half, half - 1));
    }
  }
}

void run(const Task& task) {
  if (task[0].dtype == PRESIL_INT16) return run_as<int16_t>(task);
  run_as<int8_t>(task);
}

}  // namespace

// {x, y}, both i8 or i16, NHWC; presil_mean_pool_attributes.
const Kernel kMeanPool{"mean_pool", sizeof(presil_mean_pool_attributes), 1, check, run, taps};

}  // namespace presil::kernels
