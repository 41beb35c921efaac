// A transpose between [n, channels, rows, columns] and [n, rows, columns, channels] of a large
// image becomes one of each band of rows.
//
//   before   y = transpose(x)     x [1,3,640,640]    after   x0 = strided_slice(x)   [1,3,80,640]
//                                                            y0 = transpose(x0)      [1,80,640,3]
//                                                            x1 .. y7 likewise
//                                                            y = concat(y0 .. y7) along the rows
//
// Why: the DSP transposes what lies in the SRAM whole, and the DLA's matrices have limits. An image
// that is larger was the host's, at one pixel after the other.
#include <algorithm>
#include <optional>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

/// A band and its transpose fit 512 KiB; what is no larger stays whole, as bands cost copies.
constexpr int64_t kBandBytes = 240 * 1024;

/// Pixels that no matrix of the DLA has; it transposes smaller ones from memory to memory.
constexpr int64_t kMostPixels = 16384;

struct Rows {
  size_t from, to;  ///< the axis of rows in x and in y
};

std::optional<Rows> rows_of(const ir::Graph& graph, const ir::Op& op) {
  if (op.kind != ir::OpKind::kTranspose) return {};
  const ir::Tensor& x = graph.tensor(op.input(0));
  if (x.shape.size() != 4 || x.shape[0] != 1 || x.is_constant()) return {};
  const std::vector<int64_t>& perm = op.as<ir::Transpose>().perm;
  if (perm == std::vector<int64_t>{0, 2, 3, 1}) return Rows{2, 1};
  if (perm == std::vector<int64_t>{0, 3, 1, 2}) return Rows{1, 2};
  return {};
}

class Bands {
 public:
  Bands(ir::Graph& graph, const ir::Op& op, const Rows& axes)
      : m_graph(graph), m_op(op), m_axes(axes) {}

  std::vector<ir::Op> make(int64_t rows, int64_t each) {
    std::vector<ir::Op> ops;
    ir::Op whole = m_op;
    whole.kind = ir::OpKind::kConcat, whole.inputs.clear();
    ir::Concat joined;
    joined.axis = static_cast<int>(m_axes.to);
    whole.attributes = joined;
    for (int64_t begin = 0; begin < rows; begin += each) {
      const int64_t size = std::min(each, rows - begin);
      ir::Op slice = m_op, turned = m_op;
      slice.kind = ir::OpKind::kStridedSlice;
      const std::vector<int64_t> shape = m_graph.tensor(m_op.input(0)).shape;
      ir::StridedSlice how;
      how.begin.assign(shape.size(), 0), how.step.assign(shape.size(), 1), how.size = shape;
      how.begin[m_axes.from] = begin, how.size[m_axes.from] = size;
      slice.attributes = how;
      slice.outputs = {band(m_op.input(0), m_axes.from, size)};
      turned.inputs = {slice.output()};
      turned.outputs = {band(m_op.output(), m_axes.to, size)};
      whole.inputs.push_back(turned.output());
      ops.push_back(std::move(slice));
      ops.push_back(std::move(turned));
    }
    ops.push_back(std::move(whole));
    return ops;
  }

 private:
  ir::TensorId band(ir::TensorId of, size_t axis, int64_t size) {
    ir::Tensor tensor = m_graph.tensor(of);
    tensor.name = m_graph.tensor(m_op.output()).name + "/band";
    tensor.shape[axis] = size;
    return m_graph.add(std::move(tensor));
  }

  ir::Graph& m_graph;
  const ir::Op m_op;
  const Rows m_axes;
};

}  // namespace

int split_transposes(ir::Graph& graph) {
  int done = 0;
  std::vector<ir::Op> ops;
  for (const ir::Op& op : graph.ops) {
    const auto axes = rows_of(graph, op);
    const ir::Tensor& x = graph.tensor(op.inputs.empty() ? op.output() : op.input(0));
    const auto bytes = x.elements() * static_cast<int64_t>(ir::size_of(x.dtype));
    const int64_t rows = axes ? x.shape[axes->from] : 1;
    const int64_t bands = std::min(rows, (bytes + kBandBytes - 1) / kBandBytes);
    const int64_t channels = axes ? x.shape[axes->from == 1 ? 3 : 1] : 1;
    if (bands < 2 || x.elements() / channels <= kMostPixels) {
      ops.push_back(op);
      continue;
    }
    for (ir::Op& part : Bands(graph, op, *axes).make(rows, (rows + bands - 1) / bands)) {
      ops.push_back(std::move(part));
    }
    ++done;
  }
  graph.ops = std::move(ops);
  return done;
}

}  // namespace presil::passes
