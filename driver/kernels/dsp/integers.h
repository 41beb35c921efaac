// Integers in vectors: from memory of several types to int32, rules that scale them, and back.
#pragma once

#include "driver/kernels/dsp/fixed.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/walk.h"

namespace presil::dsp {

/// int8 that are `step` apart; 0: one value for all.
inline vint8m1_t load_i8(const int8_t* x, int64_t step, size_t vl) {
  return step == 1 ? __riscv_vle8_v_i8m1(x, vl) : __riscv_vlse8_v_i8m1(x, step, vl);
}
inline void store_i8(int8_t* y, int64_t step, vint8m1_t v, size_t vl) {
  step == 1 ? __riscv_vse8_v_i8m1(y, v, vl) : __riscv_vsse8_v_i8m1(y, step, v, vl);
}

/// The `tflite` rule: x * 2^left, times the multiplier, / 2^right with halves away from zero.
inline Int32 scaled(Int32 x, int32_t multiplier, int32_t shift, size_t vl) {
  if (shift > 0) x = __riscv_vsll_vx_i32m4(x, static_cast<size_t>(shift), vl);
  x = times(x, multiplier, vl);
  return shift < 0 ? rounding_shift(x, static_cast<unsigned>(-shift), vl) : x;
}

/// The `xnnpack` rule: float(x) * scale to the nearest, ties to even, as int32, saturated.
inline Int32 scaled_float(Int32 x, float scale, size_t vl) {
  return __riscv_vfcvt_x_f_v_i32m4(
      __riscv_vfmul_vf_f32m4(__riscv_vfcvt_f_x_v_f32m4(x, vl), scale, vl), vl);
}

/// + zero, to int8, low..high. What is saturated on the way is beyond int8.
inline vint8m1_t finished(vint16m2_t x, int32_t zero, int32_t low, int32_t high, size_t vl) {
  const vint16m2_t half = __riscv_vsadd_vx_i16m2(x, static_cast<int16_t>(zero), vl);
  const vint8m1_t y = __riscv_vnclip_wx_i8m1(half, 0, __RISCV_VXRM_RDN, vl);
  if (low == -128 && high == 127) return y;
  return __riscv_vmin_vx_i8m1(__riscv_vmax_vx_i8m1(y, static_cast<int8_t>(low), vl),
                              static_cast<int8_t>(high), vl);
}

/// To int16, saturated, and so on.
inline vint8m1_t finished(Int32 x, int32_t zero, int32_t low, int32_t high, size_t vl) {
  return finished(__riscv_vnclip_wx_i16m2(x, 0, __RISCV_VXRM_RDN, vl), zero, low, high, vl);
}
/// `scaled` to int16, saturated, in two steps: the shift to the right is the narrowing's own.
inline Int32 multiplied(Int32 x, int32_t multiplier, int32_t shift, size_t vl) {
  if (shift > 0) x = __riscv_vsll_vx_i32m4(x, static_cast<size_t>(shift), vl);
  return times(x, multiplier, vl);
}
inline vint16m2_t narrowed(Int32 x, int32_t shift, size_t vl) {
  if (shift < 0) x = __riscv_vsadd_vv_i32m4(x, __riscv_vsra_vx_i32m4(x, 31, vl), vl);
  return __riscv_vnclip_wx_i16m2(x, static_cast<size_t>(shift < 0 ? -shift : 0), __RISCV_VXRM_RNU,
                                 vl);
}
inline vint16m2_t scaled_short(Int32 x, int32_t multiplier, int32_t shift, size_t vl) {
  return narrowed(multiplied(x, multiplier, shift, vl), shift, vl);
}

inline float float_of_bits(int32_t bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

/// An integer type of at most 32 bits.
inline bool is_integer(const DLTensor& t) {
  return t.dtype.code <= 1 && t.dtype.bits <= 32 && !(t.dtype.code == 1 && t.dtype.bits > 8);
}
/// int8, uint8, int16, int32, `step` elements apart.
inline Int32 load_integers(const DLTensor& t, const char* x, int64_t step, size_t vl) {
  if (t.dtype.bits == 32) {
    const auto* from = reinterpret_cast<const int32_t*>(x);
    return step == 1 ? __riscv_vle32_v_i32m4(from, vl) : __riscv_vlse32_v_i32m4(from, 4 * step, vl);
  }
  if (t.dtype.bits == 16) {
    const auto* from = reinterpret_cast<const int16_t*>(x);
    const vint16m2_t half =
        step == 1 ? __riscv_vle16_v_i16m2(from, vl) : __riscv_vlse16_v_i16m2(from, 2 * step, vl);
    return __riscv_vsext_vf2_i32m4(half, vl);
  }
  const vint8m1_t bytes = load_i8(reinterpret_cast<const int8_t*>(x), step, vl);
  if (t.dtype.code == 0) return __riscv_vsext_vf4_i32m4(bytes, vl);
  return __riscv_vreinterpret_v_u32m4_i32m4(
      __riscv_vzext_vf4_u32m4(__riscv_vreinterpret_v_i8m1_u8m1(bytes), vl));
}
/// Saturates.
inline void store_integers(const DLTensor& t, char* y, int64_t step, Int32 v, size_t vl) {
  if (t.dtype.bits == 32) {
    auto* to = reinterpret_cast<int32_t*>(y);
    return step == 1 ? __riscv_vse32_v_i32m4(to, v, vl)
                     : __riscv_vsse32_v_i32m4(to, 4 * step, v, vl);
  }
  if (t.dtype.bits == 8 && t.dtype.code == 1) v = __riscv_vmax_vx_i32m4(v, 0, vl);
  const vint16m2_t half = __riscv_vnclip_wx_i16m2(v, 0, __RISCV_VXRM_RDN, vl);
  if (t.dtype.bits == 16) {
    auto* to = reinterpret_cast<int16_t*>(y);
    return step == 1 ? __riscv_vse16_v_i16m2(to, half, vl)
                     : __riscv_vsse16_v_i16m2(to, 2 * step, half, vl);
  }
  if (t.dtype.code == 0) {
    return store_i8(reinterpret_cast<int8_t*>(y), step,
                    __riscv_vnclip_wx_i8m1(half, 0, __RISCV_VXRM_RDN, vl), vl);
  }
  const vuint8m1_t bytes =
      __riscv_vnclipu_wx_u8m1(__riscv_vreinterpret_v_i16m2_u16m2(half), 0, __RISCV_VXRM_RDN, vl);
  store_i8(reinterpret_cast<int8_t*>(y), step, __riscv_vreinterpret_v_u8m1_i8m1(bytes), vl);
}

}  // namespace presil::dsp
