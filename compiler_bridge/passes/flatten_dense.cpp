// A fully connected layer that flattens a large image reads it as fewer, longer pixels.
//
//   before   y = fully_connected(x, w) x [1,25,20,8]     after   r = reshape(x)   r [1,1,1,4000]
//                                                                y = fully_connected(r, w)
//
// Why: an image of up to 16 x 16 pixels is one kernel of a convolution as it lies; of a larger one
// all values, in their order, are as good as the channels of a few pixels. The reshape moves the
// image to where it is a row, once, which is little beside the layer's weights.
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"
#include "rtl/dla/dla_command.h"

namespace presil::passes {
namespace {

constexpr int64_t kMostPixels = 16;  // kernel rows of a convolution command
constexpr int64_t kMostChannels = int64_t{dla::Command::kInBlocksMax} * 16;  // of its input

/// Is x one row of the layer that no kernel of 16 x 16 pixels covers?
bool flattens_large_image(const ir::Tensor& x, const ir::Tensor& weights) {
  if (x.is_constant() || !weights.is_constant() || x.elements() != weights.shape.at(1)) {
    return false;
  }
  const auto from_back = [&](size_t i) {
    return x.shape.size() > i ? x.shape[x.shape.size() - 1 - i] : int64_t{1};
  };
  return from_back(0) > kMostChannels || from_back(1) > kMostPixels || from_back(2) > kMostPixels;
}

/// As few pixels as the channels allow; 0: none divides the row.
int64_t pixels_of(int64_t row) {
  for (int64_t pixels = 1; pixels <= kMostPixels; ++pixels) {
    if (row % pixels == 0 && row / pixels <= kMostChannels) return pixels;
  }
  return 0;
}

}  // namespace

int flatten_dense(ir::Graph& graph) {
  int done = 0;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    const ir::Op& op = graph.ops[i];
    if (op.kind != ir::OpKind::kFullyConnected) continue;
    ir::Tensor row = graph.tensor(op.input(0));
    if (!flattens_large_image(row, graph.tensor(op.input(1)))) continue;
    const int64_t pixels = pixels_of(row.elements());
    if (pixels == 0) continue;
    row.name += "/row";
    row.shape = {1, pixels, 1, row.elements() / pixels};
    const ir::TensorId y = graph.add(std::move(row));
    ir::Op reshape{ir::OpKind::kReshape, op.name, {op.input(0)}, {y}, ir::None{}, op.source_ops};
    graph.ops[i].inputs[0] = y;
    graph.ops.insert(graph.ops.begin() + static_cast<ptrdiff_t>(i), std::move(reshape));
    ++done;
  }
  return done;
}

}  // namespace presil::passes
