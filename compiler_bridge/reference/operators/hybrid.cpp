// conv2d, depthwise_conv2d and fully_connected of float32 x and int8 weights: dynamic range, as
// TFLite's own kernels (`tflite`) and XNNPACK's qd8 kernels (`xnnpack`) compute it. An image, or a
// row of a fully connected layer, becomes q (../dynamic_range.h); sum = sum of (q - z) * w, int32,
// wrapping, taps outside the image left out; s_w the weight's scale, one or of channel k.
//
//                             x is           y = clamp of
//   xnnpack: conv2d, fully_connected
//                             qd8            fma(float32(sum) * s, s_w, bias)
//   tflite: fully_connected   symmetric, or asymmetric where it says so
//                                            float32(sum) * (s * s_w) + bias
//   tflite: conv2d, one group
//                             symmetric where all s_w are equal, else asymmetric
//                                            the same
//   tflite: conv2d, groups    asymmetric     (float32(sum) * s_w) * s + bias
//   both: depthwise_conv2d    asymmetric     the same; in the last channels, those after the
//                                            largest multiple of 4, (float32(sum) * s) * s_w + bias
// The last two lines are the order of reference_ops::HybridConvPerChannel and of
// DoDepthwiseConvHybridGeneral, whose vectors have four channels; XNNPACK has no depthwise qd8. A
// convolution of 1x1, stride 1 and one group is a fully connected layer to XNNPACK, whose rows are
// the pixels, but where x and y have one channel each.
#include <algorithm>
#include <cmath>

#include "compiler_bridge/reference/accumulate.h"
#include "compiler_bridge/reference/dynamic_range.h"
#include "compiler_bridge/reference/float32.h"

namespace presil::reference {
namespace {

enum class Order { kScalesFirst, kWeightScaleFirst, kInputScaleFirst, kFused };

float scaled(int32_t sum, float s, float s_w, float bias, Order order) {
  const auto acc = static_cast<float>(sum);
  if (order == Order::kFused) return std::fma(acc * s, s_w, bias);
  if (order == Order::kWeightScaleFirst) return acc * s_w * s + bias;
  if (order == Order::kInputScaleFirst) return acc * s * s_w + bias;
  const float both = s * s_w;
  return acc * both + bias;
}

std::vector<int16_t> weights_of(const Case& c) {
  return centred(c.read<int8_t>(1), static_cast<size_t>(c.in(1).elements()), 0);
}

float weight_scale(const Case& c, int64_t channel) {
  const std::vector<float>& scales = c.in(1).quantization.scales;
  return scales.size() == 1 ? scales[0] : scales[static_cast<size_t>(channel)];
}

bool one_scale(const Case& c) {
  const std::vector<float>& scales = c.in(1).quantization.scales;
  return std::all_of(scales.begin(), scales.end(), [&](float s) { return s == scales[0]; });
}

/// Is a pixel quantised by its own range?
bool by_pixel(const Case& c) {
  const auto& a = c.attributes<ir::Conv2d>();
  const std::vector<int64_t>& w = c.in(1).shape;
  return !c.tflite() && a.groups == 1 && w[1] == 1 && w[2] == 1 && a.stride_h == 1 &&
         a.stride_w == 1 && w[0] * w[3] > 1;
}

/// Where tap (ky, kx) of a window whose first row and column are these reads an image: the index of
/// its pixel, -1 outside.
template <class Conv>
int64_t pixel_of(const Conv& a, const std::vector<int64_t>& xs, int64_t top, int64_t left,
                 int64_t ky, int64_t kx) {
  const int64_t iy = top + ky * a.dilation_h, ix = left + kx * a.dilation_w;
  return iy >= 0 && iy < xs[1] && ix >= 0 && ix < xs[2] ? iy * xs[2] + ix : -1;
}

}  // namespace

void fully_connected_hybrid(const Case& c) {
  const auto& a = c.attributes<ir::FullyConnected>();
  const auto outputs = static_cast<size_t>(c.in(1).shape[0]);
  const auto inputs = static_cast<size_t>(c.in(1).shape[1]);
  const DynamicRange of_tflite =
      a.asymmetric_inputs ? DynamicRange::kAsymmetric : DynamicRange::kSymmetric;
  const DynamicRange how = c.tflite() ? of_tflite : DynamicRange::kQd8;
  const Order order = c.tflite() ? Order::kScalesFirst : Order::kFused;
  const auto w = weights_of(c);
  const Bounds bounds = bounds_of(a.act);
  const std::vector<float> bias = float_bias(c, c.in(1).shape[0]);
  const float* x = c.read<float>(0);
  float* y = c.write<float>();
  for (size_t row = 0; row < static_cast<size_t>(c.in(0).elements()) / inputs; ++row) {
    const Dynamic q = quantised(x + row * inputs, inputs, how);
    for (size_t k = 0; k < outputs; ++k) {
      const int32_t sum = dot(q.centred.data(), w.data() + k * inputs, inputs);
      const float s_w = weight_scale(c, static_cast<int64_t>(k));
      *y++ = clamped(scaled(sum, q.scale, s_w, bias[k], order), bounds);
    }
  }
}

void conv2d_hybrid(const Case& c) {
  const auto& a = c.attributes<ir::Conv2d>();
  const auto &xs = c.in(0).shape, &ws = c.in(1).shape, &ys = c.out().shape;
  const bool symmetric = c.tflite() && a.groups == 1 && one_scale(c);
  const DynamicRange how = !c.tflite() ? DynamicRange::kQd8
                           : symmetric ? DynamicRange::kSymmetric
                                       : DynamicRange::kAsymmetric;
  const Order order = !c.tflite()    ? Order::kFused
                      : a.groups > 1 ? Order::kWeightScaleFirst
                                     : Order::kScalesFirst;
  const auto w = weights_of(c);
  const Bounds bounds = bounds_of(a.act);
  const std::vector<float> bias = float_bias(c, ys[3]);
  const int64_t image = xs[1] * xs[2] * xs[3], taps = ws[1] * ws[2] * ws[3];
  const int64_t filters = ys[3] / a.groups;
  std::vector<int16_t> patch(static_cast<size_t>(taps));
  float* y = c.write<float>();
  const bool one_pixel = by_pixel(c);
  for (int64_t n = 0; n < ys[0]; ++n) {
    const float* x = c.read<float>(0) + n * image;
    Dynamic q;
    if (!one_pixel) q = quantised(x, static_cast<size_t>(image), how);
    for (int64_t pixel = 0; pixel < ys[1] * ys[2]; ++pixel) {
      const int64_t top = pixel / ys[2] * a.stride_h - a.pad_top;
      const int64_t left = pixel % ys[2] * a.stride_w - a.pad_left;
      const int64_t only = one_pixel ? pixel_of(a, xs, top, left, 0, 0) : -1;
      if (only >= 0) q = quantised(x + only * xs[3], static_cast<size_t>(xs[3]), how);
      for (int64_t group = 0; group < a.groups; ++group) {
        int16_t* to = patch.data();
        for (int64_t tap = 0; tap < ws[1] * ws[2]; ++tap, to += ws[3]) {
          const int64_t at = pixel_of(a, xs, top, left, tap / ws[2], tap % ws[2]);
          const int64_t first = one_pixel ? 0 : at * xs[3] + group * ws[3];
          const int16_t* from = q.centred.data() + (at < 0 ? 0 : first);
          for (int64_t i = 0; i < ws[3]; ++i) to[i] = at < 0 ? int16_t{0} : from[i];
        }
        for (int64_t k = group * filters; k < (group + 1) * filters; ++k) {
          const int32_t sum = dot(patch.data(), w.data() + k * taps, static_cast<size_t>(taps));
          const float of_bias = bias[static_cast<size_t>(k)];
          *y++ = clamped(scaled(sum, q.scale, weight_scale(c, k), of_bias, order), bounds);
        }
      }
    }
  }
}

void depthwise_conv2d_hybrid(const Case& c) {
  const auto& a = c.attributes<ir::DepthwiseConv2d>();
  const auto &xs = c.in(0).shape, &ws = c.in(1).shape, &ys = c.out().shape;
  const int8_t* w = c.read<int8_t>(1);
  const Bounds bounds = bounds_of(a.act);
  const std::vector<float> bias = float_bias(c, ys[3]);
  const int64_t image = xs[1] * xs[2] * xs[3], channels = ys[3], in_fours = channels / 4 * 4;
  std::vector<int32_t> sums(static_cast<size_t>(channels));
  float* y = c.write<float>();
  for (int64_t n = 0; n < ys[0]; ++n) {
    const Dynamic q = quantised(c.read<float>(0) + n * image, static_cast<size_t>(image),
                                DynamicRange::kAsymmetric);
    for (int64_t pixel = 0; pixel < ys[1] * ys[2]; ++pixel) {
      const int64_t top = pixel / ys[2] * a.stride_h - a.pad_top;
      const int64_t left = pixel % ys[2] * a.stride_w - a.pad_left;
      std::fill(sums.begin(), sums.end(), 0);
      for (int64_t tap = 0; tap < ws[1] * ws[2]; ++tap) {
        const int64_t at = pixel_of(a, xs, top, left, tap / ws[2], tap % ws[2]);
        for (int64_t k = 0; at >= 0 && k < channels; ++k) {
          const int16_t value = q.centred[static_cast<size_t>(at * xs[3] + k / a.multiplier)];
          int32_t& sum = sums[static_cast<size_t>(k)];
          sum = wrapping_add(sum, value * w[tap * channels + k]);
        }
      }
      for (int64_t k = 0; k < channels; ++k) {
        const Order order = k < in_fours ? Order::kWeightScaleFirst : Order::kInputScaleFirst;
        const auto i = static_cast<size_t>(k);
        *y++ = clamped(scaled(sums[i], q.scale, weight_scale(c, k), bias[i], order), bounds);
      }
    }
  }
}

}  // namespace presil::reference
