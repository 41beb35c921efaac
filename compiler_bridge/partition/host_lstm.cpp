#include <algorithm>
#include <cmath>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/common/sigmoid_table.h"
#include "compiler_bridge/partition/host_lowering.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/host/kernels.h"

namespace presil::partition {
namespace {

constexpr float kGateIn = 0x1p-12f;             // scale of what goes into a gate
constexpr double kGateOut = 0x1p-15;            // and of what comes out
constexpr size_t kWeights = 1, kRecurrent = 5;  // first of four inputs of the op

// TFLite's fully connected multiplies the scales in float32, then divides in double.
common::FixedPoint into_gate(const ir::Op& op, const ir::Tensor& x, const ir::Tensor& weights) {
  const float product = x.quantization.scale() * weights.quantization.scale();
  return common::fixed_point(op, static_cast<double>(product) / static_cast<double>(kGateIn));
}

int32_t stored_clip(float clip, double scale) {
  const double steps = static_cast<double>(clip) / scale;
  return clip > 0 ? static_cast<int32_t>(std::clamp(steps, -32768.0, 32767.0)) : 0;
}

template <class T>
ir::TensorId state(ir::Graph& graph, const ir::Op& op, size_t input, size_t output) {
  if (op.input(input) != ir::kAbsent) return op.input(input);
  const ir::Tensor last = graph.tensor(op.output(output));
  const auto zero = static_cast<T>(last.quantization.zero_point());
  return add_constant(graph, last.name + "/first", last.dtype, last.shape,
                      std::vector<T>(static_cast<size_t>(last.elements()), zero));
}

layer::HostLayer lstm(ir::Graph& graph, const ir::Op& op) {
  const auto& attributes = op.as<ir::Lstm>();
  const ir::Tensor x = graph.tensor(op.input(0)), y = graph.tensor(op.output());
  const auto cell_scale = static_cast<double>(graph.tensor(op.output(2)).quantization.scale());
  presil_lstm_attributes a{};
  a.time_major = attributes.time_major ? 1 : 0;
  a.in_zero = x.quantization.zero_point(), a.hidden_zero = y.quantization.zero_point();
  for (size_t gate = 0; gate < 4; ++gate) {
    const auto from_x = into_gate(op, x, graph.tensor(op.input(kWeights + gate)));
    const auto from_h = into_gate(op, y, graph.tensor(op.input(kRecurrent + gate)));
    a.input_multiplier[gate] = from_x.multiplier, a.input_shift[gate] = from_x.shift;
    a.recurrent_multiplier[gate] = from_h.multiplier, a.recurrent_shift[gate] = from_h.shift;
  }
  const auto forget = common::fixed_point(op, kGateOut * cell_scale / cell_scale);
  const auto update = common::fixed_point(op, kGateOut * kGateOut / cell_scale);
  const auto hidden =
      common::fixed_point(op, kGateOut * kGateOut / static_cast<double>(y.quantization.scale()));
  a.forget_multiplier = forget.multiplier, a.forget_shift = forget.shift;
  a.update_multiplier = update.multiplier, a.update_shift = update.shift;
  a.hidden_multiplier = hidden.multiplier, a.hidden_shift = hidden.shift;
  a.cell_power = std::ilogb(cell_scale);
  a.cell_clip = stored_clip(attributes.cell_clip, cell_scale);

  layer::HostLayer layer{PRESIL_KERNEL_LSTM, {}, {}, bytes_of(a)};
  layer.inputs.assign(op.inputs.begin(), op.inputs.begin() + 13);
  const auto table = common::sigmoid_table();
  layer.inputs.push_back(add_constant(graph, y.name + "/sigmoid", ir::DType::kInt32, {256},
                                      std::vector<int32_t>(table.begin(), table.end())));
  layer.inputs.push_back(state<int8_t>(graph, op, 13, 1));
  layer.inputs.push_back(state<int16_t>(graph, op, 14, 2));
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
  layer.inputs.push_back(last.dtype == ir::DType::kInt16 ? state<int16_t>(graph, op, 4, 1)
                                                         : state<int8_t>(graph, op, 4, 1));
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
