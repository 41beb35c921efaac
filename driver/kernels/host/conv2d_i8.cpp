// Convolution with groups, stride, dilation: acc = bias + sum (x - in_zero) * (w - weight_zero)
// over the taps inside the image, int32, wrapping; then the rule per output channel.
#include "driver/kernels/host/conv.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(kConvTensors)) return;
  check_conv(task, c);
  if (!c.ok()) return;
  const auto a = task.as<presil_conv_attributes>();
  const uint32_t ic = task[kX].shape[3], oc = task[kY].shape[3];
  if (ic % a.groups) c.refuse("groups: rest of input channels", kX, ic % a.groups, 0);
  if (oc % a.groups) c.refuse("groups: rest of output channels", kY, oc % a.groups, 0);
  c.dim(kWeights, 0, oc);
  c.dim(kWeights, 3, ic / a.groups);
}

uint64_t macs(const Task& task) {
  const uint32_t* w = task[kWeights].shape;
  return presil_tensor_elements(&task[kY]) * w[1] * w[2] * w[3];
}

void run(const Task& task) {
  const auto a = task.as<presil_conv_attributes>();
  const int64_t h = task[kX].shape[1], w = task[kX].shape[2], ic = task[kX].shape[3];
  const int64_t oh = task[kY].shape[1], ow = task[kY].shape[2], oc = task[kY].shape[3];
  const int64_t kh = task[kWeights].shape[1], kw = task[kWeights].shape[2];
  const int64_t group_in = ic / a.groups, group_out = oc / a.groups;
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
          uint32_t acc = static_cast<uint32_t>(bias[o]);
          for (int64_t ky = rows.begin; ky < rows.end; ++ky) {
            for (int64_t kx = columns.begin; kx < columns.end; ++kx) {
              const int64_t iy = top + ky * a.dilation_h, ix = left + kx * a.dilation_w;
              const int8_t* in = image + (iy * w + ix) * ic + o / group_out * group_in;
              const int8_t* tap = weights + ((o * kh + ky) * kw + kx) * group_in;
              int32_t dot = 0;
              for (int64_t c = 0; c < group_in; ++c) {
                dot = wrap_add(dot, (in[c] - a.in_zero) * (tap[c] - a.weight_zero));
              }
              acc += static_cast<uint32_t>(dot);
            }
          }
          *y++ = requantise(task, a, static_cast<uint32_t>(o), static_cast<int32_t>(acc));
        }
      }
    }
  }
}

}  // namespace

// {x i8 [n,h,w,ic], weights i8 [oc,kh,kw,ic/groups], bias i32 [oc], multiplier i32 [oc], shift
// i8 [oc], y i8 [n,oh,ow,oc]}: presil_conv_attributes. The bias is the plain one: zero points
// are subtracted from every x and weight, taps outside the image count 0.
const Kernel kConv2dI8{"conv2d_i8", sizeof(presil_conv_attributes), 1, check, run, macs};

}  // namespace presil::kernels
