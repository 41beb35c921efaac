// A table of an image of few channels, as it comes from outside, looks up 16 values a pixel.
//
//   before   y = lut(x, table)        [1,192,192,3]     z = conv2d(y, w)
//   after    r = reshape(x)           [1,192,36,16]     t = lut(r, table)
//            y = reshape(t)           [1,192,192,3]     z = conv2d(y, w)
//
// Why: scaled pixels before the first convolution. A pixel of the DLA has 16 lanes, of which three
// would be of use, and a tensor that it makes lies in blocks of 16 channels: the convolution could
// not read several columns of its kernel in one word, as of dense rows. On 192 x 192 pixels the
// table takes 10 k cycles instead of 40 k, and a convolution of 3 x 3 a third.
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;

constexpr int64_t kLanes = 16;        // values of a pixel of the DLA, and bytes of its word
constexpr int64_t kMostChannels = 8;  // of convolutions that read dense rows (layer/dla_layer.cpp)

bool reads_dense_rows(const ir::Graph& graph, const ir::Op& op, ir::TensorId x) {
  if (op.kind != K::kConv2d || op.input(0) != x || !graph.tensor(op.input(1)).is_constant()) {
    return false;
  }
  const auto& a = op.as<ir::Conv2d>();
  return a.groups == 1 && a.dilation_w == 1 && a.stride_w * graph.tensor(x).shape[3] <= kLanes;
}

bool is_of_few_channels(const ir::Graph& graph, const ir::Uses& uses, const ir::Op& op) {
  if (op.kind != K::kLut || !comes_from_outside(graph, uses, op.input(0))) return false;
  const std::vector<int64_t>& shape = graph.tensor(op.input(0)).shape;
  if (shape.size() != 4 || shape[0] != 1 || shape[3] > kMostChannels) return false;
  const std::vector<int>& readers = uses.consumers[static_cast<size_t>(op.output())];
  const bool as_rows = std::all_of(readers.begin(), readers.end(), [&](int i) {
    return reads_dense_rows(graph, graph.ops[static_cast<size_t>(i)], op.output());
  });
  return as_rows && !readers.empty() && shape[1] * shape[2] * shape[3] % kLanes == 0;
}

ir::TensorId reshaped(ir::Graph& graph, ir::TensorId like) {
  ir::Tensor wide = graph.tensor(like);
  const int64_t row = wide.shape[2] * wide.shape[3], all = wide.shape[1] * row;
  wide.name += "/wide";
  wide.shape = row % kLanes == 0 ? std::vector<int64_t>{1, wide.shape[1], row / kLanes, kLanes}
                                 : std::vector<int64_t>{1, 1, all / kLanes, kLanes};
  return graph.add(std::move(wide));
}

}  // namespace

int widen_tables(ir::Graph& graph) {
  const ir::Uses uses = ir::uses(graph);
  int done = 0;
  std::vector<ir::Op> ops;
  for (ir::Op op : graph.ops) {
    if (!is_of_few_channels(graph, uses, op)) {
      ops.push_back(std::move(op));
      continue;
    }
    const ir::TensorId x = reshaped(graph, op.input(0)), y = reshaped(graph, op.output());
    ops.push_back({K::kReshape, op.name, {op.input(0)}, {x}, ir::None{}, op.source_ops});
    const ir::Op after{K::kReshape, op.name, {y}, op.outputs, ir::None{}, op.source_ops};
    op.inputs[0] = x;
    op.outputs = {y};
    ops.push_back(std::move(op));
    ops.push_back(after);
    ++done;
  }
  if (done != 0) graph.ops = std::move(ops);
  return done;
}

}  // namespace presil::passes
