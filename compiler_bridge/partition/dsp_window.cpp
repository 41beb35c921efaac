// Images and matrices: convolutions, products, pools of floats; depthwise convolutions of int8 that
// the DLA does not take. A product is a convolution of rows;
// so is a convolution of one tap. Of one image the kernel gets some rows of results at a time, of
// several some images. Constant weights are laid out dense along the channels of y, which are the
// kernel's lanes.
#include <algorithm>
#include <cstddef>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/partition/dsp_lowering.h"
#include "compiler_bridge/partition/host_float.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/dsp/params.h"

namespace presil::partition {
namespace {

using K = ir::OpKind;
using Cut = layer::DspOperand::Cut;

constexpr int64_t kLanes = 64;  // channels of y that the kernels compute at a time

template <class Attributes>
presil_dsp_window window(const Attributes& a) {
  presil_dsp_window w{};
  w.stride_h = static_cast<uint32_t>(a.stride_h), w.stride_w = static_cast<uint32_t>(a.stride_w);
  w.dilation_h = w.dilation_w = w.groups = 1;
  w.pad_top = a.pad_top, w.pad_left = a.pad_left;
  const presil_clamp_f32_attributes clamp = clamp_of(a.act);
  w.low = clamp.low, w.high = clamp.high;
  return w;
}

template <class Conv>
presil_dsp_window dilated(const Conv& conv) {
  presil_dsp_window w = window(conv);
  w.dilation_h = static_cast<uint32_t>(conv.dilation_h);
  w.dilation_w = static_cast<uint32_t>(conv.dilation_w);
  return w;
}

/// Taps of all windows along an axis that lie inside.
int64_t taps_inside(int64_t results, int64_t stride, int64_t pad, int64_t kernel, int64_t dilation,
                    int64_t extent) {
  int64_t taps = 0;
  for (int64_t i = 0; i < results; ++i) {
    for (int64_t k = 0; k < kernel; ++k) {
      const int64_t at = i * stride - pad + k * dilation;
      if (at >= 0 && at < extent) ++taps;
    }
  }
  return taps;
}

struct Kernel2d {
  int64_t h = 1, w = 1;
};

/// Pixels of y in an image, and taps inside of all of them.
struct Image {
  int64_t pixels = 0, taps = 0;
};
Image image_of(const ir::Tensor& x, const ir::Tensor& y, const presil_dsp_window& w,
               const Kernel2d& kernel) {
  const auto &in = x.shape, &out = y.shape;
  return {out[1] * out[2],
          taps_inside(out[1], w.stride_h, w.pad_top, kernel.h, w.dilation_h, in[1]) *
              taps_inside(out[2], w.stride_w, w.pad_left, kernel.w, w.dilation_w, in[2])};
}

/// Rows of results of one image, or images.
void cut_images(const ir::Graph& graph, const ir::Op& op, const presil_dsp_window& w,
                const Kernel2d& kernel, size_t pad_at, layer::DspLayer& layer) {
  const auto &x = graph.tensor(op.input(0)).shape, &y = graph.tensor(op.output()).shape;
  const bool one = y[0] == 1;
  const auto after = [&](const std::vector<int64_t>& shape) {
    return std::vector<int64_t>(shape.begin() + (one ? 2 : 1), shape.end());
  };
  layer.rows = one ? y[1] : y[0];
  layer.inputs = {in_rows(graph, op.input(0), after(x))};
  layer.outputs = {in_rows(graph, op.output(), after(y))};
  layer.inputs.front().image = layer.outputs.front().image = one;
  if (!one) return;
  layer.inputs.front().cut = Cut::kWindow;
  layer.window = {w.stride_h, (kernel.h - 1) * w.dilation_h + 1, w.pad_top, x[1], pad_at};
}

/// x[i][j] to x[j][i], `count` matrices one after another.
std::vector<float> transposed(const float* from, int64_t count, int64_t rows, int64_t columns) {
  std::vector<float> to(static_cast<size_t>(count * rows * columns));
  for (int64_t m = 0; m < count; ++m) {
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        to[static_cast<size_t>((m * columns + j) * rows + i)] = from[(m * rows + i) * columns + j];
      }
    }
  }
  return to;
}

/// Weights [k, taps..], of `count` matrices one after another, as [taps, k]; of those that the
/// graph computes, as they are. @return the operand, all of it
layer::DspOperand weights_of(ir::Graph& graph, const ir::Op& op, int64_t count, int64_t channels,
                             std::vector<int64_t> shape) {
  const ir::Tensor& w = graph.tensor(op.input(1));
  if (!w.is_constant()) return whole_as(graph, op.input(1), std::move(shape));
  const int64_t taps = w.elements() / count / channels;
  const ir::TensorId laid =
      add_constant(graph, graph.tensor(op.output()).name + "/weights", ir::DType::kFloat32,
                   {count, taps, channels}, transposed(w.values<float>(), count, channels, taps));
  layer::DspOperand operand = whole_as(graph, laid, std::move(shape));
  operand.strides = {1};
  int64_t step = channels;
  for (size_t axis = operand.shape.size(); --axis > 0; step *= operand.shape[axis]) {
    operand.strides.insert(operand.strides.begin() + 1, step);
  }
  return operand;
}

bool is_dense(const layer::DspOperand& weights) {
  return !weights.strides.empty() && weights.strides.front() == 1;
}

void add_bias(const ir::Graph& graph, const ir::Op& op, layer::DspLayer& layer) {
  if (op.input(2) != ir::kAbsent) layer.inputs.push_back(whole(graph, op.input(2)));
}

/// Rows of x by the weights: {x [rows, terms], w [channels, terms], bias}{y [rows, channels]}.
layer::DspLayer of_rows(const ir::Graph& graph, const ir::Op& op, layer::DspOperand weights,
                        int64_t groups, const presil_dsp_window& params) {
  const int64_t channels = weights.shape[0], depth = weights.shape[1];
  layer::DspLayer layer;
  layer.kernel = "conv2d_f32";
  layer.rows = graph.tensor(op.output()).elements() / channels;
  layer.inputs = {in_rows(graph, op.input(0), {depth * groups}), weights};
  layer.outputs = {in_rows(graph, op.output(), {channels})};
  layer.params = bytes_of(params);
  layer.cost = {"conv2d_f32", {1, 1, 1, channels, groups, depth, is_dense(weights) ? 1 : 0}};
  layer.host_elements = static_cast<uint64_t>(layer.rows * channels * depth);
  return layer;
}

layer::DspLayer conv2d(ir::Graph& graph, const ir::Op& op) {
  const auto& conv = op.as<ir::Conv2d>();
  const std::vector<int64_t> ws = graph.tensor(op.input(1)).shape;
  presil_dsp_window w = dilated(conv);
  w.groups = static_cast<uint32_t>(conv.groups);
  const bool one_tap = ws[1] == 1 && ws[2] == 1;
  const bool every_pixel = conv.stride_h == 1 && conv.stride_w == 1 && conv.pad_top == 0 &&
                           conv.pad_left == 0 && conv.pad_bottom == 0 && conv.pad_right == 0;
  layer::DspLayer layer;
  if (one_tap && every_pixel) {
    layer = of_rows(graph, op, weights_of(graph, op, 1, ws[0], {ws[0], ws[3]}), conv.groups, w);
  } else {
    const Kernel2d kernel{ws[1], ws[2]};
    cut_images(graph, op, w, kernel, offsetof(presil_dsp_window, pad_top), layer);
    layer.kernel = "conv2d_f32";
    layer.inputs.push_back(weights_of(graph, op, 1, ws[0], ws));
    layer.params = bytes_of(w);
    const ir::Tensor& y = graph.tensor(op.output());
    const Image image = image_of(graph.tensor(op.input(0)), y, w, kernel);
    const int64_t rows_of_image = y.shape[0] == 1 ? layer.rows : 1;
    layer.cost = {"conv2d_f32",
                  {image.pixels, image.taps, rows_of_image, ws[0], conv.groups, ws[3],
                   is_dense(layer.inputs[1]) ? 1 : 0}};
    layer.host_elements = static_cast<uint64_t>(y.elements() * ws[1] * ws[2] * ws[3]);
  }
  add_bias(graph, op, layer);
  layer.host_kernel = "conv2d_f32";
  return layer;
}

/// What has no products of several channels, by the cost of pixels and taps.
void per_channel(const ir::Graph& graph, const ir::Op& op, const presil_dsp_window& w,
                 const Kernel2d& kernel, const char* cost, layer::DspLayer& layer) {
  const ir::Tensor& y = graph.tensor(op.output());
  const Image image = image_of(graph.tensor(op.input(0)), y, w, kernel);
  const int64_t rows_of_image = y.shape[0] == 1 ? layer.rows : 1;
  layer.cost = {cost, {image.pixels, image.taps, rows_of_image, y.shape[3]}};
  layer.host_elements = static_cast<uint64_t>(y.elements() * kernel.h * kernel.w);
}

/// Of each channel of int8: bias, multiplier, shifts to the left and to the right.
layer::DspOperand terms_of(ir::Graph& graph, const ir::Op& op, int64_t channels) {
  const common::ChannelScales scales =
      common::channel_scales(graph, op, static_cast<int>(channels));
  const auto n = static_cast<size_t>(channels);
  const bool biased = op.input(2) != ir::kAbsent;
  std::vector<int32_t> terms(4 * n, 0);
  for (size_t c = 0; c < n; ++c) {
    terms[c] = biased ? graph.tensor(op.input(2)).values<int32_t>()[c] : 0;
    terms[n + c] = scales.multiplier[c];
    terms[2 * n + c] = std::max<int32_t>(scales.shift[c], 0);
    terms[3 * n + c] = std::max<int32_t>(-scales.shift[c], 0);
  }
  return whole(graph, add_constant(graph, graph.tensor(op.output()).name + "/terms",
                                   ir::DType::kInt32, {4, channels}, terms));
}

layer::DspLayer depthwise_of_bytes(ir::Graph& graph, const ir::Op& op) {
  const auto& ws = graph.tensor(op.input(1)).shape;
  const ir::Tensor& y = graph.tensor(op.output());
  const auto& conv = op.as<ir::DepthwiseConv2d>();
  const Kernel2d kernel{ws[1], ws[2]};
  const common::Clamp clamp = common::clamp_of(conv.act, y, graph.numerics);
  presil_dsp_depthwise_i8 params{};
  params.window = dilated(conv);
  params.rule = numerics_of(graph);
  params.in_zero = graph.tensor(op.input(0)).quantization.zero_point();
  params.out_zero = y.quantization.zero_point();
  params.act_min = clamp.min, params.act_max = clamp.max;
  layer::DspLayer layer;
  cut_images(graph, op, params.window, kernel,
             offsetof(presil_dsp_depthwise_i8, window) + offsetof(presil_dsp_window, pad_top),
             layer);
  layer.kernel = layer.host_kernel = "depthwise_conv2d_i8";
  layer.params = bytes_of(params);
  per_channel(graph, op, params.window, kernel, "depthwise_conv2d_i8", layer);
  layer.inputs.push_back(whole(graph, op.input(1)));
  layer.inputs.push_back(terms_of(graph, op, ws[3]));
  return layer;
}

layer::DspLayer depthwise_conv2d(ir::Graph& graph, const ir::Op& op) {
  if (!is_float(graph, op)) return depthwise_of_bytes(graph, op);
  const auto& ws = graph.tensor(op.input(1)).shape;
  const presil_dsp_window w = dilated(op.as<ir::DepthwiseConv2d>());
  const Kernel2d kernel{ws[1], ws[2]};
  layer::DspLayer layer;
  cut_images(graph, op, w, kernel, offsetof(presil_dsp_window, pad_top), layer);
  layer.kernel = layer.host_kernel = "depthwise_conv2d_f32";
  layer.inputs.push_back(whole(graph, op.input(1)));
  add_bias(graph, op, layer);
  layer.params = bytes_of(w);
  per_channel(graph, op, w, kernel, "depthwise_conv2d_f32", layer);
  return layer;
}

layer::DspLayer pool(ir::Graph& graph, const ir::Op& op) {
  const auto& a = op.as<ir::Pool2d>();
  const bool average = op.kind == K::kAveragePool2d;
  presil_dsp_pool_f32 params{};
  params.window = window(a);
  params.kernel_h = static_cast<uint32_t>(a.kernel_h);
  params.kernel_w = static_cast<uint32_t>(a.kernel_w);
  params.average = average ? 1 : 0;
  const Kernel2d kernel{a.kernel_h, a.kernel_w};
  layer::DspLayer layer;
  cut_images(graph, op, params.window, kernel,
             offsetof(presil_dsp_pool_f32, window) + offsetof(presil_dsp_window, pad_top), layer);
  layer.kernel = "pool_f32";
  layer.host_kernel = average ? "average_pool_f32" : "max_pool_f32";
  layer.params = bytes_of(params);
  per_channel(graph, op, params.window, kernel, average ? "average_pool_f32" : "max_pool_f32",
              layer);
  return layer;
}

presil_dsp_window plain(const presil_clamp_f32_attributes& clamp) {
  presil_dsp_window w{};
  w.stride_h = w.stride_w = w.dilation_h = w.dilation_w = w.groups = 1;
  w.low = clamp.low, w.high = clamp.high;
  return w;
}

/// Channels of y of a part, where one row of x takes so many weights that they come in parts while
/// others are multiplied; 0: they come at once.
int64_t channels_of_part(int64_t rows, int64_t channels, int64_t depth) {
  constexpr int64_t kMany = 16384, kFew = 16;
  if (rows != 1 || channels <= kLanes || channels * depth < kMany) return 0;
  int64_t part = kLanes;
  while (channels % part != 0) --part;
  return part < kFew ? 0 : part;
}

/// Of one row of x: a part is some channels of y.
layer::DspLayer in_parts(ir::Graph& graph, const ir::Op& op, int64_t part,
                         const presil_dsp_window& params) {
  const ir::Tensor& w = graph.tensor(op.input(1));
  const int64_t channels = w.shape[0], depth = w.shape[1];
  const ir::TensorId laid = add_constant(
      graph, graph.tensor(op.output()).name + "/weights", ir::DType::kFloat32,
      {channels / part, depth, part}, transposed(w.values<float>(), channels / part, part, depth));
  layer::DspLayer layer;
  layer.kernel = "conv2d_f32";
  layer.by_row = true;
  layer.rows = channels / part;
  layer.inputs = {whole_as(graph, op.input(0), {1, depth}), in_rows(graph, laid, {part, depth})};
  layer.inputs.back().strides = {1, part};
  if (op.input(2) != ir::kAbsent) layer.inputs.push_back(in_rows(graph, op.input(2), {part}));
  layer.outputs = {in_rows(graph, op.output(), {1, part})};
  layer.params = bytes_of(params);
  layer.cost = {"conv2d_f32_by_row", {1, 1, part, 1, depth, 1}};
  layer.host_elements = static_cast<uint64_t>(channels * depth);
  return layer;
}

layer::DspLayer fully_connected(ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor& w = graph.tensor(op.input(1));
  const int64_t channels = w.shape[0], depth = w.shape[1];
  const presil_dsp_window params = plain(clamp_of(op.as<ir::FullyConnected>().act));
  const int64_t rows = graph.tensor(op.output()).elements() / channels;
  const int64_t part = w.is_constant() ? channels_of_part(rows, channels, depth) : 0;
  layer::DspLayer layer;
  if (part != 0) {
    layer = in_parts(graph, op, part, params);
  } else {
    layer = of_rows(graph, op, weights_of(graph, op, 1, channels, {channels, depth}), 1, params);
    add_bias(graph, op, layer);
  }
  layer.host_kernel = "fully_connected_f32";
  return layer;
}

layer::DspLayer batch_matmul(ir::Graph& graph, const ir::Op& op) {
  const auto& m = op.as<ir::BatchMatmul>();
  const ir::Tensor &a = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  const int64_t rows = y.shape[y.shape.size() - 2], channels = y.shape.back();
  const int64_t depth = *(a.shape.end() - (m.transpose_a ? 2 : 1));
  const int64_t products = y.elements() * depth;
  const int64_t count = y.elements() / (rows * channels), of_a = a.elements() / (rows * depth);
  const int64_t of_b = graph.tensor(op.input(1)).elements() / (depth * channels);
  const presil_dsp_window params = plain(clamp_of(ir::Activation::kNone));

  layer::DspOperand b;
  if (m.transpose_b) {
    b = weights_of(graph, op, of_b, channels, {channels, depth});
  } else {
    b = whole_as(graph, op.input(1), {channels, depth});
    b.strides = {1, channels};
  }
  layer::DspLayer layer;
  if (of_b == 1 && of_a == count && !m.transpose_a) {
    layer = of_rows(graph, op, b, 1, params);
  } else {  // a matrix of each at a time
    layer::DspOperand x = whole_as(graph, op.input(0), {rows, depth});
    if (m.transpose_a) x.strides = {1, rows};
    if (of_a != 1) x.cut = Cut::kRows;
    if (of_b != 1) b.cut = Cut::kRows;
    layer.kernel = "conv2d_f32";
    layer.by_row = true;
    layer.rows = count;
    layer.outputs = {in_rows(graph, op.output(), {rows, channels})};
    layer.params = bytes_of(params);
    layer.cost = {"conv2d_f32_by_row", {rows, rows, channels, 1, depth, is_dense(b) ? 1 : 0}};
    layer.host_elements = static_cast<uint64_t>(products);
    layer.inputs = {std::move(x), std::move(b)};
  }
  layer.host_kernel = "batch_matmul_f32";
  return layer;
}

}  // namespace

std::vector<DspLowering> dsp_window_lowerings() {
  return {
      {K::kConv2d, conv2d},
      {K::kDepthwiseConv2d, depthwise_conv2d},
      {K::kAveragePool2d, pool},
      {K::kMaxPool2d, pool},
      {K::kFullyConnected, fully_connected},
      {K::kBatchMatmul, batch_matmul},
  };
}

}  // namespace presil::partition
