// Convolutions that an exporter has unrolled group by group become the convolution in groups.
//
//   before   s0 = strided_slice(x){channels 0..c}   y0 = conv2d(s0, w0, b0)      y = concat(y0, y1)
//            s1 = strided_slice(x){channels c..2c}  y1 = conv2d(s1, w1, b1)
//   after    y = conv2d(x, [w0; w1], [b0; b1]){groups=2}
//
// Why: the slices are copies that only the host makes, and several small layers are slower than
// one. The convolutions must have one window and one shape of weights, and must be read by the
// concatenation only, which must keep their scale; scales of weights differ as those of channels
// do.
#include <optional>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

struct Unrolled {
  ir::TensorId x = ir::kAbsent;
  std::vector<const ir::Op*> slices, convs;
};

const ir::Op* maker(const ir::Graph& graph, const ir::Uses& uses, ir::TensorId id,
                    ir::OpKind kind) {
  const int index = producer(uses, id);
  if (index < 0 || graph.ops[size_t(index)].kind != kind) return nullptr;
  return &graph.ops[size_t(index)];
}

/// Does it take channels [i * count, (i + 1) * count) of its input, as many as it makes?
bool is_group(const ir::Graph& graph, const ir::Op& op, size_t i) {
  const auto& slice = op.as<ir::StridedSlice>();
  const auto& x = graph.tensor(op.input(0)).shape;
  if (x.size() != 4 || graph.tensor(op.output()).shape != slice.size) return false;
  for (size_t axis = 0; axis < 3; ++axis) {
    if (slice.begin[axis] != 0 || slice.size[axis] != x[axis] || slice.step[axis] != 1)
      return false;
  }
  return slice.step[3] == 1 && slice.begin[3] == static_cast<int64_t>(i) * slice.size[3];
}

bool same_type(const ir::Tensor& a, const ir::Tensor& b) {
  return a.dtype == b.dtype && a.shape == b.shape && a.is_constant() && b.is_constant();
}

/// Same window, same shapes of constants, and zero points that channels may have.
bool same_work(const ir::Graph& graph, const ir::Op& a, const ir::Op& b) {
  const auto bare = [](const ir::Op& op) { return ir::Op{op.kind, "", {}, {}, op.attributes, {}}; };
  const ir::Tensor &w = graph.tensor(a.input(1)), &v = graph.tensor(b.input(1));
  if (!(bare(a) == bare(b)) || !same_type(w, v)) return false;
  const auto zero = [](const ir::Tensor& t) {
    const auto& zeros = t.quantization.zero_points;
    return std::all_of(zeros.begin(), zeros.end(), [](int64_t z) { return z == 0; });
  };
  if (w.quantization != v.quantization && !(zero(w) && zero(v))) return false;
  if (w.quantization.fixed.empty() != v.quantization.fixed.empty()) return false;
  if (w.quantization.round_twice != v.quantization.round_twice) return false;
  const bool biased = a.input(2) != ir::kAbsent;
  if (biased != (b.input(2) != ir::kAbsent)) return false;
  return !biased || same_type(graph.tensor(a.input(2)), graph.tensor(b.input(2)));
}

std::optional<Unrolled> unrolled(const ir::Graph& graph, const ir::Uses& uses,
                                 const ir::Op& concat) {
  const auto& how = concat.as<ir::Concat>();
  const ir::Tensor& y = graph.tensor(concat.output());
  if (y.shape.size() != 4 || how.axis != 3 || how.act != ir::Activation::kNone) return {};
  if (concat.inputs.size() < 2) return {};
  Unrolled found;
  for (size_t i = 0; i < concat.inputs.size(); ++i) {
    const ir::TensorId part = concat.inputs[i];
    const ir::Op* conv = maker(graph, uses, part, ir::OpKind::kConv2d);
    if (conv == nullptr || only_consumer(graph, uses, part) < 0) return {};
    if (is_dynamic_range(graph, *conv)) return {};
    if (graph.tensor(part).quantization != y.quantization) return {};
    const ir::Op* slice = maker(graph, uses, conv->input(0), ir::OpKind::kStridedSlice);
    if (slice == nullptr || !is_group(graph, *slice, i)) return {};
    if (i == 0) found.x = slice->input(0);
    if (slice->input(0) != found.x) return {};
    if (i > 0 && !same_work(graph, *found.convs.front(), *conv)) return {};
    found.slices.push_back(slice), found.convs.push_back(conv);
  }
  const int64_t taken =
      graph.tensor(found.slices.front()->output()).shape[3] * int64_t(found.slices.size());
  return taken == graph.tensor(found.x).shape[3] ? std::make_optional(found) : std::nullopt;
}

/// Input `index` of all convolutions, one after another along the first axis.
ir::TensorId joined(ir::Graph& graph, const std::vector<const ir::Op*>& convs, size_t index) {
  if (convs.front()->input(index) == ir::kAbsent) return ir::kAbsent;
  ir::Tensor all = graph.tensor(convs.front()->input(index));
  const ir::Quantization first = all.quantization;
  ir::Quantization channels{{}, {}, 0, {}, first.round_twice};
  ir::Bytes bytes;
  bool alike = first.scales.size() <= 1;
  for (const ir::Op* conv : convs) {
    const ir::Tensor& part = graph.tensor(conv->input(index));
    bytes.insert(bytes.end(), part.data->begin(), part.data->end());
    alike = alike && part.quantization == first;
    const ir::Quantization& q = part.quantization;
    for (int64_t k = 0; q.present() && k < part.shape[0]; ++k) {
      const size_t at = q.scales.size() == 1 ? 0 : size_t(k);
      channels.scales.push_back(q.scales[at]), channels.zero_points.push_back(q.zero_points[at]);
      if (!q.fixed.empty()) channels.fixed.push_back(q.fixed[at]);
    }
  }
  all.shape[0] *= static_cast<int64_t>(convs.size());
  if (!alike) {
    const bool whole = channels.scales.size() == size_t(all.shape[0]);
    all.quantization = whole ? channels : ir::Quantization{};
  }
  all.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return graph.add(std::move(all));
}

ir::Op merged(ir::Graph& graph, const ir::Op& concat, const Unrolled& found) {
  ir::Op op = *found.convs.front();
  op.name = concat.name;
  op.outputs = concat.outputs;
  op.as<ir::Conv2d>().groups *= static_cast<int>(found.convs.size());
  op.source_ops = concat.source_ops;
  for (const ir::Op* slice : found.slices) absorb_source_ops(op, *slice);
  for (const ir::Op* conv : found.convs) absorb_source_ops(op, *conv);
  op.inputs = {found.x, joined(graph, found.convs, 1)};
  const ir::TensorId bias = joined(graph, found.convs, 2);
  if (bias != ir::kAbsent) op.inputs.push_back(bias);
  return op;
}

}  // namespace

int merge_unrolled_groups(ir::Graph& graph) {
  int done = 0;
  const ir::Uses uses = ir::uses(graph);
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    if (graph.ops[i].kind != ir::OpKind::kConcat) continue;
    const std::optional<Unrolled> found = unrolled(graph, uses, graph.ops[i]);
    if (!found) continue;
    graph.ops[i] = merged(graph, graph.ops[i], *found);
    ++done;
  }
  return done;  // slices and convolutions without readers go with remove_dead
}

}  // namespace presil::passes
