// Convolution of floats, also as fully connected and as products of matrices.
//
// conv2d_f32 {x [n, h, w, c] or [rows, c], w [k, kh, kw, c / groups] or [k, c], bias [k] or none}
// {y}. Any strides; weights that are not dense along k are laid out anew where several pixels use
// them and there is room, else each costs a cycle.
// Arithmetic: compiler_bridge/reference/operators/conv2d_float.cpp and matrix_float.cpp in words:
// bias, then x * w + sum, rounded once, by ascending ky, kx, c; taps outside the image left out;
// clamp.
// A lane is a channel of y, 64 of them; four pixels whose windows have the same taps inside go side
// by side, so that a vle32 of w serves four vfmacc: bound 0.125 cycles per product. Rows of a
// matrix and pixels of 1 x 1 windows have a loop of their own, which is left sooner. Each requires
// a scalar of x, so of few channels (up to 24) pixels are lanes, a line of them, where it is long:
// values of a load serve eight vfmacc, of a scalar of w each.
#include "driver/kernels/dsp/cost.h"
#include "driver/kernels/dsp/image_f32.h"
#include "driver/kernels/dsp/workspace.h"

namespace presil::dsp {
namespace {

using Wide = vfloat32m4_t;
using Half = vfloat32m2_t;

constexpr int64_t kEight = 8;

struct Memory {
  char weights[kWorkspaceBytes];
};

/// Weights as [ky, kx, c] of some channels of y, and their strides in bytes.
struct Filters {
  const char* data;
  int64_t h_step, w_step, c_step, lane_step;
  int64_t c;
};

#define PRESIL_DSP_FOUR(m, w, x0, x1, x2, x3)   \
  s0 = __riscv_vfmacc_vf_f32##m(s0, x0, w, vl); \
  s1 = __riscv_vfmacc_vf_f32##m(s1, x1, w, vl); \
  s2 = __riscv_vfmacc_vf_f32##m(s2, x2, w, vl); \
  s3 = __riscv_vfmacc_vf_f32##m(s3, x3, w, vl)

/// sum + x * w over all taps, by runs: f(offset from the corner of x, of w, products in a run).
template <class F>
[[gnu::always_inline]] inline void each_run(const Image& x, const Filters& w,
                                            const presil_dsp_window& p, const Taps& rows,
                                            const Taps& columns, const F& f) {
  const int64_t down = p.dilation_h * x.h_step, across = p.dilation_w * x.w_step;
  // Columns of taps that follow one another in both are one run.
  const bool joined = across == w.c * x.c_step && w.w_step == w.c * w.c_step;
  const int64_t taps = columns.last - columns.first;
  const int64_t runs = joined ? 1 : taps, count = joined ? taps * w.c : w.c;
  for (int64_t ky = rows.first; ky < rows.last; ++ky) {
    int64_t in = ky * down + columns.first * across, by = ky * w.h_step + columns.first * w.w_step;
    for (int64_t run = 0; run < runs; ++run, in += across, by += w.w_step) f(in, by, count);
  }
}

[[gnu::always_inline]] inline Wide add_one(Wide sum, const char* x, int64_t x_step, const char* w,
                                           const Filters& filters, int64_t count, size_t vl) {
  const int64_t step = filters.c_step, lane = filters.lane_step;
  if (count == 0) return sum;
  Wide a = load_m4(w, lane, vl);
  for (; count > 2; count -= 2) {
    const float x0 = scalar(x), x1 = scalar(x + x_step);
    x += 2 * x_step, w += step;
    const Wide b = load_m4(w, lane, vl);
    sum = __riscv_vfmacc_vf_f32m4(sum, x0, a, vl);
    in_order(sum);
    __asm__ volatile("" : : "vr"(a));  // kept, so that the sum stays in its registers
    w += step;
    a = load_m4(w, lane, vl);
    sum = __riscv_vfmacc_vf_f32m4(sum, x1, b, vl);
    in_order(sum);
    __asm__ volatile("" : : "vr"(b));
  }
  if (count == 1) return __riscv_vfmacc_vf_f32m4(sum, scalar(x), a, vl);
  const Wide b = load_m4(w + step, lane, vl);
  sum = __riscv_vfmacc_vf_f32m4(sum, scalar(x), a, vl);
  return __riscv_vfmacc_vf_f32m4(sum, scalar(x + x_step), b, vl);
}

/// Four pixels, 64 lanes.
[[gnu::always_inline]] inline void add_wide(Wide& s0, Wide& s1, Wide& s2, Wide& s3,
                                            const char* const* x, int64_t x_step, const char* w,
                                            const Filters& filters, int64_t count, size_t vl) {
  const int64_t step = filters.c_step, lane = filters.lane_step;
  if (count == 0) return;
  const char *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3];
  Wide a = load_m4(w, lane, vl);
  float a0 = scalar(x0), a1 = scalar(x1), a2 = scalar(x2), a3 = scalar(x3);
  for (; count > 2; count -= 2) {
    x0 += x_step, x1 += x_step, x2 += x_step, x3 += x_step, w += step;
    const Wide b = load_m4(w, lane, vl);
    const float b0 = scalar(x0), b1 = scalar(x1), b2 = scalar(x2), b3 = scalar(x3);
    PRESIL_DSP_FOUR(m4, a, a0, a1, a2, a3);
    in_order(s3);
    x0 += x_step, x1 += x_step, x2 += x_step, x3 += x_step, w += step;
    a = load_m4(w, lane, vl);
    a0 = scalar(x0), a1 = scalar(x1), a2 = scalar(x2), a3 = scalar(x3);
    PRESIL_DSP_FOUR(m4, b, b0, b1, b2, b3);
    in_order(s3);
  }
  const Wide b = count == 2 ? load_m4(w + step, lane, vl) : a;
  PRESIL_DSP_FOUR(m4, a, a0, a1, a2, a3);
  if (count == 1) return;
  x0 += x_step, x1 += x_step, x2 += x_step, x3 += x_step;
  PRESIL_DSP_FOUR(m4, b, scalar(x0), scalar(x1), scalar(x2), scalar(x3));
}

#define PRESIL_DSP_EIGHT(x, w)                     \
  {                                                \
    const EightScalars v(w);                       \
    s0 = __riscv_vfmacc_vf_f32m2(s0, v.v0, x, vl); \
    s1 = __riscv_vfmacc_vf_f32m2(s1, v.v1, x, vl); \
    s2 = __riscv_vfmacc_vf_f32m2(s2, v.v2, x, vl); \
    s3 = __riscv_vfmacc_vf_f32m2(s3, v.v3, x, vl); \
    s4 = __riscv_vfmacc_vf_f32m2(s4, v.v4, x, vl); \
    s5 = __riscv_vfmacc_vf_f32m2(s5, v.v5, x, vl); \
    s6 = __riscv_vfmacc_vf_f32m2(s6, v.v6, x, vl); \
    s7 = __riscv_vfmacc_vf_f32m2(s7, v.v7, x, vl); \
    in_order(s7);                                  \
  }                                                \
  static_assert(true)

/// All are on their way before the first is waited for.
struct EightScalars {
  float v0, v1, v2, v3, v4, v5, v6, v7;
  [[gnu::always_inline]] explicit EightScalars(const float* w)
      : v0(w[0]), v1(w[1]), v2(w[2]), v3(w[3]), v4(w[4]), v5(w[5]), v6(w[6]), v7(w[7]) {
    __asm__ volatile(""
                     : "+f"(v0), "+f"(v1), "+f"(v2), "+f"(v3), "+f"(v4), "+f"(v5), "+f"(v6),
                       "+f"(v7));
  }
};

/// Pixels `apart` bytes apart, whose windows have the same taps, as lanes: eight channels of y,
/// dense in w, of which a scalar each serves all pixels.
struct Lanes {
  const char* x;
  char* y;
  int64_t apart, to_apart;
};

/// x dense along its channels, of which two come in a load, and the next while these are
/// multiplied.
[[gnu::always_inline]] inline void add_eight(Half& s0, Half& s1, Half& s2, Half& s3, Half& s4,
                                             Half& s5, Half& s6, Half& s7, const char* x,
                                             int64_t apart, const char* w, int64_t w_step,
                                             int64_t count, size_t vl) {
  const auto weights = [&] {
    const auto* from = reinterpret_cast<const float*>(w);
    w += w_step;
    return from;
  };
  const auto two = [&](vfloat32m2x2_t v) {
    const Half first = __riscv_vget_v_f32m2x2_f32m2(v, 0);
    PRESIL_DSP_EIGHT(first, weights());
    const Half second = __riscv_vget_v_f32m2x2_f32m2(v, 1);
    PRESIL_DSP_EIGHT(second, weights());
  };
  const char* const last = x + 4 * (count - 2);
  const auto load = [&] {
    const char* from = x < last ? x : last;
    x += 8;
    return __riscv_vlsseg2e32_v_f32m2x2(reinterpret_cast<const float*>(from), apart, vl);
  };
  if (int64_t pairs = count / 2; pairs > 0) {
    vfloat32m2x2_t a = load();
    for (;;) {
      const vfloat32m2x2_t b = load();
      two(a);
      if (--pairs == 0) break;
      a = load();
      two(b);
      if (--pairs == 0) break;
    }
    x -= 8;
  }
  if (count % 2 != 0) {
    const Half one = load_m2(x, apart, vl);
    PRESIL_DSP_EIGHT(one, weights());
  }
}

/// Are channels as lanes slower than pixels?
bool by_pixels(int64_t channels, const Pixels& alike) {
  const int64_t rows = alike.count / alike.width;
  const int64_t longest = rows > alike.width ? rows : alike.width;
  return channels <= PRESIL_DSP_LINE_MOST &&
         longest >= PRESIL_DSP_LINE_SHORTEST * ((channels + kEight - 1) / kEight);
}

/// Rows or columns of pixels, whichever are longer, in equal parts: f(lanes, their number).
template <class F>
[[gnu::always_inline]] inline void each_line(const Pixels& alike, const Image& x, const Image& y,
                                             const presil_dsp_window& p, const F& f) {
  int64_t lines = alike.count / alike.width, length = alike.width;
  int64_t apart = p.stride_w * x.w_step, to_apart = y.w_step;
  int64_t next = p.stride_h * x.h_step, to_next = y.h_step;
  if (lines > length) {
    const int64_t step = apart, to_step = to_apart, columns = length;
    apart = next, to_apart = to_next, next = step, to_next = to_step;
    length = lines, lines = columns;
  }
  const auto most = static_cast<int64_t>(__riscv_vsetvlmax_e32m2());
  const int64_t parts = (length + most - 1) / most, part = (length + parts - 1) / parts;
  for (int64_t line = 0; line < lines; ++line) {
    Lanes lanes{alike.x + line * next, alike.y + line * to_next, apart, to_apart};
    for (int64_t left = length; left > 0; left -= part) {
      f(lanes, static_cast<size_t>(left < part ? left : part));
      lanes.x += part * apart, lanes.y += part * to_apart;
    }
  }
}

/// Lays weights out as [taps, lanes], eight lanes at least, the excess of any value. @return
/// whether there was room
bool lay_out(Filters& w, int64_t kh, int64_t kw, size_t vl) {
  const int64_t row = 4 * (vl < kEight ? kEight : static_cast<int64_t>(vl));
  if (kh * kw * w.c * row > static_cast<int64_t>(kWorkspaceBytes)) return false;
  char* to = workspace<Memory>().weights;
  const Filters laid{to, kw * w.c * row, w.c * row, row, 4, w.c};
  for (int64_t ky = 0; ky < kh; ++ky) {
    for (int64_t kx = 0; kx < kw; ++kx) {
      const char* from = w.data + ky * w.h_step + kx * w.w_step;
      for (int64_t c = 0; c < w.c; ++c, from += w.c_step, to += row) {
        __riscv_vse32_v_f32m4(reinterpret_cast<float*>(to), load_m4(from, w.lane_step, vl), vl);
      }
    }
  }
  w = laid;
  return true;
}

/// Where the sums of up to 128 channels begin.
class Begin {
 public:
  /// @param bias  nullptr: none
  /// @param some  whether sums() or of() is asked for
  Begin(const char* bias, int64_t step, bool some, size_t vl) : m_bias(bias), m_step(step) {
    if (some) __riscv_vse32_v_f32m4(m_sums, sum(vl), vl);
  }
  /// Of one pixel: nothing is waited for.
  Wide sum(size_t vl) const {
    return m_bias == nullptr ? __riscv_vfmv_v_f_f32m4(0.0f, vl) : load_m4(m_bias, m_step, vl);
  }
  /// Of each of some, loaded: the lanes would be busy with a copy.
  Wide sums(size_t vl) const {
    const float* from = m_sums;
    __asm__ volatile("" : "+r"(from));
    return __riscv_vle32_v_f32m4(from, vl);
  }
  const float* of(int64_t channel) const { return m_sums + channel; }

 private:
  const char* m_bias;
  int64_t m_step;
  float m_sums[128];
};

/// Pixels whose windows are one run of dense values each, as rows of a matrix are, and `weights`:
/// channels of y dense too: nothing but sums and what is loaded for them. One may be left.
[[gnu::noinline]] void dense_pixels(Pixels& pixels, int64_t in, const char* weights, int64_t count,
                                    Filters w, const Begin& begin, const Limits& limits,
                                    size_t vl) {
  const bool below = limits.below, above = limits.above;
  const float low = limits.low, high = limits.high;
  const auto put = [&](char* y, Wide sum) {
    if (below) sum = __riscv_vfmax_vf_f32m4(sum, low, vl);
    if (above) sum = __riscv_vfmin_vf_f32m4(sum, high, vl);
    __riscv_vse32_v_f32m4(reinterpret_cast<float*>(y), sum, vl);
  };
  w.lane_step = 4;
  by_fours(pixels, [&](const char* const* x, char* const* y) {
    const char* const from[] = {x[0] + in, x[1] + in, x[2] + in, x[3] + in};
    Wide s0 = begin.sums(vl), s1 = begin.sums(vl), s2 = begin.sums(vl), s3 = begin.sums(vl);
    add_wide(s0, s1, s2, s3, from, 4, weights, w, count, vl);
    put(y[0], s0), put(y[1], s1), put(y[2], s2), put(y[3], s3);
  });
}

/// Pixels whose windows have the same taps.
[[gnu::always_inline]] inline void any_pixels(Pixels pixels, const Image& x, const Image& y,
                                              const presil_dsp_window& p, const Filters& w,
                                              const Taps& rows, const Taps& columns,
                                              const Begin& begin, const Limits& limits, size_t vl) {
  if (pixels.count > 1 && rows.last - rows.first == 1 && w.lane_step == 4 && x.c_step == 4 &&
      y.c_step == 4) {
    int64_t runs = 0, first = 0, of = 0, values = 0;
    each_run(x, w, p, rows, columns, [&](int64_t in, int64_t by, int64_t count) {
      ++runs, first = in, of = by, values = count;
    });
    if (runs == 1) dense_pixels(pixels, first, w.data + of, values, w, begin, limits, vl);
  }
  in_fours(
      pixels,
      [&](const char* corner, char* to) {
        Wide sum = begin.sum(vl);
        each_run(x, w, p, rows, columns, [&](int64_t in, int64_t by, int64_t count) {
          sum = add_one(sum, corner + in, x.c_step, w.data + by, w, count, vl);
        });
        store(to, y.c_step, sum, limits, vl);
      },
      [&](const char* const* corners, char* const* to) {
        Wide s0 = begin.sums(vl), s1 = begin.sums(vl), s2 = begin.sums(vl), s3 = begin.sums(vl);
        each_run(x, w, p, rows, columns, [&](int64_t in, int64_t by, int64_t count) {
          const char* from[] = {corners[0] + in, corners[1] + in, corners[2] + in, corners[3] + in};
          add_wide(s0, s1, s2, s3, from, x.c_step, w.data + by, w, count, vl);
        });
        store(to[0], y.c_step, s0, limits, vl), store(to[1], y.c_step, s1, limits, vl);
        store(to[2], y.c_step, s2, limits, vl), store(to[3], y.c_step, s3, limits, vl);
      });
}

/// Of a matrix with one row: no taps, no neighbours.
[[gnu::noinline]] void one_row(const char* x, int64_t x_step, char* y, int64_t y_step,
                               const Filters& w, const Begin& begin, const Limits& limits,
                               size_t vl) {
  store(y, y_step, add_one(begin.sum(vl), x, x_step, w.data, w, w.c, vl), limits, vl);
}

/// Eight channels of pixels that are lanes, or `n` if that is less, from channel k of y and w on.
void eight_channels(const Lanes& lanes, int64_t k, int64_t n, const Image& x, const Image& y,
                    const Filters& w, const presil_dsp_window& p, const Begin& begin,
                    const Limits& limits, const Taps& rows, const Taps& columns, size_t vl) {
  const int64_t last = n - 1 - k;
  const float* from = begin.of(k);  // beyond `last` any value
  const auto first = [&](int i) { return __riscv_vfmv_v_f_f32m2(from[i], vl); };
  Half s0 = first(0), s1 = first(1), s2 = first(2), s3 = first(3);
  Half s4 = first(4), s5 = first(5), s6 = first(6), s7 = first(7);
  each_run(x, w, p, rows, columns, [&](int64_t in, int64_t by, int64_t count) {
    add_eight(s0, s1, s2, s3, s4, s5, s6, s7, lanes.x + in, lanes.apart, w.data + by + 4 * k,
              w.c_step, count, vl);
  });
  char* to = lanes.y + k * y.c_step;
  const auto put = [&](int64_t i, Half sum) {
    if (i > last) return;
    store(to, lanes.to_apart, sum, limits, vl);
    to += y.c_step;
  };
  put(0, s0), put(1, s1), put(2, s2), put(3, s3);
  put(4, s4), put(5, s5), put(6, s6), put(7, s7);
}

int32_t conv2d_f32(const DLTensor* in, DLTensor* out, const presil_dsp_window* params) {
  const presil_dsp_window p = *params;
  const int32_t refused = check_window(in, out, p, 3);
  if (refused != 0) return refused;
  const DLTensor& weights = in[1];
  if (weights.ndim != in[0].ndim) return PRESIL_DSP_REFUSED_SHAPE;
  const Image x(in[0]), y(*out);
  const bool flat = weights.ndim == 2;
  const int64_t kh = flat ? 1 : weights.shape[1], kw = flat ? 1 : weights.shape[2];
  const int64_t depth = weights.shape[weights.ndim - 1];
  if (p.groups == 0 || weights.shape[0] != y.c || y.c % p.groups != 0 || depth * p.groups != x.c) {
    return PRESIL_DSP_REFUSED_SHAPE;
  }
  const Limits limits(p);
  const int64_t filters = y.c / p.groups, pixels = y.n * y.h * y.w;
  const int64_t lane_step = 4 * weights.strides[0];
  for (int64_t k = 0, n; k < y.c; k += n) {
    const int64_t group = k / filters;
    const size_t vl = __riscv_vsetvl_e32m4(static_cast<size_t>(group * filters + filters - k));
    n = static_cast<int64_t>(vl);
    Filters w{bytes_of(weights) + k * lane_step,
              flat ? 0 : 4 * weights.strides[1],
              flat ? 0 : 4 * weights.strides[2],
              4 * weights.strides[weights.ndim - 1],
              lane_step,
              depth};
    const bool laid = (w.lane_step != 4 || n < kEight) && pixels > 1 && lay_out(w, kh, kw, vl);
    const bool eights = (laid || (w.lane_step == 4 && n >= kEight)) && x.c_step == 4;
    const bool biased = presil_dsp_inputs() > 2;
    const int64_t step = biased ? 4 * in[2].strides[0] : 0;
    const Begin begin(biased ? bytes_of(in[2]) + k * step : nullptr, step, pixels > 1, vl);
    if (flat && pixels == 1) {
      one_row(x.data + group * depth * x.c_step, x.c_step, y.data + k * y.c_step, y.c_step, w,
              begin, limits, vl);
      continue;
    }
    each_alike(
        x, y, p, kh, kw, group * depth, k,
        [&](const Pixels& alike, const Taps& rows, const Taps& columns) {
          if (eights && by_pixels(n, alike)) {
            each_line(alike, x, y, p, [&](const Lanes& lanes, size_t pixels) {
              for (int64_t at = 0; at < n; at += kEight) {  // the last eight may begin before
                const int64_t first = at + kEight <= n || n < kEight ? at : n - kEight;
                eight_channels(lanes, first, n, x, y, w, p, begin, limits, rows, columns, pixels);
              }
            });
            return;
          }
          any_pixels(alike, x, y, p, w, rows, columns, begin, limits, vl);
        });
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(conv2d_f32)

}  // namespace presil::dsp
