// conv2d and fully_connected of float32 x and int8 weights with one scale: dynamic range, as
// TFLite's own kernels compute it under both rule sets (XNNPACK quantises x with a zero point of
// its own). Of an image, or a row of a fully connected layer:
//   m = the largest |x|, what is no number left out; q = x * (127 / m), to the nearest, ties away
//   from zero, within -127..127, 0 where that is no number; s = m / 127. Where m is 0, q = 0, s
//   = 1. y = clamp(float32(sum of q * w) * (s * s_w) + bias); the sum is int32 and wraps; taps
//   outside the image are left out.
#include <cmath>

#include "compiler_bridge/reference/accumulate.h"
#include "compiler_bridge/reference/float32.h"

namespace presil::reference {
namespace {

struct Dynamic {
  std::vector<int16_t> q;
  float scale = 1.0f;
};

Dynamic quantised(const float* x, size_t count) {
  Dynamic result{std::vector<int16_t>(count, 0), 1.0f};
  float most = 0.0f;
  for (size_t i = 0; i < count; ++i) most = larger(most, std::fabs(x[i]));
  if (most == 0.0f) return result;
  const float inverse = 127.0f / most;
  for (size_t i = 0; i < count; ++i) {
    const float steps = x[i] * inverse;
    if (steps != steps) continue;
    const float near = std::fmin(std::fmax(steps, -127.0f), 127.0f);
    result.q[i] = static_cast<int16_t>(std::round(near));
  }
  result.scale = most / 127.0f;
  return result;
}

std::vector<int16_t> weights_of(const Case& c) {
  return centred(c.read<int8_t>(1), static_cast<size_t>(c.in(1).elements()), 0);
}

}  // namespace

void fully_connected_hybrid(const Case& c) {
  const auto outputs = static_cast<size_t>(c.in(1).shape[0]);
  const auto inputs = static_cast<size_t>(c.in(1).shape[1]);
  const auto w = weights_of(c);
  const Bounds bounds = bounds_of(c.attributes<ir::FullyConnected>().act);
  const std::vector<float> bias = float_bias(c, c.in(1).shape[0]);
  const float* x = c.read<float>(0);
  float* y = c.write<float>();
  for (size_t row = 0; row < static_cast<size_t>(c.in(0).elements()) / inputs; ++row) {
    const Dynamic dynamic = quantised(x + row * inputs, inputs);
    const float scale = dynamic.scale * c.in(1).quantization.scale();
    for (size_t k = 0; k < outputs; ++k) {
      const int32_t sum = dot(dynamic.q.data(), w.data() + k * inputs, inputs);
      const float product = static_cast<float>(sum) * scale;
      *y++ = clamped(product + bias[k], bounds);
    }
  }
}

void conv2d_hybrid(const Case& c) {
  const auto& a = c.attributes<ir::Conv2d>();
  const auto &xs = c.in(0).shape, &ws = c.in(1).shape, &ys = c.out().shape;
  const auto w = weights_of(c);
  const Bounds bounds = bounds_of(a.act);
  const std::vector<float> bias = float_bias(c, ys[3]);
  const int64_t image = xs[1] * xs[2] * xs[3], taps = ws[1] * ws[2] * ws[3];
  const int64_t filters = ys[3] / a.groups;
  std::vector<int16_t> patch(static_cast<size_t>(taps));
  float* y = c.write<float>();
  for (int64_t n = 0; n < ys[0]; ++n) {
    const Dynamic x = quantised(c.read<float>(0) + n * image, static_cast<size_t>(image));
    const float scale = x.scale * c.in(1).quantization.scale();
    for (int64_t pixel = 0; pixel < ys[1] * ys[2]; ++pixel) {
      const int64_t top = pixel / ys[2] * a.stride_h - a.pad_top;
      const int64_t left = pixel % ys[2] * a.stride_w - a.pad_left;
      for (int64_t group = 0; group < a.groups; ++group) {
        int16_t* to = patch.data();
        for (int64_t tap = 0; tap < ws[1] * ws[2]; ++tap, to += ws[3]) {
          const int64_t iy = top + tap / ws[2] * a.dilation_h;
          const int64_t ix = left + tap % ws[2] * a.dilation_w;
          const bool inside = iy >= 0 && iy < xs[1] && ix >= 0 && ix < xs[2];
          const int16_t* from =
              x.q.data() + (inside ? (iy * xs[2] + ix) * xs[3] + group * ws[3] : 0);
          for (int64_t i = 0; i < ws[3]; ++i) to[i] = inside ? from[i] : int16_t{0};
        }
        for (int64_t i = 0; i < filters; ++i) {
          const int64_t k = group * filters + i;
          const int32_t sum = dot(patch.data(), w.data() + k * taps, static_cast<size_t>(taps));
          const float product = static_cast<float>(sum) * scale;
          *y++ = clamped(product + bias[static_cast<size_t>(k)], bounds);
        }
      }
    }
  }
}

}  // namespace presil::reference
