// Sum, mean, largest and smallest of floats over some axes.
//
// Tensors: {x f32} {y f32}, y's extent 1 on the axes that go; any strides.
// Arithmetic: compiler_bridge/reference/operators/reduce_float.cpp in words: sum16 of the terms in
// the order of their indices, divided by their number; what is no number is no largest or smallest.
// A lane per channel, 128 of them: sums, vle32 of a term and of one of 16 partial sums, vfadd,
// vse32; bound 0.25 cycles per element (loads), and 736 to clear and fold; largest 0.125. Rows: 16
// lanes, each addition waits for the one before: 4 / 16 = 0.25, and 100 per row: four folds, a
// division; largest 0.125, and 60: a fold.
#include "driver/kernels/dsp/float_order.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/reduce.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {
namespace {

using Long = vfloat32m8_t;

struct Memory {
  float sums[16][256];  // a register group of eight at VLEN 1024
};

Long load(const char* x, int64_t step, size_t vl) {
  const auto* from = reinterpret_cast<const float*>(x);
  return step == 1 ? __riscv_vle32_v_f32m8(from, vl) : __riscv_vlse32_v_f32m8(from, 4 * step, vl);
}

Long sums(const Reduction& r, const char* x, int64_t step, size_t vl) {
  float(*lanes)[256] = workspace<Memory>().sums;
  for (size_t lane = 0; lane < 16; ++lane) {
    __riscv_vse32_v_f32m8(lanes[lane], __riscv_vfmv_v_f_f32m8(0.0f, vl), vl);
  }
  size_t lane = 0;
  each_term(r.gone, x, 4, [&](const char* at) {
    float* to = lanes[lane % 16];
    ++lane;
    __riscv_vse32_v_f32m8(
        to, __riscv_vfadd_vv_f32m8(__riscv_vle32_v_f32m8(to, vl), load(at, step, vl), vl), vl);
  });
  for (size_t half = 8; half > 0; half /= 2) {
    for (size_t j = 0; j < half; ++j) {
      __riscv_vse32_v_f32m8(lanes[j],
                            __riscv_vfadd_vv_f32m8(__riscv_vle32_v_f32m8(lanes[j], vl),
                                                   __riscv_vle32_v_f32m8(lanes[j + half], vl), vl),
                            vl);
    }
  }
  return __riscv_vle32_v_f32m8(lanes[0], vl);
}

Long better(uint32_t function, Long a, Long b, size_t vl) {
  return function == PRESIL_DSP_REDUCE_MAX ? __riscv_vfmax_vv_f32m8(a, b, vl)
                                           : __riscv_vfmin_vv_f32m8(a, b, vl);
}

float best_of(const float* x, size_t n, uint32_t function, float start) {
  const size_t lanes = __riscv_vsetvlmax_e32m8();
  Long best = __riscv_vfmv_v_f_f32m8(start, lanes);
  for (size_t vl; n > 0; n -= vl, x += vl) {
    vl = __riscv_vsetvl_e32m8(n);
    const Long v = __riscv_vle32_v_f32m8(x, vl);
    best = function == PRESIL_DSP_REDUCE_MAX ? __riscv_vfmax_vv_f32m8_tu(best, best, v, vl)
                                             : __riscv_vfmin_vv_f32m8_tu(best, best, v, vl);
  }
  const vfloat32m1_t first = __riscv_vfmv_s_f_f32m1(start, 1);
  return __riscv_vfmv_f_s_f32m1_f32(function == PRESIL_DSP_REDUCE_MAX
                                        ? __riscv_vfredmax_vs_f32m8_f32m1(best, first, lanes)
                                        : __riscv_vfredmin_vs_f32m8_f32m1(best, first, lanes));
}

int32_t reduce_f32(const DLTensor* in, DLTensor* out, const presil_dsp_reduce_f32* params) {
  if (presil_dsp_inputs() != 1 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  if (!is_float(*in) || !is_float(*out)) return PRESIL_DSP_REFUSED_TYPE;
  const Reduction r(*in, *out);
  if (!r.fits) return PRESIL_DSP_REFUSED_SHAPE;
  const uint32_t function = params->function;
  if (function > PRESIL_DSP_REDUCE_SCALED) return PRESIL_DSP_REFUSED_PARAMS;
  const bool best = function == PRESIL_DSP_REDUCE_MAX || function == PRESIL_DSP_REDUCE_MIN;
  const bool mean = function == PRESIL_DSP_REDUCE_SCALED, rows = r.rows();
  const float start = function == PRESIL_DSP_REDUCE_MAX ? -__builtin_inff() : __builtin_inff();
  const auto count = static_cast<float>(r.terms);
  each_lanes(r, *in, *out, [&](const char* x, char* y, size_t n, int64_t x_step, int64_t y_step) {
    for (size_t vl; n > 0; n -= vl) {
      vl = rows ? 1 : __riscv_vsetvl_e32m8(n);
      if (rows) {
        const auto* from = reinterpret_cast<const float*>(x);
        const float v = best ? best_of(from, r.terms, function, start) : sum16(from, r.terms);
        *reinterpret_cast<float*>(y) = mean ? v / count : v;
      } else {
        Long v = __riscv_vfmv_v_f_f32m8(start, vl);
        if (best) {
          each_term(r.gone, x, 4,
                    [&](const char* at) { v = better(function, v, load(at, x_step, vl), vl); });
        } else {
          v = sums(r, x, x_step, vl);
          if (mean) v = __riscv_vfdiv_vf_f32m8(v, count, vl);
        }
        auto* to = reinterpret_cast<float*>(y);
        y_step == 1 ? __riscv_vse32_v_f32m8(to, v, vl)
                    : __riscv_vsse32_v_f32m8(to, 4 * y_step, v, vl);
      }
      x += static_cast<int64_t>(vl) * x_step * 4, y += static_cast<int64_t>(vl) * y_step * 4;
    }
  });
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(reduce_f32)

}  // namespace presil::dsp
