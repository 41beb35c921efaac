// y[n, oy, ox, k] = clamp(bias[k] + sum over ky, kx of x[n, oy * stride + ky * dilation - pad_top,
// ..., k / multiplier] * w[0, ky, kx, k]), a sum of products in the order of float_order.h, kx
// fastest. Taps outside the image are left out.
#include "compiler_bridge/reference/float32.h"

namespace presil::reference {

void depthwise_conv2d_float(const Case& c) {
  if (c.in(1).dtype == ir::DType::kInt8) return depthwise_conv2d_hybrid(c);
  const auto& a = c.attributes<ir::DepthwiseConv2d>();
  const auto &xs = c.in(0).shape, &ws = c.in(1).shape, &ys = c.out().shape;
  const Bounds bounds = bounds_of(a.act);
  const int64_t channels = ys[3];
  const std::vector<float> bias = float_bias(c, channels);
  std::vector<float> sums(static_cast<size_t>(channels));
  for (int64_t pixel = 0; pixel < ys[0] * ys[1] * ys[2]; ++pixel) {
    const int64_t n = pixel / (ys[1] * ys[2]), oy = pixel / ys[2] % ys[1], ox = pixel % ys[2];
    float* s = sums.data();
    std::copy_n(bias.data(), channels, s);
    for (int64_t ky = 0; ky < ws[1]; ++ky) {
      const int64_t iy = oy * a.stride_h + ky * a.dilation_h - a.pad_top;
      if (iy < 0 || iy >= xs[1]) continue;
      for (int64_t kx = 0; kx < ws[2]; ++kx) {
        const int64_t ix = ox * a.stride_w + kx * a.dilation_w - a.pad_left;
        if (ix < 0 || ix >= xs[2]) continue;
        const float* x = c.read<float>(0) + ((n * xs[1] + iy) * xs[2] + ix) * xs[3];
        const float* w = c.read<float>(1) + (ky * ws[2] + kx) * channels;
        add_pairs(s, x, w, channels, a.multiplier);
      }
    }
    float* y = c.write<float>() + pixel * channels;
    for (int64_t k = 0; k < channels; ++k) y[k] = clamped(s[k], bounds);
  }
}

}  // namespace presil::reference
