// Floats of images: convolution, also as fully connected, depthwise convolution, pooling.
//
// conv2d_f32 {x [n, h, w, c] or [rows, c], w [k, kh, kw, c / groups] or [k, c], bias [k] or none}
// {y}; depthwise_conv2d_f32 {x, w [1, kh, kw, k], bias or none} {y}; pool_f32 {x} {y}. Any strides:
// of w k should lie dense, else each weight costs a cycle.
// Arithmetic: compiler_bridge/reference/operators/{conv2d,depthwise_conv2d,pool}_float.cpp and
// matrix_float.cpp in words: bias, then products by ascending ky, kx, c, product and sum rounded
// each; taps outside the image left out; clamp.
// A lane is a channel of y, 64 of them: vfmul vfadd, 16 beats, beside vle32 of w (and of x, where
// it is depthwise): bound 0.25 cycles per product, and 16 for a pixel's clamp. Pooling 0.125 per
// tap, and 2 for the quotient of an average.
#include "driver/kernels/dsp/float_order.h"
#include "driver/kernels/dsp/moves.h"
#include "driver/kernels/dsp/params.h"

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

/// What results are clamped to; what is no number is left alone where there is no limit. The
/// compiler would compare floats for every pixel, and wait for them.
struct Limits {
  float low, high;
  bool below, above;
  explicit Limits(const presil_dsp_window& p)
      : low(p.low),
        high(p.high),
        below(p.low > -__builtin_inff()),
        above(p.high < __builtin_inff()) {
    __asm__("" : "+r"(below), "+r"(above));
  }
};
void store(char* y, int64_t step, Wide v, const Limits& limits, size_t vl) {
  if (limits.below) v = __riscv_vfmax_vf_f32m4(v, limits.low, vl);
  if (limits.above) v = __riscv_vfmin_vf_f32m4(v, limits.high, vl);
  auto* to = reinterpret_cast<float*>(y);
  step == 4 ? __riscv_vse32_v_f32m4(to, v, vl) : __riscv_vsse32_v_f32m4(to, step, v, vl);
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

/// f(x, y, taps of rows, of columns) for every pixel of y, its window's corner in x (which may lie
/// outside) and its address; bytes of the channels from `k` on are added.
template <class F>
[[gnu::always_inline]] inline void each_pixel(const Image& x, const Image& y,
                                              const presil_dsp_window& p, int64_t kh, int64_t kw,
                                              int64_t x_k, int64_t y_k, const F& f) {
  const int64_t last_inside = x.w - 1 - (kw - 1) * p.dilation_w, across = p.stride_w * x.w_step;
  const Taps all(0, 0, 0, kw, 0, 1);
  for (int64_t i = 0; i < y.n; ++i) {
    for (int64_t row = 0; row < y.h; ++row) {
      const Taps rows(row, p.stride_h, p.pad_top, kh, p.dilation_h, x.h);
      const char* from = x.at(i, rows.begin, -int64_t{p.pad_left}, x_k);
      char* to = y.at(i, row, 0, y_k);
      int64_t begin = -int64_t{p.pad_left};
      for (int64_t column = 0; column < y.w; ++column) {
        const bool inside = begin >= 0 && begin <= last_inside;
        f(from, to, rows,
          inside ? all : Taps(column, p.stride_w, p.pad_left, kw, p.dilation_w, x.w));
        begin += p.stride_w, from += across, to += y.w_step;
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
  const Limits limits(p);
  const int64_t filters = y.c / p.groups;
  for (int64_t k = 0, vl; k < y.c; k += vl) {
    const int64_t group = k / filters;
    vl = static_cast<int64_t>(
        __riscv_vsetvl_e32m4(static_cast<size_t>(group * filters + filters - k)));
    const auto n = static_cast<size_t>(vl);
    const Wide bias = first_of(in, k, n);
    const int64_t down = p.dilation_h * x.h_step, across = p.dilation_w * x.w_step;
    each_pixel(x, y, p, w.h, w.w, group * w.c, k,
               [&](const char* corner, char* to, const Taps& rows, const Taps& columns) {
                 Wide sum = bias;
                 for (int64_t ky = rows.first; ky < rows.last; ++ky) {
                   for (int64_t kx = columns.first; kx < columns.last; ++kx) {
                     const char* from = corner + ky * down + kx * across;
                     const char* weights = w.at(k, ky, kx, 0);
                     for (int64_t c = 0; c < w.c; ++c, from += x.c_step, weights += w.c_step) {
                       const Wide product = __riscv_vfmul_vf_f32m4(
                           load(weights, w.n_step, n), *reinterpret_cast<const float*>(from), n);
                       sum = __riscv_vfadd_vv_f32m4(sum, product, n);
                     }
                   }
                 }
                 store(to, y.c_step, sum, limits, n);
               });
  }
  return PRESIL_DSP_DONE;
}

/// Taps of a window in order, as bytes from the corners of x and of the weights.
struct TapList {
  static constexpr int64_t kMost = 64;
  struct Offsets {
    int64_t x, w;
  };
  Offsets tap[kMost];
  int64_t count = 0, of = -1;

  /// Most pixels have the taps of the one before.
  void list(const Taps& rows, const Taps& columns, int64_t down, int64_t across, const Image& w) {
    const int64_t now =
        rows.first | rows.last << 8 | columns.first << 16 | columns.last << 24;  // at most kMost
    if (now == of) return;
    of = now;
    Offsets* next = tap;
    for (int64_t ky = rows.first; ky < rows.last; ++ky) {
      for (int64_t kx = columns.first; kx < columns.last; ++kx) {
        *next++ = {ky * down + kx * across, ky * w.h_step + kx * w.w_step};
      }
    }
    count = next - tap;
  }
};

/// sum + x * w by tap, dense in both; the next are loaded before those at hand are used.
[[gnu::always_inline]] inline Wide add_products(Wide sum, const TapList& taps, const char* x_corner,
                                                const char* w_corner, size_t vl) {
  const TapList::Offsets *at = taps.tap, *last = at + taps.count - 1;
  if (taps.count == 0) return sum;
  const auto load_x = [&] { return load(x_corner + at->x, 4, vl); };
  const auto load_w = [&] { return load(w_corner + at->w, 4, vl); };
  const auto add = [&](Wide x, Wide w) {
    sum = __riscv_vfadd_vv_f32m4(sum, __riscv_vfmul_vv_f32m4(x, w, vl), vl);
    in_order(sum);
  };
  Wide x = load_x(), w = load_w();
  while (at + 1 < last) {
    ++at;
    const Wide x1 = load_x(), w1 = load_w();
    add(x, w);
    ++at;
    x = load_x(), w = load_w();
    add(x1, w1);
  }
  if (at == last) {
    add(x, w);
    return sum;
  }
  ++at;
  const Wide x1 = load_x(), w1 = load_w();
  add(x, w);
  add(x1, w1);
  return sum;
}

int32_t depthwise_conv2d_f32(const DLTensor* in, DLTensor* out, const presil_dsp_window* params) {
  const presil_dsp_window p = *params;
  const int32_t refused = check(in, out, p, 3);
  if (refused != 0) return refused;
  const Image x(in[0]), w(in[1]), y(*out);
  if (in[1].ndim != 4 || w.c != y.c || x.c == 0 || y.c % x.c != 0) return PRESIL_DSP_REFUSED_SHAPE;
  const Limits limits(p);
  const auto times = static_cast<uint32_t>(y.c / x.c);
  TapList taps;
  for (int64_t k = 0, vl; k < y.c; k += vl) {
    vl = static_cast<int64_t>(__riscv_vsetvl_e32m4(static_cast<size_t>(y.c - k)));
    const auto n = static_cast<size_t>(vl);
    const Wide bias = first_of(in, k, n);
    // Where the lanes' elements of x are.
    const vuint32m4_t channel = __riscv_vdivu_vx_u32m4(
        __riscv_vadd_vx_u32m4(__riscv_vid_v_u32m4(n), static_cast<uint32_t>(k), n), times, n);
    const vuint32m4_t offset = __riscv_vmul_vx_u32m4(channel, static_cast<uint32_t>(x.c_step), n);
    const int64_t down = p.dilation_h * x.h_step, across = p.dilation_w * x.w_step;
    if (times == 1 && x.c_step == 4 && w.c_step == 4 && w.h * w.w <= TapList::kMost) {
      const char* weights = w.at(0, 0, 0, k);
      each_pixel(x, y, p, w.h, w.w, k, k,
                 [&](const char* corner, char* to, const Taps& rows, const Taps& columns) {
                   taps.list(rows, columns, down, across, w);
                   store(to, y.c_step, add_products(bias, taps, corner, weights, n), limits, n);
                 });
      continue;
    }
    each_pixel(x, y, p, w.h, w.w, 0, k,
               [&](const char* corner, char* to, const Taps& rows, const Taps& columns) {
                 Wide sum = bias;
                 for (int64_t ky = rows.first; ky < rows.last; ++ky) {
                   for (int64_t kx = columns.first; kx < columns.last; ++kx) {
                     const char* from = corner + ky * down + kx * across;
                     const Wide v = times == 1
                                        ? load(from + k * x.c_step, x.c_step, n)
                                        : __riscv_vluxei32_v_f32m4(
                                              reinterpret_cast<const float*>(from), offset, n);
                     const Wide product =
                         __riscv_vfmul_vv_f32m4(v, load(w.at(0, ky, kx, k), w.c_step, n), n);
                     sum = __riscv_vfadd_vv_f32m4(sum, product, n);
                   }
                 }
                 store(to, y.c_step, sum, limits, n);
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
  const Limits limits(p);
  const bool average = params->average != 0;
  for (int64_t k = 0, vl; k < y.c; k += vl) {
    vl = static_cast<int64_t>(__riscv_vsetvl_e32m4(static_cast<size_t>(y.c - k)));
    const auto n = static_cast<size_t>(vl);
    each_pixel(x, y, p, params->kernel_h, params->kernel_w, k, k,
               [&](const char* corner, char* to, const Taps& rows, const Taps& columns) {
                 Wide v = __riscv_vfmv_v_f_f32m4(average ? 0.0f : -__builtin_inff(), n);
                 for (int64_t ky = rows.first; ky < rows.last; ++ky) {
                   const char* from = corner + ky * x.h_step + columns.first * x.w_step;
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
                 store(to, y.c_step, v, limits, n);
               });
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(conv2d_f32)
PRESIL_KERNEL(depthwise_conv2d_f32)
PRESIL_KERNEL(pool_f32)

}  // namespace presil::dsp
