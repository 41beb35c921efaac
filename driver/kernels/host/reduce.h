// Many values to one, along the axes of a mask.
#pragma once

#include "driver/kernels/host/arithmetic.h"
#include "driver/kernels/host/kernel.h"
#include "driver/kernels/host/walk.h"

namespace presil::kernels {

inline bool goes(uint32_t axes, uint32_t axis) {
  return (axes >> axis & 1u) != 0;
}

/// y, tensor 1, has as many elements as x, tensor 0, without the axes of the mask.
inline void check_axes(const Task& task, Check& c, uint32_t axes) {
  c.range("axes", axes, 1, (int64_t{1} << task[0].rank) - 1);
  if (!c.ok()) return;
  uint64_t kept = 1;
  for (uint32_t axis = 0; axis < task[0].rank; ++axis) {
    if (!goes(axes, axis)) kept *= task[0].shape[axis];
  }
  c.elements(1, kept);
}

inline uint64_t elements_read(const Task& task) {
  return presil_tensor_elements(&task[0]);
}

/// For each element i of y: acc = f(acc, x), begun with `start`, over its x in order; then
/// put(i, acc).
template <class X, class Acc, class F, class Put>
void each_reduced(const Task& task, uint32_t axes, Acc start, F&& f, Put&& put) {
  const Tensor& x = task[0];
  int64_t dense[PRESIL_KERNEL_MAX_RANK] = {};
  dense_strides(x, dense);
  Walk<1> kept, gone;
  for (uint32_t axis = 0; axis < x.rank; ++axis) {
    Walk<1>& walk = goes(axes, axis) ? gone : kept;
    walk.shape[walk.rank] = x.shape[axis];
    walk.stride[0][walk.rank++] = dense[axis];
  }
  const X* in = task.data<const X>(0);
  const uint64_t results = kept.size(), terms = gone.size();
  for (uint64_t i = 0; i < results; ++i, kept.next()) {
    Acc acc = start;
    for (uint64_t j = 0; j < terms; ++j, gone.next()) acc = f(acc, in[kept.at[0] + gone.at[0]]);
    put(i, acc);
  }
}

}  // namespace presil::kernels
