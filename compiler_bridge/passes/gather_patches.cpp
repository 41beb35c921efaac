// A convolution of large patches side by side becomes a product of rows.
//
//   before   y = conv2d(x, w){stride=8}  [1,32,32,3], w [k,8,8,3]  [1,4,4,k]
//   after    r = reshape(x) [1,4,8,4,24]   t = transpose(r){perm=[0,1,3,2,4]}   p = reshape(t)
//            [1,4,4,192]                   y = conv2d(p, w')  w' [k,1,1,192]
//
// Why: the windows have no pixel in common, so a row of them has few results, and all weights of a
// kernel of 64 taps or more are streamed again for each: 16 times as long for 8 x 8 x 3 on 32 x 32,
// 40 times for the patches of an image of 224 x 224. Weights stand in the order of the patches.
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"
#include "rtl/dla/dla_command.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;
using Shape = std::vector<int64_t>;

/// Taps from which on it is shorter (measured for kernels of 5 x 5 to 16 x 16).
constexpr int64_t kFewestTaps = 64;
constexpr int64_t kMostChannels = int64_t{dla::Command::kInBlocksMax} * 16;

bool is_of_patches(const ir::Graph& graph, const ir::Op& op) {
  if (op.kind != K::kConv2d) return false;
  const ir::Tensor &x = graph.tensor(op.input(0)), &w = graph.tensor(op.input(1));
  const auto& a = op.as<ir::Conv2d>();
  if (x.dtype != ir::DType::kInt8 || x.is_constant() || !w.is_constant() || a.groups != 1) {
    return false;
  }
  const int64_t rows = w.shape.at(1), columns = w.shape.at(2);
  const bool apart = a.stride_h == rows && a.stride_w == columns && a.dilation_h == 1 &&
                     a.dilation_w == 1 && a.pad_top == 0 && a.pad_left == 0 && a.pad_bottom == 0 &&
                     a.pad_right == 0;
  const bool whole = x.shape.at(1) % rows == 0 && x.shape.at(2) % columns == 0;
  return apart && whole && x.shape.at(0) == 1 && rows * columns >= kFewestTaps &&
         rows * columns * x.shape.at(3) <= kMostChannels;
}

/// The ops that stand for the convolution, itself last.
std::vector<ir::Op> by_rows(ir::Graph& graph, ir::Op conv) {
  std::vector<ir::Op> ops;
  ir::TensorId last = conv.input(0);
  const auto then = [&](K kind, ir::Attributes attributes, Shape shape) {
    ir::Tensor made = graph.tensor(conv.input(0));
    made.name += "/patches";
    made.shape = std::move(shape);
    const ir::TensorId id = graph.add(std::move(made));
    ops.push_back({kind, conv.name, {last}, {id}, std::move(attributes), conv.source_ops});
    last = id;
  };
  ir::Tensor weights = graph.tensor(conv.input(1));
  const Shape x = graph.tensor(last).shape, w = weights.shape;
  const int64_t h = x[1] / w[1], v = x[2] / w[2], row = w[2] * x[3];
  then(K::kReshape, ir::None{}, {1, h, w[1], v, row});
  then(K::kTranspose, ir::Transpose{{0, 1, 3, 2, 4}}, {1, h, v, w[1], row});
  then(K::kReshape, ir::None{}, {1, h, v, w[1] * row});
  weights.shape = {w[0], 1, 1, w[1] * row};
  auto& a = conv.as<ir::Conv2d>();
  a.stride_h = a.stride_w = 1;
  conv.inputs[0] = last;
  conv.inputs[1] = graph.add(std::move(weights));
  ops.push_back(std::move(conv));
  return ops;
}

}  // namespace

int gather_patches(ir::Graph& graph) {
  int done = 0;
  std::vector<ir::Op> ops;
  for (const ir::Op& op : graph.ops) {
    if (!is_of_patches(graph, op)) {
      ops.push_back(op);
      continue;
    }
    for (ir::Op& made : by_rows(graph, op)) ops.push_back(std::move(made));
    ++done;
  }
  if (done != 0) graph.ops = std::move(ops);
  return done;
}

}  // namespace presil::passes
