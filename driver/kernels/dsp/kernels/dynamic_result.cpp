// Sums of bytes times weights to floats.
//
// dynamic_result {sums i8, scales f32 [1 or h w, 4], terms i32 [3, 16 b]} {y f32 [h, w, c]}:
// params.h.
// Arithmetic: compiler_bridge/reference/operators/hybrid.cpp in words; a sum of q * w less the zero
// point times the sum of w is the sum of (q - z) * w. Two pixels of 16 channels at a time, beats of
// 8: vle32 vsub vfcvt, two vfmul, vfadd, two for the clamp, vse32: 18 each. Bound: 1.1 cycles per
// element.
#include "driver/kernels/dsp/blocks.h"
#include "driver/kernels/dsp/integers.h"
#include "driver/kernels/dsp/short_row.h"
#include "driver/kernels/dsp/sums.h"

namespace presil::dsp {
namespace {

using Floats = vfloat32m4_t;
using Params = presil_dsp_dynamic_result;

/// To be looked at once, not for each pixel.
enum class Order { kOne, kTwo, kFused };

Order order_of(const Params& p) {
  return p.order == PRESIL_DSP_BOTH_SCALES ? Order::kOne
         : p.order == PRESIL_DSP_FUSED     ? Order::kFused
                                           : Order::kTwo;
}

Floats floats_at(const int32_t* terms, size_t vl) {
  return __riscv_vreinterpret_v_i32m4_f32m4(__riscv_vle32_v_i32m4(terms, vl));
}

/// What a sum is multiplied by first, and then.
/// @param weights   scales of the channels' weights
/// @param in_fours  channels that are not among the last after a multiple of 4
Floats first_factor(const Params& p, Floats weights, float step, int64_t in_fours, size_t vl) {
  if (p.order == PRESIL_DSP_BOTH_SCALES) return __riscv_vfmul_vf_f32m4(weights, step, vl);
  if (p.order == PRESIL_DSP_FUSED) return __riscv_vfmv_v_f_f32m4(step, vl);
  if (p.order == PRESIL_DSP_WEIGHT_SCALE || in_fours >= Blocks::kLanes) return weights;
  const auto from = static_cast<uint32_t>(in_fours < 0 ? 0 : in_fours);
  const vbool8_t last = __riscv_vmsgeu_vx_u32m4_b8(__riscv_vid_v_u32m4(vl), from, vl);
  return __riscv_vfmerge_vfm_f32m4(weights, step, last, vl);
}
Floats second_factor(const Params& p, Floats weights, float step, int64_t in_fours, size_t vl) {
  if (p.order == PRESIL_DSP_FUSED) return weights;
  const Floats same = __riscv_vfmv_v_f_f32m4(step, vl);
  if (p.order != PRESIL_DSP_IN_FOURS || in_fours >= Blocks::kLanes) return same;
  const auto from = static_cast<uint32_t>(in_fours < 0 ? 0 : in_fours);
  const vbool8_t last = __riscv_vmsgeu_vx_u32m4_b8(__riscv_vid_v_u32m4(vl), from, vl);
  return __riscv_vmerge_vvm_f32m4(same, weights, last, vl);
}
Int32 correction(const int32_t* of_weights, float zero, size_t vl) {
  return __riscv_vmul_vx_i32m4(__riscv_vle32_v_i32m4(of_weights, vl), static_cast<int32_t>(zero),
                               vl);
}

Floats result(Int32 sum, Int32 less, Floats first, Floats second, Floats bias, Order order,
              const Params& p, size_t vl) {
  sum = __riscv_vsub_vv_i32m4(sum, less, vl);
  Floats y = __riscv_vfmul_vv_f32m4(__riscv_vfcvt_f_x_v_f32m4(sum, vl), first, vl);
  if (order == Order::kFused) {
    y = __riscv_vfmadd_vv_f32m4(y, second, bias, vl);
  } else {
    if (order == Order::kTwo) y = __riscv_vfmul_vv_f32m4(y, second, vl);
    y = __riscv_vfadd_vv_f32m4(y, bias, vl);
  }
  if (p.low > -__builtin_inff()) y = __riscv_vfmax_vf_f32m4(y, p.low, vl);
  if (p.high < __builtin_inff()) y = __riscv_vfmin_vf_f32m4(y, p.high, vl);
  return y;
}

int32_t dynamic_result(const DLTensor* in, DLTensor* out, const Params* params) {
  if (presil_dsp_inputs() != 3 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  const Params p = *params;
  const DLTensor &scales = in[1], &terms = in[2], &y = *out;
  if (!is_int8(in[0]) || !is_float(scales) || !is(terms, 0, 32) || !is_float(y)) {
    return PRESIL_DSP_REFUSED_TYPE;
  }
  const Sums sums(in[0]);
  if (!sums.fits || y.ndim != 3 || !is_dense(y) || !is_dense(scales) || !is_dense(terms)) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const int64_t h = y.shape[0], w = y.shape[1], c = y.shape[2];
  const int64_t sets = presil_dsp_elements(&scales) / 4, row = sums.channels();
  if (sums.rows() != h || sums.columns() != w || c > row ||
      presil_dsp_elements(&terms) != 3 * row || (sets != 1 && sets != h * w)) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  if (p.order > PRESIL_DSP_FUSED) return PRESIL_DSP_REFUSED_PARAMS;
  const auto* constants = static_cast<const int32_t*>(presil_dsp_data(&terms));
  const auto* steps = static_cast<const float*>(presil_dsp_data(&scales));
  auto* results = static_cast<float*>(presil_dsp_data(&y));
  const Order order = order_of(p);
  for (int64_t first = 0; first < c; first += Blocks::kLanes) {
    const size_t vl = static_cast<size_t>(c - first < Blocks::kLanes ? c - first : Blocks::kLanes);
    const int64_t in_fours = c / 4 * 4 - first;
    const int32_t* own = constants + first;
    const Floats weights = floats_at(own + row, vl), bias = floats_at(own + 2 * row, vl);
    Int32 less = correction(own, steps[2], vl);
    Floats one = first_factor(p, weights, steps[1], in_fours, vl);
    Floats two = second_factor(p, weights, steps[1], in_fours, vl);
    float* to = results + first;
    for (int64_t oy = 0; oy < h; ++oy) {
      int64_t ox = 0;
      for (; sets == 1 && ox + 1 < w; ox += 2, to += 2 * c) {
        Int32 a = sums.load(first, oy, ox, vl), b = sums.load(first, oy, ox + 1, vl);
        in_turn(a, b);
        Floats ya = result(a, less, one, two, bias, order, p, vl);
        Floats yb = result(b, less, one, two, bias, order, p, vl);
        in_turn(ya, yb);
        __riscv_vse32_v_f32m4(to, ya, vl);
        __riscv_vse32_v_f32m4(to + c, yb, vl);
      }
      for (; ox < w; ++ox, to += c) {
        const float* of_pixel = steps + (sets == 1 ? 0 : 4 * (oy * w + ox));
        if (sets != 1) {
          less = correction(own, of_pixel[2], vl);
          one = first_factor(p, weights, of_pixel[1], in_fours, vl);
          two = second_factor(p, weights, of_pixel[1], in_fours, vl);
        }
        const Int32 sum = sums.load(first, oy, ox, vl);
        __riscv_vse32_v_f32m4(to, result(sum, less, one, two, bias, order, p, vl), vl);
      }
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(dynamic_result)

}  // namespace presil::dsp
