// Between floats and integers, and from integers of one scale to those of another.
//
// quantise {x f32} {y i8|u8|i16}, dequantise {x i8|u8|i16} {y f32}, requantise {x, y
// i8|u8|i16|i32}; one shape. From int8 to int8 take table_i8. Arithmetic:
// compiler_bridge/reference/operators/{quantize,dequantize}.cpp in words, and the rules of
// driver/kernels/host/kernels.h. Halves away from zero is the rounding mode rmm. 64 elements:
//   quantise    vle32 8; vfdiv 128 (xnnpack: vfmul 8), vfmax 8, vfcvt 8, vsadd 8, 2 vnclip 12; vse8
//               2. Bound: 2.5 cycles per element, xnnpack 0.69
//   dequantise  vle8 2; vsext 8, vadd 8, vfcvt 8, vfmul 8; vse32 8. Bound: 0.5
//   requantise  vle32 8; vsub 8, vsmul 8, vsra vsadd vssra 24, vadd 8, 2 vnclip 12. Bound: 0.94
#include "driver/kernels/dsp/integers.h"

namespace presil::dsp {
namespace {

int32_t check(const DLTensor* in, const DLTensor* out) {
  if (presil_dsp_inputs() != 1 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  return same_shape(*in, *out) ? PRESIL_DSP_DONE : PRESIL_DSP_REFUSED_SHAPE;
}

/// f(where x is, its step, where y is, its step, vl), for all of them.
template <class F>
void each(const DLTensor* in, DLTensor* out, const F& f) {
  const int64_t x_bytes = in->dtype.bits / 8, y_bytes = out->dtype.bits / 8;
  for (Walk<2> walk({in, out}, *out); walk; walk.next()) {
    char *x = walk.at<char>(0), *y = walk.at<char>(1);
    const int64_t x_step = walk.step(0), y_step = walk.step(1);
    size_t n = walk.run();
    for (size_t vl; n > 0; n -= vl) {
      vl = __riscv_vsetvl_e8m1(n);
      f(x, x_step, y, y_step, vl);
      x += static_cast<int64_t>(vl) * x_step * x_bytes;
      y += static_cast<int64_t>(vl) * y_step * y_bytes;
    }
  }
}

vfloat32m4_t load_floats(const char* x, int64_t step, size_t vl) {
  const auto* from = reinterpret_cast<const float*>(x);
  return step == 1 ? __riscv_vle32_v_f32m4(from, vl) : __riscv_vlse32_v_f32m4(from, 4 * step, vl);
}

int32_t quantise(const DLTensor* in, DLTensor* out, const presil_dsp_quantise* params) {
  const int32_t refused = check(in, out);
  if (refused != 0) return refused;
  if (!is_float(*in) || !is_integer(*out) || out->dtype.bits > 16) return PRESIL_DSP_REFUSED_TYPE;
  const presil_dsp_quantise p = *params;
  // 1e6 is beyond every value, and so is what is no number, below.
  if (p.numerics == 0) {
    each(in, out, [=](const char* x, int64_t x_step, char* y, int64_t y_step, size_t vl) {
      vfloat32m4_t v = __riscv_vfdiv_vf_f32m4(load_floats(x, x_step, vl), p.scale, vl);
      v = __riscv_vfmin_vf_f32m4(__riscv_vfmax_vf_f32m4(v, -1e6f, vl), 1e6f, vl);
      const Int32 near = __riscv_vfcvt_x_f_v_i32m4_rm(v, __RISCV_FRM_RMM, vl);
      store_integers(*out, y, y_step, __riscv_vadd_vx_i32m4(near, p.zero, vl), vl);
    });
    return PRESIL_DSP_DONE;
  }
  const float inverse = 1.0f / p.scale;
  each(in, out, [=](const char* x, int64_t x_step, char* y, int64_t y_step, size_t vl) {
    vfloat32m4_t v = __riscv_vfmul_vf_f32m4(load_floats(x, x_step, vl), inverse, vl);
    v = __riscv_vfmin_vf_f32m4(__riscv_vfmax_vf_f32m4(v, -1e6f, vl), 1e6f, vl);
    const Int32 near = __riscv_vfcvt_x_f_v_i32m4(v, vl);
    store_integers(*out, y, y_step, __riscv_vadd_vx_i32m4(near, p.zero, vl), vl);
  });
  return PRESIL_DSP_DONE;
}

int32_t dequantise(const DLTensor* in, DLTensor* out, const presil_dsp_quantise* params) {
  const int32_t refused = check(in, out);
  if (refused != 0) return refused;
  if (!is_integer(*in) || in->dtype.bits > 16 || !is_float(*out)) return PRESIL_DSP_REFUSED_TYPE;
  const presil_dsp_quantise p = *params;
  each(in, out, [=](const char* x, int64_t x_step, char* y, int64_t y_step, size_t vl) {
    const Int32 centred = __riscv_vsub_vx_i32m4(load_integers(*in, x, x_step, vl), p.zero, vl);
    const vfloat32m4_t v =
        __riscv_vfmul_vf_f32m4(__riscv_vfcvt_f_x_v_f32m4(centred, vl), p.scale, vl);
    auto* to = reinterpret_cast<float*>(y);
    y_step == 1 ? __riscv_vse32_v_f32m4(to, v, vl) : __riscv_vsse32_v_f32m4(to, 4 * y_step, v, vl);
  });
  return PRESIL_DSP_DONE;
}

int32_t requantise(const DLTensor* in, DLTensor* out, const presil_dsp_requantise* params) {
  const int32_t refused = check(in, out);
  if (refused != 0) return refused;
  if (!is_integer(*in) || !is_integer(*out)) return PRESIL_DSP_REFUSED_TYPE;
  const presil_dsp_requantise p = *params;
  if (p.rule > 1 || p.shift < -31 || p.shift > 31) return PRESIL_DSP_REFUSED_PARAMS;
  each(in, out, [=](const char* x, int64_t x_step, char* y, int64_t y_step, size_t vl) {
    Int32 v = __riscv_vsub_vx_i32m4(load_integers(*in, x, x_step, vl), p.in_zero, vl);
    v = p.rule == 0 ? scaled(v, p.multiplier, p.shift, vl)
                    : scaled_float(v, float_of_bits(p.multiplier), vl);
    store_integers(*out, y, y_step, __riscv_vsadd_vx_i32m4(v, p.out_zero, vl), vl);
  });
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(quantise)
PRESIL_KERNEL(dequantise)
PRESIL_KERNEL(requantise)

}  // namespace presil::dsp
