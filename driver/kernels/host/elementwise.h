// What add and mul have in common: checks, and the walk over two broadcasting operands.
#pragma once

#include "driver/kernels/host/arithmetic.h"
#include "driver/kernels/host/kernel.h"
#include "driver/kernels/host/walk.h"

namespace presil::kernels {

inline void check_operands(const Task& task, Check& c, uint32_t dtype) {
  if (!c.count(3)) return;
  for (uint32_t i = 0; i < 3; ++i) c.dtype(i, dtype);
  c.broadcasts(0, 2);
  c.broadcasts(1, 2);
  const auto a = task.as<presil_elementwise_attributes>();
  c.range("numerics", a.numerics, PRESIL_NUMERICS_TFLITE, PRESIL_NUMERICS_XNNPACK);
  c.range("subtract", a.subtract, 0, 1);
  c.range("a_shift", a.a_shift, -31, 30);
  c.range("b_shift", a.b_shift, -31, 30);
  c.range("out_shift", a.out_shift, -31, 31);
  c.range("left_shift", a.left_shift, 0, 20);
}

inline void check_elementwise(const Task& task, Check& c) {
  check_operands(task, c, PRESIL_INT8);
  if (!c.ok()) return;
  const auto a = task.as<presil_elementwise_attributes>();
  c.range("a_zero", a.a_zero, -128, 127);
  c.range("b_zero", a.b_zero, -128, 127);
  c.range("out_zero", a.out_zero, -128, 127);
  c.clamp(a.act_min, a.act_max);
}

/// int16: the tflite rule, zero points of 0.
inline void check_elementwise_i16(const Task& task, Check& c) {
  check_operands(task, c, PRESIL_INT16);
  if (!c.ok()) return;
  const auto a = task.as<presil_elementwise_attributes>();
  c.range("numerics", a.numerics, PRESIL_NUMERICS_TFLITE, PRESIL_NUMERICS_TFLITE);
  c.range("a_zero", a.a_zero, 0, 0);
  c.range("b_zero", a.b_zero, 0, 0);
  c.range("out_zero", a.out_zero, 0, 0);
  c.range("left_shift", a.left_shift, 0, 15);
  c.clamp16(a.act_min, a.act_max);
}

/// y[i] = f(a[i], b[i]) for every element of y, all T.
template <class T = int8_t, class F>
void each_pair(const Task& task, F&& f) {
  const T* a = task.data<const T>(0);
  const T* b = task.data<const T>(1);
  T* y = task.data<T>(2);
  Walk<2> walk;
  walk.rank = task[2].rank;
  for (uint32_t i = 0; i < walk.rank; ++i) walk.shape[i] = task[2].shape[i];
  broadcast_strides(task[0], walk.rank, walk.stride[0]);
  broadcast_strides(task[1], walk.rank, walk.stride[1]);
  const uint64_t n = walk.size();
  for (uint64_t i = 0; i < n; ++i, walk.next()) y[i] = f(a[walk.at[0]], b[walk.at[1]]);
}

}  // namespace presil::kernels
