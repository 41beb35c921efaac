// Rows of floats less their mean, by the root of their variance.
//
// Tensors: {x f32, gamma f32 [n], beta f32 [n]} {y f32}; gamma and beta dense.
// Arithmetic: compiler_bridge/reference/operators/layer_norm.cpp in words: m = sum16 of x / n; v =
// sum16 of (x - m) * (x - m) / n; g = gamma * (1 / sqrt(v + epsilon)); y = x * g + (beta - m * g).
// 64 rows at a time, four side by side, so that a fold of one waits under those of the others.
// Beats for 8 elements: vfadd; vfsub, vfmul, vfadd; three vfmul, vfrsub, vfadd: 9. A fold: four
// vslidedown and vfadd of 2 beats each, twice, in a sequencer each: 8 and 8. Bound: 9 / 8 cycles
// per element and 16 per row.
#include "driver/dsp/float_order.h"
#include "driver/dsp/params.h"
#include "driver/dsp/walk.h"
#include "driver/dsp/workspace.h"

namespace presil::dsp {
namespace {

constexpr size_t kRows = 64;

struct Memory {
  float means[kRows];
  float roots[kRows];
};

using Lanes = vfloat32m4_t;  // 16 lanes at every VLEN

inline Lanes fold(Lanes v, size_t half) {
  return __riscv_vfadd_vv_f32m4(v, __riscv_vslidedown_vx_f32m4(v, half, 16), half);
}

/// sum16 of term(row, i, vl), four rows from `first` on; behind the last the last again.
template <class Term>
void sums(size_t rows, size_t n, float* to, const Term& term) {
  for (size_t first = 0; first < rows; first += 4) {
    const size_t last = rows - 1;
    const auto row = [&](size_t j) { return first + j < last ? first + j : last; };
    const size_t r0 = first, r1 = row(1), r2 = row(2), r3 = row(3);
    Lanes a = __riscv_vfmv_v_f_f32m4(0.0f, 16), b = a, c = a, d = a;
    for (size_t i = 0, vl; i < n; i += vl) {
      vl = n - i < 16 ? n - i : 16;
      a = __riscv_vfadd_vv_f32m4_tu(a, a, term(r0, i, vl), vl);
      b = __riscv_vfadd_vv_f32m4_tu(b, b, term(r1, i, vl), vl);
      c = __riscv_vfadd_vv_f32m4_tu(c, c, term(r2, i, vl), vl);
      d = __riscv_vfadd_vv_f32m4_tu(d, d, term(r3, i, vl), vl);
    }
    for (size_t half = 8; half > 0; half /= 2) {
      a = fold(a, half), b = fold(b, half), c = fold(c, half), d = fold(d, half);
    }
    __riscv_vse32_v_f32m4(to + r3, d, 1);
    __riscv_vse32_v_f32m4(to + r2, c, 1);
    __riscv_vse32_v_f32m4(to + r1, b, 1);
    __riscv_vse32_v_f32m4(to + r0, a, 1);
  }
}

void some_rows(const float* x, int64_t x_step, float* y, int64_t y_step, size_t rows, size_t n,
               const float* gamma, const float* beta, float epsilon) {
  Memory& memory = workspace<Memory>();
  const auto at = [&](size_t row) { return x + static_cast<int64_t>(row) * x_step; };
  const auto count = static_cast<float>(n);
  sums(rows, n, memory.means,
       [&](size_t row, size_t i, size_t vl) { return __riscv_vle32_v_f32m4(at(row) + i, vl); });
  for (size_t i = 0, vl; i < rows; i += vl) {
    vl = __riscv_vsetvl_e32m4(rows - i);
    Lanes v = __riscv_vle32_v_f32m4(memory.means + i, vl);
    __riscv_vse32_v_f32m4(memory.means + i, __riscv_vfdiv_vf_f32m4(v, count, vl), vl);
  }
  sums(rows, n, memory.roots, [&](size_t row, size_t i, size_t vl) {
    const Lanes apart =
        __riscv_vfsub_vf_f32m4(__riscv_vle32_v_f32m4(at(row) + i, vl), memory.means[row], vl);
    return __riscv_vfmul_vv_f32m4(apart, apart, vl);
  });
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
    Lanes now = __riscv_vle32_v_f32m4(from, vl);
    for (size_t row = 0; row < rows; ++row, to += y_step) {
      if (row + 1 < rows) from += x_step;
      const Lanes next = __riscv_vle32_v_f32m4(from, vl);
      const Lanes gain = __riscv_vfmul_vf_f32m4(scale, memory.roots[row], vl);
      Lanes v = __riscv_vfmul_vv_f32m4(now, gain, vl);
      const Lanes centre = __riscv_vfmul_vf_f32m4(gain, memory.means[row], vl);
      v = __riscv_vfadd_vv_f32m4(v, __riscv_vfsub_vv_f32m4(offset, centre, vl), vl);
      __riscv_vse32_v_f32m4(to, v, vl);
      now = next;
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
