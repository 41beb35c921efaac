// Functions along rows, and of values.
#include <algorithm>
#include <cmath>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/partition/dsp_lowering.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/dsp/cost.h"
#include "driver/dsp/params.h"

namespace presil::partition {
namespace {

// min(beta * scale * 2^26, 2^31 - 1) as multiplier and shift; 31 integer steps below the largest
// value of a row, e^x is 0 in the fixed point of the sum.
plan::DspLayer softmax(ir::Graph& graph, const ir::Op& op) {
  constexpr int kIntegerBits = 5, kFractionBits = 31 - kIntegerBits;
  const double beta = static_cast<double>(op.as<ir::Softmax>().beta);
  const double scale = static_cast<double>(graph.tensor(op.input(0)).quantization.scale());
  const double real = std::min(beta * scale * (1 << kFractionBits), 2147483647.0);
  const common::FixedPoint half = common::fixed_point(real / 2);  // up to 2^30
  presil_dsp_softmax_i8 params{};
  params.multiplier = half.multiplier;
  params.left_shift = half.shift + 1;
  const double radius =
      ((1 << kIntegerBits) - 1) * std::ldexp(1.0, kFractionBits - params.left_shift);
  params.diff_min = -static_cast<int32_t>(std::floor(radius));

  const Rows rows = rows_of(graph.tensor(op.output()));
  plan::DspLayer layer;
  layer.kernel = "softmax_i8";
  layer.inputs = {in_rows(graph, op.input(0), {rows.length})};
  layer.outputs = {in_rows(graph, op.output(), {rows.length})};
  layer.params = bytes_of(params);
  layer.rows = rows.count;
  layer.cycles = [length = uint64_t(rows.length)](int64_t n) {
    return presil_dsp_cycles_softmax_i8(uint64_t(n), length);
  };
  takes_blocks(graph, layer, plan::DspOperand::Blocks::kRows, 1);
  layer.host_kernel = "softmax_i8";
  layer.host_elements = static_cast<uint64_t>(graph.tensor(op.input(0)).elements());
  return layer;
}

plan::DspLayer lut(ir::Graph& graph, const ir::Op& op) {
  const Rows rows = rows_of(graph.tensor(op.output()));
  plan::DspLayer layer;
  layer.kernel = "table_i8";
  layer.inputs = {in_rows(graph, op.input(0), {rows.length}), whole(graph, op.input(1))};
  layer.outputs = {in_rows(graph, op.output(), {rows.length})};
  layer.params = bytes_of(presil_dsp_table_i8{});
  layer.rows = rows.count;
  layer.cycles = [length = uint64_t(rows.length)](int64_t n) {
    return presil_dsp_cycles_table_i8(1, uint64_t(n) * length);
  };
  takes_blocks(graph, layer, plan::DspOperand::Blocks::kLanes, 1);
  layer.host_kernel = "lut_i8";
  layer.host_elements = static_cast<uint64_t>(graph.tensor(op.output()).elements());
  return layer;
}

}  // namespace

std::vector<DspLowering> dsp_function_lowerings() {
  using K = ir::OpKind;
  return {
      {K::kLut, lut},
      {K::kSoftmax, softmax},
  };
}

}  // namespace presil::partition
