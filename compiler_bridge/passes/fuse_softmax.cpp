// A softmax of int8 that TOSA's converters write out becomes one operator.
//
//   before   u = rescale(x)  d = rescale(sub(u, reduce_max(u))), 128 * (x - largest)
//            e = table(d) << 17 + table(d) << 9 + table(d) << 1 + table(d) >> 7
//            s = sum(e >> 12)  h = leading_zeros(s)  n = s << (h - 1)
//            r = 48/17 - 32/17 * n, three times r = r + 4 * (r * (2^29 - r * n))
//            y = rescale((e * r) >> (35 - h)) - 128
//   after    y = softmax(x) {beta}
//
// Why: 41 operators of int32, one after the other on the host, become one of the DSP. Both are
// the softmax of gemmlowp's fixed point (reference/operators/softmax.cpp), with the same values for
// all x:
//
//   - x - largest is -255..0, d -32640..0: nothing saturates, and tables are read at their points,
//     never between two. So e is a function of 256 distances: each is compared with the exponential
//     that the softmax has for it, in 32 bits.
//   - e < 2^31, so e >> 12, halves up, is at most 2^19, which the largest has: s is 2^19 up to 4095
//     * 2^19 < 2^31, and h 1..12. Longer rows stay.
//   - n = s << (h - 1) is what the softmax has as (a + 2^31) / 2 of a = (s << h) - 2^31.
//   - Products are (a * b + 2^30) >> 31 in both: a doubled high product that cuts towards 0 adds 1
//     - 2^30 below 0, which gives the same number. For all n, 2^30 up to 2^31 - 1, 4 * (..) stays
//     below 2^26 and r is at most 2^30 (each n was tried): nothing wraps or saturates.
//   - The softmax multiplies e by 2 * r, of 31 bits: (2 * r * e + 2^30) >> 31 is (r * e + 2^29) >>
//     30. Where r is 2^30, of n = 2^30 and 2^30 + 1 alone, it multiplies by 2^31 - 1: that gives e
//     up to e = 2^30, and e - 1 above. The last shift, by 23..34 and rounded, tells them apart only
//     where e is an odd multiple of its half, thus one of 2^22. A table with such an entry above
//     2^30 stays.
//   - The last shift rounds halves up, the softmax's away from 0, of numbers from 0 on. Shifts by
//     32 to 34, of more than 512 values near the largest, give 0 (reference/operators/bits.cpp).
#include <algorithm>
#include <set>

#include "compiler_bridge/passes/exponential_slope.h"
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rescale_power.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;
using ir::kAbsent;
using ir::TensorId;

constexpr int64_t kLongestRow = 4095;
constexpr int kMostParts = 16;  ///< of an exponential; converters write four
constexpr int kTablePoints = 513;

class Match {
 public:
  Match(const ir::Graph& graph, const ir::Uses& uses, int last)
      : m_graph(graph), m_uses(uses), m_last(last), m_ops{last} {}

  /// The whole of it, of which nothing else reads a part.
  bool found() { return whole() && is_closed(); }
  TensorId x = kAbsent;
  float beta = 0;
  const std::set<int>& ops() const { return m_ops; }

 private:
  const ir::Op& op(int i) const { return m_graph.ops[static_cast<size_t>(i)]; }
  const ir::Tensor& tensor(TensorId id) const { return m_graph.tensor(id); }

  /// The operator of that kind that makes `id`.
  const ir::Op* made(TensorId id, K kind) {
    const int i = id == kAbsent ? -1 : producer(m_uses, id);
    if (i < 0 || op(i).kind != kind) return nullptr;
    const auto* pair = std::get_if<ir::Elementwise>(&op(i).attributes);
    if (pair != nullptr && pair->act != ir::Activation::kNone) return nullptr;
    m_ops.insert(i);
    return &op(i);
  }
  bool is(TensorId id, int64_t value) const {
    const ir::Tensor& t = tensor(id);
    return t.is_constant() && t.dtype == ir::DType::kInt32 && t.elements() == 1 &&
           *t.values<int32_t>() == value;
  }
  static TensorId beside(const ir::Op& pair, TensorId id) {
    return pair.input(0) == id ? pair.input(1) : pair.input(1) == id ? pair.input(0) : kAbsent;
  }
  /// What `y` is the sum or the product of, with that constant.
  TensorId with_constant(TensorId y, K kind, int64_t value) {
    const ir::Op* pair = made(y, kind);
    if (pair == nullptr) return kAbsent;
    if (is(pair->input(1), value)) return pair->input(0);
    return is(pair->input(0), value) ? pair->input(1) : kAbsent;
  }
  /// What is taken away from that constant.
  TensorId less_than(TensorId y, int64_t value) {
    const ir::Op* pair = made(y, K::kSub);
    return pair != nullptr && is(pair->input(0), value) ? pair->input(1) : kAbsent;
  }
  /// y = (a * b) >> shift: the product.
  const ir::Op* product(TensorId y, int shift) {
    const ir::Op* pair = made(y, K::kMulShift);
    return pair != nullptr && pair->as<ir::MulShift>().shift == shift ? pair : nullptr;
  }
  const ir::Op* rounded(TensorId y) {
    const ir::Op* shifted = made(y, K::kShiftRight);
    return shifted != nullptr && shifted->as<ir::ShiftRight>().round ? shifted : nullptr;
  }
  const ir::Op* of_rows(TensorId y, K kind) {
    const ir::Op* reduced = made(y, kind);
    if (reduced == nullptr) return nullptr;
    const auto& a = reduced->as<ir::Reduce>();
    const auto rank = static_cast<int64_t>(tensor(reduced->input(0)).shape.size());
    return a.keep_dims && a.axes == std::vector<int64_t>{rank - 1} ? reduced : nullptr;
  }
  /// Values times 2^more, of other bits.
  const ir::Op* times(TensorId y, ir::DType from, ir::DType to, int more) {
    const ir::Op* scaled = made(y, K::kRescale);
    if (scaled == nullptr || tensor(y).dtype != to) return nullptr;
    const auto& a = scaled->as<ir::Rescale>();
    const bool plain = !a.in_unsigned && !a.out_unsigned && power_of(m_graph, *scaled) == more;
    return plain && tensor(scaled->input(0)).dtype == from ? scaled : nullptr;
  }

  bool whole() {
    const TensorId y = op(m_last).output();
    const ir::Op* last = times(y, ir::DType::kInt32, ir::DType::kInt8, 0);
    if (last == nullptr || tensor(y).quantization.zero_point() != -128) return false;
    const auto& zeros = last->as<ir::Rescale>();
    if (zeros.in_zero != 0 || zeros.out_zero != -128) return false;
    const ir::Op* shifted = rounded(last->input(0));
    const TensorId leading = shifted == nullptr ? kAbsent : less_than(shifted->input(1), 35);
    const ir::Op* count = made(leading, K::kLeadingZeros);
    const ir::Op* sum = count == nullptr ? nullptr : of_rows(count->input(0), K::kSum);
    const ir::Op* coarse = sum == nullptr ? nullptr : rounded(sum->input(0));
    if (coarse == nullptr || !is(coarse->input(1), 12)) return false;
    const TensorId e = coarse->input(0);
    const ir::Op* share = product(shifted->input(0), 30);
    const TensorId inverse = share == nullptr ? kAbsent : beside(*share, e);
    return inverse != kAbsent && is_inverse(inverse, count->input(0), leading) &&
           is_exponential(e) && tensor(x).shape == tensor(y).shape;
  }

  /// r of n = sum << (leading - 1): three steps, and the first guess.
  bool is_inverse(TensorId r, TensorId sum, TensorId leading) {
    TensorId n = kAbsent;
    for (int step = 0; step < 3; ++step) {
      const ir::Op* next = made(r, K::kAdd);
      if (next == nullptr) return false;
      const int first = producer(m_uses, next->input(0));
      const size_t side = first >= 0 && op(first).kind == K::kMul ? 0 : 1;
      r = next->input(1 - side);
      const ir::Op* change = product(with_constant(next->input(side), K::kMul, 4), 31);
      const TensorId error = change == nullptr ? kAbsent : beside(*change, r);
      const ir::Op* back = product(less_than(error, 1 << 29), 31);
      const TensorId factor = back == nullptr ? kAbsent : beside(*back, r);
      if (factor == kAbsent || (step > 0 && factor != n)) return false;
      n = factor;
    }
    const ir::Op* guess = product(with_constant(r, K::kAdd, 1515870810), 31);
    if (guess == nullptr || !is(beside(*guess, n), -1010580540)) return false;
    const ir::Op* normal = made(n, K::kShiftLeft);
    if (normal == nullptr || normal->input(0) != sum) return false;
    const ir::Op* by = made(normal->input(1), K::kSub);
    return by != nullptr && by->input(0) == leading && is(by->input(1), 1);
  }

  /// e, a sum of parts, of 256 distances.
  bool is_exponential(TensorId whole) {
    std::vector<TensorId> open = {whole};
    Exponentials e{};
    TensorId distance = kAbsent;
    for (int parts = 0; !open.empty(); ++parts) {
      const TensorId id = open.back();
      open.pop_back();
      if (parts == 2 * kMostParts) return false;
      if (const ir::Op* sum = made(id, K::kAdd)) {
        open.insert(open.end(), {sum->input(0), sum->input(1)});
      } else if (!add_part(id, distance, e)) {
        return false;
      }
    }
    for (const uint32_t one : e) {
      if (one > 1u << 30 && one % (1u << 22) == 0) return false;
    }
    if (!is_distance(distance)) return false;
    const std::optional<float> slope = slope_of(op(m_last), e);
    beta = slope.value_or(0.0f);
    return slope.has_value();
  }

  /// A table at its points, shifted by a constant.
  bool add_part(TensorId id, TensorId& distance, Exponentials& e) {
    const ir::Op* left = made(id, K::kShiftLeft);
    const ir::Op* shifted = left != nullptr ? left : rounded(id);
    const ir::Op* found = shifted == nullptr ? nullptr : made(shifted->input(0), K::kTableBetween);
    if (found == nullptr || (distance != kAbsent && found->input(0) != distance)) return false;
    distance = found->input(0);
    const ir::Tensor &by = tensor(shifted->input(1)), &table = tensor(found->input(1));
    if (!by.is_constant() || by.elements() != 1 || !table.is_constant()) return false;
    const int32_t bits = *by.values<int32_t>();
    if (bits < 1 || bits > 31 || table.elements() != kTablePoints) return false;
    for (size_t d = 0; d < e.size(); ++d) {
      const int64_t value = table.values<int16_t>()[e.size() - d] * int64_t{128};
      const int64_t part = left != nullptr ? value * (int64_t{1} << bits)
                                           : (value + (int64_t{1} << (bits - 1))) >> bits;
      e[d] += static_cast<uint32_t>(part);
    }
    return true;
  }

  bool is_distance(TensorId id) {
    const ir::Op* narrow = times(id, ir::DType::kInt32, ir::DType::kInt16, 7);
    const ir::Op* less = narrow == nullptr ? nullptr : made(narrow->input(0), K::kSub);
    const ir::Op* most = less == nullptr ? nullptr : of_rows(less->input(1), K::kReduceMax);
    if (most == nullptr || most->input(0) != less->input(0)) return false;
    const ir::Op* wide = times(less->input(0), ir::DType::kInt8, ir::DType::kInt32, 0);
    if (wide == nullptr) return false;
    x = wide->input(0);
    const auto &a = wide->as<ir::Rescale>(), &b = narrow->as<ir::Rescale>();
    const bool near = a.in_zero >= -128 && a.in_zero <= 127 && a.out_zero == 0;
    return near && b.in_zero == 0 && b.out_zero == 0 && tensor(x).shape.back() <= kLongestRow &&
           tensor(x).quantization.scale() == 1.0f;
  }

  bool is_closed() const {
    return std::all_of(m_ops.begin(), m_ops.end(), [&](int i) {
      if (i == m_last) return true;
      const TensorId made = op(i).output();
      const std::vector<int>& readers = m_uses.consumers[static_cast<size_t>(made)];
      return !m_graph.is_output(made) &&
             std::all_of(readers.begin(), readers.end(),
                         [&](int reader) { return m_ops.count(reader) != 0; });
    });
  }

  const ir::Graph& m_graph;
  const ir::Uses& m_uses;
  int m_last;
  std::set<int> m_ops;
};

}  // namespace

int fuse_softmax(ir::Graph& graph) {
  if (graph.numerics != ir::Numerics::kTosa) return 0;
  const ir::Uses uses = ir::uses(graph);
  std::vector<bool> gone(graph.ops.size(), false);
  int done = 0;
  for (int i = 0; i < static_cast<int>(graph.ops.size()); ++i) {
    if (graph.ops[static_cast<size_t>(i)].kind != K::kRescale) continue;
    Match match(graph, uses, i);
    if (!match.found()) continue;
    ir::Op& softmax = graph.ops[static_cast<size_t>(i)];
    for (const int absorbed : match.ops()) {
      if (absorbed == i) continue;
      absorb_source_ops(softmax, graph.ops[static_cast<size_t>(absorbed)]);
      gone[static_cast<size_t>(absorbed)] = true;
    }
    softmax.kind = K::kSoftmax;
    softmax.attributes = ir::Softmax{match.beta};
    softmax.inputs = {match.x};
    ++done;
  }
  erase_ops(graph, gone);
  return done;
}

}  // namespace presil::passes
