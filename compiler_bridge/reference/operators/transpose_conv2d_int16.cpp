// Every input pixel is added, times the kernel, to the result around it:
//     sum[n, iy * stride + ky - pad_top, ix * stride + kx - pad_left, k] +=
//         sum over c of x[n, iy, ix, c] * w[k, ky, kx, c];    y = requantise(sum + bias[k])
// (TFLite Micro transpose_conv, int16 with int8 weights.) What falls outside the result is dropped.
#include "compiler_bridge/reference/int16.h"
#include "compiler_bridge/reference/requantize.h"

namespace presil::reference {

void transpose_conv2d_int16(const Case& c) {
  const auto& a = c.attributes<ir::TransposeConv2d>();
  const auto& xs = c.in(0).shape;
  const auto& ws = c.in(1).shape;
  const auto& ys = c.out().shape;
  std::vector<int64_t> sums(static_cast<size_t>(c.out().elements()), 0);
  for (int64_t pixel = 0; pixel < xs[0] * xs[1] * xs[2]; ++pixel) {
    const int64_t n = pixel / (xs[1] * xs[2]), iy = pixel / xs[2] % xs[1], ix = pixel % xs[2];
    const int16_t* from = c.read<int16_t>(0) + pixel * xs[3];
    for (int64_t tap = 0; tap < ws[1] * ws[2]; ++tap) {
      const int64_t oy = iy * a.stride_h + tap / ws[2] - a.pad_top;
      const int64_t ox = ix * a.stride_w + tap % ws[2] - a.pad_left;
      if (oy < 0 || oy >= ys[1] || ox < 0 || ox >= ys[2]) continue;
      int64_t* to = sums.data() + ((n * ys[1] + oy) * ys[2] + ox) * ys[3];
      for (int64_t k = 0; k < ys[3]; ++k) {
        const int8_t* weights = c.read<int8_t>(1) + (k * ws[1] * ws[2] + tap) * ws[3];
        to[k] += wide_dot(from, weights, static_cast<size_t>(xs[3]));
      }
    }
  }
  const WideRequantizer requantize(c, a.act);
  const auto channels = static_cast<size_t>(ys[3]);
  for (size_t i = 0; i < sums.size(); ++i) {
    c.write<int16_t>()[i] = requantize(sums[i], i % channels);
  }
}

}  // namespace presil::reference
