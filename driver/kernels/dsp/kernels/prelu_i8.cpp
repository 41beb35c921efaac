// x where it is not below zero, else x times a slope, which is broadcast as in numpy; int8.
//
// Tensors: {x i8, alpha i8} {y i8}; presil_dsp_pair_i8. Arithmetic:
// compiler_bridge/reference/operators/prelu.cpp in words, one rule. Slopes by channel, at most 256,
// are written again and again, so that runs are long. 64 elements: 2 vwsub 8, vsext vsmul 16, 24;
// vwmul vsmul 16, 24; vmslt vmerge 12; vnclip vsadd vnclip 16: 116. Bound: 1.8 cycles per element.
#include "driver/kernels/dsp/pairs.h"
#include "driver/kernels/dsp/short_row.h"

namespace presil::dsp {
namespace {

using Params = presil_dsp_pair_i8;

int32_t compute(const DLTensor* in, DLTensor* out, const Params* params) {
  const Params p = *params;
  each_pair(in, out, [p](vint8m1_t x, vint8m1_t alpha, size_t vl) {
    const vint16m2_t v = __riscv_vwsub_vx_i16m2(x, static_cast<int8_t>(p.a_zero), vl),
                     slope = __riscv_vwsub_vx_i16m2(alpha, static_cast<int8_t>(p.b_zero), vl);
    const Int32 above = scaled(__riscv_vsext_vf2_i32m4(v, vl), p.a_mult, p.a_shift, vl),
                below = scaled(__riscv_vwmul_vv_i32m4(v, slope, vl), p.out_mult, p.out_shift, vl);
    const vbool8_t negative = __riscv_vmslt_vx_i16m2_b8(v, 0, vl);
    return finished(__riscv_vmerge_vvm_i32m4(above, below, negative, vl), p.out_zero, p.act_min,
                    p.act_max, vl);
  });
  return PRESIL_DSP_DONE;
}

int32_t prelu_i8(const DLTensor* in, DLTensor* out, const Params* params) {
  const int32_t refused = check_pair(in, out, *params);
  if (refused != 0) return refused;
  if (is_short_row(in[1], in[0], *out)) return by_copies<int8_t>(in, out, params, 1, compute);
  return compute(in, out, params);
}

}  // namespace

PRESIL_KERNEL(prelu_i8)

}  // namespace presil::dsp
