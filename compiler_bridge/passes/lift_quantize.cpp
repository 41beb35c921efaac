// What only moves floats that are quantised after it moves them as int8.
//
//   before   c = concat(a, b)  float32     after   p = quantize(a)   q = quantize(b)
//            y = quantize(c)   int8                y = concat(p, q)
//
// Why: bytes are a quarter of floats, and the DLA joins and pools them; quantize meets the function
// that made its operand, and dequantize, elu, quantize is a table that costs nothing. A value is
// quantised by itself, so moves change nothing; and it rises with the value, so the largest of some
// is quantised to the largest: a max_pool of what can be no NaN changes nothing either.
#include <algorithm>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;

bool moves(const ir::Op& op) {
  switch (op.kind) {
    case K::kConcat:
      return op.as<ir::Concat>().act == ir::Activation::kNone;
    case K::kReshape:
    case K::kTranspose:
    case K::kStridedSlice:
    case K::kResizeNearest:
      return true;
    default:
      return false;
  }
}

/// Of a number a number, perhaps an infinite one.
bool keeps_numbers(K kind) {
  switch (kind) {
    case K::kRelu:
    case K::kRelu6:
    case K::kReluN1To1:
    case K::kRelu0To1:
    case K::kLogistic:
    case K::kTanh:
    case K::kElu:
    case K::kAbs:
    case K::kNeg:
    case K::kConcat:
    case K::kReshape:
    case K::kTranspose:
    case K::kStridedSlice:
    case K::kMaxPool2d:
      return true;
    default:
      return false;
  }
}

class Lift {
 public:
  explicit Lift(ir::Graph& graph) : m_graph(graph), m_uses(ir::uses(graph)) {}

  int run() {
    int done = 0;
    std::vector<ir::Op> ops;
    for (const ir::Op& op : m_graph.ops) {
      const ir::Op* move = movement(op);
      if (move == nullptr) {
        ops.push_back(op);
        continue;
      }
      lift(*move, op, ops);
      ++done;
    }
    if (done != 0) m_graph.ops = std::move(ops);
    return done;
  }

 private:
  const ir::Op* producer_of(ir::TensorId id) const {
    const int index = producer(m_uses, id);
    return index < 0 ? nullptr : &m_graph.ops[static_cast<size_t>(index)];
  }

  /// Whether no value of a tensor of floats is NaN: it is made of integers by what makes none.
  bool is_of_numbers(ir::TensorId id) const {
    const ir::Op* op = producer_of(id);
    if (op == nullptr) return false;
    if (op->kind == K::kDequantize) return true;
    if (!keeps_numbers(op->kind)) return false;
    return std::all_of(op->inputs.begin(), op->inputs.end(),
                       [&](ir::TensorId x) { return x == ir::kAbsent || is_of_numbers(x); });
  }

  /// What moves the operand of `op`, a quantize that may be done before.
  const ir::Op* movement(const ir::Op& op) const {
    if (op.kind != K::kQuantize) return nullptr;
    const ir::TensorId x = op.input(0);
    if (m_graph.tensor(x).dtype != ir::DType::kFloat32) return nullptr;
    if (m_graph.tensor(op.output()).dtype != ir::DType::kInt8) return nullptr;
    if (only_consumer(m_graph, m_uses, x) < 0) return nullptr;
    const ir::Op* move = producer_of(x);
    if (move == nullptr) return nullptr;
    const bool largest = move->kind == K::kMaxPool2d &&
                         move->as<ir::Pool2d>().act == ir::Activation::kNone &&
                         is_of_numbers(move->input(0));
    if (!moves(*move) && !largest) return nullptr;
    const auto is_moved = [&](ir::TensorId id) {
      return id != ir::kAbsent && !m_graph.tensor(id).is_constant() &&
             m_graph.tensor(id).dtype == ir::DType::kFloat32;
    };
    return std::all_of(move->inputs.begin(), move->inputs.end(), is_moved) ? move : nullptr;
  }

  void lift(const ir::Op& move, const ir::Op& quantize, std::vector<ir::Op>& ops) {
    ir::Op moved = move;
    absorb_source_ops(moved, quantize);
    moved.outputs = quantize.outputs;
    const ir::Tensor y = m_graph.tensor(quantize.output());
    for (ir::TensorId& x : moved.inputs) {
      ir::Tensor bytes = y;
      bytes.name = m_graph.tensor(x).name + "/int8";
      bytes.shape = m_graph.tensor(x).shape;
      ir::Op before = quantize;
      before.inputs = {x};
      x = m_graph.add(std::move(bytes));
      before.outputs = {x};
      ops.push_back(std::move(before));
    }
    ops.push_back(std::move(moved));
  }

  ir::Graph& m_graph;
  const ir::Uses m_uses;
};

}  // namespace

int lift_quantize(ir::Graph& graph) {
  return Lift(graph).run();
}

}  // namespace presil::passes
