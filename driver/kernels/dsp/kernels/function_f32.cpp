// A function of one float, for all of a tensor.
//
// Tensors: {x f32} {y f32}, one shape, any strides.
// Arithmetic: compiler_bridge/reference/operators/functions_float.cpp in words; log is defined in
// double: powers.h; others that are (gelu by erf, sin, cos) stay with the host.
// 32 elements, beats of 4, constants loaded beside them: exp 2 compares, 15 operations, 2 merges:
// 76, 2.4 cycles per element; logistic 3 more and a division of 64: 4.8; tanh 33: 4.1; gelu 8 more:
// 5.1; log 75 operations and copies: 9.4; the clamp: SRAM's port, 0.25.
#include "driver/kernels/dsp/float_order.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/powers.h"
#include "driver/kernels/dsp/walk.h"

namespace presil::dsp {
namespace {

template <class F>
int32_t each(const DLTensor* in, DLTensor* out, const F& f) {
  for (Walk<2> walk({in, out}, *out); walk; walk.next()) {
    const float* x = walk.at<float>(0);
    float* y = walk.at<float>(1);
    const int64_t x_step = walk.step(0), y_step = walk.step(1);
    // What comes next is loaded before what is at hand is stored; at the end that is nothing.
    size_t n = walk.run(), vl = __riscv_vsetvl_e32m2(n);
    Float now = load_floats(x, x_step, vl);
    while (vl > 0) {
      x += static_cast<int64_t>(vl) * x_step;
      n -= vl;
      const size_t left = __riscv_vsetvl_e32m2(n);
      const Float next = load_floats(x, x_step, left);
      store_floats(y, y_step, f(now, vl), vl);
      y += static_cast<int64_t>(vl) * y_step;
      now = next, vl = left;
    }
  }
  return PRESIL_DSP_DONE;
}

/// The clamp alone, in register groups of eight: fewer, longer instructions.
int32_t clamp(const DLTensor* in, DLTensor* out, float low, float high) {
  for (Walk<2> walk({in, out}, *out); walk; walk.next()) {
    const float* x = walk.at<float>(0);
    float* y = walk.at<float>(1);
    const int64_t x_step = walk.step(0), y_step = walk.step(1);
    size_t n = walk.run();
    for (size_t vl; n > 0; n -= vl) {
      vl = __riscv_vsetvl_e32m8(n);
      vfloat32m8_t v =
          x_step == 1 ? __riscv_vle32_v_f32m8(x, vl) : __riscv_vlse32_v_f32m8(x, 4 * x_step, vl);
      v = __riscv_vfmax_vf_f32m8(v, low, vl);
      if (high < __builtin_inff()) v = __riscv_vfmin_vf_f32m8(v, high, vl);
      y_step == 1 ? __riscv_vse32_v_f32m8(y, v, vl) : __riscv_vsse32_v_f32m8(y, 4 * y_step, v, vl);
      x += static_cast<int64_t>(vl) * x_step, y += static_cast<int64_t>(vl) * y_step;
    }
  }
  return PRESIL_DSP_DONE;
}

Float above_0(Float x, Float otherwise, size_t vl) {
  return __riscv_vmerge_vvm_f32m2(otherwise, x, __riscv_vmfgt_vf_f32m2_b16(x, 0.0f, vl), vl);
}

/// In whole numbers, those that have a fraction: below 2^23. The sign stays.
template <unsigned kMode>
Float whole(Float x, size_t vl) {
  const Float a = __riscv_vfabs_v_f32m2(x, vl);
  const vbool16_t small = __riscv_vmflt_vf_f32m2_b16(a, 8388608.0f, vl);
  const Float n = __riscv_vfcvt_f_x_v_f32m2(__riscv_vfcvt_x_f_v_i32m2_rm(x, kMode, vl), vl);
  const Float settled = __riscv_vfadd_vf_f32m2(x, 0.0f, vl);  // what is no number
  const Float y = __riscv_vmerge_vvm_f32m2(settled, __riscv_vfsgnj_vv_f32m2(n, x, vl), small, vl);
  return y;
}

Float gelu(Float x, size_t vl) {
  const Float cube = __riscv_vfmul_vv_f32m2(__riscv_vfmul_vv_f32m2(x, x, vl), x, vl);
  const Float inner = __riscv_vfmul_vf_f32m2(
      __riscv_vfadd_vv_f32m2(x, __riscv_vfmul_vf_f32m2(cube, 0.044715f, vl), vl), 0x1.988454p-1f,
      vl);
  return __riscv_vfmul_vv_f32m2(__riscv_vfmul_vf_f32m2(x, 0.5f, vl),
                                __riscv_vfadd_vf_f32m2(tanh(inner, vl), 1.0f, vl), vl);
}

int32_t function_f32(const DLTensor* in, DLTensor* out, const presil_dsp_function_f32* params) {
  if (presil_dsp_inputs() != 1 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (!is_float(*in) || !is_float(*out)) return PRESIL_DSP_REFUSED_TYPE;
  if (!same_shape(*in, *out)) return PRESIL_DSP_REFUSED_SHAPE;
  const presil_dsp_function_f32 p = *params;
  switch (p.function) {
    case PRESIL_DSP_CLAMP:
      return p.low > -__builtin_inff() ? clamp(in, out, p.low, p.high) : PRESIL_DSP_REFUSED_PARAMS;
    case PRESIL_DSP_LEAKY_RELU:
      return each(in, out, [p](Float x, size_t vl) {
        return above_0(x, __riscv_vfmul_vf_f32m2(x, p.slope, vl), vl);
      });
    case PRESIL_DSP_HARD_SWISH:
      return each(in, out, [](Float x, size_t vl) {
        const Float part = clamped(__riscv_vfadd_vf_f32m2(x, 3.0f, vl), 0.0f, 6.0f, vl);
        return __riscv_vfdiv_vf_f32m2(__riscv_vfmul_vv_f32m2(x, part, vl), 6.0f, vl);
      });
    case PRESIL_DSP_LOGISTIC:
      return each(in, out, [](Float x, size_t vl) { return logistic(x, vl); });
    case PRESIL_DSP_TANH:
      return each(in, out, [](Float x, size_t vl) { return tanh(x, vl); });
    case PRESIL_DSP_ELU:
      return each(in, out, [](Float x, size_t vl) {  // of x above 0 nothing is asked
        return above_0(x, exponential_less_one<Range::kAtMost88>(x, vl), vl);
      });
    case PRESIL_DSP_GELU_TANH:
      return each(in, out, [](Float x, size_t vl) { return gelu(x, vl); });
    case PRESIL_DSP_EXP:
      return each(in, out, [](Float x, size_t vl) { return exponential(x, vl); });
    case PRESIL_DSP_LOG:
      return logs_or_powers(*in, *in, *out);
    case PRESIL_DSP_SQRT:
      return each(in, out, [](Float x, size_t vl) { return __riscv_vfsqrt_v_f32m2(x, vl); });
    case PRESIL_DSP_RSQRT:
      return each(in, out, [](Float x, size_t vl) {
        return __riscv_vfrdiv_vf_f32m2(__riscv_vfsqrt_v_f32m2(x, vl), 1.0f, vl);
      });
    case PRESIL_DSP_ABS:  // plus 0: what is no number
      return each(in, out, [](Float x, size_t vl) {
        return __riscv_vfadd_vf_f32m2(__riscv_vfabs_v_f32m2(x, vl), 0.0f, vl);
      });
    case PRESIL_DSP_NEG:
      return each(in, out, [](Float x, size_t vl) { return __riscv_vfmul_vf_f32m2(x, -1.0f, vl); });
    case PRESIL_DSP_SQUARE:
      return each(in, out, [](Float x, size_t vl) { return __riscv_vfmul_vv_f32m2(x, x, vl); });
    case PRESIL_DSP_FLOOR:
      return each(in, out, [](Float x, size_t vl) { return whole<__RISCV_FRM_RDN>(x, vl); });
    case PRESIL_DSP_CEIL:
      return each(in, out, [](Float x, size_t vl) { return whole<__RISCV_FRM_RUP>(x, vl); });
    case PRESIL_DSP_ROUND:
      return each(in, out, [](Float x, size_t vl) { return whole<__RISCV_FRM_RNE>(x, vl); });
    default:
      return PRESIL_DSP_REFUSED_PARAMS;
  }
}

}  // namespace

PRESIL_KERNEL(function_f32)

}  // namespace presil::dsp
