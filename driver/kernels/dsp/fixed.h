// Fixed point in vectors of int32, as TFLite's kernels define it. "*" of two Q numbers is the high
// half of the doubled product, rounded to nearest, halves up: vsmul with vxrm rnu.
#pragma once

#include <riscv_vector.h>
#include <stdint.h>

namespace presil::dsp {

using Int32 = vint32m4_t;

inline Int32 times(Int32 a, Int32 b, size_t vl) {
  return __riscv_vsmul_vv_i32m4(a, b, __RISCV_VXRM_RNU, vl);
}
inline Int32 times(Int32 a, int32_t b, size_t vl) {
  return __riscv_vsmul_vx_i32m4(a, b, __RISCV_VXRM_RNU, vl);
}
/// x / 2^by, halves away from zero: one less below zero, then halves up. by 1..31
inline Int32 rounding_shift(Int32 x, unsigned by, size_t vl) {
  x = __riscv_vsadd_vv_i32m4(x, __riscv_vsra_vx_i32m4(x, 31, vl), vl);
  return __riscv_vssra_vx_i32m4(x, by, __RISCV_VXRM_RNU, vl);
}
/// int32 to int8, saturated.
inline vint8m1_t to_int8(Int32 x, size_t vl) {
  const vint16m2_t half = __riscv_vnclip_wx_i16m2(x, 0, __RISCV_VXRM_RDN, vl);
  return __riscv_vnclip_wx_i8m1(half, 0, __RISCV_VXRM_RDN, vl);
}

/// 1 / (1 + a) for a in [0, 1), both Q31: three steps of Newton from 48/17 - 32/17 d, d = (1 + a) /
/// 2, in numbers with 2 integer bits. None of them saturates.
inline Int32 one_over_one_plus(Int32 a, size_t vl) {
  // (a + 2^31) / 2: 2^31 - 1 and halves up
  const Int32 d = __riscv_vreinterpret_v_u32m4_i32m4(__riscv_vsrl_vx_u32m4(
      __riscv_vadd_vx_u32m4(__riscv_vreinterpret_v_i32m4_u32m4(a), 0x80000000u, vl), 1, vl));
  Int32 x = __riscv_vadd_vx_i32m4(times(d, -1010580540, vl), 1515870810, vl);
  for (int i = 0; i < 3; ++i) {
    const Int32 error = __riscv_vrsub_vx_i32m4(times(d, x, vl), 1 << 29, vl);
    x = __riscv_vadd_vv_i32m4(x, __riscv_vsll_vx_i32m4(times(x, error, vl), 2, vl), vl);
  }
  // Twice, saturated: x is above 0.
  return __riscv_vsadd_vv_i32m4(x, x, vl);
}

// The same numbers one at a time, where a row has one.

inline int32_t times(int32_t a, int32_t b) {
  if (a == INT32_MIN && b == INT32_MIN) return INT32_MAX;
  return static_cast<int32_t>((static_cast<int64_t>(a) * b + (int64_t{1} << 30)) >> 31);
}
inline int32_t saturated(int64_t x) {
  return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : static_cast<int32_t>(x);
}

inline int32_t one_over_one_plus(int32_t a) {
  const auto d = static_cast<int32_t>((static_cast<int64_t>(a) + INT32_MAX + 1) >> 1);
  int32_t x = 1515870810 + times(d, -1010580540);
  for (int i = 0; i < 3; ++i) {
    const int32_t error = (1 << 29) - times(d, x);
    x += saturated(static_cast<int64_t>(times(x, error)) * 4);
  }
  return saturated(static_cast<int64_t>(x) * 2);
}

}  // namespace presil::dsp
