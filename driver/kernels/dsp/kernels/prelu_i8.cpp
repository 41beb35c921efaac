// x where it is not below zero, else x times a slope, which is broadcast as in numpy; int8.
//
// Tensors: {x i8, alpha i8} {y i8}; presil_dsp_pair_i8. Arithmetic:
// compiler_bridge/reference/operators/prelu.cpp in words, one rule. 64 elements: 2 vwsub 8, vsext
// vsmul 16, 24; vwmul vsmul 16, 24; vmslt vmerge 12; vnclip vsadd vnclip 16: 116. Bound: 1.8 cycles
// per element.
#include "driver/kernels/dsp/pairs.h"

namespace presil::dsp {
namespace {

int32_t prelu_i8(const DLTensor* in, DLTensor* out, const presil_dsp_pair_i8* params) {
  const int32_t refused = check_pair(in, out, *params);
  if (refused != 0) return refused;
  const presil_dsp_pair_i8 p = *params;
  const auto above_zero = [](int32_t zero) {
    return [zero](vint8m1_t x, size_t vl) {
      return __riscv_vwsub_vx_i16m2(x, static_cast<int8_t>(zero), vl);
    };
  };
  each_pair<int16_t>(
      in, out, above_zero(p.a_zero), above_zero(p.b_zero), false,
      [p](vint16m2_t v, vint16m2_t slope, size_t vl) {
        const Int32 above = scaled(__riscv_vsext_vf2_i32m4(v, vl), p.a_mult, p.a_shift, vl),
                    below =
                        scaled(__riscv_vwmul_vv_i32m4(v, slope, vl), p.out_mult, p.out_shift, vl);
        const vbool8_t negative = __riscv_vmslt_vx_i16m2_b8(v, 0, vl);
        return finished(__riscv_vmerge_vvm_i32m4(above, below, negative, vl), p.out_zero, p.act_min,
                        p.act_max, vl);
      });
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(prelu_i8)

}  // namespace presil::dsp
