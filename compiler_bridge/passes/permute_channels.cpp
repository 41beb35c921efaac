// A transpose that only moves channels becomes a 1x1 convolution whose weights are the permutation.
//
//   before   r = reshape(x)    [1,16,16,24] -> [1,16,16,2,12]     after   y = conv2d(x, w)
//            t = transpose(r)  perm=[0,1,2,4,3]
//            y = reshape(t)    [1,16,16,24]
//
// Why: short runs of bytes cost some cycles each, wherever they are moved; the products of an array
// of 256 cost a cycle for 16 channels by 16, and the convolution's channels may be split again for
// what reads them. The reshapes around it are not needed for that: of two shuffles, or of
// one before attention, they have been joined to others. Axes in front that stay are the pixels.
#include <algorithm>
#include <numeric>
#include <optional>

#include "compiler_bridge/passes/channel_map.h"
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;
using Shape = std::vector<int64_t>;

/// The DLA's channels.
constexpr int64_t kMostChannels = 1023 * 16;

int64_t product(Shape::const_iterator begin, Shape::const_iterator end) {
  return std::accumulate(begin, end, int64_t{1}, std::multiplies<>());
}

/// Axes in front that stay.
size_t pixel_axes(const Shape& perm) {
  size_t axes = 0;
  while (axes < perm.size() && perm[axes] == static_cast<int64_t>(axes)) ++axes;
  return axes;
}

/// For each channel of the result the one of `shape` that it is, its axes from `first` on being
/// the channels.
Shape channels_of(const Shape& shape, const Shape& perm, size_t first) {
  Shape step(shape.size(), 1);
  for (size_t axis = shape.size() - 1; axis > first; --axis)
    step[axis - 1] = step[axis] * shape[axis];
  Shape channels = {0};
  for (size_t axis = first; axis < shape.size(); ++axis) {
    const auto from = static_cast<size_t>(perm[axis]);
    Shape more;
    for (const int64_t begin : channels) {
      for (int64_t i = 0; i < shape[from]; ++i) more.push_back(begin + i * step[from]);
    }
    channels = std::move(more);
  }
  return channels;
}

/// [n, h, w, channels]: of three axes of pixels these, else one image.
Shape image_of(const Shape& shape, size_t pixels) {
  const auto end = shape.begin() + static_cast<ptrdiff_t>(pixels);
  const int64_t channels = product(end, shape.end());
  if (pixels == 3) return {shape[0], shape[1], shape[2], channels};
  return {1, product(shape.begin(), end - 1), *(end - 1), channels};
}

/// Runs of neighbouring bytes that are moved of a pixel: where two groups of axes change places,
/// rows and columns of a matrix, else its bytes.
int64_t runs_of(const Shape& shape, const Shape& perm, size_t first) {
  const auto moved = perm.begin() + static_cast<ptrdiff_t>(first);
  const auto turn = std::find(moved, perm.end(), static_cast<int64_t>(first));
  bool swaps = true;
  for (auto at = moved; at + 1 != perm.end(); ++at)
    swaps = swaps && (at + 1 == turn || at[1] == at[0] + 1);
  const auto begin = shape.begin() + static_cast<ptrdiff_t>(first);
  const auto second = shape.begin() + static_cast<ptrdiff_t>(*moved);
  if (!swaps) return product(begin, shape.end());
  return product(begin, second) + product(second, shape.end());
}

/// On an edge device: 16 x 16 MAC a cycle, 12.8 bytes of weights, a run of bytes in 3 cycles
/// and in again. Matrices of a few pixels are transposed as such.
bool is_worth_it(const Shape& image, int64_t runs) {
  constexpr int64_t kLanes = 16, kBytes = 12, kRun = 3, kFewestPixels = 16;
  const int64_t pixels = image[0] * image[1] * image[2], channels = image[3];
  const int64_t blocks = (channels + kLanes - 1) / kLanes;
  return pixels >= kFewestPixels && channels <= kMostChannels &&
         pixels * blocks * blocks + channels * channels / kBytes < pixels * runs * kRun;
}

ir::TensorId reshaped(ir::Graph& graph, ir::TensorId like, const Shape& shape) {
  ir::Tensor tensor = graph.tensor(like);
  tensor.name += "/channels";
  tensor.shape = shape;
  return graph.add(std::move(tensor));
}

/// Reshape, convolution, reshape, in the place of a transpose; nothing: it stays.
std::optional<std::vector<ir::Op>> convolution(ir::Graph& graph, const ir::Op& op) {
  if (op.kind != K::kTranspose) return {};
  const ir::Tensor& x = graph.tensor(op.input(0));
  if (x.dtype != ir::DType::kInt8 || x.is_constant()) return {};
  if (!x.quantization.present() || !x.quantization.per_tensor()) return {};
  const Shape shape = x.shape, perm = op.as<ir::Transpose>().perm;
  const size_t pixels = pixel_axes(perm);
  // Where the last axis stays, whole runs of it are moved.
  if (pixels == 0 || pixels == perm.size() || perm.back() + 1 == int64_t(perm.size())) return {};
  const Shape image = image_of(shape, pixels);
  if (!is_worth_it(image, runs_of(shape, perm, pixels))) return {};
  const ir::TensorId from = reshaped(graph, op.input(0), image),
                     to = reshaped(graph, op.output(), image);
  const ir::Op before{K::kReshape, op.name, {op.input(0)}, {from}, {}, op.source_ops};
  const ir::Op after{K::kReshape, op.name, {to}, op.outputs, {}, op.source_ops};
  std::vector<ir::Op> ops = {before, {}, after};
  ops[1] = select_channels(graph, from, to, channels_of(shape, perm, pixels), op);
  return ops;
}

}  // namespace

int permute_channels(ir::Graph& graph) {
  int done = 0;
  std::vector<ir::Op> ops;
  for (ir::Op& op : graph.ops) {
    std::optional<std::vector<ir::Op>> made = convolution(graph, op);
    if (!made) {
      ops.push_back(std::move(op));
      continue;
    }
    for (ir::Op& one : *made) ops.push_back(std::move(one));
    ++done;
  }
  graph.ops = std::move(ops);
  return done;
}

}  // namespace presil::passes
