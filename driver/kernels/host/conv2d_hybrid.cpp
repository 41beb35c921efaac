// conv2d of float x and int8 weights; hybrid.h has the arithmetic.
#include "driver/kernels/host/conv.h"
#include "driver/kernels/host/hybrid.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  check_hybrid_window(task, c);
  if (!c.ok()) return;
  const auto a = task.as<presil_hybrid_attributes>();
  const uint32_t ic = task[kHybridX].shape[3], oc = task[kHybridY].shape[3];
  if (ic % a.groups) c.refuse("groups: rest of input channels", kHybridX, ic % a.groups, 0);
  if (oc % a.groups) c.refuse("groups: rest of output channels", kHybridY, oc % a.groups, 0);
  c.dim(kHybridW, 0, oc);
  c.dim(kHybridW, 3, ic / a.groups);
  if (a.by_pixel == 0) return;
  c.range("by_pixel", a.by_pixel, 0, 1);
  c.range("stride_h by pixel", a.stride_h, 1, 1);
  c.range("stride_w by pixel", a.stride_w, 1, 1);
  c.dim(kHybridW, 1, 1);
  c.dim(kHybridW, 2, 1);
}

uint64_t macs(const Task& task) {
  const uint32_t* w = task[kHybridW].shape;
  return presil_tensor_elements(&task[kHybridY]) * w[1] * w[2] * w[3];
}

void run(const Task& task) {
  const auto a = task.as<presil_hybrid_attributes>();
  const int64_t h = task[kHybridX].shape[1], w = task[kHybridX].shape[2];
  const int64_t oh = task[kHybridY].shape[1], ow = task[kHybridY].shape[2];
  const int64_t ic = task[kHybridX].shape[3], oc = task[kHybridY].shape[3];
  const int64_t kh = task[kHybridW].shape[1], kw = task[kHybridW].shape[2];
  const int64_t group_in = ic / a.groups, group_out = oc / a.groups;
  const float *bias = task.data<const float>(kHybridBias),
              *scales = task.data<const float>(kHybridScale);
  const float* x = task.data<const float>(kHybridX);
  int8_t* q = task.data<int8_t>(kHybridBytes);
  float* y = task.data<float>(kHybridY);
  for (int64_t n = 0; n < task[kHybridX].shape[0]; ++n, q += h * w * ic, x += h * w * ic) {
    HybridInput in;
    if (a.by_pixel == 0) in = hybrid_input(a.input, x, static_cast<uint64_t>(h * w * ic), q);
    for (int64_t pixel = 0; pixel < oh * ow; ++pixel) {
      const int64_t top = pixel / ow * a.stride_h - a.pad_top;
      const int64_t left = pixel % ow * a.stride_w - a.pad_left;
      const Taps rows = taps_inside(top, a.dilation_h, kh, h);
      const Taps columns = taps_inside(left, a.dilation_w, kw, w);
      if (a.by_pixel && rows.begin < rows.end && columns.begin < columns.end) {
        const int64_t at = (top * w + left) * ic;
        in = hybrid_input(a.input, x + at, static_cast<uint64_t>(ic), q + at);
      }
      for (int64_t o = 0; o < oc; ++o) {
        int32_t acc = 0;
        for (int64_t ky = rows.begin; ky < rows.end; ++ky) {
          for (int64_t kx = columns.begin; kx < columns.end; ++kx) {
            const int64_t at = (top + ky * a.dilation_h) * w + left + kx * a.dilation_w;
            const int8_t* bytes = q + at * ic + o / group_out * group_in;
            const int8_t* tap =
                task.data<const int8_t>(kHybridW) + ((o * kh + ky) * kw + kx) * group_in;
            for (int64_t c = 0; c < group_in; ++c) {
              acc = wrap_add(acc, (bytes[c] - in.zero) * tap[c]);
            }
          }
        }
        const float sum = hybrid_result(a.order, acc, in.scale, scales[o], bias[o], o, oc);
        *y++ = within(sum, a.low, a.high);
      }
    }
  }
}

}  // namespace

// {x f32 [n,h,w,ic], weights i8 [oc,kh,kw,ic/groups], bias f32 [oc], scales of the weights f32
// [oc], scratch i8 of x's size, y f32}: presil_hybrid_attributes.
const Kernel kConv2dHybrid{"conv2d_hybrid", sizeof(presil_hybrid_attributes), 2, check, run, macs};

}  // namespace presil::kernels
