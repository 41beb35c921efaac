// Transposed convolution of floats: products (float_math.h) by ascending ky, kx, c over the taps
// for which (oy + pad_top - ky) / stride_h and (ox + pad_left - kx) / stride_w are whole and a
// pixel of x, then the clamp.
#include "driver/kernels/host/float_math.h"

namespace presil::kernels {
namespace {

enum : uint32_t { kX, kFilters, kStart, kY, kTensors };

void check(const Task& task, Check& c) {
  if (!c.count(kTensors)) return;
  check_floats(task, c);
  c.rank(kX, 4);
  c.rank(kFilters, 4);
  c.rank(kY, 4);
  if (!c.ok()) return;
  const auto a = task.as<presil_conv_f32_attributes>();
  const uint32_t* w = task[kFilters].shape;
  c.dim(kY, 0, task[kX].shape[0]);
  c.elements(kStart, task[kY].shape[3]);
  c.dim(kFilters, 0, task[kY].shape[3]);
  c.dim(kFilters, 3, task[kX].shape[3]);
  c.range("stride_h", a.stride_h, 1, 65535);
  c.range("stride_w", a.stride_w, 1, 65535);
  c.range("dilation_h", a.dilation_h, 1, 1);
  c.range("dilation_w", a.dilation_w, 1, 1);
  c.range("pad_top", a.pad_top, 0, static_cast<int64_t>(w[1]) - 1);
  c.range("pad_left", a.pad_left, 0, static_cast<int64_t>(w[2]) - 1);
  c.range("groups", a.groups, 1, 1);
  check_bounds(a.low, a.high, c);
}

uint64_t macs(const Task& task) {
  const uint32_t* w = task[kFilters].shape;
  return presil_tensor_elements(&task[kX]) * w[0] * w[1] * w[2];
}

void run(const Task& task) {
  const auto a = task.as<presil_conv_f32_attributes>();
  const int64_t h = task[kX].shape[1], w = task[kX].shape[2], ic = task[kX].shape[3];
  const int64_t oh = task[kY].shape[1], ow = task[kY].shape[2], oc = task[kY].shape[3];
  const int64_t kh = task[kFilters].shape[1], kw = task[kFilters].shape[2];
  const int64_t filter = kh * kw * ic;
  const float* bias = task.data<const float>(kStart);
  float* y = task.data<float>(kY);
  for (int64_t pixel = 0; pixel < task[kX].shape[0] * oh * ow; ++pixel, y += oc) {
    const int64_t oy = pixel / ow % oh + a.pad_top, ox = pixel % ow + a.pad_left;
    const float* image = task.data<const float>(kX) + pixel / (oh * ow) * h * w * ic;
    for (int64_t o = 0; o < oc; o += kSideBySide) {
      const int64_t count = at_once(oc - o);
      const Rows filters(task.data<const float>(kFilters) + o * filter, filter, count);
      float sum[kSideBySide] = {};
      for (int64_t j = 0; j < count; ++j) sum[j] = bias[o + j];
      for (int64_t ky = 0; ky < kh && ky <= oy; ++ky) {
        const int64_t iy = (oy - ky) / a.stride_h;
        if ((oy - ky) % a.stride_h != 0 || iy >= h) continue;
        for (int64_t kx = 0; kx < kw && kx <= ox; ++kx) {
          const int64_t ix = (ox - kx) / a.stride_w;
          if ((ox - kx) % a.stride_w != 0 || ix >= w) continue;
          filters.add(sum, image + (iy * w + ix) * ic, (ky * kw + kx) * ic, ic);
        }
      }
      for (int64_t j = 0; j < count; ++j) y[o + j] = within(sum[j], a.low, a.high);
    }
  }
}

}  // namespace

// {x, weights [oc,kh,kw,ic], bias, y}, as the int8 one: likewise, dilations and groups 1.
const Kernel kTransposeConv2dF32{
    "transpose_conv2d_f32", sizeof(presil_conv_f32_attributes), 1, check, run, macs};

}  // namespace presil::kernels
