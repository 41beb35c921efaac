// A convolution between space_to_batch and batch_to_space becomes a convolution with dilation.
//
//   before   a = space_to_batch(x){block=[2,2] before=[2,2] after=[2,2]}     after   y = conv2d(x,
//            b = conv2d(a, w)  3x3                                               w){dilation 2x2,
//            y = batch_to_space(b){block=[2,2]}                                  padding 2}
//
// Why: frameworks state a dilated convolution like this. Image q of the batch holds every block-th
// pixel from q on, so taps that are neighbours there are a block apart in x: y[p * B + q] is the
// sum over t of x'[(p + t) * B + q] * w[t], x' being x with its padding. What batch_to_space cuts
// off comes off that padding; where it cuts off more, the three stay.
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

/// One axis of a convolution.
struct Axis {
  int &stride, &dilation, &before, &after;
  int64_t taps;
};

template <class Conv>
std::vector<Axis> axes_of(Conv& conv, const ir::Tensor& weights) {
  return {{conv.stride_h, conv.dilation_h, conv.pad_top, conv.pad_bottom, weights.shape.at(1)},
          {conv.stride_w, conv.dilation_w, conv.pad_left, conv.pad_right, weights.shape.at(2)}};
}

bool dilate(std::vector<Axis> axes, const ir::BatchBlocks& apart, const ir::BatchBlocks& together) {
  if (apart.block.size() > axes.size() || apart.block != together.block) return false;
  for (size_t i = 0; i < axes.size(); ++i) {
    const bool blocked = i < apart.block.size();
    const int64_t block = blocked ? apart.block[i] : 1;
    const int64_t head = blocked ? apart.before[i] - together.before[i] : 0;
    const int64_t tail = blocked ? apart.after[i] - together.after[i] : 0;
    Axis& axis = axes[i];
    if (blocked && axis.stride != 1) return false;
    const int64_t dilation = axis.dilation * block;
    const int64_t before = axis.before * block + head, after = axis.after * block + tail;
    const int64_t reach = (axis.taps - 1) * dilation;
    if (before < 0 || after < 0 || before > reach || after > reach) return false;
    axis.dilation = static_cast<int>(dilation);
    axis.before = static_cast<int>(before), axis.after = static_cast<int>(after);
  }
  return true;
}

/// The op as it is with dilation; false: it stays.
bool fold(const ir::Graph& graph, ir::Op& conv, const ir::Op& apart, const ir::Op& together) {
  const auto& a = apart.as<ir::BatchBlocks>();
  const auto& b = together.as<ir::BatchBlocks>();
  const ir::Tensor& weights = graph.tensor(conv.input(1));
  if (!graph.tensor(apart.input(0)).quantization.per_tensor()) return false;
  if (conv.kind == ir::OpKind::kConv2d) {
    return dilate(axes_of(conv.as<ir::Conv2d>(), weights), a, b);
  }
  return conv.kind == ir::OpKind::kDepthwiseConv2d &&
         dilate(axes_of(conv.as<ir::DepthwiseConv2d>(), weights), a, b);
}

}  // namespace

int fold_dilation(ir::Graph& graph) {
  int done = 0;
  const ir::Uses uses = ir::uses(graph);
  for (ir::Op& together : graph.ops) {
    if (together.kind != ir::OpKind::kBatchToSpace) continue;
    const int middle = producer(uses, together.input(0));
    if (middle < 0 || only_consumer(graph, uses, together.input(0)) < 0) continue;
    const ir::Op& found = graph.ops[static_cast<size_t>(middle)];
    const int front = found.inputs.empty() ? -1 : producer(uses, found.input(0));
    if (front < 0) continue;
    const ir::Op& apart = graph.ops[static_cast<size_t>(front)];
    if (apart.kind != ir::OpKind::kSpaceToBatch) continue;
    ir::Op conv = found;
    if (!fold(graph, conv, apart, together)) continue;
    conv.inputs[0] = apart.input(0);
    conv.outputs = together.outputs;
    absorb_source_ops(conv, apart), absorb_source_ops(conv, together);
    together = std::move(conv);
    ++done;
  }
  return done;  // what has no reader goes with remove_dead
}

}  // namespace presil::passes
