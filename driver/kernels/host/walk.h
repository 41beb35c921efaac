// An odometer over a shape that carries N element offsets along.
#pragma once

#include <cstdint>

#include "driver/kernels/host/kernels.h"

namespace presil::kernels {

template <int N>
struct Walk {
  uint32_t rank = 0;
  uint32_t shape[PRESIL_KERNEL_MAX_RANK] = {};
  int64_t stride[N][PRESIL_KERNEL_MAX_RANK] = {};  ///< elements per step of an axis
  int64_t at[N] = {};                              ///< offsets of the current element
  uint32_t index[PRESIL_KERNEL_MAX_RANK] = {};

  uint64_t size() const {
    uint64_t n = 1;
    for (uint32_t i = 0; i < rank; ++i) n *= shape[i];
    return n;
  }
  void next() {
    for (uint32_t axis = rank; axis-- > 0;) {
      for (int k = 0; k < N; ++k) at[k] += stride[k][axis];
      if (++index[axis] < shape[axis]) return;
      index[axis] = 0;
      for (int k = 0; k < N; ++k) at[k] -= stride[k][axis] * shape[axis];
    }
  }
};

/// Strides of a dense tensor, innermost axis last.
inline void dense_strides(const presil_kernel_tensor& t, int64_t* stride) {
  int64_t step = 1;
  for (uint32_t axis = t.rank; axis-- > 0;) {
    stride[axis] = step;
    step *= t.shape[axis];
  }
}

/// Strides of `t` seen in the axes of a tensor of rank `rank`: 0 where it broadcasts.
inline void broadcast_strides(const presil_kernel_tensor& t, uint32_t rank, int64_t* stride) {
  int64_t dense[PRESIL_KERNEL_MAX_RANK] = {};
  dense_strides(t, dense);
  for (uint32_t axis = 0; axis < rank; ++axis) {
    const int64_t own = static_cast<int64_t>(axis) - (static_cast<int64_t>(rank) - t.rank);
    stride[axis] = own < 0 || t.shape[own] == 1 ? 0 : dense[own];
  }
}

}  // namespace presil::kernels
