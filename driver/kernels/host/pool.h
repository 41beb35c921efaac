// What the two pools have in common: checks, cost, and the walk over windows.
#pragma once

#include "driver/kernels/host/arithmetic.h"
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {

/// Types, shapes, and windows of which each has a tap inside the image.
template <class A>
void check_windows(const Task& task, const A& a, uint32_t dtype, Check& c) {
  for (uint32_t i = 0; i < 2; ++i) c.dtype(i, dtype), c.rank(i, 4);
  c.dim(1, 0, task[0].shape[0]);
  c.dim(1, 3, task[0].shape[3]);
  c.range("kernel_h", a.kernel_h, 1, 65535);
  c.range("kernel_w", a.kernel_w, 1, 65535);
  c.range("stride_h", a.stride_h, 1, 65535);
  c.range("stride_w", a.stride_w, 1, 65535);
  c.range("pad_top", a.pad_top, 0, static_cast<int64_t>(a.kernel_h) - 1);
  c.range("pad_left", a.pad_left, 0, static_cast<int64_t>(a.kernel_w) - 1);
  if (!c.ok()) return;
  // The last window begins inside the image, so every window has a tap.
  const int64_t last_y = static_cast<int64_t>(task[1].shape[1] - 1) * a.stride_h - a.pad_top;
  const int64_t last_x = static_cast<int64_t>(task[1].shape[2] - 1) * a.stride_w - a.pad_left;
  c.at_most("first row of the last window", last_y, static_cast<int64_t>(task[0].shape[1]) - 1);
  c.at_most("first column of the last window", last_x, static_cast<int64_t>(task[0].shape[2]) - 1);
}

inline void check_pool(const Task& task, Check& c) {
  if (!c.count(2)) return;
  const auto a = task.as<presil_pool_attributes>();
  check_windows(task, a, PRESIL_INT8, c);
  c.clamp(a.act_min, a.act_max);
  c.range("ties_up", a.ties_up, 0, 1);
}
inline void check_pool_i16(const Task& task, Check& c) {
  if (!c.count(2)) return;
  const auto a = task.as<presil_pool_attributes>();
  check_windows(task, a, PRESIL_INT16, c);
  c.clamp16(a.act_min, a.act_max);
  c.range("ties_up", a.ties_up, 0, 0);
}

inline uint64_t pool_taps(const Task& task) {
  const auto a = task.as<presil_pool_attributes>();
  return presil_tensor_elements(&task[1]) * a.kernel_h * a.kernel_w;
}

/// y = f(x of channel 0.., pixel step, row step, rows, columns) of each window, cut to the image.
template <class T = int8_t, class A, class F>
void each_window(const Task& task, const A& a, F&& f) {
  const int64_t h = task[0].shape[1], w = task[0].shape[2], c = task[0].shape[3];
  const int64_t oh = task[1].shape[1], ow = task[1].shape[2];
  T* y = task.data<T>(1);
  for (uint32_t n = 0; n < task[0].shape[0]; ++n) {
    const T* image = task.data<const T>(0) + n * h * w * c;
    for (int64_t oy = 0; oy < oh; ++oy) {
      const int64_t top = oy * a.stride_h - a.pad_top;
      const int64_t y0 = clamp(top, 0, h), y1 = clamp(top + a.kernel_h, 0, h);
      for (int64_t ox = 0; ox < ow; ++ox) {
        const int64_t left = ox * a.stride_w - a.pad_left;
        const int64_t x0 = clamp(left, 0, w), x1 = clamp(left + a.kernel_w, 0, w);
        for (int64_t channel = 0; channel < c; ++channel) {
          *y++ = f(image + (y0 * w + x0) * c + channel, c, w * c, y1 - y0, x1 - x0);
        }
      }
    }
  }
}

}  // namespace presil::kernels
