// Depthwise convolution: output channel c * m + j is a filter of input channel c alone; arithmetic
// as conv2d_i8.
#include "driver/kernels/host/conv.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(kConvTensors)) return;
  check_conv(task, c);
  if (!c.ok()) return;
  const auto a = task.as<presil_conv_attributes>();
  const uint32_t ic = task[kX].shape[3], oc = task[kY].shape[3];
  if (a.groups != ic) c.refuse("groups", kX, a.groups, ic);
  if (oc % ic) c.refuse("output channels: rest of input channels", kY, oc % ic, 0);
  c.dim(kWeights, 0, 1);
  c.dim(kWeights, 3, oc);
}

uint64_t macs(const Task& task) {
  const uint32_t* w = task[kWeights].shape;
  return presil_tensor_elements(&task[kY]) * w[1] * w[2];
}

void run(const Task& task) {
  const auto a = task.as<presil_conv_attributes>();
  const int64_t h = task[kX].shape[1], w = task[kX].shape[2], ic = task[kX].shape[3];
  const int64_t oh = task[kY].shape[1], ow = task[kY].shape[2], oc = task[kY].shape[3];
  const int64_t kh = task[kWeights].shape[1], kw = task[kWeights].shape[2];
  const int64_t multiplier = oc / ic;
  const int8_t* weights = task.data<const int8_t>(kWeights);
  const int32_t* bias = task.data<const int32_t>(kBias);
  int8_t* y = task.data<int8_t>(kY);
  for (uint32_t n = 0; n < task[kX].shape[0]; ++n) {
    const int8_t* image = task.data<const int8_t>(kX) + n * h * w * ic;
    for (int64_t oy = 0; oy < oh; ++oy) {
      const int64_t top = oy * a.stride_h - a.pad_top;
      const Taps rows = taps_inside(top, a.dilation_h, kh, h);
      for (int64_t ox = 0; ox < ow; ++ox) {
        const int64_t left = ox * a.stride_w - a.pad_left;
        const Taps columns = taps_inside(left, a.dilation_w, kw, w);
        for (int64_t o = 0; o < oc; ++o) {
          int32_t acc = bias[o];
          for (int64_t ky = rows.begin; ky < rows.end; ++ky) {
            for (int64_t kx = columns.begin; kx < columns.end; ++kx) {
              const int64_t iy = top + ky * a.dilation_h, ix = left + kx * a.dilation_w;
              const int32_t x = image[(iy * w + ix) * ic + o / multiplier] - a.in_zero;
              acc = wrap_add(acc, x * (weights[(ky * kw + kx) * oc + o] - a.weight_zero));
            }
          }
          *y++ = requantise(task, a, static_cast<uint32_t>(o), acc);
        }
      }
    }
  }
}

}  // namespace

// {x i8 [n,h,w,ic], weights i8 [1,kh,kw,ic*m], bias, multiplier, shift [ic*m], y i8
// [n,oh,ow,ic*m]}: presil_conv_attributes with `groups` = ic; output channel c*m + j reads input
// channel c.
const Kernel kDepthwiseConv2dI8{
    "depthwise_conv2d_i8", sizeof(presil_conv_attributes), 1, check, run, macs};

}  // namespace presil::kernels
