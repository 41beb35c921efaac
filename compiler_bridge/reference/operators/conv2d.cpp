// y[n, oy, ox, k] = requantise(bias[k] + sum over ky, kx, c of
//     (x[n, oy * stride + ky * dilation - pad_top, ..., c] - x zero point)
//     * (w[k, ky, kx, c] - w zero point))
// Outside the image a product is 0. acc is int32 and wraps. c runs over the channels of k's group.
// Both rule sets differ in requantisation only (requantize.h).
#include "compiler_bridge/reference/accumulate.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/int16.h"
#include "compiler_bridge/reference/requantize.h"

namespace presil::reference::operators {

void conv2d(const Case& c) {
  if (c.floats()) return conv2d_float(c);
  if (c.in(0).dtype == ir::DType::kInt16) return conv2d_int16(c);
  const auto& a = c.attributes<ir::Conv2d>();
  const auto& xs = c.in(0).shape;
  const auto& ws = c.in(1).shape;
  const auto& ys = c.out().shape;
  const auto x = centred(c.read<int8_t>(0), static_cast<size_t>(c.in(0).elements()),
                         c.in(0).quantization.zero_point());
  const auto w = centred(c.read<int8_t>(1), static_cast<size_t>(c.in(1).elements()),
                         c.in(1).quantization.zero_point());
  const auto bias = bias_of(c, static_cast<size_t>(ys[3]));
  const Requantizer requantize(c, a.act);
  int8_t* y = c.write<int8_t>();

  const int64_t per_group = ys[3] / a.groups;
  const size_t taps = static_cast<size_t>(ws[1] * ws[2] * ws[3]);
  std::vector<int16_t> patch(taps);
  for (int64_t n = 0; n < ys[0]; ++n) {
    for (int64_t oy = 0; oy < ys[1]; ++oy) {
      for (int64_t ox = 0; ox < ys[2]; ++ox) {
        for (int64_t group = 0; group < a.groups; ++group) {
          // The inputs of one output pixel side by side, in the order of the weights.
          int16_t* to = patch.data();
          for (int64_t ky = 0; ky < ws[1]; ++ky) {
            for (int64_t kx = 0; kx < ws[2]; ++kx, to += ws[3]) {
              const int64_t iy = oy * a.stride_h + ky * a.dilation_h - a.pad_top;
              const int64_t ix = ox * a.stride_w + kx * a.dilation_w - a.pad_left;
              if (iy < 0 || iy >= xs[1] || ix < 0 || ix >= xs[2]) {
                std::fill(to, to + ws[3], int16_t{0});
                continue;
              }
              const int16_t* from =
                  x.data() + ((n * xs[1] + iy) * xs[2] + ix) * xs[3] + group * ws[3];
              std::copy(from, from + ws[3], to);
            }
          }
          for (int64_t i = 0; i < per_group; ++i) {
            const auto k = static_cast<size_t>(group * per_group + i);
            const int32_t sum = dot(patch.data(), w.data() + k * taps, taps);
            *y++ = requantize(wrapping_add(sum, bias[k]), k);
          }
        }
      }
    }
  }
}

}  // namespace presil::reference::operators
