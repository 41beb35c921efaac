// Products of matrices as tasks of the ARM.
#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/partition/host_float.h"
#include "compiler_bridge/partition/host_lowering.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/host/kernels.h"

namespace presil::partition {
namespace {

layer::HostLayer fully_connected(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return fully_connected_float(graph, op);
  presil_fully_connected_attributes a{};
  a.rule = rule_of(graph, op);
  a.in_zero = zero_of(graph, op.input(0));
  a.weight_zero = zero_of(graph, op.input(1));
  a.out_zero = zero_of(graph, op.output());
  const common::Clamp clamp = common::clamp_of(
      op.as<ir::FullyConnected>().act, graph.tensor(op.output()), common::numerics_of(graph, op));
  a.act_min = clamp.min, a.act_max = clamp.max;
  const uint32_t kernel =
      by_width(graph, op, PRESIL_KERNEL_FULLY_CONNECTED_I8, PRESIL_KERNEL_FULLY_CONNECTED_I16);
  layer::HostLayer layer{kernel, {}, {}, bytes_of(a)};
  layer.inputs = weighted_inputs(graph, op, graph.tensor(op.input(1)).shape.at(0));
  return layer;
}

layer::HostLayer batch_matmul(ir::Graph& graph, const ir::Op& op) {
  if (is_float(graph, op)) return batch_matmul_float(graph, op);
  const auto& m = op.as<ir::BatchMatmul>();
  const common::ChannelScales scale = common::channel_scales(graph, op, 1);
  presil_batch_matmul_attributes a{};
  a.transpose_a = m.transpose_a, a.transpose_b = m.transpose_b;
  a.a_zero = zero_of(graph, op.input(0));
  a.b_zero = zero_of(graph, op.input(1));
  a.out_zero = zero_of(graph, op.output());
  if (!is_int16(graph, op.output())) a.rule = rule_of(graph, op);
  a.multiplier = scale.multiplier[0], a.shift = scale.shift[0];
  const uint32_t kernel =
      by_width(graph, op, PRESIL_KERNEL_BATCH_MATMUL_I8, PRESIL_KERNEL_BATCH_MATMUL_I16);
  return {kernel, op.inputs, {}, bytes_of(a)};
}

}  // namespace

std::vector<Lowering> product_lowerings() {
  using K = ir::OpKind;
  return {
      {K::kFullyConnected, fully_connected},
      {K::kBatchMatmul, batch_matmul},
  };
}

}  // namespace presil::partition
