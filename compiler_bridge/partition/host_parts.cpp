#include "compiler_bridge/partition/host_parts.h"

#include <algorithm>
#include <cmath>

#include "compiler_bridge/common/scales.h"
#include "driver/kernels/host/kernels.h"

namespace presil::partition {
namespace {

// Kernels of int16 read a bias of int64, whatever the op has.
ir::TensorId wide_bias(ir::Graph& graph, const ir::Op& op, const std::string& name,
                       int64_t channels) {
  std::vector<int64_t> values(static_cast<size_t>(channels), 0);
  if (op.input(2) != ir::kAbsent) {
    const ir::Tensor& bias = graph.tensor(op.input(2));
    if (bias.dtype == ir::DType::kInt64) return op.input(2);
    std::copy_n(bias.values<int32_t>(), values.size(), values.begin());
  }
  return add_constant(graph, name + "/bias", ir::DType::kInt64, {channels}, values);
}

}  // namespace

uint32_t numerics_of(const ir::Graph& graph) {
  return ir::by_fixed_point(graph.numerics) ? PRESIL_NUMERICS_TFLITE : PRESIL_NUMERICS_XNNPACK;
}
bool is_int16(const ir::Graph& graph, ir::TensorId id) {
  return graph.tensor(id).dtype == ir::DType::kInt16;
}
uint32_t by_width(const ir::Graph& graph, const ir::Op& op, uint32_t int8, uint32_t int16) {
  return is_int16(graph, op.output()) ? int16 : int8;
}
// Of a kernel with weights. Beside int16 a bias of int32 says that sums are int32.
uint32_t rule_of(const ir::Graph& graph, const ir::Op& op) {
  const ir::TensorId bias = op.input(2);
  const bool narrow = bias != ir::kAbsent && graph.tensor(bias).dtype == ir::DType::kInt32;
  if (common::requantised_once(graph, op)) return PRESIL_RULE_ONCE;
  const bool rows_of_litert = common::product_rule(graph, op) == common::ProductRule::kDoubleUp;
  if (is_int16(graph, op.input(0)) && !narrow && !rows_of_litert) return PRESIL_RULE_WIDE;
  switch (common::product_rule(graph, op)) {
    case common::ProductRule::kDouble:
      return PRESIL_RULE_DOUBLE;
    case common::ProductRule::kSingle:
      return PRESIL_RULE_ONCE;
    case common::ProductRule::kDoubleUp:
      return PRESIL_RULE_DOUBLE_UP;
    default:
      return PRESIL_RULE_FLOAT;
  }
}
int32_t zero_of(const ir::Graph& graph, ir::TensorId id) {
  return graph.tensor(id).quantization.zero_point();
}

// x, weights, bias, multiplier, shift of the kernels with weights.
// Exponents are products in float32.
std::vector<float> exponentials(const ir::Graph& graph, const ir::Op& op) {
  return exponentials(-graph.tensor(op.input(0)).quantization.scale() * op.as<ir::Softmax>().beta);
}

std::vector<float> exponentials(float step) {
  std::vector<float> table;
  for (int d = 0; d < 256; ++d) {
    table.push_back(static_cast<float>(std::exp(double{step * static_cast<float>(d)})));
  }
  return table;
}

std::vector<ir::TensorId> weighted_inputs(ir::Graph& graph, const ir::Op& op, int64_t channels) {
  const std::string name = graph.tensor(op.output()).name;
  const common::ChannelScales scales =
      common::channel_scales(graph, op, static_cast<int>(channels));
  ir::TensorId bias = op.input(2);
  if (is_int16(graph, op.input(0))) {
    bias = wide_bias(graph, op, name, channels);
  } else if (bias == ir::kAbsent) {
    bias = add_constant(graph, name + "/bias", ir::DType::kInt32, {channels},
                        std::vector<int32_t>(static_cast<size_t>(channels), 0));
  }
  const ir::TensorId multiplier =
      add_constant(graph, name + "/multiplier", ir::DType::kInt32, {channels}, scales.multiplier);
  const ir::TensorId shift =
      add_constant(graph, name + "/shift", ir::DType::kInt8, {channels}, scales.shift);
  return {op.input(0), op.input(1), bias, multiplier, shift};
}

}  // namespace presil::partition
