// A layer norm of float32 that is written out becomes one operator.
//
//   before   m = mean(x)  d = squared_difference(x, m)  v = mean(d)  e = add(v, epsilon)
//            r = rsqrt(e)  g = mul(r, gamma)  a = mul(x, g)  b = mul(m, g)  c = sub(beta, b)
//            y = add(a, c)
//   after    y = layer_norm(x, gamma, beta){epsilon}
//
// Why: ten passes over the tensor, each loaded and stored, become one. Exact, for the operator
// means these steps in this order. Means are of the last axis; nothing else reads what lies
// between.
#include <optional>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;

class Match {
 public:
  Match(const ir::Graph& graph, const ir::Uses& uses, int last)
      : m_graph(graph), m_uses(uses), m_ops{last} {}

  /// The operators, y's first; empty: something else.
  std::vector<int> ops() {
    const bool found = whole();
    return found ? m_ops : std::vector<int>{};
  }
  ir::TensorId x = ir::kAbsent, gamma = ir::kAbsent, beta = ir::kAbsent;
  float epsilon = 0;

 private:
  const ir::Op& op(int i) const { return m_graph.ops[static_cast<size_t>(i)]; }
  const ir::Tensor& tensor(ir::TensorId id) const { return m_graph.tensor(id); }

  /// The operator of that kind that makes `id`, which `readers` inputs of operators read and
  /// nothing else.
  const ir::Op* step(ir::TensorId id, K kind, size_t readers) {
    const int i = producer(m_uses, id);
    if (i < 0 || op(i).kind != kind || m_graph.is_output(id)) return nullptr;
    if (m_uses.consumers[static_cast<size_t>(id)].size() != readers) return nullptr;
    const auto* pair = std::get_if<ir::Elementwise>(&op(i).attributes);
    if (pair != nullptr && pair->act != ir::Activation::kNone) return nullptr;
    m_ops.push_back(i);
    return &op(i);
  }
  /// The other operand of a step that takes `id`.
  static ir::TensorId beside(const ir::Op& pair, ir::TensorId id) {
    return pair.input(0) == id ? pair.input(1) : pair.input(1) == id ? pair.input(0) : ir::kAbsent;
  }
  bool is_row(ir::TensorId id) const {
    const ir::Tensor& t = tensor(id);
    const int64_t depth = tensor(x).shape.back();
    return t.is_constant() && t.elements() == depth && t.shape.back() == depth;
  }
  bool is_mean(const ir::Op& mean) const {
    const auto& a = mean.as<ir::Reduce>();
    const auto rank = static_cast<int64_t>(tensor(mean.input(0)).shape.size());
    return a.keep_dims && a.axes.size() == 1 && a.axes[0] == rank - 1;
  }

  bool whole() {
    const ir::Op& y = op(m_ops.front());
    if (y.kind != K::kAdd || tensor(y.output()).dtype != ir::DType::kFloat32) return false;
    if (y.as<ir::Elementwise>().act != ir::Activation::kNone) return false;
    for (const size_t side : {size_t{0}, size_t{1}}) {
      m_ops.resize(1);
      if (sum_of(y.input(side), y.input(1 - side))) return true;
    }
    return false;
  }
  // a = mul(x, g), c = sub(beta, mul(m, g))
  bool sum_of(ir::TensorId a, ir::TensorId c) {
    const ir::Op* scaled = step(a, K::kMul, 1);
    const ir::Op* offset = scaled != nullptr ? step(c, K::kSub, 1) : nullptr;
    const ir::Op* centre = offset != nullptr ? step(offset->input(1), K::kMul, 1) : nullptr;
    if (centre == nullptr) return false;
    beta = offset->input(0);
    const std::vector<int> outer = m_ops;
    for (const ir::TensorId g : {scaled->input(0), scaled->input(1)}) {
      m_ops = outer;
      x = beside(*scaled, g);
      const ir::TensorId m = beside(*centre, g);
      if (m != ir::kAbsent && x != g && gain_of(g, m)) return true;
    }
    return false;
  }
  // g = mul(rsqrt(add(v, epsilon)), gamma)
  bool gain_of(ir::TensorId g, ir::TensorId m) {
    const ir::Op* gain = step(g, K::kMul, 2);
    const ir::Op* mean = gain != nullptr ? step(m, K::kMean, 2) : nullptr;
    if (mean == nullptr || mean->input(0) != x || !is_mean(*mean)) return false;
    for (const ir::TensorId r : {gain->input(0), gain->input(1)}) {
      gamma = beside(*gain, r);
      if (gamma == r || !is_row(gamma) || !is_row(beta)) continue;
      const ir::Op* root = step(r, K::kRsqrt, 1);
      const ir::Op* sum = root != nullptr ? step(root->input(0), K::kAdd, 1) : nullptr;
      return sum != nullptr && variance_of(*sum, m);
    }
    return false;
  }
  // v = mean(squared_difference(x, m))
  bool variance_of(const ir::Op& sum, ir::TensorId m) {
    for (const ir::TensorId v : {sum.input(0), sum.input(1)}) {
      const ir::TensorId rest = beside(sum, v);
      if (rest == v || !tensor(rest).is_constant() || tensor(rest).elements() != 1) continue;
      epsilon = *tensor(rest).values<float>();
      const ir::Op* mean = step(v, K::kMean, 1);
      if (mean == nullptr || !is_mean(*mean)) return false;
      const ir::Op* apart = step(mean->input(0), K::kSquaredDifference, 1);
      return apart != nullptr && beside(*apart, x) == m;
    }
    return false;
  }

  const ir::Graph& m_graph;
  const ir::Uses& m_uses;
  std::vector<int> m_ops;
};

/// A constant of one axis with the same values.
ir::TensorId as_row(ir::Graph& graph, ir::TensorId id) {
  if (graph.tensor(id).shape.size() == 1) return id;
  ir::Tensor row = graph.tensor(id);
  row.shape = {row.elements()};
  row.name += "/row";
  return graph.add(std::move(row));
}

}  // namespace

int fuse_layer_norm(ir::Graph& graph) {
  const ir::Uses uses = ir::uses(graph);
  std::vector<bool> gone(graph.ops.size(), false);
  for (int i = 0; i < static_cast<int>(graph.ops.size()); ++i) {
    Match match(graph, uses, i);
    const std::vector<int> ops = match.ops();
    if (ops.empty()) continue;
    const std::vector<ir::TensorId> inputs = {match.x, as_row(graph, match.gamma),
                                              as_row(graph, match.beta)};
    ir::Op& norm = graph.ops[static_cast<size_t>(i)];
    for (size_t k = 1; k < ops.size(); ++k) {
      const auto at = static_cast<size_t>(ops[k]);
      absorb_source_ops(norm, graph.ops[at]);
      gone[at] = true;
    }
    norm.kind = K::kLayerNorm;
    norm.attributes = ir::LayerNorm{match.epsilon};
    norm.inputs = inputs;
  }
  return erase_ops(graph, gone) / 9;
}

}  // namespace presil::passes
