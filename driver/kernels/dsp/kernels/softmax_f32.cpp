// Softmax of floats along rows.
//
// Tensors: {x f32} {y f32}.
// Arithmetic: compiler_bridge/reference/operators/softmax_float.cpp in words: e = exp((x - m) *
// beta), m the largest; sum16 of e; y = e * (1 / sum).
// 32 elements, beats of 4: vfmax; vfsub vfmul, exp of what is at most 0 17 (function_f32.cpp);
// vfmul: 84. Sums: an addition of 16 lanes waits for the last, 4 cycles each. Bound: 84 / 32 +
// 4 / 16 = 2.9 cycles per element and 150 per row: two folds and a division.
#include "driver/kernels/dsp/float_order.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/walk.h"

namespace presil::dsp {
namespace {

template <Range range>
void row(const float* x, float* y, size_t n, float beta) {
  const size_t most = __riscv_vsetvlmax_e32m8();
  vfloat32m8_t best = __riscv_vfmv_v_f_f32m8(-__builtin_inff(), most);
  for (size_t i = 0, vl; i < n; i += vl) {
    vl = __riscv_vsetvl_e32m8(n - i);
    best = __riscv_vfmax_vv_f32m8_tu(best, best, __riscv_vle32_v_f32m8(x + i, vl), vl);
  }
  const vfloat32m1_t low = __riscv_vfmv_s_f_f32m1(-__builtin_inff(), 1);
  const float largest =
      __riscv_vfmv_f_s_f32m1_f32(__riscv_vfredmax_vs_f32m8_f32m1(best, low, most));
  const auto e_of = [&](Float v, size_t vl) {
    return exponential<range>(
        __riscv_vfmul_vf_f32m2(__riscv_vfsub_vf_f32m2(v, largest, vl), beta, vl), vl);
  };
  // What comes next is loaded before what is at hand is stored; at the end that is nothing.
  size_t vl = __riscv_vsetvl_e32m2(n), at = 0;
  Float now = __riscv_vle32_v_f32m2(x, vl);
  while (vl > 0) {
    const size_t left = __riscv_vsetvl_e32m2(n - at - vl);
    const Float next = __riscv_vle32_v_f32m2(x + at + vl, left);
    __riscv_vse32_v_f32m2(y + at, e_of(now, vl), vl);
    at += vl;
    now = next, vl = left;
  }
  const float share = 1.0f / sum16(y, n);
  for (size_t i = 0, vl; i < n; i += vl) {
    vl = __riscv_vsetvl_e32m8(n - i);
    __riscv_vse32_v_f32m8(y + i,
                          __riscv_vfmul_vf_f32m8(__riscv_vle32_v_f32m8(y + i, vl), share, vl), vl);
  }
}

int32_t softmax_f32(const DLTensor* in, DLTensor* out, const presil_dsp_softmax_f32* params) {
  if (presil_dsp_inputs() != 1 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (!is_float(*in) || !is_float(*out)) return PRESIL_DSP_REFUSED_TYPE;
  if (!same_shape(*in, *out) || !rows_are_dense(*in) || !rows_are_dense(*out)) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const auto depth = static_cast<size_t>(in->shape[in->ndim - 1]);
  const Heads x(*in), y(*out);
  for (Walk<2> walk({&x.tensor, &y.tensor}, x.tensor); walk; walk.next()) {
    const float* from = walk.at<float>(0);
    float* to = walk.at<float>(1);
    for (size_t i = 0; i < walk.run(); ++i, from += walk.step(0), to += walk.step(1)) {
      params->beta >= 0 ? row<Range::kAtMost88>(from, to, depth, params->beta)
                        : row<Range::kAny>(from, to, depth, params->beta);
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(softmax_f32)

}  // namespace presil::dsp
