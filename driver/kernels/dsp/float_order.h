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

/// c for all lanes, from memory: the load unit copies it, the lanes go on. It must not lie in
/// registers: the compiler would have the lanes copy it.
inline Float spread(const float& c, size_t vl) {
  ptrdiff_t none = 0;
  __asm__("" : "+r"(none));
  return __riscv_vlse32_v_f32m2(&c, none, vl);
}

/// Of exponential_tail, the highest power's first; 1.5 * 2^23, a sum with which has no digits after
/// the point.
constexpr float kTail[] = {0x1.a0d2cep-13f, 0x1.6e879cp-10f, 0x1.11121p-7f,
                           0x1.555382p-5f,  0x1.555554p-3f,  0x1p-1f},
                kWhole = 12582912.0f, kUnity = 1.0f;

/// (exp(r) - 1 - r) / r^2
inline Float exponential_tail(Float r, size_t vl) {
  Float q = spread(kTail[0], vl);
  for (size_t i = 1; i < 6; ++i) q = fma(q, r, spread(kTail[i], vl), vl);
  return q;
}

/// Where x of an exponential lies, or is no number: of the rest the result is any.
enum class Range { kAny, kAtMost88, kWithin87 };

/// p * 2^n, n where a float has its exponent.
inline Float scaled(Float p, vuint32m2_t n, size_t vl) {
  return __riscv_vreinterpret_v_u32m2_f32m2(
      __riscv_vadd_vv_u32m2(__riscv_vreinterpret_v_f32m2_u32m2(p), n, vl));
}
/// Of x / ln(2) the whole number n; `bits` are n where a float has its exponent, 0 of what is no
/// number.
inline Float whole_of(Float x, vuint32m2_t& bits, size_t vl) {
  const Float n = __riscv_vfmacc_vf_f32m2(spread(kWhole, vl), 0x1.715476p+0f, x, vl);
  bits = __riscv_vsll_vx_u32m2(
      __riscv_vsub_vx_u32m2(__riscv_vreinterpret_v_f32m2_u32m2(n), 0x4b400000u, vl), 23, vl);
  return __riscv_vfsub_vf_f32m2(n, kWhole, vl);
}

template <Range range = Range::kAny>
Float exponential(Float x, size_t vl) {
  // Comparisons take longest: they come first.
  const vbool16_t none = __riscv_vmflt_vf_f32m2_b16(x, -87.3f, vl);
  const vbool16_t infinite = __riscv_vmfgt_vf_f32m2_b16(x, 0x1.62e42ep+6f, vl);
  vuint32m2_t power;
  const Float n = whole_of(x, power, vl);
  Float r = __riscv_vfmacc_vf_f32m2(x, -0.693359375f, n, vl);
  r = __riscv_vfmacc_vf_f32m2(r, 0x1.bd0106p-13f, n, vl);
  const Float p = fma(exponential_tail(r, vl), __riscv_vfmul_vv_f32m2(r, r, vl),
                      __riscv_vfadd_vf_f32m2(r, 1.0f, vl), vl);
  Float e = scaled(p, power, vl);
  if (range != Range::kWithin87) e = __riscv_vfmerge_vfm_f32m2(e, 0.0f, none, vl);
  return range == Range::kAny ? __riscv_vfmerge_vfm_f32m2(e, __builtin_inff(), infinite, vl) : e;
}

/// The polynomial once: of x itself where that is near 0, else of r.
template <Range range>
Float exponential_less_one(Float x, size_t vl) {
  const vbool16_t far = __riscv_vmfge_vf_f32m2_b16(__riscv_vfabs_v_f32m2(x, vl), 0.34375f, vl);
  const vbool16_t none = __riscv_vmflt_vf_f32m2_b16(x, -87.3f, vl);
  vuint32m2_t power;
  const Float n = whole_of(x, power, vl);
  Float r = __riscv_vfmacc_vf_f32m2_mu(far, x, -0.693359375f, n, vl);
  r = __riscv_vfmacc_vf_f32m2_mu(far, r, 0x1.bd0106p-13f, n, vl);
  Float e = fma(exponential_tail(r, vl), __riscv_vfmul_vv_f32m2(r, r, vl),
                __riscv_vfadd_vf_f32m2_mu(far, r, r, 1.0f, vl), vl);
  e = __riscv_vreinterpret_v_u32m2_f32m2(
      __riscv_vadd_vv_u32m2_mu(far, __riscv_vreinterpret_v_f32m2_u32m2(e),
                               __riscv_vreinterpret_v_f32m2_u32m2(e), power, vl));
  e = __riscv_vfsub_vf_f32m2_mu(far, e, e, 1.0f, vl);
  return range == Range::kWithin87 ? e : __riscv_vfmerge_vfm_f32m2(e, -1.0f, none, vl);
}

inline Float logistic(Float x, size_t vl) {
  const Float e =
      exponential<Range::kAtMost88>(__riscv_vfneg_v_f32m2(__riscv_vfabs_v_f32m2(x, vl), vl), vl);
  const Float p = __riscv_vfrdiv_vf_f32m2(__riscv_vfadd_vf_f32m2(e, 1.0f, vl), 1.0f, vl);
  return __riscv_vfmul_vv_f32m2_mu(__riscv_vmflt_vf_f32m2_b16(x, 0.0f, vl), p, e, p, vl);
}

/// m / d, d = m + 2, m = exp(2 a) - 1 of a float a from 0 to 10: ten instructions for the sixteen
/// of a divider. Two of Newton's steps and one of the quotient round right what each of these
/// floats gives (all have been tried, a test tries some); others they might not.
inline Float quotient_of_tanh(Float m, Float d, size_t vl) {
  Float y = __riscv_vfrec7_v_f32m2(d, vl);
  for (int i = 0; i < 2; ++i) {
    const Float rest = __riscv_vfnmsac_vv_f32m2(spread(kUnity, vl), d, y, vl);
    y = fma(rest, y, y, vl);
  }
  const Float q = __riscv_vfmul_vv_f32m2(m, y, vl);
  return __riscv_vfmacc_vv_f32m2(q, __riscv_vfnmsac_vv_f32m2(m, d, q, vl), y, vl);
}

/// From 10 on the quotient is 1: m + 2 rounds to m.
inline Float tanh(Float x, size_t vl) {
  const vbool16_t no_number = __riscv_vmfne_vv_f32m2_b16(x, x, vl);
  const Float a = __riscv_vfmin_vf_f32m2(__riscv_vfabs_v_f32m2(x, vl), 10.0f, vl);
  const Float m = exponential_less_one<Range::kWithin87>(__riscv_vfadd_vv_f32m2(a, a, vl), vl);
  Float t = quotient_of_tanh(m, __riscv_vfadd_vf_f32m2(m, 2.0f, vl), vl);
  t = __riscv_vfsgnj_vv_f32m2(t, x, vl);
  return __riscv_vfmerge_vfm_f32m2(t, __builtin_nanf(""), no_number, vl);
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
