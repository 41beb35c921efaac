#include "compiler_bridge/common/standard_pair.h"

#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <tuple>

#include "compiler_bridge/common/fixed_arithmetic.h"

namespace presil::common {
namespace {

constexpr int kValues = 256, kLowest = -128;

/// What the words follow from.
struct Pair {
  ir::OpKind kind;
  float a, b, y;
  int32_t za, zb, zy;
  Clamp clamp;

  auto key() const { return std::tuple(kind, a, b, y, za, zb, zy, clamp.min, clamp.max); }
  bool product() const { return kind == ir::OpKind::kMul; }
  int sign() const { return kind == ir::OpKind::kSub ? -1 : 1; }

  int8_t value(int qa, int qb) const {
    const float ra = static_cast<float>(qa - za) * a, rb = static_cast<float>(qb - zb) * b;
    const float real = product() ? ra * rb : sign() < 0 ? ra - rb : ra + rb;
    const float steps = std::clamp(std::nearbyint(real / y), -1e6f, 1e6f);
    const int32_t q = static_cast<int32_t>(steps) + zy;
    return static_cast<int8_t>(std::clamp(q, clamp.min, clamp.max));
  }
};

Pair pair_of(const ir::Graph& graph, const ir::Op& op) {
  const auto q = [&](ir::TensorId id) { return graph.tensor(id).quantization; };
  const ir::Quantization a = q(op.input(0)), b = q(op.input(1)), y = q(op.output());
  const ir::Activation act = op.as<ir::Elementwise>().act;
  return {op.kind,        a.scale(),
          b.scale(),      y.scale(),
          a.zero_point(), b.zero_point(),
          y.zero_point(), clamp_of(act, graph.tensor(op.output()), ir::Numerics::kXnnpack)};
}

using Values = std::array<std::array<int8_t, kValues>, kValues>;

/// Tries words, first on the pairs that words before them missed.
class Search {
 public:
  Search(const ir::Op& op, const Pair& pair) : m_op(op), m_pair(pair) {
    for (int a = 0; a < kValues; ++a) {
      for (int b = 0; b < kValues; ++b) {
        m_expected[static_cast<size_t>(a)][static_cast<size_t>(b)] =
            pair.value(a + kLowest, b + kLowest);
      }
    }
    m_scales.a_zero = pair.za, m_scales.b_zero = pair.zb, m_scales.out_zero = pair.zy;
    m_scales.clamp = pair.clamp;
  }

  std::optional<PairWords> run() {
    if (m_pair.product() ? products() : sums()) return m_found;
    return std::nullopt;
  }

 private:
  bool products() {
    const double ratio = double{m_pair.a} * double{m_pair.b} / double{m_pair.y};
    if (!(ratio > 0x1p-30 && ratio < 0x1p14)) return false;
    const FixedPoint exact = fixed_point(m_op, ratio);
    int32_t bits = float_bits(m_op, m_pair.a * m_pair.b / m_pair.y);
    for (const int more : {0, 1, -1, 2, -2}) {
      if (product_in_float(bits + more)) return true;
    }
    for (const int more : {0, 64, -64, 192, -192}) {
      if (product_twice({exact.multiplier + more, exact.shift})) return true;
    }
    return false;
  }

  bool sums() {
    const float a = m_pair.a / m_pair.y, b = m_pair.b / m_pair.y;
    const auto taken = [](float ratio) { return ratio >= 0x1p-10f && ratio < 0x1p6f; };
    if (!taken(a) || !taken(b)) return false;
    constexpr int kBits = 20;  // of XNNPACK's larger multiplier
    if (sum_once(kBits, 0, 0, 0) || sum_twice(0, 0)) return true;
    for (const int bits : {kBits, kBits + 1, kBits + 2}) {
      for (const int da : {0, 1, -1}) {
        for (const int db : {0, 1, -1}) {
          for (const int offset : {0, 64, -64, 1024, -1024}) {
            if (sum_once(bits, da, db, offset)) return true;
          }
        }
      }
    }
    for (int sixteenths = 0; sixteenths <= 8; ++sixteenths) {
      for (const int more : {0, 40, -40, 200, -200}) {
        if (sum_twice(sixteenths, more)) return true;
      }
    }
    return false;
  }

  /// Of what comes before the zero point of y.
  template <class F>
  bool same(F&& before_zero) {
    const auto right = [&](size_t a, size_t b) {
      const int64_t y = before_zero(a, b) + m_pair.zy;
      const int64_t q = std::clamp<int64_t>(y, m_pair.clamp.min, m_pair.clamp.max);
      return q == m_expected[a][b];
    };
    for (const auto& [a, b] : m_missed) {
      if (!right(a, b)) return false;
    }
    for (size_t a = 0; a < kValues; ++a) {
      for (size_t b = 0; b < kValues; ++b) {
        if (right(a, b)) continue;
        m_missed.emplace_back(a, b);
        return false;
      }
    }
    return true;
  }

  bool found(ir::Numerics rule) {
    m_found = {rule, m_scales};
    return true;
  }

  /// Rule xnnpack: (a * ma + b * mb + mo) >> so in 32 bits.
  bool sum_once(int bits, int more_a, int more_b, int offset) {
    const float a = m_pair.a / m_pair.y, b = m_pair.b / m_pair.y;
    int exponent = 0;
    std::frexp(std::max(a, b), &exponent);
    const int shift = bits - (exponent - 1);
    if (shift < 1 || shift > 31) return false;
    const int64_t ma = std::llrint(std::ldexp(a, shift)) + more_a;
    const int64_t mb = m_pair.sign() * (std::llrint(std::ldexp(b, shift)) + more_b);
    const int64_t constant = (int64_t{1} << (shift - 1)) - ma * m_pair.za - mb * m_pair.zb + offset;
    const int64_t most = 128 * std::abs(ma) + 128 * std::abs(mb) + std::abs(constant);
    if (most >= int64_t{1} << 31) return false;
    const auto value = [&](size_t qa, size_t qb) {
      return ((static_cast<int64_t>(qa) + kLowest) * ma +
              (static_cast<int64_t>(qb) + kLowest) * mb + constant) >>
             shift;
    };
    if (!same(value)) return false;
    m_scales.a_mult = static_cast<int32_t>(ma), m_scales.b_mult = static_cast<int32_t>(mb);
    m_scales.out_mult = static_cast<int32_t>(constant), m_scales.out_shift = shift;
    return found(ir::Numerics::kXnnpack);
  }

  /// Rule tflite: both on a grid of twice the larger scale and some sixteenths, 2^20 finer.
  bool sum_twice(int sixteenths, int more) {
    constexpr int kLeft = 20;
    const double larger = std::max(m_pair.a, m_pair.b);
    const double grid = 2 * larger * (1 + sixteenths / 16.0);
    const FixedPoint fa = fixed_point(m_op, m_pair.a / grid),
                     fb = fixed_point(m_op, m_pair.b / grid);
    FixedPoint fo = fixed_point(m_op, grid / ((1 << kLeft) * double{m_pair.y}));
    if (fo.multiplier > INT32_MAX - 256 || fo.multiplier < (1 << 30) + 256) more = 0;
    fo.multiplier += more;
    std::array<int64_t, kValues> a{}, b{};
    for (int q = 0; q < kValues; ++q) {
      const auto at = static_cast<size_t>(q);
      a[at] = scaled_twice(int64_t{q + kLowest - m_pair.za} * (1 << kLeft), fa);
      b[at] = m_pair.sign() * scaled_twice(int64_t{q + kLowest - m_pair.zb} * (1 << kLeft), fb);
    }
    if (!same([&](size_t qa, size_t qb) { return scaled_twice(a[qa] + b[qb], fo); })) return false;
    m_scales.a_mult = fa.multiplier, m_scales.a_shift = fa.shift;
    m_scales.b_mult = fb.multiplier, m_scales.b_shift = fb.shift;
    m_scales.out_mult = fo.multiplier, m_scales.out_shift = fo.shift;
    m_scales.left_shift = kLeft;
    return found(ir::Numerics::kTflite);
  }

  int64_t centred_product(size_t a, size_t b) const {
    return (static_cast<int64_t>(a) + kLowest - m_pair.za) *
           (static_cast<int64_t>(b) + kLowest - m_pair.zb);
  }

  /// Rule xnnpack: the product times a float32, to the nearest even.
  bool product_in_float(int32_t bits) {
    float scale = 0;
    std::memcpy(&scale, &bits, sizeof scale);
    const auto value = [&](size_t a, size_t b) {
      const float scaled = static_cast<float>(centred_product(a, b)) * scale;
      return static_cast<int64_t>(std::nearbyint(std::clamp(scaled, -1e9f, 1e9f)));
    };
    if (!same(value)) return false;
    m_scales.out_mult = bits;
    return found(ir::Numerics::kXnnpack);
  }

  /// Rule tflite: the product times a fixed-point number.
  bool product_twice(const FixedPoint& scale) {
    if (!same([&](size_t a, size_t b) { return scaled_twice(centred_product(a, b), scale); })) {
      return false;
    }
    m_scales.out_mult = scale.multiplier, m_scales.out_shift = scale.shift;
    return found(ir::Numerics::kTflite);
  }

  const ir::Op& m_op;
  Pair m_pair;
  Values m_expected;
  ElementWiseScales m_scales;
  PairWords m_found;
  std::vector<std::pair<size_t, size_t>> m_missed;
};

/// Words follow from the scales alone: each is searched once for all that ask.
std::optional<PairWords> remembered(const ir::Op& op, const Pair& pair) {
  static std::mutex mutex;
  static std::map<decltype(pair.key()), std::optional<PairWords>> known;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto at = known.find(pair.key());
  if (at != known.end()) return at->second;
  return known.emplace(pair.key(), Search(op, pair).run()).first->second;
}

}  // namespace

bool is_standard_pair(const ir::Graph& graph, const ir::Op& op) {
  if (graph.numerics != ir::Numerics::kOnnx) return false;
  if (op.kind != ir::OpKind::kAdd && op.kind != ir::OpKind::kSub && op.kind != ir::OpKind::kMul) {
    return false;
  }
  if (!op.as<ir::Elementwise>().fixed.empty()) return false;  // the network states its words
  const auto plain = [&](ir::TensorId id) {
    const ir::Tensor& tensor = graph.tensor(id);
    return tensor.dtype == ir::DType::kInt8 && tensor.quantization.per_tensor();
  };
  return plain(op.input(0)) && plain(op.input(1)) && plain(op.output());
}

int8_t standard_value(const ir::Graph& graph, const ir::Op& op, int a, int b) {
  return pair_of(graph, op).value(a, b);
}

std::optional<PairWords> standard_words(const ir::Graph& graph, const ir::Op& op) {
  return remembered(op, pair_of(graph, op));
}

PairWords pair_words(const ir::Graph& graph, const ir::Op& op) {
  if (is_standard_pair(graph, op)) {
    if (const auto words = standard_words(graph, op)) return *words;
    throw std::logic_error("scales: '" + op.name + "' has no words; pairs_in_float comes first");
  }
  const ir::Tensor &a = graph.tensor(op.input(0)), &b = graph.tensor(op.input(1));
  const ir::Tensor& y = graph.tensor(op.output());
  const ir::Activation act = op.as<ir::Elementwise>().act;
  const ir::Numerics rule = numerics_of(graph, op);
  if (op.kind == ir::OpKind::kMul) {
    const bool in_float = rule == ir::Numerics::kTflite && !ir::by_fixed_point(graph.numerics);
    return {rule, mul_scales(op, a, b, y, act, rule, in_float)};
  }
  return {rule, add_scales(op, a, b, y, op.kind == ir::OpKind::kSub, act, rule)};
}

}  // namespace presil::common
