// y[n, oy, ox, k] = clamp(bias[k] + sum over ky, kx, c of x[n, iy, ix, c] * w[k, ky, kx, c]), a sum
// of products in the order of float_order.h, over the taps for which iy = (oy + pad_top - ky) /
// stride and ix are whole and a pixel of x; ky, kx, c ascending, c fastest.
#include "compiler_bridge/reference/float32.h"

namespace presil::reference {
namespace {

/// Index of the input that tap k brings to `out`; -1: none.
int64_t source(int64_t out, int64_t pad, int64_t k, int64_t stride, int64_t size) {
  const int64_t steps = out + pad - k;
  if (steps < 0 || steps % stride != 0 || steps / stride >= size) return -1;
  return steps / stride;
}

}  // namespace

void transpose_conv2d_float(const Case& c) {
  const auto& a = c.attributes<ir::TransposeConv2d>();
  const auto &xs = c.in(0).shape, &ws = c.in(1).shape, &ys = c.out().shape;
  const Bounds bounds = bounds_of(a.act);
  const int64_t taps = ws[1] * ws[2] * ws[3];
  const float* w = c.read<float>(1);
  const std::vector<float> bias = float_bias(c, ys[3]);
  const Columns columns(taps, ys[3], [&](int64_t tap, int64_t k) { return w[k * taps + tap]; });
  for (int64_t pixel = 0; pixel < ys[0] * ys[1] * ys[2]; ++pixel) {
    const int64_t n = pixel / (ys[1] * ys[2]), oy = pixel / ys[2] % ys[1], ox = pixel % ys[2];
    float* y = c.write<float>() + pixel * ys[3];
    for (int64_t block = 0; block < columns.blocks(); ++block) {
      const int64_t first = block * Columns::kBlock, count = columns.columns(block);
      float sums[Columns::kBlock];
      std::copy_n(bias.data() + first, Columns::kBlock, sums);
      for (int64_t ky = 0; ky < ws[1]; ++ky) {
        const int64_t iy = source(oy, a.pad_top, ky, a.stride_h, xs[1]);
        for (int64_t kx = 0; iy >= 0 && kx < ws[2]; ++kx) {
          const int64_t ix = source(ox, a.pad_left, kx, a.stride_w, xs[2]);
          if (ix < 0) continue;
          const float* x = c.read<float>(0) + ((n * xs[1] + iy) * xs[2] + ix) * xs[3];
          columns.add(sums, block, (ky * ws[2] + kx) * ws[3], x, ws[3]);
        }
      }
      for (int64_t k = 0; k < count; ++k) y[first + k] = clamped(sums[k], bounds);
    }
  }
}

}  // namespace presil::reference
