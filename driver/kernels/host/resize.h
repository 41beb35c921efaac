// Checks that both resizes share.
#pragma once

#include "driver/kernels/host/arithmetic.h"
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {

inline void check_resize(const Task& task, Check& c) {
  if (!c.count(2)) return;
  c.rank(0, 4);
  c.rank(1, 4);
  if (!c.ok()) return;
  c.dtype(1, task[0].dtype);
  c.dim(1, 0, task[0].shape[0]);
  c.dim(1, 3, task[0].shape[3]);
  for (uint32_t t = 0; t < 2; ++t) {
    c.at_most("height", task[t].shape[1], 65535);
    c.at_most("width", task[t].shape[2], 65535);
  }
  const auto a = task.as<presil_resize_attributes>();
  c.range("align_corners", a.align_corners, 0, 1);
  c.range("half_pixel_centers", a.half_pixel_centers, 0, 1);
  c.range("numerics", a.numerics, PRESIL_NUMERICS_TFLITE, PRESIL_NUMERICS_XNNPACK);
}

}  // namespace presil::kernels
