// Depthwise convolution of int8, one filter a channel, of kernels of any size.
//
// Tensors: {x i8 [n, h, w, c], weights i8 [1, kh, kw, c], terms i32 [4, c]} {y i8 [n, oh, ow, c]};
// channels lie dense. terms: bias; multiplier (xnnpack: a float32's bits); shift to the left; to
// the right. Arithmetic: compiler_bridge/reference/operators/depthwise_conv2d.cpp in words, both
// rules; weights have the zero point 0.
// A lane is a channel, 64 of them. A tap: 2 vle8, vwsub vsext 8, vwmacc 8: bound 16 / 64 = 0.25
// cycles per product of 64 channels; fewer take as long as a result waits for the one before, 10.
#include "driver/kernels/dsp/integers.h"

namespace presil::dsp {
namespace {

using Params = presil_dsp_depthwise_i8;

/// Which taps along an axis lie inside: first..last - 1 of a window that begins at `begin`.
struct Taps {
  int64_t first = 0, last;
  Taps(int64_t begin, int64_t kernel, int64_t dilation, int64_t extent) : last(kernel) {
    while (first < last && begin + first * dilation < 0) ++first;
    while (last > first && begin + (last - 1) * dilation >= extent) --last;
  }
};

/// @param terms of the first of `vl` channels, rows of them so far apart
vint8m1_t result(Int32 sum, const int32_t* terms, int64_t row, const Params& p, size_t vl) {
  const Int32 multiplier = __riscv_vle32_v_i32m4(terms + row, vl);
  if (p.rule != 0) {
    const vfloat32m4_t scaled = __riscv_vfmul_vv_f32m4(
        __riscv_vfcvt_f_x_v_f32m4(sum, vl), __riscv_vreinterpret_v_i32m4_f32m4(multiplier), vl);
    return finished(__riscv_vfcvt_x_f_v_i32m4(scaled, vl), p.out_zero, p.act_min, p.act_max, vl);
  }
  const auto shift = [&](int64_t which) {
    return __riscv_vle32_v_u32m4(reinterpret_cast<const uint32_t*>(terms + which * row), vl);
  };
  sum = times(__riscv_vsll_vv_i32m4(sum, shift(2), vl), multiplier, vl);
  // Halves go away from zero, where there is a shift: one less below zero, then up.
  const vuint32m4_t right = shift(3);
  const vbool8_t shifted = __riscv_vmsne_vx_u32m4_b8(right, 0, vl);
  sum = __riscv_vsadd_vv_i32m4_mu(shifted, sum, sum, __riscv_vsra_vx_i32m4(sum, 31, vl), vl);
  sum = __riscv_vssra_vv_i32m4(sum, right, __RISCV_VXRM_RNU, vl);
  return finished(sum, p.out_zero, p.act_min, p.act_max, vl);
}

int32_t depthwise_conv2d_i8(const DLTensor* in, DLTensor* out, const Params* params) {
  const Params p = *params;
  const presil_dsp_window& w = p.window;
  if (presil_dsp_inputs() != 3 || presil_dsp_outputs() != 1) return PRESIL_DSP_REFUSED_COUNT;
  const DLTensor &x = in[0], &weights = in[1], &terms = in[2], &y = *out;
  if (!is_int8(x) || !is_int8(weights) || !is(terms, 0, 32) || !is_int8(y)) {
    return PRESIL_DSP_REFUSED_TYPE;
  }
  if (x.ndim != 4 || weights.ndim != 4 || terms.ndim != 2 || y.ndim != 4 || terms.shape[0] != 4 ||
      !rows_are_dense(x) || !rows_are_dense(weights) || !rows_are_dense(terms) ||
      !rows_are_dense(y) || x.shape[0] != y.shape[0]) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const int64_t c = y.shape[3], kh = weights.shape[1], kw = weights.shape[2];
  if (x.shape[3] != c || weights.shape[3] != c || terms.shape[1] != c) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  if (w.stride_h == 0 || w.stride_w == 0 || w.dilation_h == 0 || w.dilation_w == 0) {
    return PRESIL_DSP_REFUSED_PARAMS;
  }
  const auto* images = static_cast<const int8_t*>(presil_dsp_data(&x));
  const auto* filter = static_cast<const int8_t*>(presil_dsp_data(&weights));
  const auto* constants = static_cast<const int32_t*>(presil_dsp_data(&terms));
  auto* results = static_cast<int8_t*>(presil_dsp_data(&y));
  for (size_t k = 0, vl; k < static_cast<size_t>(c); k += vl) {
    vl = __riscv_vsetvl_e8m1(static_cast<size_t>(c) - k);
    for (int64_t i = 0; i < y.shape[0]; ++i) {
      for (int64_t oy = 0; oy < y.shape[1]; ++oy) {
        const int64_t top = oy * w.stride_h - w.pad_top;
        const Taps rows(top, kh, w.dilation_h, x.shape[1]);
        for (int64_t ox = 0; ox < y.shape[2]; ++ox) {
          const int64_t left = ox * w.stride_w - w.pad_left;
          const Taps columns(left, kw, w.dilation_w, x.shape[2]);
          Int32 sum = __riscv_vle32_v_i32m4(constants + k, vl);
          for (int64_t ky = rows.first; ky < rows.last; ++ky) {
            const int8_t* pixel = images + i * x.strides[0] +
                                  (top + ky * w.dilation_h) * x.strides[1] +
                                  (left + columns.first * w.dilation_w) * x.strides[2] + k;
            const int8_t* tap =
                filter + ky * weights.strides[1] + columns.first * weights.strides[2] + k;
            for (int64_t kx = columns.first; kx < columns.last; ++kx) {
              const vint16m2_t a = __riscv_vwsub_vx_i16m2(__riscv_vle8_v_i8m1(pixel, vl),
                                                          static_cast<int8_t>(p.in_zero), vl);
              const vint16m2_t b = __riscv_vsext_vf2_i16m2(__riscv_vle8_v_i8m1(tap, vl), vl);
              sum = __riscv_vwmacc_vv_i32m4(sum, a, b, vl);
              pixel += w.dilation_w * x.strides[2], tap += weights.strides[2];
            }
          }
          int8_t* to = results + i * y.strides[0] + oy * y.strides[1] + ox * y.strides[2] + k;
          __riscv_vse8_v_i8m1(to, result(sum, constants + k, terms.strides[0], p, vl), vl);
        }
      }
    }
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(depthwise_conv2d_i8)

}  // namespace presil::dsp
