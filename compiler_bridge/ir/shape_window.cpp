// Shapes of what moves a window over an image.
#include <algorithm>

#include "compiler_bridge/ir/shape_case.h"

namespace presil::ir::shapes {
namespace {

/// The two spatial extents of a window operator.
template <class Window>
std::pair<int64_t, int64_t> window(const Case& c, const Window& w, int64_t kernel_h,
                                   int64_t kernel_w, int64_t dilation_h, int64_t dilation_w) {
  c.require(w.stride_h >= 1 && w.stride_w >= 1, [&] {
    return "strides are " + text(w.stride_h) + " and " + text(w.stride_w) + ", must be at least 1";
  });
  c.require(dilation_h >= 1 && dilation_w >= 1, [&] {
    return "dilations are " + text(dilation_h) + " and " + text(dilation_w) +
           ", must be at least 1";
  });
  c.require(kernel_h >= 1 && kernel_w >= 1, [&] {
    return "kernel is " + text(kernel_h) + "x" + text(kernel_w) + ", must be at least 1x1";
  });
  const int64_t reach_h = (kernel_h - 1) * dilation_h + 1;
  const int64_t reach_w = (kernel_w - 1) * dilation_w + 1;
  c.require(w.pad_top >= 0 && w.pad_bottom >= 0 && w.pad_top < reach_h && w.pad_bottom < reach_h,
            [&] {
              return "pad_top is " + text(w.pad_top) + " and pad_bottom is " + text(w.pad_bottom) +
                     ", must be 0.." + text(reach_h - 1) + ": less than the kernel's reach";
            });
  c.require(w.pad_left >= 0 && w.pad_right >= 0 && w.pad_left < reach_w && w.pad_right < reach_w,
            [&] {
              return "pad_left is " + text(w.pad_left) + " and pad_right is " + text(w.pad_right) +
                     ", must be 0.." + text(reach_w - 1) + ": less than the kernel's reach";
            });
  const int64_t out_h =
      window_extent(c.in(0)[1], kernel_h, w.stride_h, dilation_h, w.pad_top, w.pad_bottom);
  const int64_t out_w =
      window_extent(c.in(0)[2], kernel_w, w.stride_w, dilation_w, w.pad_left, w.pad_right);
  c.require(out_h >= 1 && out_w >= 1, [&] {
    return "a kernel that reaches " + text(reach_h) + "x" + text(reach_w) + " does not fit into " +
           to_string(c.in(0)) + " with its padding";
  });
  return {out_h, out_w};
}

/// Rows (columns) of a transposed convolution.
int64_t widened(const Case& c, const char* axis, int64_t in, int64_t kernel, int64_t stride,
                int64_t before, int64_t after) {
  c.require(stride >= 1 && kernel >= 1, [&] {
    return std::string(axis) + " have stride " + text(stride) + " and kernel " + text(kernel) +
           ", must be at least 1";
  });
  const int64_t least = std::min<int64_t>(0, kernel - stride);
  c.require(before >= 0 && before < kernel && after >= least && after < kernel, [&] {
    return std::string(axis) + " are padded by " + text(before) + " and " + text(after) +
           ", must be 0.." + text(kernel - 1) + " before and " + text(least) + ".." +
           text(kernel - 1) + " after";
  });
  const int64_t out = (in - 1) * stride + kernel - before - after;
  c.require(out >= 1, [&] { return "no " + std::string(axis) + " are left of y after padding"; });
  return out;
}

}  // namespace

void require_bias(const Case& c, int64_t channels) {
  if (!c.has(2)) return;
  c.require(c.in(2) == Shape{channels}, [&] {
    return "bias is " + to_string(c.in(2)) + ", must be [" + text(channels) + "], one per output";
  });
}

Shapes conv2d(const Case& c) {
  const auto& a = c.op.as<Conv2d>();
  c.require_rank(0, 4), c.require_rank(1, 4);
  const Shape& x = c.in(0);
  const Shape& w = c.in(1);
  c.require(a.groups >= 1 && w[0] % a.groups == 0, [&] {
    return "groups is " + text(a.groups) + ", must be a divisor of the " + text(w[0]) +
           " output channels";
  });
  c.require(w[3] * a.groups == x[3], [&] {
    return "weights are " + to_string(w) + " in " + text(a.groups) + " groups, x has " +
           text(x[3]) + " channels, expected " + text(w[3] * a.groups);
  });
  require_bias(c, w[0]);
  const auto [h, width] = window(c, a, w[1], w[2], a.dilation_h, a.dilation_w);
  return Shape{x[0], h, width, w[0]};
}

Shapes depthwise_conv2d(const Case& c) {
  const auto& a = c.op.as<DepthwiseConv2d>();
  c.require_rank(0, 4), c.require_rank(1, 4);
  const Shape& x = c.in(0);
  const Shape& w = c.in(1);
  c.require(a.multiplier >= 1 && w[0] == 1 && w[3] % x[3] == 0 && w[3] / x[3] == a.multiplier, [&] {
    return "weights are " + to_string(w) + ", must be [1,h,w," + text(x[3]) +
           " channels * multiplier " + text(a.multiplier) + "]";
  });
  require_bias(c, w[3]);
  const auto [h, width] = window(c, a, w[1], w[2], a.dilation_h, a.dilation_w);
  return Shape{x[0], h, width, w[3]};
}

Shapes transpose_conv2d(const Case& c) {
  const auto& a = c.op.as<TransposeConv2d>();
  c.require_rank(0, 4), c.require_rank(1, 4);
  const Shape& x = c.in(0);
  const Shape& w = c.in(1);
  c.require(w[3] == x[3], [&] {
    return "weights are " + to_string(w) + ", x has " + text(x[3]) + " channels, expected " +
           text(w[3]);
  });
  require_bias(c, w[0]);
  c.require(a.vector == 0 || a.vector == 8 || a.vector == 16,
            [&] { return "vector is " + text(a.vector) + ", must be 0, 8 or 16"; });
  return Shape{x[0], widened(c, "rows", x[1], w[1], a.stride_h, a.pad_top, a.pad_bottom),
               widened(c, "columns", x[2], w[2], a.stride_w, a.pad_left, a.pad_right), w[0]};
}

Shapes pool2d(const Case& c) {
  const auto& a = c.op.as<Pool2d>();
  c.require_rank(0, 4);
  const auto [h, w] = window(c, a, a.kernel_h, a.kernel_w, 1, 1);
  return Shape{c.in(0)[0], h, w, c.in(0)[3]};
}

Shapes resize(const Case& c) {
  c.require_rank(0, 4);
  const Shape& x = c.in(0);
  const Shape& y = c.stated();
  c.require(y.size() == 4 && y[0] == x[0] && y[3] == x[3], [&] {
    return "y is " + to_string(y) + ", must have batch and channels of x " + to_string(x);
  });
  return y;
}

}  // namespace presil::ir::shapes
