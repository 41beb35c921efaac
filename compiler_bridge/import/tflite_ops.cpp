// What each operator of the file format becomes: a table and one small function per operator.
#include <algorithm>
#include <cstring>
#include <tuple>

#include "compiler_bridge/import/tflite_reader.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import {
namespace {

constexpr int64_t kMaxWindow = 1 << 16;  // kernels, strides, dilations: far above any real one

struct Pads {
  int before = 0, after = 0;
};

/// SAME: out = ceil(in / stride), what is missing is split with the larger half behind.
Pads pads(const OpReader& r, file::Padding padding, int64_t in, int64_t kernel, int64_t stride,
          int64_t dilation) {
  for (int64_t value : {kernel, stride, dilation}) {
    r.want(value >= 1 && value < kMaxWindow, [&] {
      return "kernel, stride or dilation is " + std::to_string(value) + ", wants 1.." +
             std::to_string(kMaxWindow - 1);
    });
  }
  r.want(padding == file::Padding_Same || padding == file::Padding_Valid, [&] {
    return "its padding is number " + std::to_string(padding) + ", wants SAME or VALID";
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

/// The format's int8 weights are symmetric, its uint8 ones are not.
void check_weight_zero(const OpReader& r) {
  const auto& zeros = r.in(1).quantization.zero_points;
  const bool zero = std::all_of(zeros.begin(), zeros.end(), [](int64_t z) { return z == 0; });
  r.want(zero || r.is_unsigned(1) || !r.in(1).is_constant(),
         "int8 weights have a zero point that is not 0, want 0");
}

void conv_2d(const OpReader& r) {
  const auto& o = r.options<file::Conv2D>();
  check_weight_zero(r);
  r.want_rank(r.in(0), "x", 4);
  r.want_rank(r.in(1), "weights", 4);
  const auto& w = r.in(1).shape;
  const int64_t channels = r.in(0).shape[3];
  r.want(channels % w[3] == 0, [&] {
    return "x has " + std::to_string(channels) + " channels, weights " + ir::to_string(w) +
           " want a multiple of " + std::to_string(w[3]);
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
  check_weight_zero(r);
  r.want_rank(r.in(0), "x", 4);
  r.want_rank(r.in(1), "weights", 4);
  const auto& w = r.in(1).shape;
  const int64_t channels = r.in(0).shape[3];
  r.want(w[3] % channels == 0 &&
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

// The padding is that of the convolution that leads from y to x; what it leaves behind x's last
// window follows from the sizes.
void transpose_conv(const OpReader& r) {
  const auto& o = r.options<file::TransposeConv>();
  check_weight_zero(r);
  r.want_rank(r.in(1), "weights", 4);
  r.want_rank(r.in(2), "x", 4);
  r.want_rank(r.out(), "y", 4);
  const auto &w = r.in(1).shape, &x = r.in(2).shape, &y = r.out().shape;
  // An input of the network may take its place: y has one shape, whatever is given there.
  const auto& given = r.graph.inputs;
  const bool stated = std::count(given.begin(), given.end(), r.op.inputs[0]) == 0;
  const std::vector<int64_t> shape = stated ? r.integers(0, "output_shape") : y;
  r.want(shape == y, [&] {
    return "output_shape is " + ir::to_string(shape) + ", y is " + ir::to_string(y) +
           ", want them equal";
  });
  ir::TransposeConv2d a;
  a.stride_h = o.stride_h(), a.stride_w = o.stride_w();
  a.act = r.activation(o.activation());
  a.pad_top = pads(r, o.padding(), y[1], w[1], a.stride_h, 1).before;
  a.pad_left = pads(r, o.padding(), y[2], w[2], a.stride_w, 1).before;
  const auto behind = [&](int64_t in, int64_t kernel, int64_t stride, int64_t before, int64_t out) {
    const int64_t pad = (in - 1) * stride + kernel - before - out;
    r.want(pad >= std::min<int64_t>(0, kernel - stride) && pad < kernel, [&] {
      return "y has an extent of " + std::to_string(out) + " where x has " + std::to_string(in) +
             ", stride " + std::to_string(stride) + " and kernel " + std::to_string(kernel) +
             " want the size that a convolution would lead back from";
    });
    return static_cast<int>(pad);
  };
  a.pad_bottom = behind(x[1], w[1], a.stride_h, a.pad_top, y[1]);
  a.pad_right = behind(x[2], w[2], a.stride_w, a.pad_left, y[2]);
  std::vector<ir::TensorId>& inputs = r.op.inputs;
  inputs.erase(inputs.begin());
  std::swap(inputs[0], inputs[1]);  // x first
  r.op.attributes = a;
}

void fully_connected(const OpReader& r) {
  const auto& o = r.options<file::FullyConnected>();
  check_weight_zero(r);
  r.want(o.weights_format() == 0, [&] {
    return "its weights are shuffled (format " + std::to_string(o.weights_format()) +
           "), wants plain rows; export the file again";
  });
  r.op.attributes = ir::FullyConnected{r.activation(o.activation())};
}

void batch_matmul(const OpReader& r) {
  const auto& o = r.options<file::BatchMatMul>();
  r.op.attributes = ir::BatchMatmul{o.adj_x(), o.adj_y()};
}

/// The state starts at 0 in every run: it is no input of the graph's operator but its result.
/// Inputs in the file: x, 4 weights of x, 4 of the state, 3 of peepholes, 4 biases, 2 of a
/// projection, state h, state c, 4 of a normalisation.
void lstm(const OpReader& r) {
  const auto& o = r.options<file::Lstm>();
  r.want(r.op.inputs.size() == 24, [&] {
    return "it has " + std::to_string(r.op.inputs.size()) +
           " inputs, wants all 24, absent ones too";
  });
  r.want(o.activation() == file::Fused_Tanh, [&] {
    return "its activation is number " + std::to_string(o.activation()) + ", wants tanh";
  });
  for (const auto& [first, count, what] : {std::tuple{size_t{9}, size_t{3}, "peepholes"},
                                           {16, 2, "a projection"},
                                           {20, 4, "a normalisation"}}) {
    for (size_t i = first; i < first + count; ++i) {
      r.want(!r.has(i),
             [&, w = what] { return std::string("it has ") + w + ", wants a plain LSTM"; });
    }
  }
  std::vector<ir::TensorId> inputs(r.op.inputs.begin(), r.op.inputs.begin() + 9);
  inputs.insert(inputs.end(), r.op.inputs.begin() + 12, r.op.inputs.begin() + 16);
  for (size_t i = 0; i < inputs.size(); ++i) {
    r.want(inputs[i] != ir::kAbsent, [&] {
      return "its " + ir::info(r.op.kind).inputs[i] +
             " is missing: gates that share their weights are not supported";
    });
  }
  r.want(r.has(18) && r.has(19), "its state is missing");
  r.op.outputs.push_back(r.op.inputs[18]);
  r.op.outputs.push_back(r.op.inputs[19]);
  r.op.inputs = std::move(inputs);
  r.op.attributes = ir::Lstm{o.time_major(), o.cell_clip()};
}

void add(const OpReader& r) {
  r.op.attributes = ir::Elementwise{r.activation(r.options<file::Add>().activation())};
}
void sub(const OpReader& r) {
  r.op.attributes = ir::Elementwise{r.activation(r.options<file::Sub>().activation())};
}
void mul(const OpReader& r) {
  r.op.attributes = ir::Elementwise{r.activation(r.options<file::Mul>().activation())};
}

void pool_2d(const OpReader& r) {
  const auto& o = r.options<file::Pool2D>();
  r.want_rank(r.in(0), "x", 4);
  ir::Pool2d a;
  a.kernel_h = o.filter_h(), a.kernel_w = o.filter_w();
  a.stride_h = o.stride_h(), a.stride_w = o.stride_w();
  a.act = r.activation(o.activation());
  // Unsigned sums are never negative, so their halves go up.
  a.ties_up = r.is_unsigned(0) && r.op.kind == ir::OpKind::kAveragePool2d;
  set_pads(r, a, o.padding(), a.kernel_h, a.kernel_w, 1, 1);
  r.op.attributes = a;
}

void mean(const OpReader& r) {
  ir::Mean a;
  for (int64_t axis : r.integers(1, "axes")) {
    a.axes.push_back(axis_of(r, axis, r.in(0).shape.size()));
  }
  std::sort(a.axes.begin(), a.axes.end());
  a.axes.erase(std::unique(a.axes.begin(), a.axes.end()), a.axes.end());
  a.keep_dims = r.options<file::Reducer>().keep_dims();
  r.op.attributes = a;
  r.keep_inputs(1);
}

void softmax(const OpReader& r) {
  r.op.attributes = ir::Softmax{r.options<file::Softmax>().beta()};
}

void leaky_relu(const OpReader& r) {
  r.op.attributes = ir::LeakyRelu{r.options<file::LeakyRelu>().alpha()};
}

void nothing(const OpReader&) {}

/// The result's shape says it; the parameter only has to be no surprise.
void reshape(const OpReader& r) {
  if (r.has(1)) r.integers(1, "shape");
  r.keep_inputs(1);
}

void concatenation(const OpReader& r) {
  const auto& o = r.options<file::Concatenation>();
  ir::Concat a;
  a.axis = static_cast<int>(axis_of(r, o.axis(), r.out().shape.size()));
  a.act = r.activation(o.activation());
  // Unlike bytes are requantised; how depends on what they are in the file.
  for (size_t i = 0; i < r.op.inputs.size(); ++i) {
    if (!r.is_unsigned(i)) continue;  // or absent
    a.in_float = a.in_float || r.in(i).quantization != r.out().quantization;
  }
  r.op.attributes = a;
}

void pad(const OpReader& r) {
  const auto paddings = r.integers(1, "paddings");
  const size_t rank = r.in(0).shape.size();
  r.want(paddings.size() == 2 * rank, [&] {
    return "paddings hold " + std::to_string(paddings.size()) +
           " numbers, want two per axis of x " + ir::to_string(r.in(0).shape);
  });
  ir::Pad a;
  for (size_t i = 0; i < rank; ++i) {
    a.before.push_back(paddings[2 * i]);
    a.after.push_back(paddings[2 * i + 1]);
  }
  const ir::Tensor& x = r.in(0);
  a.value = x.quantization.per_tensor() ? x.quantization.zero_point() : 0;
  if (r.has(2)) {
    const ir::Tensor& value = r.in(2);
    r.want(value.is_constant() && value.elements() == 1 && value.dtype == x.dtype &&
               (x.dtype == ir::DType::kInt8 || x.dtype == ir::DType::kInt16),
           [&] {
             return "its value is " + ir::type_of(value) + ", wants one constant of x's type " +
                    ir::to_string(x.dtype);
           });
    a.value = x.dtype == ir::DType::kInt16 ? value.values<int16_t>()[0] : value.values<int8_t>()[0];
  }
  r.op.attributes = a;
  r.keep_inputs(1);
}

void transpose(const OpReader& r) {
  ir::Transpose a;
  for (int64_t axis : r.integers(1, "perm")) {
    a.perm.push_back(axis_of(r, axis, r.in(0).shape.size()));
  }
  r.op.attributes = a;
  r.keep_inputs(1);
}

/// begin and end count from the end when negative and are cut to the axis; a bit in a mask means
/// "from the edge"; shrunk axes take one element and go.
void strided_slice(const OpReader& r) {
  const auto& o = r.options<file::StridedSlice>();
  r.want(o.ellipsis_mask() == 0 && o.new_axis_mask() == 0 && !o.offset(),
         "it uses ellipsis, new axes or offsets, wants plain begin, end and strides");
  const auto begin = r.integers(1, "begin");
  const auto end = r.integers(2, "end");
  const auto stride = r.integers(3, "strides");
  const auto& x = r.in(0).shape;
  r.want(begin.size() <= x.size() && x.size() < 31 && end.size() == begin.size() &&
             stride.size() == begin.size(),
         [&] {
           return "begin, end and strides hold " + std::to_string(begin.size()) + ", " +
                  std::to_string(end.size()) + " and " + std::to_string(stride.size()) +
                  " numbers, want as many, at most one per axis of " + ir::to_string(x);
         });
  ir::StridedSlice a;
  a.begin.assign(x.size(), 0), a.size = x, a.step.assign(x.size(), 1);
  for (size_t i = 0; i < begin.size(); ++i) {
    const int64_t step = stride[i];
    constexpr int64_t kMost = (int64_t{1} << 31) - 1;
    r.want(step != 0 && step >= -kMost && step <= kMost, [&] {
      return "the stride of axis " + std::to_string(i) + " is " + std::to_string(step) +
             ", wants 1.." + std::to_string(kMost) + " or the same below 0";
    });
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? x[i] : x[i] - 1;
    const auto edge = [&](int64_t value) {
      return std::clamp(value < 0 ? value + x[i] : value, low, high);
    };
    const auto bit = [&](int mask) { return (mask >> i & 1) != 0; };
    const bool shrink = bit(o.shrink_axis_mask());
    int64_t first = bit(o.begin_mask()) ? (step > 0 ? 0 : x[i] - 1) : edge(begin[i]);
    int64_t last = bit(o.end_mask()) ? (step > 0 ? x[i] : -1) : edge(end[i]);
    if (shrink) last = first + step;
    a.begin[i] = first;
    a.step[i] = step;
    a.size[i] = shrink ? 1 : (last - first + step - (step > 0 ? 1 : -1)) / step;
    if (a.size[i] == 1) a.step[i] = 1;
  }
  r.op.attributes = a;
  r.keep_inputs(1);
}

/// The result's shape says it.
void expand_dims(const OpReader& r) {
  r.integers(1, "axis");
  r.keep_inputs(1);
}

template <class Options>
void resize(const OpReader& r) {
  const auto& o = r.options<Options>();
  const auto size = r.integers(1, "size");
  r.want_rank(r.out(), "y", 4);
  r.want(size.size() == 2 && size[0] == r.out().shape[1] && size[1] == r.out().shape[2], [&] {
    return "size is " + ir::to_string(size) + ", y is " + ir::to_string(r.out().shape) +
           ", want the same height and width";
  });
  r.op.attributes = ir::Resize{o.align_corners(), o.half_pixel_centers()};
  r.keep_inputs(1);
}

}  // namespace

const std::vector<Conversion>& conversions() {
  using ir::OpKind;
  static const std::vector<ir::DType> int8 = {ir::DType::kInt8};
  static const std::vector<ir::DType> bytes = {ir::DType::kInt8, ir::DType::kUint8};
  static const std::vector<ir::DType> wide = {ir::DType::kInt8, ir::DType::kUint8,
                                              ir::DType::kInt16};
  static const std::vector<ir::DType> narrow_or_wide = {ir::DType::kInt8, ir::DType::kInt16};
  static const std::vector<ir::DType> numbers = {ir::DType::kInt8, ir::DType::kUint8,
                                                 ir::DType::kInt16, ir::DType::kInt32,
                                                 ir::DType::kFloat32};
  static const std::vector<ir::DType> box_types = {ir::DType::kUint8, ir::DType::kFloat32};
  static const std::vector<Conversion> table = {
      {file::Builtin_ADD, OpKind::kAdd, 2, 2, wide, add},
      {file::Builtin_AVERAGE_POOL_2D, OpKind::kAveragePool2d, 1, 1, bytes, pool_2d},
      {file::Builtin_CONCATENATION, OpKind::kConcat, 1, 1024, wide, concatenation},
      {file::Builtin_CONV_2D, OpKind::kConv2d, 2, 3, wide, conv_2d},
      {file::Builtin_DEPTHWISE_CONV_2D, OpKind::kDepthwiseConv2d, 2, 3, wide, depthwise_conv_2d},
      {file::Builtin_DEQUANTIZE, OpKind::kDequantize, 1, 1, wide, nothing},
      {file::Builtin_FULLY_CONNECTED, OpKind::kFullyConnected, 2, 3, wide, fully_connected},
      {file::Builtin_LOGISTIC, OpKind::kLogistic, 1, 1, bytes, nothing},
      {file::Builtin_MAX_POOL_2D, OpKind::kMaxPool2d, 1, 1, bytes, pool_2d},
      {file::Builtin_MUL, OpKind::kMul, 2, 2, wide, mul},
      {file::Builtin_RELU, OpKind::kRelu, 1, 1, bytes, nothing},
      {file::Builtin_RELU6, OpKind::kRelu6, 1, 1, bytes, nothing},
      {file::Builtin_RESHAPE, OpKind::kReshape, 1, 2, wide, reshape},
      {file::Builtin_RESIZE_BILINEAR, OpKind::kResizeBilinear, 2, 2, int8,
       resize<file::ResizeBilinear>},
      {file::Builtin_SOFTMAX, OpKind::kSoftmax, 1, 1, bytes, softmax},
      {file::Builtin_TANH, OpKind::kTanh, 1, 1, bytes, nothing},
      {file::Builtin_CUSTOM,
       OpKind::kDetectionPostProcess,
       3,
       3,
       box_types,
       detection_post_process,
       {},
       0,
       4,
       4,
       "TFLite_Detection_PostProcess"},
      {file::Builtin_PAD, OpKind::kPad, 2, 2, wide, pad},
      {file::Builtin_TRANSPOSE, OpKind::kTranspose, 2, 2, wide, transpose},
      {file::Builtin_MEAN, OpKind::kMean, 2, 2, bytes, mean},
      {file::Builtin_SUB, OpKind::kSub, 2, 2, wide, sub},
      {file::Builtin_SQUEEZE, OpKind::kReshape, 1, 1, wide, nothing},
      {file::Builtin_UNIDIRECTIONAL_SEQUENCE_LSTM, OpKind::kLstm, 1, 24, int8, lstm, {18, 19}},
      {file::Builtin_STRIDED_SLICE, OpKind::kStridedSlice, 4, 4, wide, strided_slice},
      {file::Builtin_SPLIT, OpKind::kStridedSlice, 2, 2, wide, split, {}, 1, 1024},
      {file::Builtin_PADV2, OpKind::kPad, 3, 3, wide, pad},
      {file::Builtin_TRANSPOSE_CONV, OpKind::kTransposeConv2d, 3, 4, wide, transpose_conv, {}, 2},
      {file::Builtin_EXPAND_DIMS, OpKind::kReshape, 2, 2, wide, expand_dims},
      {file::Builtin_PACK, OpKind::kConcat, 1, 1024, wide, pack},
      {file::Builtin_UNPACK, OpKind::kStridedSlice, 1, 1, wide, unpack, {}, 0, 1024},
      {file::Builtin_RESIZE_NEAREST_NEIGHBOR, OpKind::kResizeNearest, 2, 2, bytes,
       resize<file::ResizeNearest>},
      {file::Builtin_LEAKY_RELU, OpKind::kLeakyRelu, 1, 1, wide, leaky_relu},
      {file::Builtin_SPLIT_V, OpKind::kStridedSlice, 3, 3, wide, split, {}, 0, 1024},
      {file::Builtin_QUANTIZE, OpKind::kQuantize, 1, 1, numbers, nothing},
      {file::Builtin_HARD_SWISH, OpKind::kHardSwish, 1, 1, int8, nothing},
      {file::Builtin_BATCH_MATMUL, OpKind::kBatchMatmul, 2, 2, narrow_or_wide, batch_matmul},
  };
  return table;
}

}  // namespace presil::import
