// A softmax of float32 that is written out becomes one operator.
//
//   before   m = reduce_max(x)  e = exp(sub(x, m))  s = sum(e)  y = mul(e, div(1, s))
//   after    y = softmax(x)
//
// Why: six passes over the tensor become one of the DSP. Exact, for the operator means these steps:
// the same exponential, sums in the same order, one quotient a row. e / s, rounded otherwise,
// stays. Along the last axis; nothing else reads what lies between.
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;

class Match {
 public:
  Match(const ir::Graph& graph, const ir::Uses& uses) : m_graph(graph), m_uses(uses) {}

  /// y is the last operator's. The operators before it; empty: something else.
  std::vector<int> found(const ir::Op& y) {
    if (y.kind != K::kMul || !is_plain(y)) return {};
    for (const size_t side : {size_t{0}, size_t{1}}) {
      m_ops.clear();
      if (is_softmax(y.input(side), y.input(1 - side))) return m_ops;
    }
    return {};
  }
  ir::TensorId x = ir::kAbsent;

 private:
  static bool is_plain(const ir::Op& op) {
    const auto* pair = std::get_if<ir::Elementwise>(&op.attributes);
    return pair == nullptr || pair->act == ir::Activation::kNone;
  }
  const ir::Op* step(ir::TensorId id, K kind, size_t readers) {
    const int i = producer(m_uses, id);
    if (i < 0 || m_graph.is_output(id) || m_graph.tensor(id).dtype != ir::DType::kFloat32 ||
        m_uses.consumers[static_cast<size_t>(id)].size() != readers) {
      return nullptr;
    }
    const ir::Op& op = m_graph.ops[static_cast<size_t>(i)];
    if (op.kind != kind || !is_plain(op)) return nullptr;
    m_ops.push_back(i);
    return &op;
  }
  const ir::Op* of_rows(ir::TensorId id, K kind) {
    const ir::Op* reduced = step(id, kind, 1);
    if (reduced == nullptr) return nullptr;
    const auto& a = reduced->as<ir::Reduce>();
    const auto rank = static_cast<int64_t>(m_graph.tensor(reduced->input(0)).shape.size());
    return a.keep_dims && a.axes == std::vector<int64_t>{rank - 1} ? reduced : nullptr;
  }
  bool is_one(ir::TensorId id) const {
    const ir::Tensor& t = m_graph.tensor(id);
    return t.is_constant() && t.elements() == 1 && *t.values<float>() == 1.0f;
  }

  bool is_softmax(ir::TensorId e, ir::TensorId share) {
    const ir::Op* inverse = step(share, K::kDiv, 1);
    if (inverse == nullptr || !is_one(inverse->input(0))) return false;
    const ir::Op* sum = of_rows(inverse->input(1), K::kSum);
    if (sum == nullptr || sum->input(0) != e) return false;
    const ir::Op* exponential = step(e, K::kExp, 2);
    const ir::Op* less = exponential == nullptr ? nullptr : step(exponential->input(0), K::kSub, 1);
    const ir::Op* most = less == nullptr ? nullptr : of_rows(less->input(1), K::kReduceMax);
    if (most == nullptr || most->input(0) != less->input(0)) return false;
    x = less->input(0);
    return m_graph.tensor(x).shape == m_graph.tensor(e).shape &&
           m_graph.tensor(share).shape == m_graph.tensor(sum->output()).shape;
  }

  const ir::Graph& m_graph;
  const ir::Uses& m_uses;
  std::vector<int> m_ops;
};

}  // namespace

int fuse_softmax_float(ir::Graph& graph) {
  const ir::Uses uses = ir::uses(graph);
  std::vector<bool> gone(graph.ops.size(), false);
  int done = 0;
  for (ir::Op& y : graph.ops) {
    Match match(graph, uses);
    const std::vector<int> ops = match.found(y);
    if (ops.empty()) continue;
    for (const int absorbed : ops) {
      absorb_source_ops(y, graph.ops[static_cast<size_t>(absorbed)]);
      gone[static_cast<size_t>(absorbed)] = true;
    }
    y.kind = K::kSoftmax;
    y.attributes = ir::Softmax{};
    y.inputs = {match.x};
    ++done;
  }
  erase_ops(graph, gone);
  return done;
}

}  // namespace presil::passes
