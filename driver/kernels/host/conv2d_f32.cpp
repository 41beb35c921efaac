// Convolution of floats with groups, stride, dilation, and of each channel by itself: products
// (float_math.h) by ascending ky, kx, c over the taps inside the image, then the clamp.
#include "driver/kernels/host/conv.h"
#include "driver/kernels/host/float_math.h"

namespace presil::kernels {
namespace {

enum : uint32_t { kImage, kFilters, kStart, kResult, kFloatTensors };

bool check_window(const Task& task, Check& c) {
  if (!c.count(kFloatTensors)) return false;
  check_floats(task, c);
  c.rank(kImage, 4);
  c.rank(kFilters, 4);
  c.rank(kResult, 4);
  if (!c.ok()) return false;
  const auto a = task.as<presil_conv_f32_attributes>();
  c.dim(kResult, 0, task[kImage].shape[0]);
  c.elements(kStart, task[kResult].shape[3]);
  c.range("stride_h", a.stride_h, 1, 65535);
  c.range("stride_w", a.stride_w, 1, 65535);
  c.range("dilation_h", a.dilation_h, 1, 65535);
  c.range("dilation_w", a.dilation_w, 1, 65535);
  c.range("pad_top", a.pad_top, 0, 65535);
  c.range("pad_left", a.pad_left, 0, 65535);
  c.range("groups", a.groups, 1, task[kImage].shape[3]);
  check_bounds(a.low, a.high, c);
  return c.ok();
}

void check(const Task& task, Check& c) {
  if (!check_window(task, c)) return;
  const uint32_t groups = task.as<presil_conv_f32_attributes>().groups;
  const uint32_t ic = task[kImage].shape[3], oc = task[kResult].shape[3];
  if (ic % groups) c.refuse("groups: rest of input channels", kImage, ic % groups, 0);
  if (oc % groups) c.refuse("groups: rest of output channels", kResult, oc % groups, 0);
  c.dim(kFilters, 0, oc);
  c.dim(kFilters, 3, ic / groups);
}

void check_depthwise(const Task& task, Check& c) {
  if (!check_window(task, c)) return;
  const uint32_t ic = task[kImage].shape[3], oc = task[kResult].shape[3];
  const uint32_t groups = task.as<presil_conv_f32_attributes>().groups;
  if (groups != ic) c.refuse("groups", kImage, groups, ic);
  if (oc % ic) c.refuse("output channels: rest of input channels", kResult, oc % ic, 0);
  c.dim(kFilters, 0, 1);
  c.dim(kFilters, 3, oc);
}

uint64_t macs(const Task& task) {
  const uint32_t* w = task[kFilters].shape;
  return presil_tensor_elements(&task[kResult]) * w[1] * w[2] * w[3];
}
uint64_t macs_depthwise(const Task& task) {
  const uint32_t* w = task[kFilters].shape;
  return presil_tensor_elements(&task[kResult]) * w[1] * w[2];
}

/// Calls pixel(taps of rows, taps of columns, top, left, image, y) for every pixel of y.
template <class Pixel>
void each_pixel(const Task& task, const presil_conv_f32_attributes& a, const Pixel& pixel) {
  const uint32_t *x = task[kImage].shape, *w = task[kFilters].shape, *y = task[kResult].shape;
  float* to = task.data<float>(kResult);
  for (uint32_t n = 0; n < x[0]; ++n) {
    const float* image = task.data<const float>(kImage) + int64_t{n} * x[1] * x[2] * x[3];
    for (int64_t oy = 0; oy < y[1]; ++oy) {
      const int64_t top = oy * a.stride_h - a.pad_top;
      const Taps rows = taps_inside(top, a.dilation_h, w[1], x[1]);
      for (int64_t ox = 0; ox < y[2]; ++ox, to += y[3]) {
        const int64_t left = ox * a.stride_w - a.pad_left;
        pixel(rows, taps_inside(left, a.dilation_w, w[2], x[2]), top, left, image, to);
      }
    }
  }
}

void run(const Task& task) {
  const auto a = task.as<presil_conv_f32_attributes>();
  const int64_t w = task[kImage].shape[2], ic = task[kImage].shape[3];
  const int64_t oc = task[kResult].shape[3];
  const int64_t kw = task[kFilters].shape[2], group_in = ic / a.groups, group_out = oc / a.groups;
  const int64_t filter = task[kFilters].shape[1] * kw * group_in;
  const float* bias = task.data<const float>(kStart);
  each_pixel(task, a,
             [&](Taps rows, Taps columns, int64_t top, int64_t left, const float* image, float* y) {
               for (int64_t o = 0; o < oc;) {
                 const int64_t group = o / group_out, count = at_once((group + 1) * group_out - o);
                 const Rows filters(task.data<const float>(kFilters) + o * filter, filter, count);
                 float sum[kSideBySide] = {};
                 for (int64_t j = 0; j < count; ++j) sum[j] = bias[o + j];
                 for (int64_t ky = rows.begin; ky < rows.end; ++ky) {
                   for (int64_t kx = columns.begin; kx < columns.end; ++kx) {
                     const int64_t pixel = (top + ky * a.dilation_h) * w + left + kx * a.dilation_w;
                     filters.add(sum, image + pixel * ic + group * group_in,
                                 (ky * kw + kx) * group_in, group_in);
                   }
                 }
                 for (int64_t j = 0; j < count; ++j, ++o) y[o] = within(sum[j], a.low, a.high);
               }
             });
}

void run_depthwise(const Task& task) {
  const auto a = task.as<presil_conv_f32_attributes>();
  const int64_t w = task[kImage].shape[2], ic = task[kImage].shape[3];
  const int64_t oc = task[kResult].shape[3], kw = task[kFilters].shape[2];
  const float *filters = task.data<const float>(kFilters), *bias = task.data<const float>(kStart);
  each_pixel(task, a,
             [&](Taps rows, Taps columns, int64_t top, int64_t left, const float* image, float* y) {
               for (int64_t o = 0; o < oc; ++o) {
                 float sum = bias[o];
                 for (int64_t ky = rows.begin; ky < rows.end; ++ky) {
                   for (int64_t kx = columns.begin; kx < columns.end; ++kx) {
                     const int64_t pixel = (top + ky * a.dilation_h) * w + left + kx * a.dilation_w;
                     sum = fused(image[pixel * ic + o / (oc / ic)],
                                 filters[(ky * kw + kx) * oc + o], sum);
                   }
                 }
                 y[o] = within(sum, a.low, a.high);
               }
             });
}

}  // namespace

// Floats: all tensors f32, in the order of operations that float_math.h states. {x [n,h,w,ic],
// weights [oc,kh,kw,ic/groups], bias [oc], y}: presil_conv_f32_attributes.
const Kernel kConv2dF32{"conv2d_f32", sizeof(presil_conv_f32_attributes), 1, check, run, macs};
// {x, weights [1,kh,kw,ic*m], bias, y}: likewise with `groups` = ic.
const Kernel kDepthwiseConv2dF32{
    "depthwise_conv2d_f32", sizeof(presil_conv_f32_attributes), 1, check_depthwise, run_depthwise,
    macs_depthwise};

}  // namespace presil::kernels
