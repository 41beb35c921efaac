// Transposed convolution: acc = bias + sum (x - in_zero) * (w - weight_zero) over the taps (ky, kx)
// for which (oy + pad_top - ky) / stride_h and (ox + pad_left - kx) / stride_w are whole and a
// pixel of x; int32, wrapping; then the rule per output channel.
#include "driver/kernels/host/conv.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(kConvTensors)) return;
  c.rank(kX, 4);
  c.rank(kWeights, 4);
  c.rank(kY, 4);
  if (!c.ok()) return;
  const auto a = task.as<presil_transpose_conv_attributes>();
  const uint32_t* w = task[kWeights].shape;
  c.dim(kY, 0, task[kX].shape[0]);
  check_channel_parameters(c, task[kY].shape[3]);
  c.dim(kWeights, 0, task[kY].shape[3]);
  c.dim(kWeights, 3, task[kX].shape[3]);
  c.range("stride_h", a.stride_h, 1, 65535);
  c.range("stride_w", a.stride_w, 1, 65535);
  c.range("pad_top", a.pad_top, 0, static_cast<int64_t>(w[1]) - 1);
  c.range("pad_left", a.pad_left, 0, static_cast<int64_t>(w[2]) - 1);
  c.range("vector", a.vector, 0, 16);
  c.range("vector modulo 8", a.vector % 8, 0, 0);
  check_zeros_and_clamp(a, c);
}

/// The rule of value `i` of y, which has `count` of them in pixels of `channels`.
uint32_t rule_at(const presil_transpose_conv_attributes& a, int64_t i, int64_t count,
                 int64_t channels) {
  if (a.rule != PRESIL_RULE_DOUBLE_UP || a.vector == 0) return a.rule;
  const bool whole = a.vector == 8 ? i % channels < channels / 8 * 8 : i < count / 16 * 16;
  return whole ? PRESIL_RULE_DOUBLE_UP : PRESIL_RULE_DOUBLE;
}

uint64_t macs(const Task& task) {
  const uint32_t* w = task[kWeights].shape;
  return presil_tensor_elements(&task[kX]) * w[0] * w[1] * w[2];
}

/// Index of the input along one axis whose tap `k` lands on `out`; -1: none.
int64_t source(int64_t out, int64_t pad, int64_t k, int64_t stride, int64_t size) {
  const int64_t away = out + pad - k;
  return away >= 0 && away % stride == 0 && away / stride < size ? away / stride : -1;
}

void run(const Task& task) {
  const auto a = task.as<presil_transpose_conv_attributes>();
  const int64_t h = task[kX].shape[1], w = task[kX].shape[2], ic = task[kX].shape[3];
  const int64_t oh = task[kY].shape[1], ow = task[kY].shape[2], oc = task[kY].shape[3];
  const int64_t kh = task[kWeights].shape[1], kw = task[kWeights].shape[2];
  const int8_t* weights = task.data<const int8_t>(kWeights);
  const int32_t* bias = task.data<const int32_t>(kBias);
  int8_t* y = task.data<int8_t>(kY);
  const auto count = static_cast<int64_t>(presil_tensor_elements(&task[kY]));
  int64_t i = 0;
  for (uint32_t n = 0; n < task[kX].shape[0]; ++n) {
    const int8_t* image = task.data<const int8_t>(kX) + n * h * w * ic;
    for (int64_t pixel = 0; pixel < oh * ow; ++pixel) {
      for (int64_t o = 0; o < oc; ++o) {
        int32_t acc = bias[o];
        for (int64_t ky = 0; ky < kh; ++ky) {
          const int64_t iy = source(pixel / ow, a.pad_top, ky, a.stride_h, h);
          for (int64_t kx = 0; iy >= 0 && kx < kw; ++kx) {
            const int64_t ix = source(pixel % ow, a.pad_left, kx, a.stride_w, w);
            if (ix < 0) continue;
            const int8_t* in = image + (iy * w + ix) * ic;
            const int8_t* tap = weights + ((o * kh + ky) * kw + kx) * ic;
            for (int64_t c = 0; c < ic; ++c) {
              acc = wrap_add(acc, (in[c] - a.in_zero) * (tap[c] - a.weight_zero));
            }
          }
        }
        const auto channel = static_cast<uint32_t>(o);
        auto ruled = a;
        ruled.rule = rule_at(a, i++, count, oc);
        *y++ = requantise(task, ruled, channel, acc);
      }
    }
  }
}

}  // namespace

// {x i8 [n,h,w,ic], weights i8 [oc,kh,kw,ic], bias i32 [oc], multiplier i32 [oc], shift i8 [oc],
// y i8 [n,oh,ow,oc]}: presil_transpose_conv_attributes. Input pixel (iy, ix) is added, times tap
// (ky, kx), to the sum of pixel (iy * stride_h + ky - pad_top, ...) of y where there is one.
const Kernel kTransposeConv2dI8{
    "transpose_conv2d_i8", sizeof(presil_transpose_conv_attributes), 1, check, run, macs};

}  // namespace presil::kernels
