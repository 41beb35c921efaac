// Depthwise convolution of int16 with int8 weights; sums of int64 (wide.h).
#include "driver/kernels/host/wide.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(kConvTensors)) return;
  check_conv_window(task, c);
  if (!c.ok()) return;
  const auto a = task.as<presil_conv_attributes>();
  const uint32_t ic = task[kX].shape[3], oc = task[kY].shape[3];
  check_wide_parameters(c, oc);
  check_wide_attributes(a, c);
  if (oc % ic) c.refuse("channels: rest of output by input channels", kY, oc % ic, 0);
  if (a.groups != ic) c.refuse("groups", -1, a.groups, ic);
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
  int16_t* y = task.data<int16_t>(kY);
  for (uint32_t n = 0; n < task[kX].shape[0]; ++n) {
    const int16_t* image = task.data<const int16_t>(kX) + n * h * w * ic;
    for (int64_t oy = 0; oy < oh; ++oy) {
      const int64_t top = oy * a.stride_h - a.pad_top;
      const Taps rows = taps_inside(top, a.dilation_h, kh, h);
      for (int64_t ox = 0; ox < ow; ++ox) {
        const int64_t left = ox * a.stride_w - a.pad_left;
        const Taps columns = taps_inside(left, a.dilation_w, kw, w);
        for (int64_t o = 0; o < oc; ++o) {
          int64_t sum = 0;
          for (int64_t ky = rows.begin; ky < rows.end; ++ky) {
            for (int64_t kx = columns.begin; kx < columns.end; ++kx) {
              const int64_t iy = top + ky * a.dilation_h, ix = left + kx * a.dilation_w;
              const int32_t x = image[(iy * w + ix) * ic + o / multiplier];
              sum += x * weights[(ky * kw + kx) * oc + o];
            }
          }
          *y++ = requantise_wide(task, a, static_cast<uint32_t>(o), sum);
        }
      }
    }
  }
}

}  // namespace

// int16 activations, int8 weights, zero points 0, sums of int64 that wrap. The attributes are
// those of the int8 kernels with zeros of 0 and the rule wide, or double: then of the sum's low
// 32 bits. {x i16, weights i8, bias i64, multiplier i32, shift i8, y i16}, shapes as there.
const Kernel kDepthwiseConv2dI16{
    "depthwise_conv2d_i16", sizeof(presil_conv_attributes), 1, check, run, macs};

}  // namespace presil::kernels
