// A RELU or RELU6 of its own becomes the clamp of the op before it.
//
//   before   y = conv2d(x, w, b){act=none}     after   z = conv2d(x, w, b){act=relu}
//            z = relu(y)
//
// Why: every producer clamps anyway, so the second walk over the tensor costs nothing. Exact only
// where y and z have the same scale and zero point (else relu also requantises) and nothing else
// reads y. A clamp [0, inf) tightened to [0, 6] is [0, 6]. Where 6 lies in the middle of two values
// under xnnpack, a clamp takes the even one and RELU6, TFLite's own kernel, the upper one: unlike
// ones stay apart.
#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

// Concatenation copies; its clamp would not be free everywhere, so relu follows it as an operator.
ir::Activation* activation_of(ir::Op& op) {
  if (op.kind == ir::OpKind::kConcat) return nullptr;
  return std::visit(
      [](auto& attributes) -> ir::Activation* {
        using T = std::decay_t<decltype(attributes)>;
        if constexpr (std::is_same_v<T, ir::Conv2d> || std::is_same_v<T, ir::DepthwiseConv2d> ||
                      std::is_same_v<T, ir::TransposeConv2d> ||
                      std::is_same_v<T, ir::FullyConnected> || std::is_same_v<T, ir::Elementwise> ||
                      std::is_same_v<T, ir::Pool2d>) {
          return &attributes.act;
        } else {
          return nullptr;
        }
      },
      op.attributes);
}

bool absorbs(ir::Activation& act, ir::OpKind relu) {
  const ir::Activation clamp =
      relu == ir::OpKind::kRelu ? ir::Activation::kRelu : ir::Activation::kRelu6;
  if (act == clamp || act == ir::Activation::kNone) {
    act = clamp;
    return true;
  }
  if (act == ir::Activation::kRelu && clamp == ir::Activation::kRelu6) {
    act = clamp;
    return true;
  }
  return act == ir::Activation::kRelu6 && clamp == ir::Activation::kRelu;
}

bool same_bounds(const ir::Graph& graph, const ir::Op& producer, const ir::Tensor& z) {
  const auto most = [&](ir::Numerics numerics) {
    return common::clamp_of(ir::Activation::kRelu6, z, numerics).max;
  };
  return most(common::numerics_of(graph, producer)) == most(ir::Numerics::kTflite);
}

}  // namespace

int fold_relu(ir::Graph& graph) {
  ir::Uses uses = ir::uses(graph);
  std::vector<bool> gone(graph.ops.size(), false);
  for (int i = 0; i < static_cast<int>(graph.ops.size()); ++i) {
    const ir::Op& relu = graph.ops[static_cast<size_t>(i)];
    if (relu.kind != ir::OpKind::kRelu && relu.kind != ir::OpKind::kRelu6) continue;
    const ir::TensorId y = relu.input(0), z = relu.output();
    const int producer = passes::producer(uses, y);
    if (producer < 0 || only_consumer(graph, uses, y) != i) continue;
    const ir::Tensor &before = graph.tensor(y), &after = graph.tensor(z);
    if (before.dtype != ir::DType::kInt8 || after.dtype != ir::DType::kInt8 ||
        before.quantization != after.quantization || !after.quantization.per_tensor()) {
      continue;
    }
    ir::Op& op = graph.ops[static_cast<size_t>(producer)];
    ir::Activation* act = activation_of(op);
    if (relu.kind == ir::OpKind::kRelu6 && !same_bounds(graph, op, after)) continue;
    if (act == nullptr || !absorbs(*act, relu.kind)) continue;
    op.outputs[0] = z;
    uses.producer[static_cast<size_t>(z)] = producer;
    absorb_source_ops(op, relu);
    gone[static_cast<size_t>(i)] = true;
  }
  return erase_ops(graph, gone);
}

}  // namespace presil::passes
