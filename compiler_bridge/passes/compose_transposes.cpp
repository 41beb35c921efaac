// A transpose of a transpose is one; one that moves only axes of 1 is a reshape.
//
//   before   y = transpose(x){perm=[0,3,1,2]}              after   z = reshape(x)
//            z = transpose(y){perm=[0,2,3,1]}                      (an identity, which goes)
//   and      y = transpose(x){perm=[0,2,1]} [8,1,5] -> [8,5,1]     y = reshape(x)
//
// Why: converters of networks with channels first put a pair around every convolution; two that
// cancel leave nothing to move, and the bytes of a reshape lie where they are.
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using Axes = std::vector<int64_t>;

/// Axes of more than one element stay in their order.
bool keeps_bytes(const ir::Tensor& x, const Axes& perm) {
  int64_t previous = -1;
  for (const int64_t axis : perm) {
    if (x.shape[static_cast<size_t>(axis)] == 1) continue;
    if (axis < previous) return false;
    previous = axis;
  }
  return true;
}

}  // namespace

int compose_transposes(ir::Graph& graph) {
  const ir::Uses uses = ir::uses(graph);
  int done = 0;
  for (ir::Op& op : graph.ops) {
    if (op.kind != ir::OpKind::kTranspose) continue;
    const int before = producer(uses, op.input(0));
    const ir::Op* first = before < 0 ? nullptr : &graph.ops[static_cast<size_t>(before)];
    if (first != nullptr && first->kind == ir::OpKind::kTranspose) {
      Axes& perm = op.as<ir::Transpose>().perm;
      for (int64_t& axis : perm) axis = first->as<ir::Transpose>().perm[static_cast<size_t>(axis)];
      op.inputs[0] = first->input(0);
      absorb_source_ops(op, *first);
      ++done;
    }
    if (!keeps_bytes(graph.tensor(op.input(0)), op.as<ir::Transpose>().perm)) continue;
    op.kind = ir::OpKind::kReshape;
    op.attributes = ir::None{};
    ++done;
  }
  return done;  // a transpose without readers goes with remove_dead
}

}  // namespace presil::passes
