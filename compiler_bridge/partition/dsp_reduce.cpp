// Many elements to one: sums, means, the largest, the smallest, and where they are.
#include <algorithm>
#include <numeric>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/partition/dsp_lowering.h"
#include "compiler_bridge/partition/host_float.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/dsp/cost.h"
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

/// How the kernel goes about it (driver/kernels/dsp/reduce.h), in the terms of
/// driver/kernels/dsp/cost.h.
struct Cost {
  uint32_t of_row = 0;    ///< where terms of a result lie dense, alone; 0: it has no such way
  uint32_t of_dense = 0;  ///< where results lie side by side
  uint32_t of_lanes = 0;  ///< where they lie apart, without their loads
  uint64_t width = 64;    ///< results at a time
  enum { kWords, kSumI8, kMostI8, kArgI8 } how = kWords;

  uint64_t cycles(const Axes& axes, int64_t rows) const;
};

uint64_t Cost::cycles(const Axes& axes, int64_t rows) const {
  constexpr uint64_t kFewTerms = 64, kFewResults = 16;
  uint64_t terms = 1, results = 1, last = 1;  // last: extent of the last axis that stays
  int gone = 0;
  bool dense = true;
  for (size_t i = 0; i < axes.list.size(); ++i) {
    const auto extent = static_cast<uint64_t>(i == 0 ? rows : axes.list[i].extent);
    if (extent == 1) continue;
    dense = !axes.list[i].goes;
    if (dense) {
      results *= extent, last = extent;
    } else {
      terms *= extent, ++gone;
    }
  }
  const bool few = results == 1 || terms >= kFewTerms || last < kFewResults;
  if (of_row != 0 && gone == 1 && !dense && few) {
    return how == kMostI8 ? presil_dsp_cycles_most_i8_rows(results, terms)
                          : presil_dsp_cycles_reduce_rows(results, terms, of_row);
  }
  if (how == kArgI8 && gone == 1 && !dense) return presil_dsp_cycles_arg_rows_i8(results, terms);
  if (how == kMostI8 && dense) return presil_dsp_cycles_most_i8(results / last, last, terms);
  const uint64_t lots = results / last * ((last + width - 1) / width);
  const uint64_t apart = dense ? 0 : lots * terms * std::min(last, width);
  if (of_lanes == 0) return apart + presil_dsp_cycles_reduce_f32(lots, terms);
  if (dense && (how == kSumI8 || how == kArgI8)) {
    return presil_dsp_cycles_reduce_i8(lots, terms, of_dense);
  }
  return apart + presil_dsp_cycles_reduce(lots, terms, dense ? of_dense : of_lanes);
}

plan::DspLayer reducing(const ir::Graph& graph, const ir::Op& op, const Axes& axes,
                        const char* kernel, const Cost& cost) {
  plan::DspLayer layer;
  layer.kernel = kernel;
  layer.rows = axes.rows();
  layer.inputs = {in_rows(graph, op.input(0), axes.row(false))};
  layer.outputs = {in_rows(graph, op.output(), axes.row(true))};
  layer.cycles = [axes, cost](int64_t n) { return cost.cycles(axes, n); };
  layer.host_elements = static_cast<uint64_t>(graph.tensor(op.input(0)).elements());
  return layer;
}

plan::DspLayer reduce_floats(const ir::Graph& graph, const ir::Op& op, const Axes& axes) {
  const bool most = op.kind == K::kReduceMax || op.kind == K::kReduceMin;
  const Cost cost{most ? PRESIL_DSP_ROW_MOST_F32 : PRESIL_DSP_ROW_SUM_F32, 0, 0, 128};
  plan::DspLayer layer = reducing(graph, op, axes, "reduce_f32", cost);
  const uint32_t function = op.kind == K::kSum         ? PRESIL_DSP_REDUCE_SUM
                            : op.kind == K::kReduceMax ? PRESIL_DSP_REDUCE_MAX
                            : op.kind == K::kReduceMin ? PRESIL_DSP_REDUCE_MIN
                                                       : PRESIL_DSP_REDUCE_SCALED;
  layer.params = bytes_of(presil_dsp_reduce_f32{function});
  layer.host_kernel = "reduce_f32";
  return layer;
}

plan::DspLayer reduce(ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  const Axes axes(x.shape, op.as<ir::Reduce>().axes);
  if (is_float(graph, op)) return reduce_floats(graph, op, axes);
  const bool scaled = op.kind == K::kMean || (op.kind == K::kSum && x.quantization.present());
  const bool tflite = graph.numerics == ir::Numerics::kTflite;
  presil_dsp_reduce params{};
  params.function = op.kind == K::kReduceMax   ? PRESIL_DSP_REDUCE_MAX
                    : op.kind == K::kReduceMin ? PRESIL_DSP_REDUCE_MIN
                    : scaled                   ? PRESIL_DSP_REDUCE_SCALED
                                               : PRESIL_DSP_REDUCE_SUM;
  if (scaled) {
    const int64_t count = x.elements() / y.elements();
    const common::FixedPoint scale = op.kind == K::kMean
                                         ? common::mean_scale(x, y, count, graph.numerics)
                                         : common::sum_scale(x, y, graph.numerics);
    params.rule = tflite ? 0 : 1;
    params.multiplier = scale.multiplier, params.shift = scale.shift;
    params.in_zero = x.quantization.zero_point(), params.out_zero = y.quantization.zero_point();
  }
  const bool bytes = scaled && x.dtype == ir::DType::kInt8;
  const bool most = !scaled && op.kind != K::kSum && x.dtype == ir::DType::kInt8;
  const Cost cost{bytes ? PRESIL_DSP_ROW_SUM_I8 : PRESIL_DSP_ROW_SUM_F32,
                  bytes ? PRESIL_DSP_SUM_I8 : PRESIL_DSP_WORDS, PRESIL_DSP_WORDS, 64,
                  bytes  ? Cost::kSumI8
                  : most ? Cost::kMostI8
                         : Cost::kWords};
  plan::DspLayer layer = reducing(graph, op, axes, "reduce", cost);
  layer.params = bytes_of(params);
  layer.host_kernel = !scaled ? "reduce" : x.dtype == ir::DType::kInt16 ? "mean_i16" : "mean_i8";
  return layer;
}

plan::DspLayer arg(ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor& x = graph.tensor(op.input(0));
  const Axes axes(x.shape, {op.as<ir::Arg>().axis});
  const bool bytes = x.dtype == ir::DType::kInt8;
  const bool words = x.dtype == ir::DType::kInt16 || x.dtype == ir::DType::kInt32;
  const uint32_t of_dense = bytes ? PRESIL_DSP_ARG_I8 : PRESIL_DSP_ARG_WORDS;
  const uint32_t of_row = bytes ? PRESIL_DSP_ROW_ARG_I8 : PRESIL_DSP_ROW_ARG_F32;
  const Cost cost{words ? 0 : of_row, of_dense, of_dense, 64, bytes ? Cost::kArgI8 : Cost::kWords};
  plan::DspLayer layer = reducing(graph, op, axes, "arg", cost);
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
