// Floats of images, channel by channel: depthwise convolution, pooling.
//
// depthwise_conv2d_f32 {x, w [1, kh, kw, k], bias or none} {y}; pool_f32 {x} {y}. Any strides.
// Arithmetic: compiler_bridge/reference/operators/{depthwise_conv2d,pool}_float.cpp in words: bias,
// then x * w + sum, rounded once, by ascending ky, kx; taps outside the image left out; clamp.
// A lane is a channel of y, 64 of them: vle32 of x and of w beside vfmacc, bound 0.25 cycles per
// product, and 16 for a pixel's clamp. Pooling 0.125 per tap, and 2 for the quotient of an average.
#include "driver/kernels/dsp/image_f32.h"

namespace presil::dsp {
namespace {

using Wide = vfloat32m4_t;

/// Taps of a window in order, as bytes from the corners of x and of the weights.
struct TapList {
  static constexpr int64_t kMost = 64;
  struct Offsets {
    int64_t x, w;
  };
  Offsets tap[kMost + 1];
  int64_t count = 0;

  /// One more than there are: what is loaded ahead is the last again.
  void list(const Taps& rows, const Taps& columns, int64_t down, int64_t across, const Image& w) {
    Offsets* next = tap;
    for (int64_t ky = rows.first; ky < rows.last; ++ky) {
      for (int64_t kx = columns.first; kx < columns.last; ++kx) {
        *next++ = {ky * down + kx * across, ky * w.h_step + kx * w.w_step};
      }
    }
    count = next - tap;
    if (count > 0) *next = next[-1];
  }
};

/// sum + x * w by tap, dense in both; the next are loaded before those at hand are used.
[[gnu::always_inline]] inline Wide add_products(Wide sum, const TapList& taps, const char* x_corner,
                                                const char* w_corner, size_t vl) {
  int64_t left = taps.count;
  if (left == 0) return sum;
  const TapList::Offsets* at = taps.tap;
  const auto add = [&](Wide x, Wide w) {
    sum = __riscv_vfmacc_vv_f32m4(sum, x, w, vl);
    in_order(sum);
    __asm__ volatile("" : : "vr"(w), "vr"(x));  // kept, so that the sum stays in its registers
    ++at;
    return --left > 0;
  };
  Wide x = load_m4(x_corner + at->x, 4, vl), w = load_m4(w_corner + at->w, 4, vl);
  for (;;) {
    const Wide x1 = load_m4(x_corner + at[1].x, 4, vl), w1 = load_m4(w_corner + at[1].w, 4, vl);
    if (!add(x, w)) return sum;
    x = load_m4(x_corner + at[1].x, 4, vl), w = load_m4(w_corner + at[1].w, 4, vl);
    if (!add(x1, w1)) return sum;
  }
}

/// f(corner, result) for each of `pixels`.
template <class F>
[[gnu::always_inline]] inline void each_of(Pixels pixels, const F& f) {
  for (; pixels.count > 0; --pixels.count) {
    f(pixels.x, pixels.y);
    pixels.next();
  }
}

int32_t depthwise_conv2d_f32(const DLTensor* in, DLTensor* out, const presil_dsp_window* params) {
  const presil_dsp_window p = *params;
  const int32_t refused = check_window(in, out, p, 3);
  if (refused != 0) return refused;
  const Image x(in[0]), w(in[1]), y(*out);
  if (in[1].ndim != 4 || w.c != y.c || x.c == 0 || y.c % x.c != 0) return PRESIL_DSP_REFUSED_SHAPE;
  const Limits limits(p);
  const bool biased = presil_dsp_inputs() > 2;
  const char* bias = biased ? bytes_of(in[2]) : nullptr;
  const int64_t bias_step = biased ? 4 * in[2].strides[0] : 0;
  const auto times = static_cast<uint32_t>(y.c / x.c);
  const bool dense = times == 1 && x.c_step == 4 && w.c_step == 4 && w.h * w.w <= TapList::kMost;
  TapList taps;
  const int64_t down = p.dilation_h * x.h_step, across = p.dilation_w * x.w_step;
  for (int64_t k = 0, n; k < y.c; k += n) {
    const size_t vl = __riscv_vsetvl_e32m4(static_cast<size_t>(y.c - k));
    n = static_cast<int64_t>(vl);
    // Where the lanes' elements of x are.
    const vuint32m4_t channel = __riscv_vdivu_vx_u32m4(
        __riscv_vadd_vx_u32m4(__riscv_vid_v_u32m4(vl), static_cast<uint32_t>(k), vl), times, vl);
    const vuint32m4_t offset = __riscv_vmul_vx_u32m4(channel, static_cast<uint32_t>(x.c_step), vl);
    const Wide first =
        biased ? load_m4(bias + k * bias_step, bias_step, vl) : __riscv_vfmv_v_f_f32m4(0.0f, vl);
    each_alike(
        x, y, p, w.h, w.w, dense ? k : 0, k,
        [&](const Pixels& alike, const Taps& rows, const Taps& columns) {
          if (dense) {
            taps.list(rows, columns, down, across, w);
            const char* weights = w.at(0, 0, 0, k);
            each_of(alike, [&](const char* corner, char* to) {
              store(to, y.c_step, add_products(first, taps, corner, weights, vl), limits, vl);
            });
            return;
          }
          each_of(alike, [&](const char* corner, char* to) {
            Wide sum = first;
            for (int64_t ky = rows.first; ky < rows.last; ++ky) {
              for (int64_t kx = columns.first; kx < columns.last; ++kx) {
                const char* from = corner + ky * down + kx * across;
                const Wide v = times == 1 ? load_m4(from + k * x.c_step, x.c_step, vl)
                                          : __riscv_vluxei32_v_f32m4(
                                                reinterpret_cast<const float*>(from), offset, vl);
                sum =
                    __riscv_vfmacc_vv_f32m4(sum, v, load_m4(w.at(0, ky, kx, k), w.c_step, vl), vl);
              }
            }
            store(to, y.c_step, sum, limits, vl);
          });
        });
  }
  return PRESIL_DSP_DONE;
}

int32_t pool_f32(const DLTensor* in, DLTensor* out, const presil_dsp_pool_f32* params) {
  const presil_dsp_window p = params->window;
  const int32_t refused = check_window(in, out, p, 1);
  if (refused != 0) return refused;
  const Image x(*in), y(*out);
  if (x.c != y.c) return PRESIL_DSP_REFUSED_SHAPE;
  const Limits limits(p);
  const bool average = params->average != 0;
  for (int64_t k = 0, vl; k < y.c; k += vl) {
    vl = static_cast<int64_t>(__riscv_vsetvl_e32m4(static_cast<size_t>(y.c - k)));
    const auto n = static_cast<size_t>(vl);
    each_alike(x, y, p, params->kernel_h, params->kernel_w, k, k,
               [&](const Pixels& alike, const Taps& rows, const Taps& columns) {
                 each_of(alike, [&](const char* corner, char* to) {
                   Wide v = __riscv_vfmv_v_f_f32m4(average ? 0.0f : -__builtin_inff(), n);
                   for (int64_t ky = rows.first; ky < rows.last; ++ky) {
                     const char* from = corner + ky * x.h_step + columns.first * x.w_step;
                     for (int64_t kx = columns.first; kx < columns.last; ++kx, from += x.w_step) {
                       const Wide tap = load_m4(from, x.c_step, n);
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
               });
  }
  return PRESIL_DSP_DONE;
}

}  // namespace

PRESIL_KERNEL(depthwise_conv2d_f32)
PRESIL_KERNEL(pool_f32)

}  // namespace presil::dsp
