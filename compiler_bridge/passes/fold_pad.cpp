// Padding of rows and columns with the zero point becomes the padding of the convolution that reads
// it.
//
//   before   y = pad(x){before=[0,1,1,0] after=[0,1,1,0] value=zp}     after   z =
//   conv2d(x){pad 1..}
//            z = conv2d(y){pad 0}
//
// Why: a convolution takes taps outside its image as the zero point, which is what `pad` wrote; the
// padded copy is never made. Padding beyond the kernel's reach stays: engines pad less than a
// kernel.
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

// Only rows and columns, and only with the value that stands for 0.
bool pads_image_with_zero(const ir::Graph& graph, const ir::Op& op) {
  if (op.kind != ir::OpKind::kPad) return false;
  const ir::Tensor& x = graph.tensor(op.input(0));
  const ir::Tensor& y = graph.tensor(op.output());
  if (x.shape.size() != 4 || !x.quantization.per_tensor() || x.quantization != y.quantization) {
    return false;
  }
  const auto& pad = op.as<ir::Pad>();
  for (const size_t axis : {size_t{0}, size_t{3}}) {
    if (pad.before.at(axis) != 0 || pad.after.at(axis) != 0) return false;
  }
  for (const size_t axis : {size_t{1}, size_t{2}}) {
    if (pad.before.at(axis) < 0 || pad.after.at(axis) < 0) return false;
  }
  return pad.value == x.quantization.zero_point();
}

template <class Conv>
bool take_padding(Conv& conv, const ir::Tensor& weights, const ir::Pad& pad) {
  const int64_t reach_h = (weights.shape.at(1) - 1) * conv.dilation_h;
  const int64_t reach_w = (weights.shape.at(2) - 1) * conv.dilation_w;
  const int64_t top = conv.pad_top + pad.before[1], bottom = conv.pad_bottom + pad.after[1];
  const int64_t left = conv.pad_left + pad.before[2], right = conv.pad_right + pad.after[2];
  if (top > reach_h || bottom > reach_h || left > reach_w || right > reach_w) return false;
  conv.pad_top = static_cast<int>(top), conv.pad_bottom = static_cast<int>(bottom);
  conv.pad_left = static_cast<int>(left), conv.pad_right = static_cast<int>(right);
  return true;
}

}  // namespace

int fold_pad(ir::Graph& graph) {
  int folded = 0;
  const ir::Uses uses = ir::uses(graph);  // a convolution that took one reads less: asked again
  for (const ir::Op& pad : graph.ops) {
    if (!pads_image_with_zero(graph, pad)) continue;
    for (const int reader : uses.consumers[static_cast<size_t>(pad.output())]) {
      ir::Op& conv = graph.ops[static_cast<size_t>(reader)];
      if (conv.input(0) != pad.output()) continue;
      const auto& amounts = pad.as<ir::Pad>();
      bool taken = false;
      if (conv.kind == ir::OpKind::kConv2d) {
        taken = take_padding(conv.as<ir::Conv2d>(), graph.tensor(conv.input(1)), amounts);
      } else if (conv.kind == ir::OpKind::kDepthwiseConv2d) {
        taken = take_padding(conv.as<ir::DepthwiseConv2d>(), graph.tensor(conv.input(1)), amounts);
      }
      if (!taken) continue;
      conv.inputs[0] = pad.input(0);
      absorb_source_ops(conv, pad);
      ++folded;
    }
  }
  return folded;  // a pad without readers goes with remove_dead
}

}  // namespace presil::passes
