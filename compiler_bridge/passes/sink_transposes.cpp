// What is computed of values one by one, or puts tensors side by side, is done before the
// transpose of its operands.
//
//   before   p = transpose(a){perm}   q = transpose(b){perm}      after   s = add(a, b)
//            y = add(p, q)                                                y = transpose(s){perm}
//   and      y = concat(p, q){axis}                                       s = concat(a,
//   b){perm[axis]} constants are transposed the other way round
//
// Why: exporters of networks with channels first put transposes around each convolution only. Sunk
// below what stands between two of them, they meet and cancel (compose_transposes), and the
// operation is fused with the convolution that makes its operand. Only where nothing else reads the
// transposed operands, else there would be more to move and not less.
#include <map>
#include <optional>
#include <set>

#include "compiler_bridge/common/moves.h"
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using Axes = std::vector<int64_t>;
using K = ir::OpKind;

bool by_value(const ir::Graph& graph, const ir::Op& op) {
  switch (op.kind) {
    case K::kAdd:
    case K::kSub:
    case K::kMul:
    case K::kDiv:
    case K::kSquaredDifference:
    case K::kMaximum:
    case K::kMinimum:
    case K::kRelu:
    case K::kRelu6:
    case K::kLeakyRelu:
    case K::kHardSwish:
    case K::kLogistic:
    case K::kTanh:
    case K::kElu:
    case K::kGelu:
    case K::kExp:
    case K::kSqrt:
    case K::kAbs:
    case K::kNeg:
      return true;
    case K::kQuantize:  // bytes are moved, not floats; uint8 as int8 is no work as it stands
      return graph.tensor(op.input(0)).dtype == ir::DType::kFloat32;
    default:
      return false;
  }
}

bool reduces(const ir::Graph& graph, const ir::Op& op) {
  switch (op.kind) {
    case K::kMean:
    case K::kSum:
    case K::kReduceMax:
    case K::kReduceMin:
      return graph.tensor(op.input(0)).dtype == ir::DType::kInt8;
    default:
      return false;
  }
}

Axes inverse(const Axes& perm) {
  Axes back(perm.size());
  for (size_t i = 0; i < perm.size(); ++i) {
    back[static_cast<size_t>(perm[i])] = static_cast<int64_t>(i);
  }
  return back;
}

Axes permuted(const Axes& shape, const Axes& perm) {
  Axes result;
  for (const int64_t axis : perm) result.push_back(shape[static_cast<size_t>(axis)]);
  return result;
}

/// One walk: what is known of a tensor when an op reads it is what precedes it by then.
class Sinker {
 public:
  explicit Sinker(ir::Graph& graph) : m_graph(graph), m_uses(ir::uses(graph)) {}

  int run() {
    int sunk = 0;
    std::vector<ir::Op> ops;
    for (size_t i = 0; i < m_graph.ops.size(); ++i) {
      ir::Op op = std::move(m_graph.ops[i]);
      const std::optional<Axes> perm = common_perm(op);
      if (perm) {
        ir::Op transpose = sink(op, *perm);
        ops.push_back(std::move(op));
        op = std::move(transpose);
        ++sunk;
      }
      if (op.kind == K::kTranspose) m_transposes[op.output()] = op;
      if (op.kind == K::kStridedSlice) m_sliced[op.output()] = op.input(0);
      ops.push_back(std::move(op));
    }
    m_graph.ops = std::move(ops);
    return sunk;
  }

 private:
  /// Of all operands that are no constants; nothing where they have none in common.
  std::optional<Axes> common_perm(const ir::Op& op) const {
    if (!by_value(m_graph, op) && op.kind != K::kConcat && !reduces(m_graph, op)) {
      return std::nullopt;
    }
    const bool kept = !reduces(m_graph, op);
    const size_t rank = m_graph.tensor(kept ? op.output() : op.input(0)).shape.size();
    std::optional<Axes> perm;
    for (const ir::TensorId x : op.inputs) {
      const ir::Tensor& tensor = m_graph.tensor(x);
      if (tensor.is_constant()) {
        const bool any_rank = tensor.elements() == 1 && op.kind != K::kConcat;
        if (any_rank || tensor.shape.size() == rank) continue;
        return std::nullopt;
      }
      const auto before = m_transposes.find(x);
      if (before == m_transposes.end() || tensor.shape.size() != rank) return std::nullopt;
      const std::vector<int>& readers = m_uses.consumers[static_cast<size_t>(x)];
      const bool alone = std::all_of(readers.begin(), readers.end(),
                                     [&](int reader) { return reader == readers.front(); });
      if (!alone || m_graph.is_output(x)) return std::nullopt;
      const Axes& own = before->second.as<ir::Transpose>().perm;
      if (perm && *perm != own) return std::nullopt;
      perm = own;
    }
    if (op.kind == K::kConcat && joins_bands(op)) return std::nullopt;
    return perm;
  }

  /// Of one tensor that split_transposes has cut.
  bool joins_bands(const ir::Op& op) const {
    ir::TensorId whole = ir::kAbsent;
    for (const ir::TensorId x : op.inputs) {
      const auto before = m_transposes.find(x);
      if (before == m_transposes.end()) return false;
      const auto slice = m_sliced.find(before->second.input(0));
      if (slice == m_sliced.end()) return false;
      const ir::TensorId from = slice->second;
      if (whole != ir::kAbsent && from != whole) return false;
      whole = from;
    }
    return whole != ir::kAbsent;
  }

  /// The op reads what was transposed. @return the transpose after it
  ir::Op sink(ir::Op& op, const Axes& perm) {
    ir::Op transpose;
    transpose.kind = K::kTranspose;
    const Axes back = inverse(perm);
    for (ir::TensorId& x : op.inputs) {
      if (m_graph.tensor(x).is_constant()) {
        x = constant(x, back);
        continue;
      }
      const ir::Op& before = m_transposes.at(x);
      transpose.name = before.name;
      absorb_source_ops(transpose, before);
      x = before.input(0);
    }
    if (op.kind == K::kConcat) {
      auto& a = op.as<ir::Concat>();
      a.axis = static_cast<int>(perm[static_cast<size_t>(a.axis)]);
    }
    ir::Tensor made = m_graph.tensor(op.output());
    made.name += "/sunk";
    const Axes of_y = reduces(m_graph, op) ? reduced(op.as<ir::Reduce>(), perm) : perm;
    transpose.attributes = ir::Transpose{of_y};
    made.shape = permuted(made.shape, inverse(of_y));
    transpose.outputs = op.outputs;
    op.outputs[0] = m_graph.add(std::move(made));
    transpose.inputs = op.outputs;
    return transpose;
  }

  /// The axes that go are x's. @return y's, from those of the result of x as it lies
  static Axes reduced(ir::Reduce& a, const Axes& perm) {
    std::set<int64_t> gone;
    for (auto& axis : a.axes) {
      axis = static_cast<std::decay_t<decltype(axis)>>(perm[static_cast<size_t>(axis)]);
      gone.insert(axis);
    }
    std::sort(a.axes.begin(), a.axes.end());
    if (a.keep_dims) return perm;
    Axes left;
    for (const int64_t axis : perm) {
      if (gone.count(axis) != 0) continue;
      const auto before = std::count_if(gone.begin(), gone.end(), [&](auto g) { return g < axis; });
      left.push_back(axis - before);
    }
    return left;
  }

  ir::TensorId constant(ir::TensorId x, const Axes& perm) {
    const ir::Tensor from = m_graph.tensor(x);
    if (from.shape.size() != perm.size()) return x;  // one value, for all
    ir::Tensor to = from;
    to.name += "/sunk";
    to.shape = permuted(from.shape, perm);
    to.data = nullptr;
    ir::Op op;
    op.kind = K::kTranspose;
    op.attributes = ir::Transpose{perm};
    op.inputs = {x};
    op.outputs = {m_graph.add(std::move(to))};
    ir::Tensor& y = m_graph.tensor(op.output());
    y.data = std::make_shared<const ir::Bytes>(
        common::moved(common::moves_of(m_graph, op), {from.data.get()}, from.bytes()));
    return op.output();
  }

  ir::Graph& m_graph;
  const ir::Uses m_uses;
  std::map<ir::TensorId, ir::Op> m_transposes;    ///< by what they make
  std::map<ir::TensorId, ir::TensorId> m_sliced;  ///< of slices: what they are of
};

}  // namespace

int sink_transposes(ir::Graph& graph) {
  return Sinker(graph).run();
}

}  // namespace presil::passes
