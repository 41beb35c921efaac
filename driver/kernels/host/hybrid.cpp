// Activations of float, weights of int8 (TFLite's kernels with dynamic range). Of an image, or a
// row of a fully connected layer, m = its largest magnitude, what is no number left out; q = x *
// (127 / m) to the nearest, halves away from zero, within -127..127, 0 for no number; scale = m /
// 127; 0 and 1 where m is 0. acc = sum of q * w, int32, wrapping, taps outside the image left out;
// y = acc * (scale * weight_scale) + bias, then the clamp.
#include "driver/kernels/host/conv.h"
#include "driver/kernels/host/float_math.h"

namespace presil::kernels {
namespace {

enum : uint32_t { kIn, kBytes, kStart, kScratch, kOut, kHybridTensors };

void check_types(const Task& task, Check& c) {
  c.dtype(kIn, PRESIL_FLOAT32);
  c.dtype(kBytes, PRESIL_INT8);
  c.dtype(kStart, PRESIL_FLOAT32);
  c.dtype(kScratch, PRESIL_INT8);
  c.dtype(kOut, PRESIL_FLOAT32);
  c.elements(kScratch, presil_tensor_elements(&task[kIn]));
  const auto a = task.as<presil_hybrid_attributes>();
  if (!(a.weight_scale > 0.0f)) c.refuse("scale is positive", -1, 0, 1);
  check_bounds(a.low, a.high, c);
}

void check_conv_hybrid(const Task& task, Check& c) {
  if (!c.count(kHybridTensors)) return;
  check_types(task, c);
  c.rank(kIn, 4);
  c.rank(kBytes, 4);
  c.rank(kOut, 4);
  if (!c.ok()) return;
  const auto a = task.as<presil_hybrid_attributes>();
  const uint32_t ic = task[kIn].shape[3], oc = task[kOut].shape[3];
  c.dim(kOut, 0, task[kIn].shape[0]);
  c.elements(kStart, oc);
  c.range("stride_h", a.stride_h, 1, 65535);
  c.range("stride_w", a.stride_w, 1, 65535);
  c.range("dilation_h", a.dilation_h, 1, 65535);
  c.range("dilation_w", a.dilation_w, 1, 65535);
  c.range("pad_top", a.pad_top, 0, 65535);
  c.range("pad_left", a.pad_left, 0, 65535);
  c.range("groups", a.groups, 1, ic);
  if (!c.ok()) return;
  if (ic % a.groups) c.refuse("groups: rest of input channels", kIn, ic % a.groups, 0);
  if (oc % a.groups) c.refuse("groups: rest of output channels", kOut, oc % a.groups, 0);
  c.dim(kBytes, 0, oc);
  c.dim(kBytes, 3, ic / a.groups);
}

void check_dense_hybrid(const Task& task, Check& c) {
  if (!c.count(kHybridTensors)) return;
  check_types(task, c);
  c.rank(kBytes, 2);
  if (!c.ok()) return;
  const uint32_t out = task[kBytes].shape[0], in = task[kBytes].shape[1];
  const uint64_t values = presil_tensor_elements(&task[kIn]);
  c.elements(kStart, out);
  if (values % in) c.refuse("values left over by rows of `in`", kIn, values % in, 0);
  c.elements(kOut, values / in * out);
}

/// @return what a step of q stands for
float to_bytes(const float* x, uint64_t n, int8_t* q) {
  float most = 0.0f;
  for (uint64_t i = 0; i < n; ++i) most = max_number(most, magnitude(x[i]));
  const float inverse = most > 0.0f ? 127.0f / most : 0.0f;
  for (uint64_t i = 0; i < n; ++i) {
    const float steps = x[i] * inverse;
    q[i] = is_nan(steps) ? int8_t{0} : static_cast<int8_t>(clamp(round_away(steps), -127, 127));
  }
  return most > 0.0f ? most / 127.0f : 1.0f;
}

uint64_t macs_conv(const Task& task) {
  const uint32_t* w = task[kBytes].shape;
  return presil_tensor_elements(&task[kOut]) * w[1] * w[2] * w[3];
}
uint64_t macs_dense(const Task& task) {
  return presil_tensor_elements(&task[kOut]) * task[kBytes].shape[1];
}

void run_conv(const Task& task) {
  const auto a = task.as<presil_hybrid_attributes>();
  const int64_t h = task[kIn].shape[1], w = task[kIn].shape[2], ic = task[kIn].shape[3];
  const int64_t oh = task[kOut].shape[1], ow = task[kOut].shape[2], oc = task[kOut].shape[3];
  const int64_t kh = task[kBytes].shape[1], kw = task[kBytes].shape[2];
  const int64_t group_in = ic / a.groups, group_out = oc / a.groups;
  const float* bias = task.data<const float>(kStart);
  int8_t* q = task.data<int8_t>(kScratch);
  float* y = task.data<float>(kOut);
  for (int64_t n = 0; n < task[kIn].shape[0]; ++n, q += h * w * ic) {
    const float scale = to_bytes(task.data<const float>(kIn) + n * h * w * ic,
                                 static_cast<uint64_t>(h * w * ic), q);
    for (int64_t pixel = 0; pixel < oh * ow; ++pixel) {
      const int64_t top = pixel / ow * a.stride_h - a.pad_top;
      const int64_t left = pixel % ow * a.stride_w - a.pad_left;
      const Taps rows = taps_inside(top, a.dilation_h, kh, h);
      const Taps columns = taps_inside(left, a.dilation_w, kw, w);
      for (int64_t o = 0; o < oc; ++o) {
        int32_t acc = 0;
        for (int64_t ky = rows.begin; ky < rows.end; ++ky) {
          for (int64_t kx = columns.begin; kx < columns.end; ++kx) {
            const int64_t at = (top + ky * a.dilation_h) * w + left + kx * a.dilation_w;
            const int8_t* in = q + at * ic + o / group_out * group_in;
            const int8_t* tap =
                task.data<const int8_t>(kBytes) + ((o * kh + ky) * kw + kx) * group_in;
            for (int64_t c = 0; c < group_in; ++c) acc = wrap_add(acc, in[c] * tap[c]);
          }
        }
        const float sum = static_cast<float>(acc) * (scale * a.weight_scale) + bias[o];
        *y++ = within(sum, a.low, a.high);
      }
    }
  }
}

void run_dense(const Task& task) {
  const auto a = task.as<presil_hybrid_attributes>();
  const uint32_t out = task[kBytes].shape[0], in = task[kBytes].shape[1];
  const float *x = task.data<const float>(kIn), *bias = task.data<const float>(kStart);
  int8_t* q = task.data<int8_t>(kScratch);
  float* y = task.data<float>(kOut);
  for (uint64_t row = presil_tensor_elements(&task[kIn]) / in; row > 0; --row, x += in, q += in) {
    const float scale = to_bytes(x, in, q);
    for (uint32_t o = 0; o < out; ++o) {
      const int8_t* w = task.data<const int8_t>(kBytes) + uint64_t{o} * in;
      int32_t acc = 0;
      for (uint32_t i = 0; i < in; ++i) acc = wrap_add(acc, q[i] * w[i]);
      const float sum = static_cast<float>(acc) * (scale * a.weight_scale) + bias[o];
      *y++ = within(sum, a.low, a.high);
    }
  }
}

}  // namespace

// As conv2d_f32 and fully_connected_f32 with weights i8: {x f32, weights i8, bias f32, scratch
// i8 of x's size, y f32}: presil_hybrid_attributes, of whose fields the second takes the scale
// and the clamp alone.
const Kernel kConv2dHybrid{
    "conv2d_hybrid", sizeof(presil_hybrid_attributes), 2, check_conv_hybrid, run_conv, macs_conv};
const Kernel kFullyConnectedHybrid{"fully_connected_hybrid",
                                   sizeof(presil_hybrid_attributes),
                                   2,
                                   check_dense_hybrid,
                                   run_dense,
                                   macs_dense};

}  // namespace presil::kernels
