// Many elements to one: sums, means, the largest, the smallest, and where they are.
#include <algorithm>
#include <numeric>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/partition/dsp_lowering.h"
#include "compiler_bridge/partition/host_float.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/dsp/params.h"

namespace presil::partition {
namespace {

using K = ir::OpKind;

/// Of x: axes of 1 left out, neighbours that go or stay alike as one. Where the first one stays it
/// is the rows.
struct Axes {
  struct Axis {
    int64_t extent = 1;
    bool goes = false;
  };
  std::vector<Axis> list;

  Axes(const std::vector<int64_t>& shape, const std::vector<int64_t>& gone) {
    for (size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] == 1) continue;
      const bool goes = std::count(gone.begin(), gone.end(), static_cast<int64_t>(i)) != 0;
      if (!list.empty() && list.back().goes == goes) {
        list.back().extent *= shape[i];
      } else {
        list.push_back({shape[i], goes});
      }
    }
    if (list.empty() || list.front().goes) list.insert(list.begin(), {1, false});
    if (list.size() == 1) list.push_back({1, true});
  }
  int64_t rows() const { return list.front().extent; }
  std::vector<int64_t> row(bool of_result) const {
    std::vector<int64_t> shape;
    for (size_t i = 1; i < list.size(); ++i) {
      shape.push_back(of_result && list[i].goes ? 1 : list[i].extent);
    }
    return shape;
  }
};

layer::DspLayer reducing(const ir::Graph& graph, const ir::Op& op, const Axes& axes,
                         const char* kernel, const char* cost) {
  layer::DspLayer layer;
  layer.kernel = kernel;
  layer.rows = axes.rows();
  layer.inputs = {in_rows(graph, op.input(0), axes.row(false))};
  layer.outputs = {in_rows(graph, op.output(), axes.row(true))};
  layer.cost.function = cost;
  for (const Axes::Axis& axis : axes.list) {
    layer.cost.arguments.insert(layer.cost.arguments.end(), {axis.extent, axis.goes ? 1 : 0});
  }
  layer.host_elements = static_cast<uint64_t>(graph.tensor(op.input(0)).elements());
  return layer;
}

layer::DspLayer reduce_floats(const ir::Graph& graph, const ir::Op& op, const Axes& axes) {
  const bool most = op.kind == K::kReduceMax || op.kind == K::kReduceMin;
  const char* cost = most ? "reduce_most_f32" : "reduce_sum_f32";
  layer::DspLayer layer = reducing(graph, op, axes, "reduce_f32", cost);
  const uint32_t function = op.kind == K::kSum         ? PRESIL_DSP_REDUCE_SUM
                            : op.kind == K::kReduceMax ? PRESIL_DSP_REDUCE_MAX
                            : op.kind == K::kReduceMin ? PRESIL_DSP_REDUCE_MIN
                                                       : PRESIL_DSP_REDUCE_SCALED;
  layer.params = bytes_of(presil_dsp_reduce_f32{function});
  layer.host_kernel = "reduce_f32";
  return layer;
}

layer::DspLayer reduce(ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  const Axes axes(x.shape, op.as<ir::Reduce>().axes);
  if (is_float(graph, op)) return reduce_floats(graph, op, axes);
  const bool scaled = op.kind == K::kMean || (op.kind == K::kSum && x.quantization.present());
  const ir::Numerics numerics =
      common::has_int16(graph, op) ? ir::Numerics::kTflite : graph.numerics;
  presil_dsp_reduce params{};
  params.function = op.kind == K::kReduceMax   ? PRESIL_DSP_REDUCE_MAX
                    : op.kind == K::kReduceMin ? PRESIL_DSP_REDUCE_MIN
                    : scaled                   ? PRESIL_DSP_REDUCE_SCALED
                                               : PRESIL_DSP_REDUCE_SUM;
  if (scaled) {
    const int64_t count = x.elements() / y.elements();
    const common::FixedPoint scale = op.kind == K::kMean
                                         ? common::mean_scale(op, x, y, count, numerics)
                                         : common::sum_scale(op, x, y, numerics);
    const bool after = graph.numerics == ir::Numerics::kOnnx;
    params.rule = ir::by_fixed_point(numerics) ? 0 : after ? 2 : 1;
    params.multiplier = scale.multiplier, params.shift = scale.shift;
    params.in_zero = x.quantization.zero_point(), params.out_zero = y.quantization.zero_point();
  }
  const bool bytes = scaled && x.dtype == ir::DType::kInt8;
  const bool most = !scaled && op.kind != K::kSum && x.dtype == ir::DType::kInt8;
  const char* cost = bytes ? "reduce_sum_i8" : most ? "reduce_most_i8" : "reduce";
  layer::DspLayer layer = reducing(graph, op, axes, "reduce", cost);
  layer.params = bytes_of(params);
  layer.host_kernel = !scaled ? "reduce" : x.dtype == ir::DType::kInt16 ? "mean_i16" : "mean_i8";
  return layer;
}

layer::DspLayer arg(ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor& x = graph.tensor(op.input(0));
  const Axes axes(x.shape, {op.as<ir::Arg>().axis});
  const bool bytes = x.dtype == ir::DType::kInt8;
  const bool words = x.dtype == ir::DType::kInt16 || x.dtype == ir::DType::kInt32;
  const char* cost = bytes ? "arg_i8" : words ? "arg" : "arg_f32";
  layer::DspLayer layer = reducing(graph, op, axes, "arg", cost);
  const auto goes = std::find_if(axes.list.begin() + 1, axes.list.end(),
                                 [](const Axes::Axis& axis) { return axis.goes; });
  // All of extent 1: any of them.
  const auto axis = goes == axes.list.end() ? axes.list.size() - 1
                                            : static_cast<size_t>(goes - axes.list.begin());
  layer.params = bytes_of(
      presil_dsp_arg{static_cast<uint32_t>(axis), op.kind == K::kArgMin ? uint32_t{1} : 0});
  layer.host_kernel = "arg";
  return layer;
}

}  // namespace

std::vector<DspLowering> dsp_reduce_lowerings() {
  return {
      {K::kMean, reduce},      {K::kSum, reduce}, {K::kReduceMax, reduce},
      {K::kReduceMin, reduce}, {K::kArgMax, arg}, {K::kArgMin, arg},
  };
}

}  // namespace presil::partition
