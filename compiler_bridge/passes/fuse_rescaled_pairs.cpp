// A sum or product of rescaled bytes, rescaled to bytes, becomes one operator.
//
//   before   a' = rescale(a), b' = rescale(b)     after   y = add(a, b) {fixed=[left, ..]}
//            y = rescale(add(a', b'))
//
// An operand may be a constant, perhaps reshaped after its rescale.
//
// Why: an engine's element-wise unit does these three scalings by itself. Of a sum each operand is
// shifted to the left by a whole number of bits, then scaled or not; of a product it is as it is.
// Shifts of more than 31 bits round twice, which is what the unit does.
#include <algorithm>
#include <optional>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;

constexpr int kMostLeft = 22;  // what the unit's first shift takes

/// One scale of 32 bits between signed numbers.
struct Scale {
  int64_t multiplier = 0;
  int shift = 0;
  /// Of a product by 2^power exactly; -1: it is none.
  int power() const {
    if (multiplier <= 0 || (multiplier & (multiplier - 1)) != 0) return -1;
    int top = 0;
    while (multiplier >> top != 1) ++top;
    return top >= shift ? top - shift : -1;
  }
};

class Finder {
 public:
  explicit Finder(const ir::Graph& graph) : m_graph(graph), m_uses(ir::uses(graph)) {}

  const ir::Uses& uses() const { return m_uses; }

  /// The op that makes a tensor for one reader alone.
  const ir::Op* maker(ir::TensorId id, K kind) const {
    const int index = producer(m_uses, id);
    if (index < 0 || only_consumer(m_graph, m_uses, id) < 0) return nullptr;
    const ir::Op& op = m_graph.ops[static_cast<size_t>(index)];
    return op.kind == kind ? &op : nullptr;
  }

  /// Of a rescale with zero points `in` and `out`, as the unit would do it.
  std::optional<Scale> scale(const ir::Op& op, int in_zero, int out_zero) const {
    const auto& r = op.as<ir::Rescale>();
    if (r.in_zero != in_zero || r.out_zero != out_zero) return std::nullopt;
    if (r.in_unsigned || r.out_unsigned) return std::nullopt;
    const ir::Tensor &m = m_graph.tensor(op.input(1)), &t = m_graph.tensor(op.input(2));
    if (m.dtype != ir::DType::kInt32 || m.elements() != 1 || t.elements() != 1) return std::nullopt;
    Scale scale{*m.values<int32_t>(), *t.values<int8_t>()};
    // The unit shifts to the left by what is missing to 31, out of 32 bits where that is much.
    while (scale.multiplier > 0 && scale.multiplier < 1 << 30 && scale.shift < 31) {
      scale.multiplier *= 2, ++scale.shift;
    }
    if (!r.round_twice && scale.shift > 31) return std::nullopt;
    return scale;
  }

  /// The bytes an operand comes from, and how: shifted by `left`, then scaled.
  struct Operand {
    ir::TensorId bytes = ir::kAbsent;
    int left = 0;
    std::optional<Scale> then;   ///< nothing: the shift is all
    std::vector<int64_t> shape;  ///< that they are read in
    std::vector<const ir::Op*> ops;
  };
  std::optional<Operand> operand(ir::TensorId id) const {
    const ir::Op* shaped = maker(id, K::kReshape);
    const ir::Op* last = maker(shaped != nullptr ? shaped->input(0) : id, K::kRescale);
    if (last == nullptr) return std::nullopt;
    Operand found;
    found.shape = m_graph.tensor(id).shape;
    found.ops = {last};
    if (shaped != nullptr) found.ops.push_back(shaped);
    const ir::Op* first = last;
    if (m_graph.tensor(last->input(0)).dtype == ir::DType::kInt32) {
      found.then = scale(*last, 0, 0);
      first = maker(last->input(0), K::kRescale);
      if (!found.then || first == nullptr) return std::nullopt;
      found.ops.push_back(first);
    }
    const ir::Tensor& x = m_graph.tensor(first->input(0));
    if (x.dtype != ir::DType::kInt8 || (shaped != nullptr && !x.is_constant())) return std::nullopt;
    const auto shifted = scale(*first, x.quantization.zero_point(), 0);
    if (!shifted || shifted->power() < 0) return std::nullopt;
    found.bytes = first->input(0), found.left = shifted->power();
    return found;
  }

 private:
  const ir::Graph& m_graph;
  ir::Uses m_uses;
};

struct Fused {
  std::vector<int64_t> fixed;
  Finder::Operand a, b;
  std::vector<const ir::Op*> ops;
};

/// The numbers of an operand on the common grid: (x << left) scaled as the unit scales.
bool place(const Finder::Operand& o, int left, std::vector<int64_t>& fixed) {
  if (o.then) {
    if (o.left != left) return false;
    fixed.push_back(o.then->multiplier), fixed.push_back(31 - o.then->shift);
    return true;
  }
  const int shift = o.left - left + 1;  // 2^30 is a half: one more
  if (shift < -31 || shift > 1 || o.left + 9 > 31) return false;
  fixed.push_back(int64_t{1} << 30), fixed.push_back(shift);
  return true;
}

std::optional<Fused> found(const ir::Graph& graph, const Finder& finder, const ir::Op& rescale) {
  const ir::Tensor& y = graph.tensor(rescale.output());
  if (y.dtype != ir::DType::kInt8) return std::nullopt;
  const auto last = finder.scale(rescale, 0, y.quantization.zero_point());
  const ir::Op* pair = nullptr;
  for (const K kind : {K::kAdd, K::kSub, K::kMul}) {
    if (pair == nullptr) pair = finder.maker(rescale.input(0), kind);
  }
  if (!last || pair == nullptr) return std::nullopt;
  if (graph.tensor(pair->output()).dtype != ir::DType::kInt32) return std::nullopt;
  const auto a = finder.operand(pair->input(0)), b = finder.operand(pair->input(1));
  if (!a || !b) return std::nullopt;
  if (graph.tensor(a->bytes).is_constant() && graph.tensor(b->bytes).is_constant()) {
    return std::nullopt;
  }
  Fused fused;
  fused.a = *a, fused.b = *b;
  fused.ops = {pair};
  for (const auto* each : {&a->ops, &b->ops}) {
    fused.ops.insert(fused.ops.end(), each->begin(), each->end());
  }
  if (pair->kind == K::kMul) {
    if (a->left != 0 || b->left != 0 || a->then || b->then) return std::nullopt;
    fused.fixed = {0, 0, 0, 0, 0};
  } else {
    const int left = a->then ? a->left : b->then ? b->left : std::max(a->left, b->left);
    if (left > kMostLeft) return std::nullopt;
    fused.fixed = {left};
    if (!place(*a, left, fused.fixed) || !place(*b, left, fused.fixed)) return std::nullopt;
  }
  fused.fixed.push_back(last->multiplier), fused.fixed.push_back(31 - last->shift);
  return fused;
}

ir::TensorId bytes_of(ir::Graph& graph, const Finder::Operand& operand) {
  if (graph.tensor(operand.bytes).shape == operand.shape) return operand.bytes;
  ir::Tensor reshaped = graph.tensor(operand.bytes);
  reshaped.shape = operand.shape;
  reshaped.name += "/reshaped";
  return graph.add(std::move(reshaped));
}

}  // namespace

int fuse_rescaled_pairs(ir::Graph& graph) {
  const Finder finder(graph);
  std::vector<bool> gone(graph.ops.size(), false);
  int done = 0;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    if (graph.ops[i].kind != K::kRescale) continue;
    const std::optional<Fused> fused = found(graph, finder, graph.ops[i]);
    if (!fused) continue;
    ir::Op op = graph.ops[i];
    op.kind = fused->ops[0]->kind;
    op.attributes = ir::Elementwise{ir::Activation::kNone, fused->fixed};
    op.inputs = {bytes_of(graph, fused->a), bytes_of(graph, fused->b)};
    for (const ir::Op* absorbed : fused->ops) {
      absorb_source_ops(op, *absorbed);
      gone[static_cast<size_t>(absorbed - graph.ops.data())] = true;
    }
    graph.ops[i] = std::move(op);
    ++done;
  }
  erase_ops(graph, gone);
  return done;
}

}  // namespace presil::passes
