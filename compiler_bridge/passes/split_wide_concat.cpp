// A concatenation of more inputs than a task of the host can take becomes one of several.
//
//   before   y = concat(x0 .. x99)     after   p0 = concat(x0 .. x29) .. p3 = concat(x90 .. x99)
//                                              y = concat(p0 .. p3)
//
// Why: a list that is packed step by step, as recurrent networks are unrolled, would run nowhere.
// What engines place side by side, of any number, stays: int8 by channels, or with nothing but axes
// of 1 before theirs.
#include <algorithm>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

bool placed_by_engines(const ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor& y = graph.tensor(op.output());
  const auto axis = static_cast<size_t>(op.as<ir::Concat>().axis);
  const bool in_front = std::all_of(y.shape.begin(), y.shape.begin() + op.as<ir::Concat>().axis,
                                    [](int64_t extent) { return extent == 1; });
  const bool computed = std::none_of(op.inputs.begin(), op.inputs.end(),
                                     [&](ir::TensorId x) { return graph.tensor(x).is_constant(); });
  const bool image = y.shape.size() < 4 || (y.shape.size() == 4 && (y.shape[0] == 1 || axis == 0));
  return y.dtype == ir::DType::kInt8 && computed && image &&
         op.as<ir::Concat>().act == ir::Activation::kNone &&
         (axis + 1 == y.shape.size() || in_front);
}

/// Inputs of `op` in parts, each a concatenation of its own; the op reads those.
std::vector<ir::Op> parts_of(ir::Graph& graph, ir::Op& op) {
  const auto axis = static_cast<size_t>(op.as<ir::Concat>().axis);
  std::vector<ir::Op> parts;
  std::vector<ir::TensorId> made;
  for (size_t i = 0; i < op.inputs.size(); i += kMostJoined) {
    const size_t end = std::min(op.inputs.size(), i + kMostJoined);
    ir::Op part = op;
    part.inputs.assign(op.inputs.begin() + static_cast<ptrdiff_t>(i),
                       op.inputs.begin() + static_cast<ptrdiff_t>(end));
    ir::Tensor joined = graph.tensor(op.output());
    joined.name += "/part";
    joined.shape[axis] = 0;
    for (const ir::TensorId x : part.inputs) joined.shape[axis] += graph.tensor(x).shape[axis];
    made.push_back(graph.add(std::move(joined)));
    part.outputs = {made.back()};
    parts.push_back(std::move(part));
  }
  op.inputs = made;
  return parts;
}

}  // namespace

int split_wide_concat(ir::Graph& graph) {
  int done = 0;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    if (graph.ops[i].kind != ir::OpKind::kConcat) continue;
    if (graph.ops[i].inputs.size() <= kMostJoined || placed_by_engines(graph, graph.ops[i])) {
      continue;
    }
    ir::Op whole = graph.ops[i];
    const std::vector<ir::Op> parts = parts_of(graph, whole);
    graph.ops[i] = std::move(whole);
    graph.ops.insert(graph.ops.begin() + static_cast<ptrdiff_t>(i), parts.begin(), parts.end());
    i += parts.size() - 1;  // the whole is looked at again: it may be wide still
    ++done;
  }
  return done;
}

}  // namespace presil::passes
