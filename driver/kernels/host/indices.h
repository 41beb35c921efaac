// Numbers of int32 or int64 that say where to look.
#pragma once

#include "driver/kernels/host/arithmetic.h"
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {

inline void check_indices(const Task& task, Check& c, uint32_t tensor) {
  const uint32_t type = task[tensor].dtype;
  if (type != PRESIL_INT32 && type != PRESIL_INT64) {
    c.refuse("type of indices", static_cast<int>(tensor), type, PRESIL_INT32);
  }
}

inline int64_t load_index(const Tensor& t, uint64_t i) {
  return t.dtype == PRESIL_INT64 ? static_cast<const int64_t*>(t.data)[i]
                                 : static_cast<const int32_t*>(t.data)[i];
}

/// Index i of 0..extent-1, the nearest inside.
inline int64_t load_index_inside(const Tensor& t, uint64_t i, uint32_t extent) {
  return clamp(load_index(t, i), 0, static_cast<int64_t>(extent) - 1);
}

}  // namespace presil::kernels
