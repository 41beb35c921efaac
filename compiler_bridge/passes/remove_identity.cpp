// Ops that leave their input as it is disappear.
//
//   before   y = reshape(x)  [1,64] -> [1,64]     after   z = fully_connected(x, ...)
//            z = fully_connected(y, ...)
//   and      z = reshape(reshape(x))              z = reshape(x)
//
// Why: exporters leave reshapes and requantisations to the same type behind; each would be a copy.
// An identity between an input and an output of the graph stays: two names need two tensors.
#include <numeric>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

bool all_equal(const std::vector<int64_t>& values, int64_t wanted) {
  return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == wanted; });
}

// Same type, shape and meaning on both sides; what is left is whether the op moves values.
bool leaves_values(const ir::Op& op) {
  switch (op.kind) {
    case ir::OpKind::kReshape:
    case ir::OpKind::kQuantize:
    case ir::OpKind::kResizeNearest:
    case ir::OpKind::kTile:
    case ir::OpKind::kMirrorPad:
    case ir::OpKind::kSpaceToDepth:
    case ir::OpKind::kDepthToSpace:
    case ir::OpKind::kCast:
      return true;
    case ir::OpKind::kConcat:
      return op.inputs.size() == 1 && op.as<ir::Concat>().act == ir::Activation::kNone;
    case ir::OpKind::kPad:
      return all_equal(op.as<ir::Pad>().before, 0) && all_equal(op.as<ir::Pad>().after, 0);
    case ir::OpKind::kTranspose: {
      std::vector<int64_t> unchanged(op.as<ir::Transpose>().perm.size());
      std::iota(unchanged.begin(), unchanged.end(), 0);
      return op.as<ir::Transpose>().perm == unchanged;
    }
    case ir::OpKind::kStridedSlice:
      return all_equal(op.as<ir::StridedSlice>().begin, 0) &&
             all_equal(op.as<ir::StridedSlice>().step, 1);
    default:
      return false;
  }
}

bool is_identity(const ir::Graph& graph, const ir::Op& op) {
  if (op.inputs.empty() || op.outputs.size() != 1) return false;
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  return x.dtype == y.dtype && x.shape == y.shape && x.quantization == y.quantization &&
         leaves_values(op);
}

// x -> y goes; whoever read y reads x. If y is an output, x's producer makes y instead.
bool bypass(ir::Graph& graph, int index) {
  const ir::TensorId x = graph.ops[static_cast<size_t>(index)].input(0);
  const ir::TensorId y = graph.ops[static_cast<size_t>(index)].output();
  if (!graph.is_output(y)) {
    replace_uses(graph, y, x);
    erase_op(graph, index);
    return true;
  }
  const int producer = graph.producer(x);
  if (producer < 0 || graph.is_output(x)) return false;
  ir::Op& maker = graph.ops[static_cast<size_t>(producer)];
  std::replace(maker.outputs.begin(), maker.outputs.end(), x, y);
  erase_op(graph, index);
  replace_uses(graph, x, y);
  return true;
}

}  // namespace

int remove_identity(ir::Graph& graph) {
  int removed = 0;
  for (int i = 0; i < static_cast<int>(graph.ops.size()); ++i) {
    ir::Op& op = graph.ops[static_cast<size_t>(i)];
    if (is_identity(graph, op)) {
      if (bypass(graph, i)) ++removed, --i;
      continue;
    }
    if (op.kind != ir::OpKind::kReshape) continue;
    const int producer = graph.producer(op.input(0));
    if (producer < 0) continue;
    const ir::Op& before = graph.ops[static_cast<size_t>(producer)];
    if (before.kind != ir::OpKind::kReshape) continue;
    op.inputs[0] = before.input(0);
    ++removed;
  }
  return removed;
}

}  // namespace presil::passes
