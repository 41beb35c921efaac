// Sums of bytes times weights to floats.
//
// dynamic_result {sums i8, scales f32 [1 or h w, 4], terms i32 [3, 16 b]} {y f32 [h, w, c]}:
// params.h.
// Arithmetic: compiler_bridge/reference/operators/hybrid.cpp in words; a sum of q * w less the zero
// point times the sum of w is the sum of (q - z) * w. 16 channels of a pixel, beats of 8: vle32
// vnmsac vfcvt, two vfmul, vfadd, two for the clamp, vse32: 18. Bound: 1.1 cycles per element; four
// pixels go in turn, for each step waits for the one before.
#include "driver/kernels/dsp/blocks.h"
#include "driver/kernels/dsp/integers.h"
#include "driver/kernels/dsp/short_row.h"
#include "driver/kernels/dsp/sums.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {
namespace {

using Floats = vfloat32m2_t;
using Sum = vint32m2_t;
using Params = presil_dsp_dynamic_result;
using Steps = presil_dsp_dynamic_steps;

/// Of x: steps in it, zero point.
struct Scale {
  float step;
  int32_t zero;
};

/// How sums meet the scales: both at once, one by one, or the second one with the bias.
enum class Order { kBoth, kWeightFirst, kInputFirst, kFused };

Sum centred(Sum sum, Sum of_weights, Scale s, size_t vl) {
  return __riscv_vnmsac_vx_i32m2(sum, s.zero, of_weights, vl);
}
/// By the first of two scales; of kBoth the weights' are those of x too.
template <Order order>
Floats once(Sum sum, Floats weights, Scale s, size_t vl) {
  const Floats y = __riscv_vfcvt_f_x_v_f32m2(sum, vl);
  return order == Order::kFused || order == Order::kInputFirst
             ? __riscv_vfmul_vf_f32m2(y, s.step, vl)
             : __riscv_vfmul_vv_f32m2(y, weights, vl);
}
template <Order order>
Floats twice(Floats y, Floats weights, Floats bias, Scale s, size_t vl) {
  if (order == Order::kFused) return __riscv_vfmadd_vv_f32m2(y, weights, bias, vl);
  if (order == Order::kInputFirst) y = __riscv_vfmul_vv_f32m2(y, weights, vl);
  if (order == Order::kWeightFirst) y = __riscv_vfmul_vf_f32m2(y, s.step, vl);
  return __riscv_vfadd_vv_f32m2(y, bias, vl);
}
Floats clamped(Floats y, const Params& p, size_t vl) {
  return __riscv_vfmin_vf_f32m2(__riscv_vfmax_vf_f32m2(y, p.low, vl), p.high, vl);
}

struct Memory {
  Steps scales[kWorkspaceBytes / sizeof(Steps)];
};

struct Task {
  const Params& p;
  const Sums& sums;
  const Steps* scales;
  int64_t sets;
  const int32_t* terms;
  float* y;
  int64_t h, w, c;
};

Scale scale_of(const Steps& steps) {
  return {steps.step, steps.zero};
}

/// Channels of one block.
template <Order order>
void finish(const Task& t, int64_t first, size_t vl) {
  const int64_t row = t.sums.channels();
  const auto floats = [&](int64_t which) {
    return __riscv_vreinterpret_v_i32m2_f32m2(
        __riscv_vle32_v_i32m2(t.terms + which * row + first, vl));
  };
  const Sum of_weights = __riscv_vle32_v_i32m2(t.terms + first, vl);
  const Floats of_file = floats(1), bias = floats(2);
  const Scale one = scale_of(*t.scales);
  Floats weights = of_file;
  if (order == Order::kBoth) weights = __riscv_vfmul_vf_f32m2(of_file, one.step, vl);
  const bool by_pixel = t.sets != 1;
  // What is no number stays it, where there is no clamp.
  const bool clamps = t.p.low > -__builtin_inff() || t.p.high < __builtin_inff();
  const Params p = t.p;
  const bool four = t.sums.is_in_words() && (order != Order::kBoth || !by_pixel);
  float* to = t.y + first;
  for (int64_t oy = 0; oy < t.h; ++oy) {
    const Steps* own = t.scales + (by_pixel ? oy * t.w : 0);
    const int32_t* from = t.sums.words(first, oy);
    int64_t ox = 0;
    for (; four && ox + 4 <= t.w; ox += 4, to += 4 * t.c, from += 4 * Blocks::kLanes) {
      Sum a = __riscv_vle32_v_i32m2(from, vl);
      Sum b = __riscv_vle32_v_i32m2(from + Blocks::kLanes, vl);
      Sum c = __riscv_vle32_v_i32m2(from + 2 * Blocks::kLanes, vl);
      Sum d = __riscv_vle32_v_i32m2(from + 3 * Blocks::kLanes, vl);
      const Scale sa = scale_of(own[0]), sb = by_pixel ? scale_of(own[1]) : one;
      const Scale sc = by_pixel ? scale_of(own[2]) : one, sd = by_pixel ? scale_of(own[3]) : one;
      if (by_pixel) own += 4;
      a = centred(a, of_weights, sa, vl), b = centred(b, of_weights, sb, vl);
      c = centred(c, of_weights, sc, vl), d = centred(d, of_weights, sd, vl);
      in_turn(a, b), in_turn(c, d);
      Floats ya = once<order>(a, weights, sa, vl), yb = once<order>(b, weights, sb, vl);
      Floats yc = once<order>(c, weights, sc, vl), yd = once<order>(d, weights, sd, vl);
      in_turn(ya, yb), in_turn(yc, yd);
      ya = twice<order>(ya, weights, bias, sa, vl), yb = twice<order>(yb, weights, bias, sb, vl);
      yc = twice<order>(yc, weights, bias, sc, vl), yd = twice<order>(yd, weights, bias, sd, vl);
      in_turn(ya, yb), in_turn(yc, yd);
      if (clamps) {
        ya = clamped(ya, p, vl), yb = clamped(yb, p, vl);
        yc = clamped(yc, p, vl), yd = clamped(yd, p, vl);
      }
      __riscv_vse32_v_f32m2(to, ya, vl);
      __riscv_vse32_v_f32m2(to + t.c, yb, vl);
      __riscv_vse32_v_f32m2(to + 2 * t.c, yc, vl);
      __riscv_vse32_v_f32m2(to + 3 * t.c, yd, vl);
    }
    for (; ox < t.w; ++ox, to += t.c) {
      const Scale s = scale_of(*own);
      if (by_pixel) ++own;
      if (order == Order::kBoth && by_pixel) {
        weights = __riscv_vfmul_vf_f32m2(of_file, s.step, vl);
      }
      const Sum sum = centred(t.sums.load(first, oy, ox, vl), of_weights, s, vl);
      const Floats y = twice<order>(once<order>(sum, weights, s, vl), weights, bias, s, vl);
      __riscv_vse32_v_f32m2(to, clamps ? clamped(y, p, vl) : y, vl);
    }
  }
}

void finish(const Task& t, int64_t first, size_t vl) {
  // In fours: the last channels after a multiple of 4 the other way round.
  const int64_t whole = t.c / 4 * 4 - first;
  const auto in_fours = static_cast<size_t>(whole < 0 ? 0 : whole) < vl
                            ? static_cast<size_t>(whole < 0 ? 0 : whole)
                            : vl;
  switch (t.p.order) {
    case PRESIL_DSP_BOTH_SCALES:
      return finish<Order::kBoth>(t, first, vl);
    case PRESIL_DSP_WEIGHT_SCALE:
      return finish<Order::kWeightFirst>(t, first, vl);
    case PRESIL_DSP_FUSED:
      return finish<Order::kFused>(t, first, vl);
    default:
      if (in_fours > 0) finish<Order::kWeightFirst>(t, first, in_fours);
      if (in_fours == vl) return;
      return finish<Order::kInputFirst>(t, first + static_cast<int64_t>(in_fours), vl - in_fours);
  }
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
  const int64_t rows = sums.is_one_row() ? 1 : h, columns = h * w / rows;
  const int64_t sets = presil_dsp_elements(&scales) / 4, row = sums.channels();
  if (rows < 1 || sums.rows() != h || sums.columns() != w || c > row ||
      presil_dsp_elements(&terms) != 3 * row || (sets != 1 && sets != h * w)) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  if (p.order > PRESIL_DSP_FUSED) return PRESIL_DSP_REFUSED_PARAMS;
  const auto* steps = static_cast<const Steps*>(presil_dsp_data(&scales));
  const Task task{p,
                  sums,
                  nearby(steps, static_cast<size_t>(sets), workspace<Memory>().scales),
                  sets,
                  static_cast<const int32_t*>(presil_dsp_data(&terms)),
                  static_cast<float*>(presil_dsp_data(&y)),
                  rows,
                  columns,
                  c};
  const auto lanes = static_cast<int64_t>(__riscv_vsetvl_e32m2(Blocks::kLanes));
  for (int64_t first = 0, vl; first < c; first += vl) {
    const int64_t left = c - first, block = Blocks::kLanes - first % Blocks::kLanes;
    vl = left < block ? left : block;
    if (vl > lanes) vl = lanes;
    finish(task, first, static_cast<size_t>(vl));
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(dynamic_result)

}  // namespace presil::dsp
