// Some channels of an image, alone or joined to others of it, are a 1x1 convolution by ones.
//
//   before   a = strided_slice(x){channels 12..24}     after   y = conv2d(x, w)
//            b = strided_slice(x){channels 0..12}
//            y = concat(a, b)
//   and      a = strided_slice(x){channels 12..24}             a = conv2d(x, w)
//
// Why: a slice of channels is copied by the DMA, from memory to memory, in runs as short as its
// channels, and what joins at another channel than a multiple of 16 is copied once more; a
// convolution takes a cycle for 16 channels by 16 of a pixel, and may go into another one
// (fold_selection). In between, what a convolution makes and is only split by channels has become
// a convolution for each part (split_sliced_channels).
#include <optional>

#include "compiler_bridge/passes/channel_map.h"
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;
using Map = std::vector<int64_t>;

/// Products of 16 channels by 16 of a pixel, up to which they are less than a run that is copied:
/// out of the SRAM, from there to there, and in again.
constexpr int64_t kMostProducts = 12;
constexpr int64_t kLanes = 16;

bool is_image(const ir::Tensor& t) {
  return t.dtype == ir::DType::kInt8 && t.shape.size() == 4 && !t.is_constant() &&
         t.quantization.present() && t.quantization.per_tensor();
}

bool is_worth_it(int64_t in, size_t out) {
  const auto blocks = [](int64_t channels) { return (channels + kLanes - 1) / kLanes; };
  return blocks(in) * blocks(static_cast<int64_t>(out)) <= kMostProducts;
}

/// The channels that the op takes of its input, if it leaves all other axes as they are.
std::optional<Map> channels_of(const ir::Graph& graph, const ir::Op& op) {
  if (op.kind != K::kStridedSlice) return {};
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  const auto& slice = op.as<ir::StridedSlice>();
  if (!is_image(x) || y.shape != slice.size) return {};  // an axis of 1 is gone
  for (size_t axis = 0; axis < 3; ++axis) {
    if (slice.begin[axis] != 0 || slice.size[axis] != x.shape[axis] || slice.step[axis] != 1) {
      return {};
    }
  }
  Map map(static_cast<size_t>(slice.size[3]));
  for (size_t i = 0; i < map.size(); ++i)
    map[i] = slice.begin[3] + static_cast<int64_t>(i) * slice.step[3];
  return map;
}

bool is_read(const ir::Graph& graph, const ir::Uses& uses, ir::TensorId id) {
  return !uses.consumers[size_t(id)].empty() || graph.is_output(id);
}

/// In the place of a concatenation of slices of one image.
std::optional<ir::Op> joined(ir::Graph& graph, const ir::Uses& uses, const ir::Op& op) {
  if (op.kind != K::kConcat || op.as<ir::Concat>().act != ir::Activation::kNone) return {};
  const ir::Tensor& y = graph.tensor(op.output());
  if (!is_image(y) || op.as<ir::Concat>().axis != 3) return {};
  ir::TensorId x = ir::kAbsent;
  Map all;
  ir::Op absorbing = op;
  for (const ir::TensorId part : op.inputs) {
    const int slice = producer(uses, part);
    if (slice < 0) return {};
    const std::optional<Map> map = channels_of(graph, graph.ops[size_t(slice)]);
    if (!map) return {};
    const ir::TensorId of = graph.ops[size_t(slice)].input(0);
    if (x != ir::kAbsent && of != x) return {};
    x = of;
    all.insert(all.end(), map->begin(), map->end());
    absorb_source_ops(absorbing, graph.ops[size_t(slice)]);
  }
  const ir::Tensor& from = graph.tensor(x);
  if (from.quantization != y.quantization || !is_worth_it(from.shape[3], all.size())) return {};
  return select_channels(graph, x, op.output(), all, absorbing);
}

}  // namespace

int join_slices(ir::Graph& graph) {
  const ir::Uses uses = ir::uses(graph);
  int done = 0;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    std::optional<ir::Op> made = joined(graph, uses, graph.ops[i]);
    if (!made) continue;
    graph.ops[i] = std::move(*made);
    ++done;
  }
  return done;
}

int slice_channels(ir::Graph& graph) {
  const ir::Uses uses = ir::uses(graph);
  int done = 0;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    const ir::Op op = graph.ops[i];
    const std::optional<Map> map = channels_of(graph, op);
    if (!map || !is_read(graph, uses, op.output())) continue;
    if (!is_worth_it(graph.tensor(op.input(0)).shape[3], map->size())) continue;
    graph.ops[i] = select_channels(graph, op.input(0), op.output(), *map, op);
    ++done;
  }
  return done;
}

}  // namespace presil::passes
