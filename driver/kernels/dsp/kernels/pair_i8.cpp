// Sum, difference, product and squared difference of two int8 tensors with scales of their own,
// the larger or smaller of two, and a where it is not below zero, else a * b; broadcast as in
// numpy.
//
// Tensors: {a i8, b i8} {y i8}; a and b have y's axes, less some in front, or extent 1.
// Arithmetic: compiler_bridge/reference/operators/{add,mul,squared_difference,maximum}.cpp in
// words, both rules. 64 elements, beats of the arithmetic unit (1.25 of loads and stores are hidden
// after it):
//   add, tflite   2 x (vwsub 4, vsll 4, vwmul 8, vsmul 8), one of them vsra vsadd vssra 24; vadd 8,
//                 vsmul 8, 24, vnclip 8, vsadd 4, vnclip 4: 128. Bound: 2.0 cycles per element
//   add, xnnpack  2 x (vsext 8, vmul 8), vadd 8, vnclip 8, vsadd 4, vnclip 4: 56. Bound: 0.88
//   mul, tflite   2 x vwsub 4, vwmul 8, vsmul 8, 24, 8, 4, 4: 64. Bound: 1.0
//   mul, xnnpack  2 x vwsub 4, vwmul 8, vfcvt vfmul vfcvt 24, 8, 4, 4: 56. Bound: 0.88
//   squared_difference  2 x (4, 8, 8), one of them 24; vsub vmul 16, 8, 24, 8, 4, 4: 128.
//   Bound: 2.0 larger        of 512: 2 vle8 vmax vse8, SRAM's port. Bound: 0.094
#include "driver/kernels/dsp/pairs.h"

namespace presil::dsp {
namespace {

using Params = presil_dsp_pair_i8;

int32_t squared_difference_i8(const DLTensor* in, DLTensor* out, const Params* params) {
  const int32_t refused = check_pair(in, out, *params);
  if (refused != 0) return refused;
  const Params p = *params;
  const auto fine = [](vint8m1_t x, int32_t zero, int32_t multiplier, int32_t shift, size_t vl) {
    const vint16m2_t centred = __riscv_vwsub_vx_i16m2(x, static_cast<int8_t>(zero), vl);
    return scaled(__riscv_vwmul_vx_i32m4(centred, 1 << 7, vl), multiplier, shift, vl);
  };
  each_pair(in, out, [p, fine](vint8m1_t a, vint8m1_t b, size_t vl) {
    const Int32 d = __riscv_vsub_vv_i32m4(fine(a, p.a_zero, p.a_mult, p.a_shift, vl),
                                          fine(b, p.b_zero, p.b_mult, p.b_shift, vl), vl);
    const Int32 square = __riscv_vmul_vv_i32m4(d, d, vl);
    return finished(scaled(square, p.out_mult, p.out_shift, vl), p.out_zero, p.act_min, p.act_max,
                    vl);
  });
  return PRESIL_DSP_DONE;
}

int32_t larger_i8(const DLTensor* in, DLTensor* out, const presil_dsp_larger_i8* params) {
  if (presil_dsp_inputs() != 2 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (!is_int8(in[0]) || !is_int8(in[1]) || !is_int8(*out)) return PRESIL_DSP_REFUSED_TYPE;
  if (!broadcasts(in[0], *out) || !broadcasts(in[1], *out)) return PRESIL_DSP_REFUSED_SHAPE;
  const bool smaller = params->smaller != 0;
  for (Walk<3> walk({&in[0], &in[1], out}, *out); walk; walk.next()) {
    const int8_t *a = walk.at<int8_t>(0), *b = walk.at<int8_t>(1);
    int8_t* y = walk.at<int8_t>(2);
    const int64_t a_step = walk.step(0), b_step = walk.step(1), y_step = walk.step(2);
    const auto load = [](const int8_t* x, int64_t step, size_t vl) {
      return step == 1 ? __riscv_vle8_v_i8m8(x, vl) : __riscv_vlse8_v_i8m8(x, step, vl);
    };
    for (size_t n = walk.run(), vl; n > 0; n -= vl) {
      vl = __riscv_vsetvl_e8m8(n);
      const vint8m8_t v = load(a, a_step, vl), w = load(b, b_step, vl);
      const vint8m8_t best =
          smaller ? __riscv_vmin_vv_i8m8(v, w, vl) : __riscv_vmax_vv_i8m8(v, w, vl);
      y_step == 1 ? __riscv_vse8_v_i8m8(y, best, vl) : __riscv_vsse8_v_i8m8(y, y_step, best, vl);
      a += static_cast<int64_t>(vl) * a_step, b += static_cast<int64_t>(vl) * b_step;
      y += static_cast<int64_t>(vl) * y_step;
    }
  }
  return PRESIL_DSP_DONE;
}

/// (x - zero) * 2^20
Int32 on_grid(vint8m1_t x, int32_t zero, size_t vl) {
  const vint16m2_t centred = __riscv_vwsub_vx_i16m2(x, static_cast<int8_t>(zero), vl);
  return __riscv_vwmul_vx_i32m4(__riscv_vsll_vx_i16m2(centred, 7, vl), 1 << 13, vl);
}

int32_t add_i8(const DLTensor* in, DLTensor* out, const Params* params) {
  const int32_t refused = check_pair(in, out, *params);
  if (refused != 0) return refused;
  const Params p = *params;
  if (p.numerics == 0) {
    each_pair(in, out, [p](vint8m1_t a, vint8m1_t b, size_t vl) {
      const Int32 wide_a = scaled(on_grid(a, p.a_zero, vl), p.a_mult, p.a_shift, vl);
      const Int32 wide_b = scaled(on_grid(b, p.b_zero, vl), p.b_mult, p.b_shift, vl);
      const Int32 sum = p.subtract != 0 ? __riscv_vsub_vv_i32m4(wide_a, wide_b, vl)
                                        : __riscv_vadd_vv_i32m4(wide_a, wide_b, vl);
      return finished(scaled(sum, p.out_mult, p.out_shift, vl), p.out_zero, p.act_min, p.act_max,
                      vl);
    });
    return PRESIL_DSP_DONE;
  }
  if (p.out_shift < 0) return PRESIL_DSP_REFUSED_PARAMS;
  const int32_t b_mult = p.subtract != 0 ? -p.b_mult : p.b_mult;
  each_pair(in, out, [p, b_mult](vint8m1_t a, vint8m1_t b, size_t vl) {
    Int32 sum = __riscv_vmul_vx_i32m4(__riscv_vsext_vf4_i32m4(a, vl), p.a_mult, vl);
    sum = __riscv_vmacc_vx_i32m4(sum, b_mult, __riscv_vsext_vf4_i32m4(b, vl), vl);
    sum = __riscv_vadd_vx_i32m4(sum, p.out_mult, vl);
    sum = __riscv_vsra_vx_i32m4(sum, static_cast<size_t>(p.out_shift), vl);
    return finished(sum, p.out_zero, p.act_min, p.act_max, vl);
  });
  return PRESIL_DSP_DONE;
}

int32_t mul_i8(const DLTensor* in, DLTensor* out, const Params* params) {
  const int32_t refused = check_pair(in, out, *params);
  if (refused != 0) return refused;
  const Params p = *params;
  const auto product = [p](vint8m1_t a, vint8m1_t b, size_t vl) {
    return __riscv_vwmul_vv_i32m4(__riscv_vwsub_vx_i16m2(a, static_cast<int8_t>(p.a_zero), vl),
                                  __riscv_vwsub_vx_i16m2(b, static_cast<int8_t>(p.b_zero), vl), vl);
  };
  if (p.numerics == 0) {
    each_pair(in, out, [p, product](vint8m1_t a, vint8m1_t b, size_t vl) {
      return finished(scaled(product(a, b, vl), p.out_mult, p.out_shift, vl), p.out_zero, p.act_min,
                      p.act_max, vl);
    });
    return PRESIL_DSP_DONE;
  }
  const float scale = float_of_bits(p.out_mult);
  each_pair(in, out, [p, product, scale](vint8m1_t a, vint8m1_t b, size_t vl) {
    return finished(scaled_float(product(a, b, vl), scale, vl), p.out_zero, p.act_min, p.act_max,
                    vl);
  });
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(add_i8)
PRESIL_KERNEL(mul_i8)
PRESIL_KERNEL(squared_difference_i8)
PRESIL_KERNEL(larger_i8)

}  // namespace presil::dsp
