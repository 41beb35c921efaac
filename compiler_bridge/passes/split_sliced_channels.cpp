// A convolution whose result is only split by channels becomes a convolution for each part.
//
//   before   c = conv2d(x, w, b)      after   c0 = conv2d(x, w[0..k], b[0..k])    likewise s1
//            y = mul(c, logistic(c))          s0 = mul(c0, logistic(c0))
//            s0 = strided_slice(y){channels 0..k}, s1 = strided_slice(y){channels k..}
//
// Why: the slices are copies that only the host makes, in the middle of what an engine computes;
// the filters of each part are its own in any case. What lies between convolution and slices works
// value by value, and is done for each part. Parts are computed in blocks of channels, so many
// narrow ones would cost more than they spare and stay.
#include <map>
#include <optional>
#include <set>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

constexpr int64_t kBlock = 16;  ///< channels that engines take at once

struct Range {
  int64_t begin = 0, size = 0;
};

bool works_by_value(ir::OpKind kind) {
  using K = ir::OpKind;
  static const std::set<K> kinds = {K::kAdd,       K::kSub,      K::kMul,     K::kRelu,
                                    K::kRelu6,     K::kLogistic, K::kTanh,    K::kLeakyRelu,
                                    K::kHardSwish, K::kLut,      K::kQuantize};
  return kinds.count(kind) != 0;
}

/// The channels that the op takes of its input, if it leaves all other axes as they are.
std::optional<Range> channels_taken(const ir::Graph& graph, const ir::Op& op) {
  if (op.kind != ir::OpKind::kStridedSlice) return {};
  const auto& slice = op.as<ir::StridedSlice>();
  const auto& x = graph.tensor(op.input(0)).shape;
  if (x.size() != 4 || slice.step[3] != 1) return {};
  if (graph.tensor(op.output()).shape != slice.size) return {};  // an axis of 1 is gone
  for (size_t axis = 0; axis < 3; ++axis) {
    if (slice.begin[axis] != 0 || slice.size[axis] != x[axis] || slice.step[axis] != 1) return {};
  }
  return Range{slice.begin[3], slice.size[3]};
}

/// What makes a tensor that is split, and which op takes which part: indices of ops.
struct Found {
  std::set<int> makers;  ///< convolutions and what works value by value after them
  std::map<int, Range> slices;
};

/// Adds what makes `tensor` to `found`. False: something else than convolutions does in the end.
bool find_makers(const ir::Graph& graph, const ir::Uses& uses, ir::TensorId tensor,
                 const std::vector<int64_t>& shape, Found& found) {
  const int index = producer(uses, tensor);
  if (index < 0 || graph.tensor(tensor).shape != shape || graph.is_output(tensor)) return false;
  const ir::Op& op = graph.ops[size_t(index)];
  if (op.kind == ir::OpKind::kConv2d) {
    found.makers.insert(index);
    const bool biased = op.input(2) != ir::kAbsent;
    return op.as<ir::Conv2d>().groups == 1 && !is_dynamic_range(graph, op) &&
           graph.tensor(op.input(1)).is_constant() &&
           (!biased || graph.tensor(op.input(2)).is_constant());
  }
  if (!works_by_value(op.kind)) return false;
  if (!found.makers.insert(index).second) return true;  // seen already
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    const ir::Tensor& input = graph.tensor(op.inputs[i]);
    if (input.is_constant()) {
      const bool table = op.kind == ir::OpKind::kLut;
      if (!table && input.elements() != 1) return false;
    } else if (!find_makers(graph, uses, op.inputs[i], shape, found)) {
      return false;
    }
  }
  return true;
}

std::optional<Found> taken_apart(const ir::Graph& graph, const ir::Uses& uses, ir::TensorId whole) {
  Found found;
  int64_t blocks = 0, channels = 0;
  for (const int reader : uses.consumers[size_t(whole)]) {
    const std::optional<Range> range = channels_taken(graph, graph.ops[size_t(reader)]);
    if (!range) return {};
    found.slices[reader] = *range;
    channels += range->size;
    blocks += (range->size + kBlock - 1) / kBlock;
  }
  const std::vector<int64_t> shape = graph.tensor(whole).shape;
  if (found.slices.empty() || channels > shape[3]) return {};
  if (blocks > 2 * ((shape[3] + kBlock - 1) / kBlock)) return {};
  if (!find_makers(graph, uses, whole, shape, found)) return {};
  for (const int maker : found.makers) {
    const ir::TensorId made = graph.ops[size_t(maker)].output();
    if (made == whole) continue;
    for (const int reader : uses.consumers[size_t(made)]) {
      // Of a residual block one convolution reads all channels of the other.
      const bool whole_read = graph.ops[size_t(reader)].kind == ir::OpKind::kConv2d;
      if (whole_read || found.makers.count(reader) == 0) return {};
    }
  }
  return found;
}

/// Channels `range` of a constant along its first axis.
ir::TensorId rows_of(ir::Graph& graph, ir::TensorId id, const Range& range) {
  if (id == ir::kAbsent) return id;
  ir::Tensor part = graph.tensor(id);
  const auto row = static_cast<int64_t>(part.bytes()) / part.shape[0];
  const auto begin = part.data->begin() + range.begin * row;
  part.data = std::make_shared<const ir::Bytes>(begin, begin + range.size * row);
  part.shape[0] = range.size;
  ir::Quantization& q = part.quantization;
  if (q.axis == 0) {
    const auto cut = [&](auto& values) {
      values = {values.begin() + range.begin, values.begin() + range.begin + range.size};
    };
    cut(q.scales), cut(q.zero_points);
    if (!q.fixed.empty()) cut(q.fixed);
  }
  return graph.add(std::move(part));
}

/// The makers once more, for the channels of one slice.
std::vector<ir::Op> part_of(ir::Graph& graph, const Found& found, int slice_index,
                            ir::TensorId whole) {
  const ir::Op slice = graph.ops[size_t(slice_index)];
  const Range range = found.slices.at(slice_index);
  std::map<ir::TensorId, ir::TensorId> parts = {{whole, slice.output()}};
  std::vector<ir::Op> ops;
  for (const int maker : found.makers) {  // in the graph's order
    ir::Op op = graph.ops[size_t(maker)];
    if (op.kind == ir::OpKind::kConv2d) {
      for (size_t i = 1; i < op.inputs.size(); ++i)
        op.inputs[i] = rows_of(graph, op.inputs[i], range);
    } else {
      for (ir::TensorId& input : op.inputs) {
        if (!graph.tensor(input).is_constant()) input = parts.at(input);
      }
    }
    if (op.output() == whole) {
      absorb_source_ops(op, slice);
    } else {
      ir::Tensor part = graph.tensor(op.output());
      part.name += "/part";
      part.shape[3] = range.size;
      parts[op.output()] = graph.add(std::move(part));
    }
    op.outputs = {parts.at(op.output())};
    ops.push_back(std::move(op));
  }
  return ops;
}

void split(ir::Graph& graph, const Found& found, ir::TensorId whole) {
  std::vector<ir::Op> parts;
  for (const auto& [slice, range] : found.slices) {
    for (ir::Op& op : part_of(graph, found, slice, whole)) parts.push_back(std::move(op));
  }
  std::set<int> gone = found.makers;
  for (const auto& [slice, range] : found.slices) gone.insert(slice);
  const int last = *found.makers.rbegin();  // all that the parts read is there by then
  std::vector<ir::Op> ops;
  for (int i = 0; i < static_cast<int>(graph.ops.size()); ++i) {
    if (gone.count(i) == 0) ops.push_back(std::move(graph.ops[size_t(i)]));
    if (i == last) ops.insert(ops.end(), parts.begin(), parts.end());
  }
  graph.ops = std::move(ops);
}

}  // namespace

int split_sliced_channels(ir::Graph& graph) {
  int done = 0;
  ir::Uses uses = ir::uses(graph);
  std::set<ir::TensorId> seen;  // wholes that are what they will be
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    if (!channels_taken(graph, graph.ops[i])) continue;
    const ir::TensorId whole = graph.ops[i].input(0);
    if (!seen.insert(whole).second) continue;
    const std::optional<Found> found = taken_apart(graph, uses, whole);
    if (!found) continue;
    split(graph, *found, whole);
    uses = ir::uses(graph);
    ++done;
    i = size_t(-1);  // the ops have moved
  }
  return done;
}

}  // namespace presil::passes
