// Operators that move a window over an image: what each becomes.
#include <algorithm>

#include "compiler_bridge/import/tflite/reader.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import {
namespace {

constexpr int64_t kMaxWindow = 1 << 16;  // kernels, strides, dilations: far above any real one

struct Pads {
  int before = 0, after = 0;
};

/// SAME: out = ceil(in / stride), what is missing is split with the larger half at the end.
Pads pads(const OpReader& r, file::Padding padding, int64_t in, int64_t kernel, int64_t stride,
          int64_t dilation) {
  for (int64_t value : {kernel, stride, dilation}) {
    r.require(value >= 1 && value < kMaxWindow, [&] {
      return "kernel, stride or dilation is " + std::to_string(value) + ", must be 1.." +
             std::to_string(kMaxWindow - 1);
    });
  }
  r.require(padding == file::Padding_Same || padding == file::Padding_Valid, [&] {
    return "its padding is number " + std::to_string(padding) + ", must be SAME or VALID";
  });
  if (padding == file::Padding_Valid) return {};
  const int64_t reach = (kernel - 1) * dilation + 1;
  const int64_t out = (in + stride - 1) / stride;
  const int64_t missing = std::max<int64_t>(0, (out - 1) * stride + reach - in);
  return {static_cast<int>(missing / 2), static_cast<int>(missing - missing / 2)};
}

template <class Attributes>
void set_pads(const OpReader& r, Attributes& a, file::Padding padding, int64_t kernel_h,
              int64_t kernel_w, int dilation_h, int dilation_w) {
  const ir::Tensor& x = r.in(0);
  const Pads rows = pads(r, padding, x.shape[1], kernel_h, a.stride_h, dilation_h);
  const Pads columns = pads(r, padding, x.shape[2], kernel_w, a.stride_w, dilation_w);
  a.pad_top = rows.before, a.pad_bottom = rows.after;
  a.pad_left = columns.before, a.pad_right = columns.after;
}

void conv_2d(const OpReader& r) {
  const auto& o = r.options<file::Conv2D>();
  r.require_weight_zero();
  r.require_rank(r.in(0), "x", 4);
  r.require_rank(r.in(1), "weights", 4);
  const auto& w = r.in(1).shape;
  const int64_t channels = r.in(0).shape[3];
  r.require(channels % w[3] == 0, [&] {
    return "x has " + std::to_string(channels) + " channels, weights " + ir::to_string(w) +
           " must be a multiple of " + std::to_string(w[3]);
  });
  ir::Conv2d a;
  a.stride_h = o.stride_h(), a.stride_w = o.stride_w();
  a.dilation_h = o.dilation_h(), a.dilation_w = o.dilation_w();
  a.groups = static_cast<int>(std::min<int64_t>(channels / w[3], 1 << 30));
  a.act = r.activation(o.activation());
  set_pads(r, a, o.padding(), w[1], w[2], a.dilation_h, a.dilation_w);
  r.op.attributes = a;
}

void depthwise_conv_2d(const OpReader& r) {
  const auto& o = r.options<file::DepthwiseConv2D>();
  r.require_weight_zero();
  r.require_rank(r.in(0), "x", 4);
  r.require_rank(r.in(1), "weights", 4);
  const auto& w = r.in(1).shape;
  const int64_t channels = r.in(0).shape[3];
  r.require(w[3] % channels == 0 &&
                (o.depth_multiplier() == 0 || o.depth_multiplier() == w[3] / channels),
            [&] {
              return "weights are " + ir::to_string(w) + ", depth multiplier is " +
                     std::to_string(o.depth_multiplier()) + ", do not fit " +
                     std::to_string(channels) + " input channels";
            });
  ir::DepthwiseConv2d a;
  a.stride_h = o.stride_h(), a.stride_w = o.stride_w();
  a.dilation_h = o.dilation_h(), a.dilation_w = o.dilation_w();
  a.multiplier = static_cast<int>(std::min<int64_t>(w[3] / channels, 1 << 30));
  a.act = r.activation(o.activation());
  set_pads(r, a, o.padding(), w[1], w[2], a.dilation_h, a.dilation_w);
  r.op.attributes = a;
}

// The padding is that of the convolution that leads from y to x; what it leaves after x's last
// window follows from the sizes.
void transpose_conv(const OpReader& r) {
  const auto& o = r.options<file::TransposeConv>();
  r.require_weight_zero();
  r.require_rank(r.in(1), "weights", 4);
  r.require_rank(r.in(2), "x", 4);
  r.require_rank(r.out(), "y", 4);
  const auto &w = r.in(1).shape, &x = r.in(2).shape, &y = r.out().shape;
  // An input of the network may stand for it: y has one shape, whatever value is given.
  const auto& given = r.graph.inputs;
  const bool stated = std::count(given.begin(), given.end(), r.op.inputs[0]) == 0;
  const std::vector<int64_t> shape = stated ? r.integers(0, "output_shape") : y;
  r.require(shape == y, [&] {
    return "output_shape is " + ir::to_string(shape) + ", y is " + ir::to_string(y) +
           ", must be equal";
  });
  ir::TransposeConv2d a;
  a.stride_h = o.stride_h(), a.stride_w = o.stride_w();
  a.act = r.activation(o.activation());
  a.pad_top = pads(r, o.padding(), y[1], w[1], a.stride_h, 1).before;
  a.pad_left = pads(r, o.padding(), y[2], w[2], a.stride_w, 1).before;
  const auto after = [&](int64_t in, int64_t kernel, int64_t stride, int64_t before, int64_t out) {
    const int64_t pad = (in - 1) * stride + kernel - before - out;
    r.require(pad >= std::min<int64_t>(0, kernel - stride) && pad < kernel, [&] {
      return "y has an extent of " + std::to_string(out) + " where x has " + std::to_string(in) +
             ", stride " + std::to_string(stride) + " and kernel " + std::to_string(kernel) +
             " must be the size that a convolution maps back to x";
    });
    return static_cast<int>(pad);
  };
  a.pad_bottom = after(x[1], w[1], a.stride_h, a.pad_top, y[1]);
  a.pad_right = after(x[2], w[2], a.stride_w, a.pad_left, y[2]);
  // What LiteRT's delegate leaves to TFLite's own kernel.
  const bool wide_stride = w[1] < a.stride_h || w[2] < a.stride_w;
  if (wide_stride && o.padding() == file::Padding_Same && r.in(2).dtype == ir::DType::kInt8) {
    a.vector = r.is_unsigned(2) ? 16 : 8;
  }
  std::vector<ir::TensorId>& inputs = r.op.inputs;
  inputs.erase(inputs.begin());
  std::swap(inputs[0], inputs[1]);  // x first
  r.op.attributes = a;
}

void pool_2d(const OpReader& r) {
  const auto& o = r.options<file::Pool2D>();
  r.require_rank(r.in(0), "x", 4);
  ir::Pool2d a;
  a.kernel_h = o.filter_h(), a.kernel_w = o.filter_w();
  a.stride_h = o.stride_h(), a.stride_w = o.stride_w();
  a.act = r.activation(o.activation());
  // Unsigned sums are never negative, so their halves go up.
  a.ties_up = r.is_unsigned(0) && r.op.kind == ir::OpKind::kAveragePool2d;
  set_pads(r, a, o.padding(), a.kernel_h, a.kernel_w, 1, 1);
  r.op.attributes = a;
}

template <class Options>
void resize(const OpReader& r) {
  const auto& o = r.options<Options>();
  const auto size = r.integers(1, "size");
  r.require_rank(r.out(), "y", 4);
  r.require(size.size() == 2 && size[0] == r.out().shape[1] && size[1] == r.out().shape[2], [&] {
    return "size is " + ir::to_string(size) + ", y is " + ir::to_string(r.out().shape) +
           ", must have the same height and width";
  });
  r.op.attributes = ir::Resize{o.align_corners(), o.half_pixel_centers()};
  r.keep_inputs(1);
}

}  // namespace

std::vector<Conversion> window_conversions() {
  return {
      {file::Builtin_AVERAGE_POOL_2D, ir::OpKind::kAveragePool2d, 1, 1, types::kFWide, pool_2d},
      {file::Builtin_CONV_2D, ir::OpKind::kConv2d, 2, 3, types::kFWide, conv_2d},
      {file::Builtin_DEPTHWISE_CONV_2D, ir::OpKind::kDepthwiseConv2d, 2, 3, types::kFWide,
       depthwise_conv_2d},
      {file::Builtin_MAX_POOL_2D, ir::OpKind::kMaxPool2d, 1, 1, types::kFWide, pool_2d},
      {file::Builtin_RESIZE_BILINEAR, ir::OpKind::kResizeBilinear, 2, 2, types::kFWide,
       resize<file::ResizeBilinear>},
      {file::Builtin_TRANSPOSE_CONV,
       ir::OpKind::kTransposeConv2d,
       3,
       4,
       types::kFWide,
       transpose_conv,
       {},
       2},
      {file::Builtin_RESIZE_NEAREST_NEIGHBOR, ir::OpKind::kResizeNearest, 2, 2, types::kAny,
       resize<file::ResizeNearest>},
  };
}

}  // namespace presil::import
