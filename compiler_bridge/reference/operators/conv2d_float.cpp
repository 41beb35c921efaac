// y[n, oy, ox, k] = clamp(bias[k] + sum over ky, kx, c of x[n, oy * stride + ky * dilation -
// pad_top, ..., c] * w[k, ky, kx, c]), a sum of products in the order of float_order.h: ky, kx, c
// ascending, c fastest, over the channels of k's group. Taps outside the image are left out.
#include "compiler_bridge/reference/float32.h"

namespace presil::reference {

void conv2d_float(const Case& c) {
  if (c.in(1).dtype == ir::DType::kInt8) return conv2d_hybrid(c);
  const auto& a = c.attributes<ir::Conv2d>();
  const auto &xs = c.in(0).shape, &ws = c.in(1).shape, &ys = c.out().shape;
  const Bounds bounds = bounds_of(a.act);
  const int64_t taps = ws[1] * ws[2] * ws[3], filters = ys[3] / a.groups;
  const float* w = c.read<float>(1);
  const std::vector<float> bias = float_bias(c, ys[3]);
  for (int64_t group = 0; group < a.groups; ++group) {
    const Columns columns(taps, filters, [&](int64_t tap, int64_t k) {
      return w[(group * filters + k) * taps + tap];
    });
    for (int64_t pixel = 0; pixel < ys[0] * ys[1] * ys[2]; ++pixel) {
      const int64_t n = pixel / (ys[1] * ys[2]), oy = pixel / ys[2] % ys[1], ox = pixel % ys[2];
      float* y = c.write<float>() + pixel * ys[3] + group * filters;
      for (int64_t block = 0; block < columns.blocks(); ++block) {
        const int64_t first = block * Columns::kBlock, count = columns.columns(block);
        float sums[Columns::kBlock];
        std::copy_n(bias.data() + group * filters + first, Columns::kBlock, sums);
        for (int64_t ky = 0; ky < ws[1]; ++ky) {
          const int64_t iy = oy * a.stride_h + ky * a.dilation_h - a.pad_top;
          if (iy < 0 || iy >= xs[1]) continue;
          for (int64_t kx = 0; kx < ws[2]; ++kx) {
            const int64_t ix = ox * a.stride_w + kx * a.dilation_w - a.pad_left;
            if (ix < 0 || ix >= xs[2]) continue;
            const float* x =
                c.read<float>(0) + ((n * xs[1] + iy) * xs[2] + ix) * xs[3] + group * ws[3];
            columns.add(sums, block, (ky * ws[2] + kx) * ws[3], x, ws[3]);
          }
        }
        for (int64_t k = 0; k < count; ++k) y[first + k] = clamped(sums[k], bounds);
      }
    }
  }
}

}  // namespace presil::reference
