#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/partition/host_lowering.h"
#include "compiler_bridge/partition/host_parts.h"
#include "compiler_bridge/partition/lstm_parts.h"
#include "driver/kernels/host/kernels.h"

namespace presil::partition {
namespace {

layer::HostLayer lstm(ir::Graph& graph, const ir::Op& op) {
  layer::HostLayer layer{PRESIL_KERNEL_LSTM, {}, {}, bytes_of(lstm_attributes(graph, op))};
  layer.inputs.assign(op.inputs.begin(), op.inputs.begin() + 13);
  layer.inputs.push_back(sigmoid_points(graph, op));
  layer.inputs.push_back(first_state<int8_t>(graph, op, 13, 1));
  layer.inputs.push_back(first_state<int16_t>(graph, op, 14, 2));
  return layer;
}

// TFLite Micro takes the quotient of the scales in double, LiteRT in float32.
common::FixedPoint quotient(const ir::Graph& graph, const ir::Op& op, const ir::Tensor& a,
                            const ir::Tensor& b, const ir::Tensor& y) {
  const float x = a.quantization.scale(), w = b.quantization.scale(), by = y.quantization.scale();
  if (!ir::by_fixed_point(graph.numerics)) {
    return common::fixed_point(op, static_cast<double>(x * w / by));
  }
  return common::fixed_point(op, double{x} * double{w} / double{by});
}

layer::HostLayer svdf(ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor x = graph.tensor(op.input(0)), y = graph.tensor(op.output());
  const ir::Tensor last = graph.tensor(op.output(1));
  const auto feature = quotient(graph, op, x, graph.tensor(op.input(1)), last);
  const auto time = quotient(graph, op, last, graph.tensor(op.input(2)), y);
  presil_svdf_attributes a{};
  a.rank = static_cast<uint32_t>(op.as<ir::Svdf>().rank);
  a.in_zero = x.quantization.zero_point(), a.out_zero = y.quantization.zero_point();
  a.state_zero = last.quantization.zero_point();
  a.feature_multiplier = feature.multiplier, a.feature_shift = feature.shift;
  a.time_multiplier = time.multiplier, a.time_shift = time.shift;
  layer::HostLayer layer{PRESIL_KERNEL_SVDF, {}, {}, bytes_of(a)};
  layer.inputs.assign(op.inputs.begin(), op.inputs.begin() + 3);
  const auto units = static_cast<size_t>(y.shape[1]);
  layer.inputs.push_back(op.input(3) != ir::kAbsent
                             ? op.input(3)
                             : add_constant(graph, y.name + "/bias", ir::DType::kInt32,
                                            {y.shape[1]}, std::vector<int32_t>(units, 0)));
  layer.inputs.push_back(last.dtype == ir::DType::kInt16 ? first_state<int16_t>(graph, op, 4, 1)
                                                         : first_state<int8_t>(graph, op, 4, 1));
  return layer;
}

}  // namespace

std::vector<Lowering> lstm_lowerings() {
  return {
      {ir::OpKind::kLstm, lstm},
      {ir::OpKind::kSvdf, svdf},
  };
}

}  // namespace presil::partition
