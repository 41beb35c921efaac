// Floats of images: convolution, also as fully connected, depthwise convolution, pooling.
//
// conv2d_f32 {x [n, h, w, c] or [rows, c], w [k, kh, kw, c / groups] or [k, c], bias [k] or none}
// {y}; depthwise_conv2d_f32 {x, w [1, kh, kw, k], bias or none} {y}; pool_f32 {x} {y}. Any strides:
// of w k should lie dense, else each weight costs a cycle.
// Arithmetic: compiler_bridge/reference/operators/{conv2d,depthwise_conv2d,pool}_float.cpp and
// matrix_float.cpp in words: bias, then products by ascending ky, kx, c, product and sum rounded
// each; taps outside the image left out; clamp.
// A lane is a channel of y, 64 of them: vfmul vfadd, 16 beats, beside vle32 of w (and of x, where
// it is depthwise): bound 0.25 cycles per product. Pooling 0.125 per tap, and 2
// for the quotient of an average.
#include "driver/dsp/float_order.h"
#include "driver/dsp/moves.h"
#include "driver/dsp/params.h"

namespace presil::dsp {
namespace {

using Wide = vfloat32m4_t;

/// [n, h, w, c] of a tensor of rank 4, or of rank 2 as [n, 1, 1, c].
struct Image {
  const char* data;
  int64_t n, h, w, c, n_step, h_step, w_step, c_step;  // bytes
  explicit Image(const DLTensor& t) : data(bytes_of(t)) {
    const bool flat = t.ndim == 2;
    const int32_t last = t.ndim - 1;
    n = t.shape[0], h = flat ? 1 : t.shape[1], w = flat ? 1 : t.shape[2], c = t.shape[last];
    n_step = 4 * t.strides[0], c_step = 4 * t.strides[last];
    h_step = flat ? 0 : 4 * t.strides[1], w_step = flat ? 0 : 4 * t.strides[2];
  }
  char* at(int64_t i, int64_t y, int64_t x, int64_t k) const {
    return const_cast<char*>(data) + i * n_step + y * h_step + x * w_step + k * c_step;
  }
};

Wide load(const char* x, int64_t step, size_t vl) {
  const auto* from = reinterpret_cast<const float*>(x);
  return step == 4 ? __riscv_vle32_v_f32m4(from, vl) : __riscv_vlse32_v_f32m4(from, step, vl);
}
void store(char* y, int64_t step, Wide v, float low, float high, size_t vl) {
  if (low > -__builtin_inff()) v = __riscv_vfmax_vf_f32m4(v, low, vl);
  if (high < __builtin_inff()) v = __riscv_vfmin_vf_f32m4(v, high, vl);
  __riscv_vsse32_v_f32m4(reinterpret_cast<float*>(y), step, v, vl);
}

/// Which taps of a window along an axis lie inside: first..last - 1, and where the first is.
struct Taps {
  int64_t first = 0, last, begin;
  Taps(int64_t at, int64_t stride, int64_t pad, int64_t kernel, int64_t dilation, int64_t extent)
      : last(kernel), begin(at * stride - pad) {
    while (first < last && begin + first * dilation < 0) ++first;
    while (last > first && begin + (last - 1) * dilation >= extent) --last;
  }
};

/// f(image, row, column, taps of rows, of columns) for every pixel of y.
template <class F>
[[gnu::always_inline]] inline void each_pixel(const Image& x, const Image& y,
                                              const presil_dsp_window& p, int64_t kh, int64_t kw,
                                              const F& f) {
  for (int64_t i = 0; i < y.n; ++i) {
    for (int64_t row = 0; row < y.h; ++row) {
      const Taps rows(row, p.stride_h, p.pad_top, kh, p.dilation_h, x.h);
      for (int64_t column = 0; column < y.w; ++column) {
        const Taps columns(column, p.stride_w, p.pad_left, kw, p.dilation_w, x.w);
        f(i, row, column, rows, columns);
      }
    }
  }
}

int32_t check(const DLTensor* in, const DLTensor* out, const presil_dsp_window& p, uint32_t most) {
  const uint32_t inputs = presil_dsp_inputs();
  if (inputs < (most == 1 ? 1 : 2) || inputs > most || presil_dsp_outputs() != 1) {
    return PRESIL_DSP_REFUSED_COUNT;
  }
  for (uint32_t i = 0; i < inputs; ++i) {
    if (!is_float(in[i])) return PRESIL_DSP_REFUSED_TYPE;
  }
  if (!is_float(*out)) return PRESIL_DSP_REFUSED_TYPE;
  if ((in->ndim != 2 && in->ndim != 4) || out->ndim != in->ndim || in->shape[0] != out->shape[0]) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const bool some = p.stride_h > 0 && p.stride_w > 0 && p.dilation_h > 0 && p.dilation_w > 0;
  return some ? PRESIL_DSP_DONE : PRESIL_DSP_REFUSED_PARAMS;
}

Wide first_of(const DLTensor* in, int64_t k, size_t vl) {
  if (presil_dsp_inputs() < 3) return __riscv_vfmv_v_f_f32m4(0.0f, vl);
  return load(bytes_of(in[2]) + 4 * k * in[2].strides[0], 4 * in[2].strides[0], vl);
}

int32_t conv2d_f32(const DLTensor* in, DLTensor* out, const presil_dsp_window* params) {
  const presil_dsp_window p = *params;
  const int32_t refused = check(in, out, p, 3);
  if (refused != 0) return refused;
  if (in[1].ndim != in[0].ndim) return PRESIL_DSP_REFUSED_SHAPE;
  const Image x(in[0]), w(in[1]), y(*out);
  if (p.groups == 0 || w.n != y.c || y.c % p.groups != 0 || w.c * p.groups != x.c) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const int64_t filters = y.c / p.groups;
  for (int64_t k = 0, vl; k < y.c; k += vl) {
    const int64_t group = k / filters;
    vl = static_cast<int64_t>(
        __riscv_vsetvl_e32m4(static_cast<size_t>(group * filters + filters - k)));
    const auto n = static_cast<size_t>(vl);
    const Wide bias = first_of(in, k, n);
    each_pixel(x, y, p, w.h, w.w,
               [&](int64_t i, int64_t row, int64_t column, const Taps& rows, const Taps& columns) {
                 Wide sum = bias;
                 for (int64_t ky = rows.first; ky < rows.last; ++ky) {
                   for (int64_t kx = columns.first; kx < columns.last; ++kx) {
                     const char* from = x.at(i, rows.begin + ky * p.dilation_h,
                                             columns.begin + kx * p.dilation_w, group * w.c);
                     const char* weights = w.at(k, ky, kx, 0);
                     for (int64_t c = 0; c < w.c; ++c, from += x.c_step, weights += w.c_step) {
                       const Wide product = __riscv_vfmul_vf_f32m4(
                           load(weights, w.n_step, n), *reinterpret_cast<const float*>(from), n);
                       sum = __riscv_vfadd_vv_f32m4(sum, product, n);
                     }
                   }
                 }
                 store(y.at(i, row, column, k), y.c_step, sum, p.low, p.high, n);
               });
  }
  return PRESIL_DSP_DONE;
}

int32_t depthwise_conv2d_f32(const DLTensor* in, DLTensor* out, const presil_dsp_window* params) {
  const presil_dsp_window p = *params;
  const int32_t refused = check(in, out, p, 3);
  if (refused != 0) return refused;
  const Image x(in[0]), w(in[1]), y(*out);
  if (in[1].ndim != 4 || w.c != y.c || x.c == 0 || y.c % x.c != 0) return PRESIL_DSP_REFUSED_SHAPE;
  const auto times = static_cast<uint32_t>(y.c / x.c);
  for (int64_t k = 0, vl; k < y.c; k += vl) {
    vl = static_cast<int64_t>(__riscv_vsetvl_e32m4(static_cast<size_t>(y.c - k)));
    const auto n = static_cast<size_t>(vl);
    const Wide bias = first_of(in, k, n);
    // Where the lanes' elements of x are.
    const vuint32m4_t channel = __riscv_vdivu_vx_u32m4(
        __riscv_vadd_vx_u32m4(__riscv_vid_v_u32m4(n), static_cast<uint32_t>(k), n), times, n);
    const vuint32m4_t offset = __riscv_vmul_vx_u32m4(channel, static_cast<uint32_t>(x.c_step), n);
    each_pixel(x, y, p, w.h, w.w,
               [&](int64_t i, int64_t row, int64_t column, const Taps& rows, const Taps& columns) {
                 Wide sum = bias;
                 for (int64_t ky = rows.first; ky < rows.last; ++ky) {
                   for (int64_t kx = columns.first; kx < columns.last; ++kx) {
                     const char* from = x.at(i, rows.begin + ky * p.dilation_h,
                                             columns.begin + kx * p.dilation_w, 0);
                     const Wide v = times == 1
                                        ? load(from + k * x.c_step, x.c_step, n)
                                        : __riscv_vluxei32_v_f32m4(
                                              reinterpret_cast<const float*>(from), offset, n);
                     const Wide product =
                         __riscv_vfmul_vv_f32m4(v, load(w.at(0, ky, kx, k), w.c_step, n), n);
                     sum = __riscv_vfadd_vv_f32m4(sum, product, n);
                   }
                 }
                 store(y.at(i, row, column, k), y.c_step, sum, p.low, p.high, n);
               });
  }
  return PRESIL_DSP_DONE;
}

int32_t pool_f32(const DLTensor* in, DLTensor* out, const presil_dsp_pool_f32* params) {
  const presil_dsp_window p = params->window;
  const int32_t refused = check(in, out, p, 1);
  if (refused != 0) return refused;
  const Image x(*in), y(*out);
  if (x.c != y.c) return PRESIL_DSP_REFUSED_SHAPE;
  const bool average = params->average != 0;
  for (int64_t k = 0, vl; k < y.c; k += vl) {
    vl = static_cast<int64_t>(__riscv_vsetvl_e32m4(static_cast<size_t>(y.c - k)));
    const auto n = static_cast<size_t>(vl);
    each_pixel(x, y, p, params->kernel_h, params->kernel_w,
               [&](int64_t i, int64_t row, int64_t column, const Taps& rows, const Taps& columns) {
                 Wide v = __riscv_vfmv_v_f_f32m4(average ? 0.0f : -__builtin_inff(), n);
                 for (int64_t ky = rows.first; ky < rows.last; ++ky) {
                   const char* from = x.at(i, rows.begin + ky, columns.begin + columns.first, k);
                   for (int64_t kx = columns.first; kx < columns.last; ++kx, from += x.w_step) {
                     const Wide tap = load(from, x.c_step, n);
                     v = average ? __riscv_vfadd_vv_f32m4(v, tap, n)
                                 : __riscv_vfmax_vv_f32m4(v, tap, n);
                   }
                 }
                 if (average) {
                   const int64_t taps = (rows.last - rows.first) * (columns.last - columns.first);
                   v = __riscv_vfdiv_vf_f32m4(v, static_cast<float>(taps), n);
                 }
                 store(y.at(i, row, column, k), y.c_step, v, p.low, p.high, n);
               });
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(conv2d_f32)
PRESIL_KERNEL(depthwise_conv2d_f32)
PRESIL_KERNEL(pool_f32)

}  // namespace presil::dsp
