#include "compiler_bridge/ir/count.h"

namespace presil::ir {
namespace {

bool multiplies(OpKind kind) {
  return kind == OpKind::kConv2d || kind == OpKind::kDepthwiseConv2d ||
         kind == OpKind::kTransposeConv2d || kind == OpKind::kFullyConnected ||
         kind == OpKind::kBatchMatmul || kind == OpKind::kLstm || kind == OpKind::kConvSums ||
         kind == OpKind::kMatmulSums;
}

}  // namespace

int64_t macs(const Graph& graph, const Op& op) {
  if (!multiplies(op.kind)) return 0;
  const int64_t results = graph.tensor(op.output()).elements();
  const auto& weights = graph.tensor(op.input(1)).shape;
  // Each value of x meets all weights of its channel.
  if (op.kind == OpKind::kTransposeConv2d) {
    return graph.tensor(op.input(0)).elements() * weights[0] * weights[1] * weights[2];
  }
  if (op.kind == OpKind::kBatchMatmul) {  // per result: a row of a
    const auto& a = graph.tensor(op.input(0)).shape;
    return results * a[a.size() - (op.as<BatchMatmul>().transpose_a ? 2 : 1)];
  }
  if (op.kind == OpKind::kMatmulSums) return results * graph.tensor(op.input(0)).shape[2];
  if (op.kind == OpKind::kConvSums) {
    const auto& c = op.as<ConvSums>();
    const int64_t all = graph.tensor(op.input(1)).elements();
    if (c.depthwise) return results * (all / graph.tensor(op.output()).shape.back());
    const int64_t values = c.transposed ? graph.tensor(op.input(0)).elements() : results;
    return values * (all / (c.transposed ? weights.back() : weights[0]));
  }
  // Per result: all weights of one output channel.
  if (op.kind == OpKind::kConv2d) return results * weights[1] * weights[2] * weights[3];
  if (op.kind == OpKind::kDepthwiseConv2d) return results * weights[1] * weights[2];
  // Four gates, each of all inputs and all units.
  if (op.kind == OpKind::kLstm) return results * 4 * (weights[1] + weights[0]);
  return results * weights[1];
}

int64_t macs(const Graph& graph) {
  int64_t sum = 0;
  for (const Op& op : graph.ops) sum += macs(graph, op);
  return sum;
}

int64_t parameters(const Graph& graph) {
  std::vector<bool> counted(graph.tensors.size(), false);  // weights may be shared
  int64_t sum = 0;
  for (const Op& op : graph.ops) {
    if (!multiplies(op.kind)) continue;
    for (size_t i = 1; i < op.inputs.size(); ++i) {
      const TensorId id = op.inputs[i];
      if (id == kAbsent || !graph.tensor(id).is_constant() || counted[static_cast<size_t>(id)])
        continue;
      counted[static_cast<size_t>(id)] = true;
      sum += graph.tensor(id).elements();
    }
  }
  return sum;
}

}  // namespace presil::ir
