// y[n, oy, ox, k] = requantise(bias[k] + sum over ky, kx of
//     x[n, oy * stride + ky * dilation - pad_top, ..., k / multiplier] * w[0, ky, kx, k])
// (TFLite Micro depthwise_conv, int16 with int8 weights.) Outside the image a product is 0.
#include "compiler_bridge/reference/int16.h"
#include "compiler_bridge/reference/requantize.h"

namespace presil::reference {

void depthwise_conv2d_int16(const Case& c) {
  const auto& a = c.attributes<ir::DepthwiseConv2d>();
  const auto& xs = c.in(0).shape;
  const auto& ws = c.in(1).shape;
  const auto& ys = c.out().shape;
  const WideRequantizer requantize(c, a.act);
  int16_t* y = c.write<int16_t>();
  for (int64_t pixel = 0; pixel < ys[0] * ys[1] * ys[2]; ++pixel) {
    const int64_t n = pixel / (ys[1] * ys[2]), oy = pixel / ys[2] % ys[1], ox = pixel % ys[2];
    for (int64_t k = 0; k < ys[3]; ++k) {
      int64_t sum = 0;
      for (int64_t ky = 0; ky < ws[1]; ++ky) {
        for (int64_t kx = 0; kx < ws[2]; ++kx) {
          const int64_t iy = oy * a.stride_h + ky * a.dilation_h - a.pad_top;
          const int64_t ix = ox * a.stride_w + kx * a.dilation_w - a.pad_left;
          if (iy < 0 || iy >= xs[1] || ix < 0 || ix >= xs[2]) continue;
          const int64_t from = ((n * xs[1] + iy) * xs[2] + ix) * xs[3] + k / a.multiplier;
          sum +=
              int64_t{c.read<int16_t>(0)[from]} * c.read<int8_t>(1)[(ky * ws[2] + kx) * ws[3] + k];
        }
      }
      *y++ = requantize(sum, static_cast<size_t>(k));
    }
  }
}

}  // namespace presil::reference
