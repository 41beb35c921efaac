// Many elements to one: sums, means, the largest, the smallest, and where they are.
#include <algorithm>
#include <numeric>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/partition/dsp_lowering.h"
#include "compiler_bridge/partition/host_float.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/dsp/cost.h"
#include "driver/dsp/params.h"

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
  bool last_goes() const { return list.back().goes; }
  bool last_alone_goes() const {
    return std::none_of(list.begin(), list.end() - 1, [](const Axis& axis) { return axis.goes; });
  }
  /// Of each result.
  uint64_t terms() const {
    return product([](const Axis& axis) { return axis.goes; }, list.size());
  }
  /// Of a row; but for those that lie side by side.
  uint64_t results() const {
    return product([](const Axis& axis) { return !axis.goes; }, list.size() - 1) /
           static_cast<uint64_t>(rows());
  }
  uint64_t side_by_side() const { return static_cast<uint64_t>(list.back().extent); }

 private:
  template <class F>
  uint64_t product(const F& counts, size_t end) const {
    uint64_t n = 1;
    for (size_t i = 0; i < end; ++i) n *= counts(list[i]) ? uint64_t(list[i].extent) : 1;
    return n;
  }
};

/// Cycles of rows whose last axis goes, of n results; or of n lots of results side by side.
struct Cost {
  uint64_t (*rows)(uint64_t n, uint64_t terms, uint32_t cycles);
  uint32_t of_row;
  uint64_t (*lanes)(uint64_t n, uint64_t terms, uint32_t cycles);
  uint32_t of_lanes;
  uint64_t width;  ///< of a lot
};

uint64_t float_lanes(uint64_t n, uint64_t terms, uint32_t) {
  return presil_dsp_cycles_reduce_f32(n, terms);
}

plan::DspLayer reducing(const ir::Graph& graph, const ir::Op& op, const Axes& axes,
                        const char* kernel, const Cost& cost) {
  plan::DspLayer layer;
  layer.kernel = kernel;
  layer.rows = axes.rows();
  layer.inputs = {in_rows(graph, op.input(0), axes.row(false))};
  layer.outputs = {in_rows(graph, op.output(), axes.row(true))};
  layer.cycles = [=](int64_t n) {
    const uint64_t results = axes.results() * static_cast<uint64_t>(n);
    if (axes.last_goes() && axes.last_alone_goes()) {
      return cost.rows(results, axes.terms(), cost.of_row);
    }
    if (axes.last_goes()) {  // terms that do not lie in one row: one by one, in words
      return cost.lanes(results, axes.terms(), std::max<uint32_t>(cost.of_lanes, PRESIL_DSP_WORDS));
    }
    const uint64_t lots = (axes.side_by_side() + cost.width - 1) / cost.width;
    return cost.lanes(results * lots, axes.terms(), cost.of_lanes);
  };
  layer.host_elements = static_cast<uint64_t>(graph.tensor(op.input(0)).elements());
  return layer;
}

plan::DspLayer reduce_floats(const ir::Graph& graph, const ir::Op& op, const Axes& axes) {
  const bool most = op.kind == K::kReduceMax || op.kind == K::kReduceMin;
  const Cost cost{presil_dsp_cycles_reduce_rows,
                  most ? PRESIL_DSP_ROW_MOST_F32 : PRESIL_DSP_ROW_SUM_F32, float_lanes, 0, 128};
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
  const Cost cost{presil_dsp_cycles_reduce_rows,
                  bytes ? PRESIL_DSP_ROW_SUM_I8 : PRESIL_DSP_ROW_SUM_F32, presil_dsp_cycles_reduce,
                  bytes ? PRESIL_DSP_SUM_I8 : PRESIL_DSP_WORDS, 64};
  plan::DspLayer layer = reducing(graph, op, axes, "reduce", cost);
  layer.params = bytes_of(params);
  layer.host_kernel = !scaled ? "reduce" : x.dtype == ir::DType::kInt16 ? "mean_i16" : "mean_i8";
  return layer;
}

plan::DspLayer arg(ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor& x = graph.tensor(op.input(0));
  const Axes axes(x.shape, {op.as<ir::Arg>().axis});
  const bool bytes = x.dtype == ir::DType::kInt8;
  const Cost cost{presil_dsp_cycles_reduce_rows,
                  bytes ? PRESIL_DSP_ROW_ARG_I8 : PRESIL_DSP_ROW_ARG_F32, presil_dsp_cycles_reduce,
                  bytes ? PRESIL_DSP_ARG_I8 : PRESIL_DSP_ARG_WORDS, 64};
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
