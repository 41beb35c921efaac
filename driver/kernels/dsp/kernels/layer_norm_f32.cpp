// Rows of floats less their mean, by the root of their variance.
//
// Tensors: {x f32, gamma f32 [n], beta f32 [n]} {y f32}; gamma and beta dense.
// Arithmetic: compiler_bridge/reference/operators/layer_norm.cpp in words: m = sum16 of x / n; v =
// sum16 of (x - m) * (x - m) / n; g = gamma * (1 / sqrt(v + epsilon)); y = x * g + (beta - m * g).
// 64 rows at a time, four side by side, so that a fold of one waits under those of the others.
// Beats for 8 elements: vfadd; vfsub, vfmul, vfadd; three vfmul, vfsub, vfadd: 9. A row: two folds
// of four vslidedown and vfadd, 16; three divisions and a root, 2 each. Bound: 9 / 8 cycles per
// element and 24 per row.
#include "driver/kernels/dsp/float_order.h"
#include "driver/kernels/dsp/params.h"
#include "driver/kernels/dsp/walk.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {
namespace {

constexpr size_t kRows = 64;

struct Memory {
  float means[kRows];
  float roots[kRows];
};

using Lanes = vfloat32m4_t;  // 16 lanes at every VLEN

/// sum16 of rows of x, or, `apart` from their means, of the squares of what is left; four rows side
/// by side, after the last the last again.
template <bool apart>
void sums(const float* x, int64_t step, size_t rows, size_t n, const float* means, float* to) {
  for (size_t first = 0; first < rows; first += 4) {
    const size_t last = rows - first - 1;
    const size_t r1 = last < 1 ? last : 1, r2 = last < 2 ? last : 2, r3 = last < 3 ? last : 3;
    const float *p0 = x + static_cast<int64_t>(first) * step,
                *p1 = p0 + static_cast<int64_t>(r1) * step,
                *p2 = p0 + static_cast<int64_t>(r2) * step,
                *p3 = p0 + static_cast<int64_t>(r3) * step;
    const float* m = means + first;
    const float m0 = apart ? m[0] : 0, m1 = apart ? m[r1] : 0, m2 = apart ? m[r2] : 0,
                m3 = apart ? m[r3] : 0;
    Lanes a, b, c, d;
    size_t left = n;
    const auto next = [&](bool first) {
      Lanes v0 = __riscv_vle32_v_f32m4(p0, 16), v1 = __riscv_vle32_v_f32m4(p1, 16);
      Lanes v2 = __riscv_vle32_v_f32m4(p2, 16), v3 = __riscv_vle32_v_f32m4(p3, 16);
      left -= 16, p0 += 16, p1 += 16, p2 += 16, p3 += 16;
      if (apart) {
        v0 = __riscv_vfsub_vf_f32m4(v0, m0, 16), v1 = __riscv_vfsub_vf_f32m4(v1, m1, 16);
        v2 = __riscv_vfsub_vf_f32m4(v2, m2, 16), v3 = __riscv_vfsub_vf_f32m4(v3, m3, 16);
        v0 = __riscv_vfmul_vv_f32m4(v0, v0, 16), v1 = __riscv_vfmul_vv_f32m4(v1, v1, 16);
        v2 = __riscv_vfmul_vv_f32m4(v2, v2, 16), v3 = __riscv_vfmul_vv_f32m4(v3, v3, 16);
      }
      if (first) {  // to +0, which of -0 makes +0
        a = __riscv_vfadd_vf_f32m4(v0, 0.0f, 16), b = __riscv_vfadd_vf_f32m4(v1, 0.0f, 16);
        c = __riscv_vfadd_vf_f32m4(v2, 0.0f, 16), d = __riscv_vfadd_vf_f32m4(v3, 0.0f, 16);
      } else {
        a = __riscv_vfadd_vv_f32m4(a, v0, 16), b = __riscv_vfadd_vv_f32m4(b, v1, 16);
        c = __riscv_vfadd_vv_f32m4(c, v2, 16), d = __riscv_vfadd_vv_f32m4(d, v3, 16);
      }
    };
    if (left >= 16) {
      next(true);
    } else {
      a = b = c = d = __riscv_vfmv_v_f_f32m4(0.0f, 16);
    }
    while (left >= 16) next(false);
    if (left > 0) {
      const auto add = [&](Lanes sum, const float* p, float mean) {
        Lanes v = __riscv_vle32_v_f32m4(p, left);
        if (apart) v = __riscv_vfsub_vf_f32m4(v, mean, left);
        if (apart) v = __riscv_vfmul_vv_f32m4(v, v, left);
        return __riscv_vfadd_vv_f32m4_tu(sum, sum, v, left);
      };
      a = add(a, p0, m0), b = add(b, p1, m1), c = add(c, p2, m2), d = add(d, p3, m3);
    }
    for (size_t half = 8; half > 0; half /= 2) {
      const Lanes va = __riscv_vslidedown_vx_f32m4(a, half, 8);
      const Lanes vb = __riscv_vslidedown_vx_f32m4(b, half, 8);
      const Lanes vc = __riscv_vslidedown_vx_f32m4(c, half, 8);
      const Lanes vd = __riscv_vslidedown_vx_f32m4(d, half, 8);
      a = __riscv_vfadd_vv_f32m4(a, va, 8), b = __riscv_vfadd_vv_f32m4(b, vb, 8);
      c = __riscv_vfadd_vv_f32m4(c, vc, 8), d = __riscv_vfadd_vv_f32m4(d, vd, 8);
    }
    float* y = to + first;
    __riscv_vse32_v_f32m4(y + r3, d, 1);
    __riscv_vse32_v_f32m4(y + r2, c, 1);
    __riscv_vse32_v_f32m4(y + r1, b, 1);
    __riscv_vse32_v_f32m4(y, a, 1);
  }
}

void some_rows(const float* x, int64_t x_step, float* y, int64_t y_step, size_t rows, size_t n,
               const float* gamma, const float* beta, float epsilon) {
  Memory& memory = workspace<Memory>();
  const auto count = static_cast<float>(n);
  sums<false>(x, x_step, rows, n, memory.means, memory.means);
  for (size_t i = 0, vl; i < rows; i += vl) {
    vl = __riscv_vsetvl_e32m4(rows - i);
    Lanes v = __riscv_vle32_v_f32m4(memory.means + i, vl);
    __riscv_vse32_v_f32m4(memory.means + i, __riscv_vfdiv_vf_f32m4(v, count, vl), vl);
  }
  sums<true>(x, x_step, rows, n, memory.means, memory.roots);
  for (size_t i = 0, vl; i < rows; i += vl) {
    vl = __riscv_vsetvl_e32m4(rows - i);
    Lanes v = __riscv_vfdiv_vf_f32m4(__riscv_vle32_v_f32m4(memory.roots + i, vl), count, vl);
    v = __riscv_vfsqrt_v_f32m4(__riscv_vfadd_vf_f32m4(v, epsilon, vl), vl);
    __riscv_vse32_v_f32m4(memory.roots + i, __riscv_vfrdiv_vf_f32m4(v, 1.0f, vl), vl);
  }
  for (size_t i = 0, vl; i < n; i += vl) {
    vl = __riscv_vsetvl_e32m4(n - i);
    const Lanes scale = __riscv_vle32_v_f32m4(gamma + i, vl);
    const Lanes offset = __riscv_vle32_v_f32m4(beta + i, vl);
    const float* from = x + i;
    float* to = y + i;
    size_t row = 0;
    for (; row + 2 <= rows; row += 2, from += 2 * x_step, to += 2 * y_step) {
      Lanes a = __riscv_vle32_v_f32m4(from, vl), b = __riscv_vle32_v_f32m4(from + x_step, vl);
      Lanes gain_a = __riscv_vfmul_vf_f32m4(scale, memory.roots[row], vl);
      Lanes gain_b = __riscv_vfmul_vf_f32m4(scale, memory.roots[row + 1], vl);
      a = __riscv_vfmul_vv_f32m4(a, gain_a, vl), b = __riscv_vfmul_vv_f32m4(b, gain_b, vl);
      gain_a = __riscv_vfmul_vf_f32m4(gain_a, memory.means[row], vl);
      gain_b = __riscv_vfmul_vf_f32m4(gain_b, memory.means[row + 1], vl);
      gain_a = __riscv_vfsub_vv_f32m4(offset, gain_a, vl);
      gain_b = __riscv_vfsub_vv_f32m4(offset, gain_b, vl);
      __riscv_vse32_v_f32m4(to, __riscv_vfadd_vv_f32m4(a, gain_a, vl), vl);
      __riscv_vse32_v_f32m4(to + y_step, __riscv_vfadd_vv_f32m4(b, gain_b, vl), vl);
    }
    if (row < rows) {
      const Lanes gain = __riscv_vfmul_vf_f32m4(scale, memory.roots[row], vl);
      const Lanes v = __riscv_vfmul_vv_f32m4(__riscv_vle32_v_f32m4(from, vl), gain, vl);
      const Lanes centre = __riscv_vfmul_vf_f32m4(gain, memory.means[row], vl);
      __riscv_vse32_v_f32m4(
          to, __riscv_vfadd_vv_f32m4(v, __riscv_vfsub_vv_f32m4(offset, centre, vl), vl), vl);
    }
  }
}

int32_t layer_norm_f32(const DLTensor* in, DLTensor* out, const presil_dsp_layer_norm_f32* params) {
  if (presil_dsp_inputs() != 3 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  const DLTensor &gamma = in[1], &beta = in[2];
  if (!is_float(*in) || !is_float(gamma) || !is_float(beta) || !is_float(*out)) {
    return PRESIL_DSP_REFUSED_TYPE;
  }
  if (!same_shape(*in, *out) || !rows_are_dense(*in) || !rows_are_dense(*out)) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const int64_t depth = in->shape[in->ndim - 1];
  if (!same_shape(gamma, beta) || gamma.ndim != 1 || gamma.shape[0] != depth ||
      !rows_are_dense(gamma) || !rows_are_dense(beta)) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const auto* scale = static_cast<const float*>(presil_dsp_data(&gamma));
  const auto* offset = static_cast<const float*>(presil_dsp_data(&beta));
  const Heads x(*in), y(*out);
  for (Walk<2> walk({&x.tensor, &y.tensor}, x.tensor); walk; walk.next()) {
    for (size_t i = 0; i < walk.run(); i += kRows) {
      const size_t left = walk.run() - i, rows = left < kRows ? left : kRows;
      const auto first = static_cast<int64_t>(i);
      some_rows(walk.at<float>(0) + first * walk.step(0), walk.step(0),
                walk.at<float>(1) + first * walk.step(1), walk.step(1), rows,
                static_cast<size_t>(depth), scale, offset, params->epsilon);
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(layer_norm_f32)

}  // namespace presil::dsp
