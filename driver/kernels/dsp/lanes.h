// Single operations of floats in vectors, two registers a group as in float_order.h; where there is
// no vector unit, a lane is one float: what is made of them runs in a test on every machine.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__riscv_vector)

#include "driver/kernels/dsp/float_order.h"

namespace presil::dsp {

using Bits = vuint32m2_t;
using Mask = vbool16_t;

inline Float plus(Float a, Float b, size_t vl) {
  return __riscv_vfadd_vv_f32m2(a, b, vl);
}
inline Float plus(Float a, float b, size_t vl) {
  return __riscv_vfadd_vf_f32m2(a, b, vl);
}
inline Float minus(Float a, Float b, size_t vl) {
  return __riscv_vfsub_vv_f32m2(a, b, vl);
}
inline Float minus(float a, Float b, size_t vl) {
  return __riscv_vfrsub_vf_f32m2(b, a, vl);
}
inline Float times(Float a, Float b, size_t vl) {
  return __riscv_vfmul_vv_f32m2(a, b, vl);
}
inline Float times(Float a, float b, size_t vl) {
  return __riscv_vfmul_vf_f32m2(a, b, vl);
}
/// c + a * b, c - a * b, a * b - c, each rounded once.
inline Float plus_product(Float c, Float a, Float b, size_t vl) {
  return __riscv_vfmacc_vv_f32m2(c, a, b, vl);
}
inline Float plus_product(Float c, float a, Float b, size_t vl) {
  return __riscv_vfmacc_vf_f32m2(c, a, b, vl);
}
inline Float minus_product(Float c, Float a, Float b, size_t vl) {
  return __riscv_vfnmsac_vv_f32m2(c, a, b, vl);
}
inline Float minus_product(Float c, float a, Float b, size_t vl) {
  return __riscv_vfnmsac_vf_f32m2(c, a, b, vl);
}
inline Float product_minus(Float c, Float a, Float b, size_t vl) {
  return __riscv_vfmsac_vv_f32m2(c, a, b, vl);
}
inline Float magnitude(Float a, size_t vl) {
  return __riscv_vfabs_v_f32m2(a, vl);
}
inline Float with_sign(Float a, Float sign, size_t vl) {
  return __riscv_vfsgnj_vv_f32m2(a, sign, vl);
}
/// 1 / a to seven bits.
inline Float rough_reciprocal(Float a, size_t vl) {
  return __riscv_vfrec7_v_f32m2(a, vl);
}
inline Bits as_bits(Float a) {
  return __riscv_vreinterpret_v_f32m2_u32m2(a);
}
inline Float as_float(Bits a) {
  return __riscv_vreinterpret_v_u32m2_f32m2(a);
}
inline Bits plus_bits(Bits a, uint32_t b, size_t vl) {
  return __riscv_vadd_vx_u32m2(a, b, vl);
}
inline Bits plus_bits(Bits a, Bits b, size_t vl) {
  return __riscv_vadd_vv_u32m2(a, b, vl);
}
inline Bits minus_bits(Bits a, Bits b, size_t vl) {
  return __riscv_vsub_vv_u32m2(a, b, vl);
}
inline Bits and_bits(Bits a, uint32_t b, size_t vl) {
  return __riscv_vand_vx_u32m2(a, b, vl);
}
inline Bits shifted_left(Bits a, unsigned by, size_t vl) {
  return __riscv_vsll_vx_u32m2(a, by, vl);
}
/// a / 2^by as a signed number, rounded down, as a float.
inline Float shifted_right(Bits a, unsigned by, size_t vl) {
  return __riscv_vfcvt_f_x_v_f32m2(
      __riscv_vsra_vx_i32m2(__riscv_vreinterpret_v_u32m2_i32m2(a), by, vl), vl);
}
/// a from `least` on, least + size and more left out.
inline Mask within(Bits a, uint32_t least, uint32_t size, size_t vl) {
  return __riscv_vmsltu_vx_u32m2_b16(__riscv_vsub_vx_u32m2(a, least, vl), size, vl);
}
inline Mask differs(Float a, Float b, size_t vl) {
  return __riscv_vmfne_vv_f32m2_b16(a, b, vl);
}
inline Mask below(Float a, float b, size_t vl) {
  return __riscv_vmflt_vf_f32m2_b16(a, b, vl);
}
inline Mask both(Mask a, Mask b, size_t vl) {
  return __riscv_vmand_mm_b16(a, b, vl);
}
inline Mask either(Mask a, Mask b, size_t vl) {
  return __riscv_vmor_mm_b16(a, b, vl);
}
inline Mask but_not(Mask a, Mask b, size_t vl) {
  return __riscv_vmandn_mm_b16(a, b, vl);
}
inline Mask or_not(Mask a, Mask b, size_t vl) {
  return __riscv_vmorn_mm_b16(a, b, vl);
}
/// 0 where it is said, else a.
inline Float without(Float a, Mask where, size_t vl) {
  return __riscv_vfmerge_vfm_f32m2(a, 0.0f, where, vl);
}

}  // namespace presil::dsp

#else

#include <string.h>

namespace presil::dsp {

using Float = float;
using Bits = uint32_t;
using Mask = bool;

inline Float constant(float c, size_t) {
  return c;
}
inline Float plus(Float a, Float b, size_t) {
  return a + b;
}
inline Float minus(Float a, Float b, size_t) {
  return a - b;
}
inline Float times(Float a, Float b, size_t) {
  return a * b;
}
inline Float plus_product(Float c, Float a, Float b, size_t) {
  return __builtin_fmaf(a, b, c);
}
inline Float minus_product(Float c, Float a, Float b, size_t) {
  return __builtin_fmaf(-a, b, c);
}
inline Float product_minus(Float c, Float a, Float b, size_t) {
  return __builtin_fmaf(a, b, -c);
}
inline Float magnitude(Float a, size_t) {
  return __builtin_fabsf(a);
}
inline Float with_sign(Float a, Float sign, size_t) {
  return __builtin_copysignf(a, sign);
}
inline Bits as_bits(Float a) {
  Bits bits;
  memcpy(&bits, &a, sizeof bits);
  return bits;
}
inline Float as_float(Bits a) {
  Float x;
  memcpy(&x, &a, sizeof x);
  return x;
}
inline Float rough_reciprocal(Float a, size_t) {
  return as_float((as_bits(1 / a) + 0x8000) & 0xffff0000);
}
inline Bits plus_bits(Bits a, Bits b, size_t) {
  return a + b;
}
inline Bits minus_bits(Bits a, Bits b, size_t) {
  return a - b;
}
inline Bits and_bits(Bits a, Bits b, size_t) {
  return a & b;
}
inline Bits shifted_left(Bits a, unsigned by, size_t) {
  return a << by;
}
inline Float shifted_right(Bits a, unsigned by, size_t) {
  return static_cast<Float>(static_cast<int32_t>(a) >> by);
}
inline Mask within(Bits a, Bits least, Bits size, size_t) {
  return a - least < size;
}
inline Mask differs(Float a, Float b, size_t) {
  return a != b;
}
inline Mask below(Float a, float b, size_t) {
  return a < b;
}
inline Mask both(Mask a, Mask b, size_t) {
  return a && b;
}
inline Mask either(Mask a, Mask b, size_t) {
  return a || b;
}
inline Mask but_not(Mask a, Mask b, size_t) {
  return a && !b;
}
inline Mask or_not(Mask a, Mask b, size_t) {
  return a || !b;
}
inline Float without(Float a, Mask where, size_t) {
  return where ? 0.0f : a;
}

}  // namespace presil::dsp

#endif
