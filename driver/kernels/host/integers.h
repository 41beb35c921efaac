// Values of integer types as int32, for kernels that take several.
#pragma once

#include "driver/kernels/host/arithmetic.h"
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {

inline int32_t lowest(uint32_t dtype) {
  return dtype == PRESIL_UINT8 || dtype == PRESIL_BOOL ? 0
         : dtype == PRESIL_INT8                        ? INT8_MIN
         : dtype == PRESIL_INT16                       ? INT16_MIN
                                                       : INT32_MIN;
}
inline int32_t highest(uint32_t dtype) {
  return dtype == PRESIL_UINT8   ? UINT8_MAX
         : dtype == PRESIL_BOOL  ? 1
         : dtype == PRESIL_INT8  ? INT8_MAX
         : dtype == PRESIL_INT16 ? INT16_MAX
                                 : INT32_MAX;
}

/// An integer of at most `bytes` bytes, 1, 2 or 4.
inline void check_integer(const Task& task, Check& c, uint32_t tensor, uint32_t bytes) {
  const uint32_t t = task[tensor].dtype;
  const bool integer =
      t == PRESIL_INT8 || t == PRESIL_UINT8 || t == PRESIL_INT16 || t == PRESIL_INT32;
  if (!integer || presil_dtype_bytes(t) > bytes) {
    c.refuse("type", static_cast<int>(tensor), t, PRESIL_INT8);
  }
}

inline int32_t load_integer(const Tensor& t, uint64_t i) {
  switch (t.dtype) {
    case PRESIL_UINT8:
      return static_cast<const uint8_t*>(t.data)[i];
    case PRESIL_INT16:
      return static_cast<const int16_t*>(t.data)[i];
    case PRESIL_INT32:
      return static_cast<const int32_t*>(t.data)[i];
    default:
      return static_cast<const int8_t*>(t.data)[i];
  }
}

/// Saturates.
inline void store_integer(const Tensor& t, uint64_t i, int64_t v) {
  const int64_t held = clamp(v, lowest(t.dtype), highest(t.dtype));
  switch (t.dtype) {
    case PRESIL_INT16:
      static_cast<int16_t*>(t.data)[i] = static_cast<int16_t>(held);
      return;
    case PRESIL_INT32:
      static_cast<int32_t*>(t.data)[i] = static_cast<int32_t>(held);
      return;
    default:
      static_cast<uint8_t*>(t.data)[i] = static_cast<uint8_t>(held);
  }
}

}  // namespace presil::kernels
