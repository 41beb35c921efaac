// Values of the two 8-bit types as int32, for kernels that take either.
#pragma once

#include "driver/kernels/arithmetic.h"
#include "driver/kernels/kernel.h"

namespace presil::kernels {

inline int32_t lowest(uint32_t dtype) {
  return dtype == PRESIL_UINT8 ? 0 : -128;
}
inline int32_t highest(uint32_t dtype) {
  return dtype == PRESIL_UINT8 ? 255 : 127;
}

inline void check_8_bit(const Task& task, Check& c, uint32_t tensor) {
  const uint32_t t = task[tensor].dtype;
  if (t != PRESIL_INT8 && t != PRESIL_UINT8)
    c.refuse("type", static_cast<int>(tensor), t, PRESIL_INT8);
}

inline int32_t load_8_bit(const Tensor& t, uint64_t i) {
  return t.dtype == PRESIL_UINT8 ? static_cast<const uint8_t*>(t.data)[i]
                                 : static_cast<const int8_t*>(t.data)[i];
}

inline void store_8_bit(const Tensor& t, uint64_t i, int64_t v) {
  static_cast<uint8_t*>(t.data)[i] =
      static_cast<uint8_t>(clamp(v, lowest(t.dtype), highest(t.dtype)));
}

}  // namespace presil::kernels
