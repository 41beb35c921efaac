// A shuffle of channels becomes a 1x1 convolution whose weights are the permutation.
//
//   before   r = reshape(x)    [1,16,16,24] -> [1,16,16,2,12]     after   y = conv2d(x, w)
//            t = transpose(r)  perm=[0,1,2,4,3]
//            y = reshape(t)    [1,16,16,24]
//
// Why: bytes one by one cost 4 cycles or more each, wherever they are moved; the products of an
// array of 256 cost a cycle for 16 channels by 16, and the convolution's channels may be split
// again for what reads them. The weight 1 of scale 1 leaves values exactly as they are.
#include <optional>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;
using Shape = std::vector<int64_t>;

/// Channels beyond which 4 cycles a byte are less than a product with each of them.
constexpr int64_t kMostChannels = 1024;
/// Bytes of weights that are loaded in the 4 cycles of a byte, on an edge device: 12.8 a cycle.
constexpr int64_t kWeightsOfAByte = 48;

/// Pixels of `channels` each, whose channels `shape` has as several axes.
size_t pixel_axes(const Shape& pixels, const Shape& shape) {
  size_t axes = 0;
  while (axes + 1 < pixels.size() && axes < shape.size() && pixels[axes] == shape[axes]) ++axes;
  return axes + 1 == pixels.size() ? axes : 0;
}

/// For each channel of the result the one of `shape` that it is, its axes from `first` on being
/// the channels; nothing where others move, too.
std::optional<std::vector<int64_t>> channels_of(const Shape& shape, const Shape& perm,
                                                size_t first) {
  for (size_t axis = 0; axis < first; ++axis) {
    if (perm[axis] != static_cast<int64_t>(axis)) return {};
  }
  Shape step(shape.size(), 1);
  for (size_t axis = shape.size() - 1; axis > first; --axis)
    step[axis - 1] = step[axis] * shape[axis];
  std::vector<int64_t> channels = {0};
  for (size_t axis = first; axis < shape.size(); ++axis) {
    const auto from = static_cast<size_t>(perm[axis]);
    std::vector<int64_t> more;
    for (const int64_t begin : channels) {
      for (int64_t i = 0; i < shape[from]; ++i) more.push_back(begin + i * step[from]);
    }
    channels = std::move(more);
  }
  return channels;
}

bool is_worth_it(const ir::Tensor& x) {
  const int64_t channels = x.shape.back();
  return channels <= kMostChannels && x.elements() / channels * kWeightsOfAByte >= channels;
}

/// The convolution that the reshape at `last` is the end of.
std::optional<ir::Op> shuffle(ir::Graph& graph, const ir::Uses& uses, const ir::Op& last) {
  const ir::TensorId moved = last.input(0);
  const int transposing = last.kind == K::kReshape ? producer(uses, moved) : -1;
  if (transposing < 0 || only_consumer(graph, uses, moved) < 0) return {};
  const ir::Op& transpose = graph.ops[size_t(transposing)];
  if (transpose.kind != K::kTranspose) return {};
  const ir::TensorId split = transpose.input(0);
  const int splitting = producer(uses, split);
  if (splitting < 0 || graph.ops[size_t(splitting)].kind != K::kReshape) return {};
  const ir::Op& first = graph.ops[size_t(splitting)];
  const ir::Tensor &x = graph.tensor(first.input(0)), &y = graph.tensor(last.output());
  if (x.dtype != ir::DType::kInt8 || x.shape.size() != 4 || x.shape != y.shape) return {};
  if (!x.quantization.per_tensor() || x.quantization != y.quantization) return {};
  if (x.is_constant() || !is_worth_it(x)) return {};
  const Shape& shape = graph.tensor(split).shape;
  const size_t axes = pixel_axes(x.shape, shape);
  if (axes == 0) return {};
  const auto channels = channels_of(shape, transpose.as<ir::Transpose>().perm, axes);
  if (!channels) return {};
  const int64_t count = x.shape.back();
  ir::Bytes weights(static_cast<size_t>(count * count), 0);
  for (int64_t o = 0; o < count; ++o) weights[size_t(o * count + (*channels)[size_t(o)])] = 1;
  ir::Tensor w;
  w.name = y.name + "/permutation";
  w.dtype = ir::DType::kInt8;
  w.shape = {count, 1, 1, count};
  w.quantization.scales = {1.0F};
  w.quantization.zero_points = {0};
  w.data = std::make_shared<const ir::Bytes>(std::move(weights));
  ir::Op conv{K::kConv2d,      last.name,    {first.input(0), ir::kAbsent},
              {last.output()}, ir::Conv2d{}, last.source_ops};
  absorb_source_ops(conv, transpose);
  absorb_source_ops(conv, first);
  conv.inputs[1] = graph.add(std::move(w));
  return conv;
}

}  // namespace

int permute_channels(ir::Graph& graph) {
  int done = 0;
  const ir::Uses uses = ir::uses(graph);
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    std::optional<ir::Op> conv = shuffle(graph, uses, graph.ops[i]);
    if (!conv) continue;
    graph.ops[i] = std::move(*conv);
    ++done;
  }
  return done;
}

}  // namespace presil::passes
