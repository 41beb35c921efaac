#include "compiler_bridge/partition/host_int16.h"

#include <cmath>

#include "compiler_bridge/common/interpolated_table.h"
#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/common/sigmoid_table.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/host/kernels.h"

namespace presil::partition {
namespace {

template <class Table>
ir::TensorId add_table(ir::Graph& graph, const ir::Op& op, const char* what, ir::DType dtype,
                       const Table& table) {
  using T = typename Table::value_type;
  return add_constant(graph, graph.tensor(op.output()).name + what, dtype,
                      {static_cast<int64_t>(table.size())},
                      std::vector<T>(table.begin(), table.end()));
}

float scale_of(const ir::Graph& graph, ir::TensorId id) {
  return graph.tensor(id).quantization.scale();
}

}  // namespace

layer::HostLayer sigmoid_int16(ir::Graph& graph, const ir::Op& op) {
  const bool tanh = op.kind == ir::OpKind::kTanh;
  const auto steps = common::sigmoid_steps(scale_of(graph, op.input(0)), tanh);
  const presil_sigmoid_attributes a{tanh ? 1u : 0u, steps.multiplier, steps.shift};
  const ir::TensorId table =
      add_table(graph, op, "/sigmoid", ir::DType::kInt32, common::sigmoid_table());
  return {PRESIL_KERNEL_SIGMOID_I16, {op.input(0), table}, {}, bytes_of(a)};
}

layer::HostLayer softmax_int16(ir::Graph& graph, const ir::Op& op) {
  const double steepness = static_cast<double>(scale_of(graph, op.input(0))) *
                           static_cast<double>(op.as<ir::Softmax>().beta);
  const common::FixedPoint fixed = common::fixed_point(op, steepness / (10.0 / 65535.0));
  const presil_softmax_i16_attributes a{fixed.multiplier, fixed.shift};
  const ir::TensorId exponential =
      add_table(graph, op, "/exponential", ir::DType::kInt16, common::exponential_table());
  const ir::TensorId reciprocal =
      add_table(graph, op, "/reciprocal", ir::DType::kInt16, common::reciprocal_table());
  return {PRESIL_KERNEL_SOFTMAX_I16, {op.input(0), exponential, reciprocal}, {}, bytes_of(a)};
}

layer::HostLayer rsqrt_int16(ir::Graph& graph, const ir::Op& op) {
  const double root = std::sqrt(static_cast<double>(scale_of(graph, op.input(0))));
  const common::FixedPoint fixed =
      common::fixed_point(op, 1 / (root * static_cast<double>(scale_of(graph, op.output()))));
  const presil_scale_attributes a{fixed.multiplier, std::max(fixed.shift - 20, -32)};
  return {PRESIL_KERNEL_RSQRT_I16, op.inputs, {}, bytes_of(a)};
}

// Nothing is left of what is below 0.
layer::HostLayer relu_int16(ir::Graph& graph, const ir::Op& op) {
  const common::FixedPoint scale = common::sum_scale(
      op, graph.tensor(op.input(0)), graph.tensor(op.output()), ir::Numerics::kTflite);
  const presil_leaky_relu_attributes a{scale.multiplier, scale.shift, 0, 0};
  return {PRESIL_KERNEL_LEAKY_RELU_I16, op.inputs, {}, bytes_of(a)};
}

}  // namespace presil::partition
