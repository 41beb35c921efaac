// Windows over an image as tasks of the ARM.
#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/partition/host_float.h"
#include "compiler_bridge/partition/host_lowering.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/host/kernels.h"

namespace presil::partition {
namespace {

template <class Conv>
presil_conv_attributes conv_attributes(const ir::Graph& graph, const ir::Op& op, const Conv& conv,
                                       int64_t groups) {
  presil_conv_attributes a{};
  a.rule = rule_of(graph, op);
  a.stride_h = static_cast<uint32_t>(conv.stride_h);
  a.stride_w = static_cast<uint32_t>(conv.stride_w);
  a.dilation_h = static_cast<uint32_t>(conv.dilation_h);
  a.dilation_w = static_cast<uint32_t>(conv.dilation_w);
  a.pad_top = static_cast<uint32_t>(conv.pad_top);
  a.pad_left = static_cast<uint32_t>(conv.pad_left);
  a.groups = static_cast<uint32_t>(groups);
  a.in_zero = zero_of(graph, op.input(0));
  a.weight_zero = zero_of(graph, op.input(1));
  a.out_zero = zero_of(graph, op.output());
  const common::Clamp clamp =
      common::clamp_of(conv.act, graph.tensor(op.output()), common::numerics_of(graph, op));
  a.act_min = clamp.min, a.act_max = clamp.max;
  return a;
}

layer::HostLayer convolution(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return convolution_float(graph, op);
  const int64_t channels = graph.tensor(op.output()).shape.back();
  layer::HostLayer layer;
  if (op.kind == ir::OpKind::kConv2d) {
    layer.kernel = by_width(graph, op, PRESIL_KERNEL_CONV2D_I8, PRESIL_KERNEL_CONV2D_I16);
    const auto& conv = op.as<ir::Conv2d>();
    layer.attributes = bytes_of(conv_attributes(graph, op, conv, conv.groups));
  } else {
    layer.kernel =
        by_width(graph, op, PRESIL_KERNEL_DEPTHWISE_CONV2D_I8, PRESIL_KERNEL_DEPTHWISE_CONV2D_I16);
    const auto& conv = op.as<ir::DepthwiseConv2d>();
    layer.attributes = bytes_of(conv_attributes(graph, op, conv, channels / conv.multiplier));
  }
  layer.inputs = weighted_inputs(graph, op, channels);
  return layer;
}

layer::HostLayer transpose_conv(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return convolution_float(graph, op);
  const auto& conv = op.as<ir::TransposeConv2d>();
  presil_transpose_conv_attributes a{};
  a.rule = rule_of(graph, op);
  a.stride_h = static_cast<uint32_t>(conv.stride_h);
  a.stride_w = static_cast<uint32_t>(conv.stride_w);
  a.pad_top = static_cast<uint32_t>(conv.pad_top);
  a.pad_left = static_cast<uint32_t>(conv.pad_left);
  a.vector = static_cast<uint32_t>(conv.vector);
  a.in_zero = zero_of(graph, op.input(0));
  a.weight_zero = zero_of(graph, op.input(1));
  a.out_zero = zero_of(graph, op.output());
  const common::Clamp clamp =
      common::clamp_of(conv.act, graph.tensor(op.output()), common::numerics_of(graph, op));
  a.act_min = clamp.min, a.act_max = clamp.max;
  layer::HostLayer layer{PRESIL_KERNEL_TRANSPOSE_CONV2D_I8, {}, {}, bytes_of(a)};
  layer.inputs = weighted_inputs(graph, op, graph.tensor(op.output()).shape.back());
  return layer;
}

layer::HostLayer pool(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return pool_float(graph, op);
  const auto& p = op.as<ir::Pool2d>();
  presil_pool_attributes a{};
  a.kernel_h = static_cast<uint32_t>(p.kernel_h), a.kernel_w = static_cast<uint32_t>(p.kernel_w);
  a.stride_h = static_cast<uint32_t>(p.stride_h), a.stride_w = static_cast<uint32_t>(p.stride_w);
  a.pad_top = static_cast<uint32_t>(p.pad_top), a.pad_left = static_cast<uint32_t>(p.pad_left);
  const common::Clamp clamp =
      common::clamp_of(p.act, graph.tensor(op.output()), common::numerics_of(graph, op));
  a.act_min = clamp.min, a.act_max = clamp.max;
  a.ties_up = p.ties_up;
  const bool average = op.kind == ir::OpKind::kAveragePool2d;
  const uint32_t kernel =
      average ? by_width(graph, op, PRESIL_KERNEL_AVERAGE_POOL_I8, PRESIL_KERNEL_AVERAGE_POOL_I16)
              : by_width(graph, op, PRESIL_KERNEL_MAX_POOL_I8, PRESIL_KERNEL_MAX_POOL_I16);
  return {kernel, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer resize(ir::Graph& graph, const ir::Op& op) {
  const auto& r = op.as<ir::Resize>();
  const bool tflite = is_int16(graph, op.output());
  const presil_resize_attributes a{r.align_corners, r.half_pixel_centers,
                                   tflite ? uint32_t{PRESIL_NUMERICS_TFLITE} : numerics_of(graph)};
  const bool nearest = op.kind == ir::OpKind::kResizeNearest;
  if (!nearest && is_float(graph, op)) return resize_bilinear_float(graph, op);
  const uint32_t bilinear =
      by_width(graph, op, PRESIL_KERNEL_RESIZE_BILINEAR_I8, PRESIL_KERNEL_RESIZE_BILINEAR_I16);
  return {nearest ? uint32_t{PRESIL_KERNEL_RESIZE_NEAREST} : bilinear, op.inputs, {}, bytes_of(a)};
}

}  // namespace

std::vector<Lowering> window_lowerings() {
  using K = ir::OpKind;
  return {
      {K::kConv2d, convolution},
      {K::kDepthwiseConv2d, convolution},
      {K::kTransposeConv2d, transpose_conv},
      {K::kAveragePool2d, pool},
      {K::kMaxPool2d, pool},
      {K::kResizeNearest, resize},
      {K::kResizeBilinear, resize},
  };
}

}  // namespace presil::partition
