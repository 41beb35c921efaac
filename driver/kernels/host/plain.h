// Numbers as they are stored, without scales: kernels that take several types.
#pragma once

#include "driver/kernels/host/kernel.h"

namespace presil::kernels {

/// int8, uint8, int16, int32, int64 or bool.
inline void check_plain(const Task& task, Check& c, uint32_t tensor) {
  const uint32_t t = task[tensor].dtype;
  if (t == PRESIL_FLOAT32 || t > PRESIL_BOOL) {
    c.refuse("type", static_cast<int>(tensor), t, PRESIL_INT8);
  }
}

/// Those, or float32.
inline void check_stored(const Task& task, Check& c, uint32_t tensor) {
  if (task[tensor].dtype > PRESIL_BOOL) {
    c.refuse("type", static_cast<int>(tensor), task[tensor].dtype, PRESIL_INT8);
  }
}

/// f(T()) for such a type; of bool uint8_t, which is 0 or 1.
template <class F>
void for_plain_type(uint32_t dtype, F&& f) {
  switch (dtype) {
    case PRESIL_INT16:
      return f(int16_t{});
    case PRESIL_INT32:
      return f(int32_t{});
    case PRESIL_INT64:
      return f(int64_t{});
    case PRESIL_UINT8:
    case PRESIL_BOOL:
      return f(uint8_t{});
    default:
      return f(int8_t{});
  }
}

template <class F>
void for_stored_type(uint32_t dtype, F&& f) {
  if (dtype == PRESIL_FLOAT32) return f(float{});
  for_plain_type(dtype, f);
}

}  // namespace presil::kernels
