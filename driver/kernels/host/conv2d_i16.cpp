// Convolution of int16 with int8 weights, groups, stride, dilation; sums of int64 (wide.h).
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
  if (!c.ok()) return;
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
  int16_t* y = task.data<int16_t>(kY);
  for (uint32_t n = 0; n < task[kX].shape[0]; ++n) {
    const int16_t* image = task.data<const int16_t>(kX) + n * h * w * ic;
    for (int64_t oy = 0; oy < oh; ++oy) {
      const int64_t top = oy * a.stride_h - a.pad_top;
      const Taps rows = taps_inside(top, a.dilation_h, kh, h);
      for (int64_t ox = 0; ox < ow; ++ox) {
        const int64_t left = ox * a.stride_w - a.pad_left;
        const Taps columns = taps_inside(left, a.dilation_w, kw, w);
        const int8_t* filter = task.data<const int8_t>(kWeights);
        for (int64_t o = 0; o < oc; ++o, filter += kh * kw * group_in) {
          const int16_t* part = image + o / group_out * group_in;
          int64_t sum = 0;
          for (int64_t ky = rows.begin; ky < rows.end; ++ky) {
            for (int64_t kx = columns.begin; kx < columns.end; ++kx) {
              const int64_t iy = top + ky * a.dilation_h, ix = left + kx * a.dilation_w;
              const int16_t* in = part + (iy * w + ix) * ic;
              const int8_t* tap = filter + (ky * kw + kx) * group_in;
              for (int64_t c = 0; c < group_in; ++c) sum += int32_t{in[c]} * tap[c];
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
const Kernel kConv2dI16{"conv2d_i16", sizeof(presil_conv_attributes), 1, check, run, macs};

}  // namespace presil::kernels
