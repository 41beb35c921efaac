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

/// (x - zero) * 2^bits
template <unsigned bits>
Int32 on_grid(vint8m1_t x, int32_t zero, size_t vl) {
  const vint16m2_t centred = __riscv_vwsub_vx_i16m2(x, static_cast<int8_t>(zero), vl);
  constexpr unsigned kShort = 7;  // that 16 bits take
  if constexpr (bits <= kShort) return __riscv_vwmul_vx_i32m4(centred, 1 << bits, vl);
  return __riscv_vwmul_vx_i32m4(__riscv_vsll_vx_i16m2(centred, kShort, vl), 1 << (bits - kShort),
                                vl);
}

/// The scale of the operand with the larger one is a half of twice that.
bool is_half(int32_t multiplier, int32_t shift) {
  return multiplier == 1 << 30 && shift == 0;
}
bool is_at_most_half(int32_t multiplier, int32_t shift) {
  return shift < 0 || (shift == 0 && multiplier <= 1 << 30);
}

// Half of 255 * 2^7 is a number of 16 bits, and so is the difference of two.
int32_t squared_difference_i8(const DLTensor* in, DLTensor* out, const Params* params) {
  const int32_t refused = check_pair(in, out, *params);
  if (refused != 0) return refused;
  const Params p = *params;
  if (!is_at_most_half(p.a_mult, p.a_shift) || !is_at_most_half(p.b_mult, p.b_shift)) {
    return PRESIL_DSP_REFUSED_PARAMS;
  }
  const auto fine = [](int32_t zero, int32_t multiplier, int32_t shift) {
    return [=](vint8m1_t x, size_t vl) {
      if (is_half(multiplier, shift)) {
        const vint16m2_t centred = __riscv_vwsub_vx_i16m2(x, static_cast<int8_t>(zero), vl);
        return __riscv_vsll_vx_i16m2(centred, 6, vl);
      }
      return scaled_short(on_grid<7>(x, zero, vl), multiplier, shift, vl);
    };
  };
  const bool narrows = p.out_shift <= 0;
  each_pair<int16_t>(
      in, out, fine(p.a_zero, p.a_mult, p.a_shift), fine(p.b_zero, p.b_mult, p.b_shift), true,
      [p, narrows](vint16m2_t a, vint16m2_t b, size_t vl) {
        const vint16m2_t d = __riscv_vsub_vv_i16m2(a, b, vl);
        const Int32 square = __riscv_vwmul_vv_i32m4(d, d, vl);
        if (!narrows) {
          return finished(scaled(square, p.out_mult, p.out_shift, vl), p.out_zero, p.act_min,
                          p.act_max, vl);
        }
        // A square is not below 0: its halves go up.
        const vint16m2_t y = __riscv_vnclip_wx_i16m2(
            times(square, p.out_mult, vl), static_cast<size_t>(-p.out_shift), __RISCV_VXRM_RNU, vl);
        return finished(y, p.out_zero, p.act_min, p.act_max, vl);
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

int32_t add_tflite(const DLTensor* in, DLTensor* out, const Params& p) {
  const auto wide = [](int32_t zero, int32_t multiplier, int32_t shift, bool minus) {
    return [=](vint8m1_t x, size_t vl) {
      const Int32 y = is_half(multiplier, shift)
                          ? on_grid<19>(x, zero, vl)
                          : scaled(on_grid<20>(x, zero, vl), multiplier, shift, vl);
      return minus ? __riscv_vneg_v_i32m4(y, vl) : y;
    };
  };
  each_pair<int32_t>(in, out, wide(p.a_zero, p.a_mult, p.a_shift, false),
                     wide(p.b_zero, p.b_mult, p.b_shift, p.subtract != 0), true,
                     [p](Int32 a, Int32 b, size_t vl) {
                       const Int32 sum = __riscv_vadd_vv_i32m4(a, b, vl);
                       return finished(scaled_short(sum, p.out_mult, p.out_shift, vl), p.out_zero,
                                       p.act_min, p.act_max, vl);
                     });
  return PRESIL_DSP_DONE;
}

int32_t add_i8(const DLTensor* in, DLTensor* out, const Params* params) {
  const int32_t refused = check_pair(in, out, *params);
  if (refused != 0) return refused;
  const Params p = *params;
  if (p.numerics == 0) return add_tflite(in, out, p);
  if (p.out_shift < 0) return PRESIL_DSP_REFUSED_PARAMS;
  const auto times_of = [](int32_t multiplier, int32_t more) {
    return [=](vint8m1_t x, size_t vl) {
      const Int32 product = __riscv_vmul_vx_i32m4(__riscv_vsext_vf4_i32m4(x, vl), multiplier, vl);
      return more == 0 ? product : __riscv_vadd_vx_i32m4(product, more, vl);
    };
  };
  each_pair<int32_t>(
      in, out, times_of(p.a_mult, p.out_mult), times_of(p.subtract != 0 ? -p.b_mult : p.b_mult, 0),
      true, [p](Int32 a, Int32 b, size_t vl) {
        const vint16m2_t y =
            __riscv_vnclip_wx_i16m2(__riscv_vadd_vv_i32m4(a, b, vl),
                                    static_cast<size_t>(p.out_shift), __RISCV_VXRM_RDN, vl);
        return finished(y, p.out_zero, p.act_min, p.act_max, vl);
      });
  return PRESIL_DSP_DONE;
}

int32_t mul_i8(const DLTensor* in, DLTensor* out, const Params* params) {
  const int32_t refused = check_pair(in, out, *params);
  if (refused != 0) return refused;
  const Params p = *params;
  const auto centred = [](int32_t zero) {
    return [=](vint8m1_t x, size_t vl) {
      return __riscv_vwsub_vx_i16m2(x, static_cast<int8_t>(zero), vl);
    };
  };
  const float scale = float_of_bits(p.out_mult);
  each_pair<int16_t>(in, out, centred(p.a_zero), centred(p.b_zero), true,
                     [p, scale](vint16m2_t a, vint16m2_t b, size_t vl) {
                       const Int32 product = __riscv_vwmul_vv_i32m4(a, b, vl);
                       if (p.numerics == 0) {
                         return finished(scaled_short(product, p.out_mult, p.out_shift, vl),
                                         p.out_zero, p.act_min, p.act_max, vl);
                       }
                       return finished(scaled_float(product, scale, vl), p.out_zero, p.act_min,
                                       p.act_max, vl);
                     });
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(add_i8)
PRESIL_KERNEL(mul_i8)
PRESIL_KERNEL(squared_difference_i8)
PRESIL_KERNEL(larger_i8)

}  // namespace presil::dsp
