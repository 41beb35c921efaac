// Images of a batch, or axes before it, become rows of one image where each is computed by
// itself.
//
//   before   y = batch_matmul(a, b)   a [4,2,16,8]       after   p = reshape(a)  [1,8,16,8]
//                                                                q = reshape(b)  [1,8,..]
//                                                                r = batch_matmul(p, q)
//                                                                y = reshape(r)
//   fully_connected, add, sub, mul, maximum, minimum likewise, where operands have y's shape or are
//   one value, or, constants, one for each channel; 1x1 convolutions, tables, concatenations of
//   channels, nearest-neighbour upsampling by 2; int8 alone
//
// Why: the DLA's commands know rows, columns and channels. Windows of attention, and what was cut
// into patches, have axes in front; the bytes of a reshape lie where they are.
#include <algorithm>
#include <numeric>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;
using Shape = std::vector<int64_t>;

Shape one_image(const Shape& shape) {
  const size_t n = shape.size();
  int64_t rows = 1;
  for (size_t i = 0; i + 2 < n; ++i) rows *= shape[i];
  return {1, rows, shape[n - 2], shape[n - 1]};
}

/// It reads no other pixel than its own.
bool reads_one_pixel(const ir::Graph& graph, const ir::Op& op) {
  const auto& a = op.as<ir::Conv2d>();
  const Shape& w = graph.tensor(op.input(1)).shape;
  return w[1] == 1 && w[2] == 1 && a.stride_h == 1 && a.stride_w == 1 &&
         a.pad_top + a.pad_left + a.pad_bottom + a.pad_right == 0;
}

/// Rows and columns twice: row r of all images is row r / 2, whatever image it is of.
bool doubles(const Shape& x, const Shape& y, const ir::Op& op) {
  return y == Shape{x[0], 2 * x[1], 2 * x[2], x[3]} && !op.as<ir::Resize>().align_corners;
}

/// All inputs, where they are joined pixel by pixel.
std::vector<size_t> joined(const ir::Graph& graph, const ir::Op& op) {
  const bool computed = std::none_of(op.inputs.begin(), op.inputs.end(),
                                     [&](ir::TensorId x) { return graph.tensor(x).is_constant(); });
  const auto last = static_cast<int>(graph.tensor(op.output()).shape.size()) - 1;
  const auto& a = op.as<ir::Concat>();
  if (!computed || a.axis != last || a.act != ir::Activation::kNone) return {};
  std::vector<size_t> all(op.inputs.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return all;
}

bool same_front(const Shape& a, const Shape& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end() - 2, b.begin());
}

/// Read as it is by every row: one value, or one for each channel.
bool fits_every_row(const ir::Tensor& x, const Shape& y) {
  return x.elements() == 1 || (x.is_constant() && !x.shape.empty() && x.shape.back() == y.back() &&
                               x.elements() == y.back());
}

/// Operands that become rows as y does; empty: the op stays as it is.
std::vector<size_t> operands(const ir::Graph& graph, const ir::Op& op) {
  const Shape& y = graph.tensor(op.output()).shape;
  const auto in = [&](size_t i) -> const ir::Tensor& { return graph.tensor(op.input(i)); };
  if (graph.tensor(op.output()).dtype != ir::DType::kInt8) return {};
  switch (op.kind) {
    case K::kBatchMatmul:
      if (!is_batch(y) || in(0).is_constant() || in(1).is_constant()) return {};
      if (!same_front(in(0).shape, y) || !same_front(in(1).shape, y)) return {};
      return {0, 1};
    case K::kConv2d:
      return is_batch(y) && reads_one_pixel(graph, op) ? std::vector<size_t>{0}
                                                       : std::vector<size_t>{};
    case K::kResizeNearest:
      return is_batch(y) && doubles(in(0).shape, y, op) ? std::vector<size_t>{0}
                                                        : std::vector<size_t>{};
    case K::kLut:
      return is_batch(y) ? std::vector<size_t>{0} : std::vector<size_t>{};
    case K::kConcat:
      return is_batch(y) ? joined(graph, op) : std::vector<size_t>{};
    case K::kFullyConnected: {
      const bool rows = is_batch(y) && in(0).shape.size() == y.size() &&
                        std::equal(y.begin(), y.end() - 1, in(0).shape.begin());
      return rows ? std::vector<size_t>{0} : std::vector<size_t>{};
    }
    case K::kAdd:
    case K::kSub:
    case K::kMul:
    case K::kMaximum:
    case K::kMinimum: {
      std::vector<size_t> found;
      for (size_t i = 0; is_batch(y) && i < 2; ++i) {
        const bool whole = in(i).shape == y && !in(i).is_constant();
        if (!whole && !fits_every_row(in(i), y)) return {};
        if (whole) found.push_back(i);
      }
      return found;
    }
    default:
      return {};
  }
}

ir::Op reshape(const ir::Op& of, ir::TensorId from, ir::TensorId to) {
  return {K::kReshape, of.name, {from}, {to}, ir::None{}, of.source_ops};
}

ir::TensorId add_image(ir::Graph& graph, ir::TensorId of) {
  ir::Tensor image = graph.tensor(of);
  image.name += "/rows";
  image.shape = one_image(image.shape);
  return graph.add(std::move(image));
}

}  // namespace

int flatten_batch(ir::Graph& graph) {
  int done = 0;
  std::vector<ir::Op> ops;
  for (ir::Op& op : graph.ops) {
    const std::vector<size_t> rows = operands(graph, op);
    if (rows.empty()) {
      ops.push_back(std::move(op));
      continue;
    }
    for (const size_t i : rows) {
      const ir::TensorId image = add_image(graph, op.input(i));
      ops.push_back(reshape(op, op.input(i), image));
      op.inputs[i] = image;
    }
    if (op.kind == K::kConcat) op.as<ir::Concat>().axis = 3;
    const ir::TensorId y = op.output();
    op.outputs[0] = add_image(graph, y);
    ir::Op back = reshape(op, op.output(), y);
    ops.push_back(std::move(op));
    ops.push_back(std::move(back));
    ++done;
  }
  graph.ops = std::move(ops);
  return done;
}

}  // namespace presil::passes
