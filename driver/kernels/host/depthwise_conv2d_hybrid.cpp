// Depthwise convolution of float x and int8 weights: output channel c * m + j is a filter of input
// channel c alone; hybrid.h has the arithmetic.
#include "driver/kernels/host/conv.h"
#include "driver/kernels/host/hybrid.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  check_hybrid_window(task, c);
  if (!c.ok()) return;
  const auto a = task.as<presil_hybrid_attributes>();
  const uint32_t ic = task[kHybridX].shape[3], oc = task[kHybridY].shape[3];
  if (a.groups != ic) c.refuse("groups", kHybridX, a.groups, ic);
  if (oc % ic) c.refuse("output channels: rest of input channels", kHybridY, oc % ic, 0);
  c.dim(kHybridW, 0, 1);
  c.dim(kHybridW, 3, oc);
}

uint64_t macs(const Task& task) {
  const uint32_t* w = task[kHybridW].shape;
  return presil_tensor_elements(&task[kHybridY]) * w[1] * w[2];
}

void run(const Task& task) {
  const auto a = task.as<presil_hybrid_attributes>();
  const int64_t h = task[kHybridX].shape[1], w = task[kHybridX].shape[2];
  const int64_t oh = task[kHybridY].shape[1], ow = task[kHybridY].shape[2];
  const int64_t ic = task[kHybridX].shape[3], oc = task[kHybridY].shape[3];
  const int64_t kh = task[kHybridW].shape[1], kw = task[kHybridW].shape[2], multiplier = oc / ic;
  const int8_t* weights = task.data<const int8_t>(kHybridW);
  const float *bias = task.data<const float>(kHybridBias),
              *scales = task.data<const float>(kHybridScale);
  const float* x = task.data<const float>(kHybridX);
  int8_t* q = task.data<int8_t>(kHybridBytes);
  float* y = task.data<float>(kHybridY);
  for (int64_t n = 0; n < task[kHybridX].shape[0]; ++n, q += h * w * ic, x += h * w * ic) {
    const HybridInput in = hybrid_input(a.input, x, static_cast<uint64_t>(h * w * ic), q);
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
            const int32_t steps = q[at * ic + o / multiplier] - in.zero;
            acc = wrap_add(acc, steps * weights[(ky * kw + kx) * oc + o]);
          }
        }
        const float sum = hybrid_result(a.order, acc, in.scale, scales[o], bias[o], o, oc);
        *y++ = within(sum, a.low, a.high);
      }
    }
  }
}

}  // namespace

// As conv2d_hybrid, with weights i8 [1,kh,kw,oc] and as many groups as input channels.
const Kernel kDepthwiseConv2dHybrid{
    "depthwise_conv2d_hybrid", sizeof(presil_hybrid_attributes), 2, check, run, macs};

}  // namespace presil::kernels
