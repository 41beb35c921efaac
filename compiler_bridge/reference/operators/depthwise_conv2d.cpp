// y[n, oy, ox, k] = requantise(bias[k] + sum over ky, kx of
//     (x[n, oy * stride + ky * dilation - pad_top, ..., k / multiplier] - x zero point)
//     * (w[0, ky, kx, k] - w zero point))
// Outside the image a product is 0. acc is int32 and wraps.
#include "compiler_bridge/reference/accumulate.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/int16.h"
#include "compiler_bridge/reference/requantize.h"

namespace presil::reference::operators {

void depthwise_conv2d(const Case& c) {
  if (c.floats()) return depthwise_conv2d_float(c);
  if (c.in(0).dtype == ir::DType::kInt16) return depthwise_conv2d_int16(c);
  const auto& a = c.attributes<ir::DepthwiseConv2d>();
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

  const auto channels = static_cast<size_t>(ys[3]);
  const auto multiplier = static_cast<size_t>(a.multiplier);
  std::vector<uint32_t> acc(channels);  // modulo 2^32
  std::vector<int16_t> repeated(channels);
  for (int64_t n = 0; n < ys[0]; ++n) {
    for (int64_t oy = 0; oy < ys[1]; ++oy) {
      for (int64_t ox = 0; ox < ys[2]; ++ox) {
        for (size_t k = 0; k < channels; ++k) acc[k] = static_cast<uint32_t>(bias[k]);
        for (int64_t ky = 0; ky < ws[1]; ++ky) {
          for (int64_t kx = 0; kx < ws[2]; ++kx) {
            const int64_t iy = oy * a.stride_h + ky * a.dilation_h - a.pad_top;
            const int64_t ix = ox * a.stride_w + kx * a.dilation_w - a.pad_left;
            if (iy < 0 || iy >= xs[1] || ix < 0 || ix >= xs[2]) continue;
            const int16_t* pixel = x.data() + ((n * xs[1] + iy) * xs[2] + ix) * xs[3];
            const int16_t* tap = w.data() + static_cast<size_t>(ky * ws[2] + kx) * channels;
            if (multiplier > 1) {  // each channel as often as it is read
              for (size_t k = 0; k < channels; ++k) repeated[k] = pixel[k / multiplier];
              pixel = repeated.data();
            }
            for (size_t k = 0; k < channels; ++k) {
              acc[k] += static_cast<uint32_t>(static_cast<int32_t>(pixel[k]) * tap[k]);
            }
          }
        }
        for (size_t k = 0; k < channels; ++k) *y++ = requantize(static_cast<int32_t>(acc[k]), k);
      }
    }
  }
}

}  // namespace presil::reference::operators
