// Blocks of pixels that move between space, channels and batch become a transpose.
//
//   before   y = space_to_depth(x){block=2}  [1,4,6,3] -> [1,2,3,12]
//   after    a = reshape(x) [2,2,3,6]    b = transpose(a){perm=[0,2,1,3]} [2,3,2,6]    y =
//   reshape(b)
//
//   before   y = space_to_batch(x){block=[2,2]}  [1,4,6,3] -> [4,2,3,3]
//   after    a = reshape(x) [1,2,2,3,2,3]    b = transpose(a){perm=[2,4,0,1,3,5]}      y =
//   reshape(b)
//            padding is a pad in front, what is cut off a slice after
//
// Why: an engine that can transpose can do these; none has to know them by name. The reshapes are
// views.
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using Shape = std::vector<int64_t>;

/// The ops that stand for one, put together from its input on.
class Chain {
 public:
  Chain(ir::Graph& graph, const ir::Op& op)
      : m_graph(graph), m_op(op), m_last(op.input(0)), m_shape(graph.tensor(op.input(0)).shape) {}

  const Shape& shape() const { return m_shape; }
  void reshape(Shape shape) { then(ir::OpKind::kReshape, ir::None{}, std::move(shape)); }
  void transpose(const Shape& perm) {
    Shape shape;
    for (const int64_t axis : perm) shape.push_back(m_shape[static_cast<size_t>(axis)]);
    then(ir::OpKind::kTranspose, ir::Transpose{perm}, std::move(shape));
  }
  void then(ir::OpKind kind, ir::Attributes attributes, Shape shape) {
    ir::Tensor made = m_graph.tensor(m_op.output());
    made.shape = m_shape = std::move(shape);
    made.name += "/blocks";
    const ir::TensorId id = m_graph.add(std::move(made));
    m_ops.push_back({kind, m_op.name, {m_last}, {id}, std::move(attributes), m_op.source_ops});
    m_last = id;
  }
  /// The last of them makes what the op made.
  std::vector<ir::Op> ops() {
    m_ops.back().outputs = m_op.outputs;
    return std::move(m_ops);
  }

 private:
  ir::Graph& m_graph;
  const ir::Op m_op;
  ir::TensorId m_last;
  Shape m_shape;
  std::vector<ir::Op> m_ops;
};

// With rows of blocks A, rows in a block i, columns of blocks s, and what is contiguous in any case
// B, one is [A, i, s, B] and the other [A, s, i, B].
std::vector<ir::Op> space_and_depth(ir::Graph& graph, const ir::Op& op, bool to_depth) {
  const int64_t block = op.as<ir::Blocks>().block;
  const Shape y = graph.tensor(op.output()).shape;
  Chain chain(graph, op);
  const Shape x = chain.shape();
  const Shape& deep = to_depth ? y : x;
  const int64_t rows = deep[0] * deep[1], columns = deep[2], together = deep[3] / block;
  chain.reshape(to_depth ? Shape{rows, block, columns, together}
                         : Shape{rows, columns, block, together});
  chain.transpose({0, 2, 1, 3});
  chain.reshape(y);
  return chain.ops();
}

/// [n, p0, b0, p1, b1 .., rest] of an image whose axes 1..k are p * b.
Shape in_blocks(const Shape& image, const Shape& block) {
  Shape shape = {image[0]};
  int64_t rest = 1;
  for (size_t i = 1; i < image.size(); ++i) {
    if (i <= block.size()) {
      shape.push_back(image[i] / block[i - 1]), shape.push_back(block[i - 1]);
    } else {
      rest *= image[i];
    }
  }
  shape.push_back(rest);
  return shape;
}

/// Axes of in_blocks in the order of a batch: b0, b1 .., n, p0, p1 .., rest.
Shape batch_order(size_t axes) {
  Shape perm;
  for (size_t i = 0; i < axes; ++i) perm.push_back(static_cast<int64_t>(2 * i + 2));
  perm.push_back(0);
  for (size_t i = 0; i < axes; ++i) perm.push_back(static_cast<int64_t>(2 * i + 1));
  perm.push_back(static_cast<int64_t>(2 * axes + 1));
  return perm;
}

bool any(const Shape& values) {
  return std::any_of(values.begin(), values.end(), [](int64_t v) { return v != 0; });
}

std::vector<ir::Op> space_to_batch(ir::Graph& graph, const ir::Op& op) {
  const auto a = op.as<ir::BatchBlocks>();
  const Shape y = graph.tensor(op.output()).shape;
  Chain chain(graph, op);
  if (any(a.before) || any(a.after)) {
    ir::Pad pad;
    Shape wide = chain.shape();
    pad.before.assign(wide.size(), 0), pad.after.assign(wide.size(), 0);
    for (size_t i = 0; i < a.block.size(); ++i) {
      pad.before[i + 1] = a.before[i], pad.after[i + 1] = a.after[i];
      wide[i + 1] += a.before[i] + a.after[i];
    }
    const ir::Quantization& q = graph.tensor(op.output()).quantization;
    pad.value = q.per_tensor() ? q.zero_point() : 0;
    chain.then(ir::OpKind::kPad, pad, std::move(wide));
  }
  chain.reshape(in_blocks(chain.shape(), a.block));
  chain.transpose(batch_order(a.block.size()));
  chain.reshape(y);
  return chain.ops();
}

std::vector<ir::Op> batch_to_space(ir::Graph& graph, const ir::Op& op) {
  const auto a = op.as<ir::BatchBlocks>();
  const Shape y = graph.tensor(op.output()).shape;
  Shape whole = y;
  ir::StridedSlice inside;
  inside.begin.assign(y.size(), 0), inside.size = y, inside.step.assign(y.size(), 1);
  for (size_t i = 0; i < a.block.size(); ++i) {
    inside.begin[i + 1] = a.before[i];
    whole[i + 1] += a.before[i] + a.after[i];
  }
  const Shape image = in_blocks(whole, a.block), order = batch_order(a.block.size());
  Shape batch, back(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    batch.push_back(image[static_cast<size_t>(order[i])]);
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  }
  Chain chain(graph, op);
  chain.reshape(batch);
  chain.transpose(back);
  chain.reshape(whole);
  if (whole != y) chain.then(ir::OpKind::kStridedSlice, inside, y);
  return chain.ops();
}

std::vector<ir::Op> lowered(ir::Graph& graph, const ir::Op& op) {
  switch (op.kind) {
    case ir::OpKind::kSpaceToDepth:
    case ir::OpKind::kDepthToSpace:
      return space_and_depth(graph, op, op.kind == ir::OpKind::kSpaceToDepth);
    case ir::OpKind::kSpaceToBatch:
    case ir::OpKind::kBatchToSpace:
      if (op.as<ir::BatchBlocks>().block.size() > size_t{kMostBlockAxes}) return {};
      return op.kind == ir::OpKind::kSpaceToBatch ? space_to_batch(graph, op)
                                                  : batch_to_space(graph, op);
    default:
      return {};
  }
}

}  // namespace

int lower_blocks(ir::Graph& graph) {
  int done = 0;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    const ir::Op op = graph.ops[i];
    std::vector<ir::Op> ops = lowered(graph, op);
    if (ops.empty()) continue;
    graph.ops.erase(graph.ops.begin() + static_cast<ptrdiff_t>(i));
    graph.ops.insert(graph.ops.begin() + static_cast<ptrdiff_t>(i), ops.begin(), ops.end());
    ++done;
  }
  return done;
}

}  // namespace presil::passes
