// Every input pixel is added, times the kernel, to the result around it:
//     acc[n, iy * stride + ky - pad_top, ix * stride + kx - pad_left, k] +=
//         sum over c of (x[n, iy, ix, c] - x zero point) * (w[k, ky, kx, c] - w zero point)
//     y = requantise(acc + bias[k])
// What falls outside the result is dropped; a pixel that nothing reaches is requantise(bias[k]).
// acc is int32 and wraps. Both rule sets differ in requantisation only (requantize.h), whose
// multiplier is that of a convolution.
//
// xnnpack, padding SAME and a stride of more than the kernel: LiteRT's delegate does not take it,
// TFLite's own kernel for vectors computes it, by the multipliers and the clamp of tflite. Halves
// of the second rounding go up in whole vectors (NEON's shift, which rounds so), and away from zero
// in the values that are left. A vector is 8 channels of one pixel; where the file has uint8, 16
// values in a row, from pixel to pixel. `vector` says which; 0: the delegate takes it.
#include "compiler_bridge/reference/accumulate.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/int16.h"
#include "compiler_bridge/reference/requantize.h"

namespace presil::reference::operators {
namespace {

/// Whether value `i` of y lies in a whole vector.
bool in_vector(int vector, size_t i, size_t values, size_t channels) {
  if (vector == 8) return i % channels < channels / 8 * 8;
  return vector == 16 && i < values / 16 * 16;
}

}  // namespace

void transpose_conv2d(const Case& c) {
  if (c.floats()) return transpose_conv2d_float(c);
  if (c.in(0).dtype == ir::DType::kInt16) return transpose_conv2d_int16(c);
  const auto& a = c.attributes<ir::TransposeConv2d>();
  const auto& xs = c.in(0).shape;
  const auto& ws = c.in(1).shape;
  const auto& ys = c.out().shape;
  const auto x = centred(c.read<int8_t>(0), static_cast<size_t>(c.in(0).elements()),
                         c.in(0).quantization.zero_point());
  const auto w = centred(c.read<int8_t>(1), static_cast<size_t>(c.in(1).elements()),
                         c.in(1).quantization.zero_point());
  std::vector<int32_t> acc(static_cast<size_t>(c.out().elements()), 0);
  const auto channels = static_cast<size_t>(xs[3]);

  for (int64_t pixel = 0; pixel < xs[0] * xs[1] * xs[2]; ++pixel) {
    const int64_t n = pixel / (xs[1] * xs[2]), iy = pixel / xs[2] % xs[1], ix = pixel % xs[2];
    const int16_t* from = x.data() + static_cast<size_t>(pixel) * channels;
    for (int64_t ky = 0; ky < ws[1]; ++ky) {
      for (int64_t kx = 0; kx < ws[2]; ++kx) {
        const int64_t oy = iy * a.stride_h + ky - a.pad_top;
        const int64_t ox = ix * a.stride_w + kx - a.pad_left;
        if (oy < 0 || oy >= ys[1] || ox < 0 || ox >= ys[2]) continue;
        int32_t* to = acc.data() + ((n * ys[1] + oy) * ys[2] + ox) * ys[3];
        for (int64_t k = 0; k < ys[3]; ++k) {
          const int16_t* tap = w.data() + ((k * ws[1] + ky) * ws[2] + kx) * ws[3];
          to[k] = wrapping_add(to[k], dot(from, tap, channels));
        }
      }
    }
  }

  const auto outputs = static_cast<size_t>(ys[3]);
  const auto bias = bias_of(c, outputs);
  const Requantizer requantize(c, a.act);
  int8_t* y = c.write<int8_t>();
  for (size_t i = 0; i < acc.size(); ++i) {
    const size_t channel = i % outputs;
    const int32_t sum = wrapping_add(acc[i], bias[channel]);
    const bool up = !c.tflite() && in_vector(a.vector, i, acc.size(), outputs);
    y[i] = up ? requantize.up(sum, channel) : requantize(sum, channel);
  }
}

}  // namespace presil::reference::operators
