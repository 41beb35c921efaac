#include "compiler_bridge/partition/lstm_parts.h"

#include <algorithm>
#include <cmath>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/common/sigmoid_table.h"

namespace presil::partition {
namespace {

constexpr float kGateIn = 0x1p-12f;   // scale of what goes into a gate
constexpr double kGateOut = 0x1p-15;  // and of what comes out

// TFLite's fully connected multiplies the scales in float32, then divides in double.
common::FixedPoint into_gate(const ir::Op& op, const ir::Tensor& x, const ir::Tensor& weights) {
  const float product = x.quantization.scale() * weights.quantization.scale();
  return common::fixed_point(op, static_cast<double>(product) / static_cast<double>(kGateIn));
}

int32_t stored_clip(float clip, double scale) {
  const double steps = static_cast<double>(clip) / scale;
  return clip > 0 ? static_cast<int32_t>(std::clamp(steps, -32768.0, 32767.0)) : 0;
}

}  // namespace

presil_lstm_attributes lstm_attributes(const ir::Graph& graph, const ir::Op& op) {
  const auto& attributes = op.as<ir::Lstm>();
  const ir::Tensor x = graph.tensor(op.input(0)), y = graph.tensor(op.output());
  const auto cell_scale = static_cast<double>(graph.tensor(op.output(2)).quantization.scale());
  presil_lstm_attributes a{};
  a.time_major = attributes.time_major ? 1 : 0;
  a.in_zero = x.quantization.zero_point(), a.hidden_zero = y.quantization.zero_point();
  for (size_t gate = 0; gate < 4; ++gate) {
    const auto from_x = into_gate(op, x, graph.tensor(op.input(kLstmWeights + gate)));
    const auto from_h = into_gate(op, y, graph.tensor(op.input(kLstmRecurrent + gate)));
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
  return a;
}

ir::TensorId sigmoid_points(ir::Graph& graph, const ir::Op& op) {
  const auto table = common::sigmoid_table();
  return add_constant(graph, graph.tensor(op.output()).name + "/sigmoid", ir::DType::kInt32, {256},
                      std::vector<int32_t>(table.begin(), table.end()));
}

}  // namespace presil::partition
