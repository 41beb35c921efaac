// Floats of images: pixels side by side whose windows have the same taps inside, so that what is
// loaded for one serves all of them.
#pragma once

#include "driver/kernels/dsp/moves.h"
#include "driver/kernels/dsp/params.h"

namespace presil::dsp {

/// [n, h, w, c] of a tensor of rank 4, or of rank 2 [w, c] as one row of pixels.
struct Image {
  char* data;
  int64_t n, h, w, c, n_step, h_step, w_step, c_step;  // bytes
  explicit Image(const DLTensor& t) : data(bytes_of(t)) {
    const bool flat = t.ndim == 2;
    const int32_t last = t.ndim - 1;
    n = flat ? 1 : t.shape[0], h = flat ? 1 : t.shape[1];
    w = t.shape[last - 1], c = t.shape[last];
    n_step = flat ? 0 : 4 * t.strides[0], h_step = flat ? 0 : 4 * t.strides[1];
    w_step = 4 * t.strides[last - 1], c_step = 4 * t.strides[last];
  }
  char* at(int64_t i, int64_t y, int64_t x, int64_t k) const {
    return data + i * n_step + y * h_step + x * w_step + k * c_step;
  }
};

inline float scalar(const char* x) {
  return *reinterpret_cast<const float*>(x);
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
/// Loads, and clamped stores, of lanes so many bytes apart.
#define PRESIL_DSP_LANES(m)                                                                        \
  inline vfloat32##m##_t load_##m(const char* x, int64_t step, size_t vl) {                        \
    const auto* from = reinterpret_cast<const float*>(x);                                          \
    return step == 4 ? __riscv_vle32_v_f32##m(from, vl) : __riscv_vlse32_v_f32##m(from, step, vl); \
  }                                                                                                \
  inline void store(char* y, int64_t step, vfloat32##m##_t v, const Limits& limits, size_t vl) {   \
    if (limits.below) v = __riscv_vfmax_vf_f32##m(v, limits.low, vl);                              \
    if (limits.above) v = __riscv_vfmin_vf_f32##m(v, limits.high, vl);                             \
    auto* to = reinterpret_cast<float*>(y);                                                        \
    step == 4 ? __riscv_vse32_v_f32##m(to, v, vl) : __riscv_vsse32_v_f32##m(to, step, v, vl);      \
  }
PRESIL_DSP_LANES(m1)
PRESIL_DSP_LANES(m2)
PRESIL_DSP_LANES(m4)
#undef PRESIL_DSP_LANES

/// Which taps of a window along an axis lie inside: first..last - 1, and where the first is.
struct Taps {
  int64_t first = 0, last, begin;
  Taps(int64_t at, int64_t stride, int64_t pad, int64_t kernel, int64_t dilation, int64_t extent)
      : last(kernel), begin(at * stride - pad) {
    while (first < last && begin + first * dilation < 0) ++first;
    while (last > first && begin + (last - 1) * dilation >= extent) --last;
  }
};

/// Windows along an axis from `at` on that have the same taps inside as that one.
struct Alike : Taps {
  int64_t count = 1;
  Alike(int64_t at, int64_t end, int64_t stride, int64_t pad, int64_t kernel, int64_t dilation,
        int64_t extent)
      : Taps(at, stride, pad, kernel, dilation, extent) {
    const int64_t last_inside = extent - 1 - (kernel - 1) * dilation;
    if (begin >= 0 && begin <= last_inside) {
      const auto more = static_cast<uint32_t>(last_inside - begin) / static_cast<uint32_t>(stride);
      count = 1 + more < end - at ? 1 + more : end - at;
      return;
    }
    for (; at + count < end; ++count) {
      const Taps next(at + count, stride, pad, kernel, dilation, extent);
      if (next.first != first || next.last != last) return;
    }
  }
};

/// Pixels of y with the same taps inside, row by row: the window's corner in x (which may lie
/// outside), and where the result is.
struct Pixels {
  const char* x;
  char* y;
  int64_t count, width, column, across, to_across, down, to_down;
  void next() {
    x += across, y += to_across;
    if (--column > 0) return;
    x += down, y += to_down, column = width;
  }
};

/// f(pixels, taps of rows, of columns) for all of y; bytes of the channels from `x_k`, `y_k` on.
template <class F>
inline void each_alike(const Image& x, const Image& y, const presil_dsp_window& p, int64_t kh,
                       int64_t kw, int64_t x_k, int64_t y_k, const F& f) {
  const int64_t across = p.stride_w * x.w_step, down = p.stride_h * x.h_step;
  for (int64_t row = 0; row < y.h;) {
    const Alike rows(row, y.h, p.stride_h, p.pad_top, kh, p.dilation_h, x.h);
    for (int64_t column = 0; column < y.w;) {
      const Alike columns(column, y.w, p.stride_w, p.pad_left, kw, p.dilation_w, x.w);
      const int64_t width = columns.count;
      for (int64_t i = 0; i < y.n; ++i) {
        f(Pixels{x.at(i, rows.begin, columns.begin, x_k), y.at(i, row, column, y_k),
                 rows.count * width, width, width, across, y.w_step, down - width * across,
                 y.h_step - width * y.w_step},
          rows, columns);
      }
      column += width;
    }
    row += rows.count;
  }
}

/// four(x, y) of four pixels, or what is left of them, until one or none is left.
template <class Four>
[[gnu::always_inline]] inline void by_fours(Pixels& pixels, const Four& four) {
  while (pixels.count > 1) {
    const char* x[4];
    char* y[4];
    for (int i = 0; i < 4; ++i) {
      x[i] = pixels.x, y[i] = pixels.y;  // after the last the last again
      if (--pixels.count > 0) pixels.next();
    }
    if (pixels.count < 0) pixels.count = 0;
    four(x, y);
  }
}

/// All pixels; the last one(x, y), where it is one.
template <class One, class Four>
[[gnu::always_inline]] inline void in_fours(Pixels pixels, const One& one, const Four& four) {
  by_fours(pixels, four);
  if (pixels.count == 1) one(pixels.x, pixels.y);
}

inline int32_t check_window(const DLTensor* in, const DLTensor* out, const presil_dsp_window& p,
                            uint32_t most) {
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

}  // namespace presil::dsp
