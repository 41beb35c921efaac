// A gather whose constant indices are equally far apart becomes a slice.
//
//   before   y = gather(x, [1,3,5]){axis=3}     after   y = strided_slice(x){axis 3 from 1 by 2}
//
// Why: exporters state x[..., k] and x[..., ::2] like this, and a slice may be a view, or part of
// what makes x.
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

/// Constant indices of one axis, and how they go on; false: not by equal steps.
bool equal_steps(const ir::Tensor& indices, int64_t& first, int64_t& step) {
  if (!indices.is_constant() || indices.shape.size() > 1) return false;
  const bool wide = indices.dtype == ir::DType::kInt64;
  const auto at = [&](int64_t i) {
    return wide ? indices.values<int64_t>()[i] : int64_t{indices.values<int32_t>()[i]};
  };
  first = at(0);
  step = indices.elements() > 1 ? at(1) - at(0) : 1;
  for (int64_t i = 1; i < indices.elements(); ++i) {
    if (at(i) - at(i - 1) != step) return false;
  }
  return step != 0;
}

}  // namespace

int gather_to_slice(ir::Graph& graph) {
  int done = 0;
  for (ir::Op& op : graph.ops) {
    if (op.kind != ir::OpKind::kGather || op.as<ir::Gather>().batch_dims != 0) continue;
    const ir::Tensor& indices = graph.tensor(op.input(1));
    int64_t first = 0, step = 1;
    if (!equal_steps(indices, first, step)) continue;
    const auto axis = static_cast<size_t>(op.as<ir::Gather>().axis);
    ir::StridedSlice slice;
    slice.size = graph.tensor(op.input(0)).shape;
    slice.begin.assign(slice.size.size(), 0), slice.step.assign(slice.size.size(), 1);
    slice.begin[axis] = first, slice.step[axis] = step;
    slice.size[axis] = indices.elements();
    op.kind = ir::OpKind::kStridedSlice;
    op.inputs.resize(1);
    op.attributes = slice;
    ++done;
  }
  return done;
}

}  // namespace presil::passes
