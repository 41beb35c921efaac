// Functions of floats in vectors, by the single operations that
// compiler_bridge/reference/float_order.h states. Two registers a group: constants stay in theirs.
// What is no number comes out as 0x7fc00000, as every operation of the DSP makes it.
#pragma once

#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

namespace presil::dsp {

using Float = vfloat32m2_t;

inline Float constant(float c, size_t vl) {
  return __riscv_vfmv_v_f_f32m2(c, vl);
}
/// a * b + c, rounded once.
inline Float fma(Float a, Float b, Float c, size_t vl) {
  return __riscv_vfmadd_vv_f32m2(a, b, c, vl);
}

/// (exp(r) - 1 - r) / r^2
inline Float exponential_tail(Float r, size_t vl) {
  Float q = fma(constant(0x1.a0d2cep-13f, vl), r, constant(0x1.6e879cp-10f, vl), vl);
  q = fma(q, r, constant(0x1.11121p-7f, vl), vl);
  q = fma(q, r, constant(0x1.555382p-5f, vl), vl);
  q = fma(q, r, constant(0x1.555554p-3f, vl), vl);
  return fma(q, r, constant(0x1p-1f, vl), vl);
}

inline Float exponential(Float x, size_t vl) {
  // Comparisons take longest: they come first.
  const vbool16_t none = __riscv_vmflt_vf_f32m2_b16(x, -87.3f, vl);
  const vbool16_t infinite = __riscv_vmfgt_vf_f32m2_b16(x, 0x1.62e42ep+6f, vl);
  const vbool16_t no_number = __riscv_vmfne_vv_f32m2_b16(x, x, vl);
  Float n = __riscv_vfmacc_vf_f32m2(constant(12582912.0f, vl), 0x1.715476p+0f, x, vl);
  const vuint32m2_t power = __riscv_vsll_vx_u32m2(
      __riscv_vsub_vx_u32m2(__riscv_vreinterpret_v_f32m2_u32m2(n), 0x4b400000u, vl), 23, vl);
  n = __riscv_vfsub_vf_f32m2(n, 12582912.0f, vl);
  Float r = __riscv_vfmacc_vf_f32m2(x, -0.693359375f, n, vl);
  r = __riscv_vfmacc_vf_f32m2(r, 0x1.bd0106p-13f, n, vl);
  const Float p = fma(exponential_tail(r, vl), __riscv_vfmul_vv_f32m2(r, r, vl),
                      __riscv_vfadd_vf_f32m2(r, 1.0f, vl), vl);
  Float e = __riscv_vreinterpret_v_u32m2_f32m2(
      __riscv_vadd_vv_u32m2(__riscv_vreinterpret_v_f32m2_u32m2(p), power, vl));
  e = __riscv_vfmerge_vfm_f32m2(e, 0.0f, none, vl);
  e = __riscv_vfmerge_vfm_f32m2(e, __builtin_inff(), infinite, vl);
  return __riscv_vfmerge_vfm_f32m2(e, __builtin_nanf(""), no_number, vl);
}

inline Float exponential_less_one(Float x, size_t vl) {
  const Float near = fma(exponential_tail(x, vl), __riscv_vfmul_vv_f32m2(x, x, vl), x, vl);
  const Float far = __riscv_vfsub_vf_f32m2(exponential(x, vl), 1.0f, vl);
  const vbool16_t is_near = __riscv_vmflt_vf_f32m2_b16(__riscv_vfabs_v_f32m2(x, vl), 0.34375f, vl);
  return __riscv_vmerge_vvm_f32m2(far, near, is_near, vl);
}

inline Float logistic(Float x, size_t vl) {
  const Float e = exponential(__riscv_vfneg_v_f32m2(__riscv_vfabs_v_f32m2(x, vl), vl), vl);
  const Float p = __riscv_vfrdiv_vf_f32m2(__riscv_vfadd_vf_f32m2(e, 1.0f, vl), 1.0f, vl);
  return __riscv_vfmul_vv_f32m2_mu(__riscv_vmflt_vf_f32m2_b16(x, 0.0f, vl), p, e, p, vl);
}

inline Float tanh(Float x, size_t vl) {
  const Float a = __riscv_vfabs_v_f32m2(x, vl);
  const Float m = exponential_less_one(__riscv_vfadd_vv_f32m2(a, a, vl), vl);
  Float t = __riscv_vfdiv_vv_f32m2(m, __riscv_vfadd_vf_f32m2(m, 2.0f, vl), vl);
  t = __riscv_vfmerge_vfm_f32m2(t, 1.0f, __riscv_vmfge_vf_f32m2_b16(a, 10.0f, vl), vl);
  t = __riscv_vfsgnj_vv_f32m2(t, x, vl);
  return __riscv_vfmerge_vfm_f32m2(t, __builtin_nanf(""), __riscv_vmfne_vv_f32m2_b16(x, x, vl), vl);
}

/// sum16: lane j adds x[j], x[j + 16], ... from +0 on; lanes fold 8, 4, 2, 1. Four registers hold
/// 16 lanes at every VLEN.
inline float sum16(const float* x, size_t n) {
  vfloat32m4_t lanes = __riscv_vfmv_v_f_f32m4(0.0f, 16);
  size_t i = 0;
  const auto load = [&](size_t at) { return __riscv_vle32_v_f32m4(x + at, 16); };
  const auto add = [&](vfloat32m4_t v) { lanes = __riscv_vfadd_vv_f32m4(lanes, v, 16); };
  if (n >= 96) {  // what comes next is loaded before what is at hand is added
    vfloat32m4_t a = load(0), b = load(16);
    for (; i + 96 <= n; i += 64) {
      const vfloat32m4_t c = load(i + 32), d = load(i + 48);
      add(a), add(b);
      a = load(i + 64), b = load(i + 80);
      add(c), add(d);
    }
    add(a), add(b);
    i += 32;
  }
  for (; i + 16 <= n; i += 16) add(load(i));
  if (i < n) {
    lanes = __riscv_vfadd_vv_f32m4_tu(lanes, lanes, __riscv_vle32_v_f32m4(x + i, n - i), n - i);
  }
  for (size_t half = 8; half > 0; half /= 2) {
    lanes = __riscv_vfadd_vv_f32m4(lanes, __riscv_vslidedown_vx_f32m4(lanes, half, 16), half);
  }
  return __riscv_vfmv_f_s_f32m4_f32(lanes);
}

/// Floats that are `step` apart.
inline Float load_floats(const float* x, int64_t step, size_t vl) {
  return step == 1 ? __riscv_vle32_v_f32m2(x, vl) : __riscv_vlse32_v_f32m2(x, 4 * step, vl);
}
inline void store_floats(float* y, int64_t step, Float v, size_t vl) {
  step == 1 ? __riscv_vse32_v_f32m2(y, v, vl) : __riscv_vsse32_v_f32m2(y, 4 * step, v, vl);
}

/// max(v, low) where low is above -infinity, then min(v, high) where high is below infinity.
inline Float clamped(Float v, float low, float high, size_t vl) {
  if (low > -__builtin_inff()) v = __riscv_vfmax_vf_f32m2(v, low, vl);
  if (high < __builtin_inff()) v = __riscv_vfmin_vf_f32m2(v, high, vl);
  return v;
}

}  // namespace presil::dsp
