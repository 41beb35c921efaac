// Operators of int16, one at a time, randomised: the kernels of the host, run from a loadable,
// against the reference interpreter. Shapes, windows, groups, scales, activations, biases, tensors
// at their limits.
#include <random>
#include <set>

#include "compiler_bridge/ir/shape.h"
#include "tests/compiler/compile_check.h"

namespace presil::tests {
namespace {

using K = ir::OpKind;
using Shape = std::vector<int64_t>;

class RandomOp {
 public:
  explicit RandomOp(uint32_t seed) : m_random(seed) { m_graph.name = "random"; }

  ir::Graph make() {
    switch (pick(0, 9)) {
      case 0:
        return window(K::kConv2d);
      case 1:
        return window(K::kDepthwiseConv2d);
      case 2:
        return fully_connected();
      case 3:
        return pair(K::kAdd);
      case 4:
        return pair(K::kSub);
      case 5:
        return pair(K::kMul);
      case 6:
        return leaky_relu();
      case 7:
        return quantize();
      case 8:
        return dequantize();
      default:
        return move();
    }
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
  bool chance(int n) { return pick(1, n) == 1; }
  /// Around 2^-10; some powers of two, where the ties are.
  float scale() {
    if (chance(4)) return std::ldexp(1.0f, pick(-15, -5));
    return std::exp2(std::uniform_real_distribution<float>(-15, -5)(m_random));
  }
  ir::Activation act() { return static_cast<ir::Activation>(pick(0, 3)); }

  ir::TensorId tensor(ir::DType dtype, Shape shape, float s, int zero_point = 0) {
    ir::Tensor t;
    t.name = "t" + std::to_string(m_graph.tensors.size());
    t.dtype = dtype;
    t.shape = std::move(shape);
    if (s > 0) t.quantization = {{s}, {zero_point}, -1};
    return m_graph.add(std::move(t));
  }
  ir::TensorId input(ir::DType dtype, Shape shape, float s, int zero_point = 0) {
    m_graph.inputs.push_back(tensor(dtype, std::move(shape), s, zero_point));
    return m_graph.inputs.back();
  }
  ir::TensorId input16(Shape shape) { return input(ir::DType::kInt16, std::move(shape), scale()); }

  template <class T>
  ir::TensorId constant(ir::DType dtype, Shape shape, int64_t low, int64_t high) {
    const ir::TensorId id = tensor(dtype, std::move(shape), 0);
    std::uniform_int_distribution<int64_t> value(low, high);
    ir::Bytes bytes;
    for (int64_t i = 0; i < m_graph.tensor(id).elements(); ++i) {
      const T v = static_cast<T>(value(m_random));
      const auto* p = reinterpret_cast<const uint8_t*>(&v);
      bytes.insert(bytes.end(), p, p + sizeof v);
    }
    m_graph.tensor(id).data = std::make_shared<const ir::Bytes>(std::move(bytes));
    return id;
  }
  /// `y` may be larger than a 64-bit sum's scale by so much that all values are 0, or smaller by so
  /// much that all saturate, but not by 127 and more.
  ir::TensorId weights(Shape shape, int axis, float x, float y) {
    const int64_t channels = shape[static_cast<size_t>(axis)];
    const ir::TensorId id = constant<int8_t>(ir::DType::kInt8, shape, -128, 127);
    ir::Quantization& q = m_graph.tensor(id).quantization;
    q.axis = chance(3) ? -1 : axis;
    for (int64_t i = 0; i < (q.axis < 0 ? 1 : channels); ++i) {
      const float ratio = std::exp2(std::uniform_real_distribution<float>(-34, 6.9f)(m_random));
      const float usual = std::exp2(std::uniform_real_distribution<float>(-12, -6)(m_random));
      q.scales.push_back((chance(5) ? ratio : usual) * y / x);
      q.zero_points.push_back(0);
    }
    return id;
  }
  ir::TensorId bias(int64_t channels, bool may_be_int32) {
    const int64_t most = int64_t{1} << pick(8, 46);
    if (chance(4)) return ir::kAbsent;
    if (may_be_int32 && chance(3)) {
      return constant<int32_t>(ir::DType::kInt32, {channels}, INT32_MIN, INT32_MAX);
    }
    return constant<int64_t>(ir::DType::kInt64, {channels}, -most, most);
  }

  ir::Graph finish(ir::Op op, ir::DType dtype, float s, int zero_point, const Shape* y = nullptr) {
    op.outputs = {tensor(dtype, y != nullptr ? *y : Shape{1}, s, zero_point)};
    if (y == nullptr) m_graph.tensor(op.outputs[0]).shape = ir::infer_shapes(m_graph, op)[0];
    m_graph.outputs = op.outputs;
    op.name = ir::to_string(op.kind);
    op.source_ops = {0};
    m_graph.add(std::move(op));
    return m_graph;
  }

  ir::Graph window(K kind) {
    const int kernel_h = pick(1, 4), kernel_w = pick(1, 4);
    const int groups = kind == K::kConv2d && chance(3) ? pick(2, 3) : 1;
    const int in = groups * pick(1, 6), out = groups * pick(1, 6), multiplier = pick(1, 3);
    const float y = scale();
    const ir::TensorId x = input16({pick(1, 2), pick(8, 12), pick(8, 12), in});
    const float sx = m_graph.tensor(x).quantization.scale();
    const auto common = [&](auto a) {
      a.stride_h = pick(1, 3), a.stride_w = pick(1, 3);
      a.dilation_h = pick(1, 2), a.dilation_w = pick(1, 2);
      a.pad_top = pick(0, kernel_h - 1), a.pad_bottom = pick(0, kernel_h - 1);
      a.pad_left = pick(0, kernel_w - 1), a.pad_right = pick(0, kernel_w - 1);
      a.act = act();
      return a;
    };
    if (kind == K::kDepthwiseConv2d) {
      auto a = common(ir::DepthwiseConv2d{});
      a.multiplier = multiplier;
      const ir::TensorId w = weights({1, kernel_h, kernel_w, in * multiplier}, 3, sx, y);
      return finish({kind, "", {x, w, bias(in * multiplier, false)}, {}, a, {}}, ir::DType::kInt16,
                    y, 0);
    }
    auto a = common(ir::Conv2d{});
    a.groups = groups;
    const ir::TensorId w = weights({out, kernel_h, kernel_w, in / groups}, 0, sx, y);
    return finish({kind, "", {x, w, bias(out, true)}, {}, a, {}}, ir::DType::kInt16, y, 0);
  }

  ir::Graph fully_connected() {
    const int rows = pick(1, 4), in = chance(4) ? pick(250, 600) : pick(1, 40), out = pick(1, 20);
    const float y = scale();
    const ir::TensorId x = input16({rows, in});
    const ir::TensorId w = weights({out, in}, 0, m_graph.tensor(x).quantization.scale(), y);
    const Shape shape = {rows, out};
    return finish(
        {K::kFullyConnected, "", {x, w, bias(out, true)}, {}, ir::FullyConnected{act()}, {}},
        ir::DType::kInt16, y, 0, &shape);
  }

  ir::Graph pair(K kind) {
    const Shape shape = {1, pick(1, 6), pick(1, 6), pick(1, 9)};
    const bool broadcast = chance(3);
    const ir::TensorId a = input16(shape);
    const ir::TensorId b =
        chance(3) ? constant<int16_t>(ir::DType::kInt16, {shape[3]}, INT16_MIN, INT16_MAX)
                  : input16(broadcast ? Shape{1, 1, 1, shape[3]} : shape);
    if (m_graph.tensor(b).is_constant()) m_graph.tensor(b).quantization = {{scale()}, {0}, -1};
    const float s = kind == K::kMul ? scale() * scale() * 1024 : scale();
    return finish({kind, "", {a, b}, {}, ir::Elementwise{act()}, {}}, ir::DType::kInt16, s, 0);
  }

  ir::Graph leaky_relu() {
    const float alpha = std::uniform_real_distribution<float>(-1.5f, 1.5f)(m_random);
    return finish({K::kLeakyRelu, "", {input16({4, 64})}, {}, ir::LeakyRelu{alpha}, {}},
                  ir::DType::kInt16, scale(), 0);
  }

  ir::Graph quantize() {
    const ir::DType types[] = {ir::DType::kInt8, ir::DType::kInt16, ir::DType::kInt32,
                               ir::DType::kFloat32};
    ir::DType from = types[pick(0, 3)], to = types[pick(0, 2)];
    if (from == to || (from == ir::DType::kFloat32 && to == ir::DType::kInt32)) {
      from = ir::DType::kInt16, to = ir::DType::kInt16;
    }
    const auto zero = [&](ir::DType type) { return type == ir::DType::kInt16 ? 0 : pick(-9, 9); };
    // Values of 32 bits are small numbers of small steps.
    const auto step = [&](ir::DType type) {
      return type == ir::DType::kInt32 ? scale() / 65536 : scale();
    };
    const bool real = from == ir::DType::kFloat32;
    const ir::TensorId x = input(from, {3, 50}, real ? 0 : step(from), zero(from));
    return finish({K::kQuantize, "", {x}, {}, ir::Quantize{}, {}}, to, step(to), zero(to));
  }

  ir::Graph dequantize() {
    return finish({K::kDequantize, "", {input16({3, 50})}, {}, ir::None{}, {}}, ir::DType::kFloat32,
                  0, 0);
  }

  ir::Graph move() {
    const Shape shape = {1, 5, 6, 7};
    const float s = scale();
    const ir::TensorId x = input(ir::DType::kInt16, shape, s);
    switch (pick(0, 3)) {
      case 0: {
        ir::Pad a{{0, pick(0, 2), pick(0, 2), pick(0, 2)},
                  {0, pick(0, 2), pick(0, 2), 1},
                  pick(INT16_MIN, INT16_MAX)};
        return finish({K::kPad, "", {x}, {}, a, {}}, ir::DType::kInt16, s, 0);
      }
      case 1: {
        const ir::TensorId other = input(ir::DType::kInt16, {1, 5, 6, pick(1, 20)}, s);
        return finish({K::kConcat, "", {x, other, x}, {}, ir::Concat{3, ir::Activation::kNone}, {}},
                      ir::DType::kInt16, s, 0);
      }
      case 2: {
        Shape perm = {0, 1, 2, 3};
        std::shuffle(perm.begin(), perm.end(), m_random);
        if (perm[0] == 0) std::swap(perm[1], perm[2]);
        return finish({K::kTranspose, "", {x}, {}, ir::Transpose{perm}, {}}, ir::DType::kInt16, s,
                      0);
      }
      default: {
        const ir::StridedSlice a{{0, 1, pick(0, 2), 5}, {1, 2, 2, 3}, {1, pick(1, 2), 2, -2}};
        return finish({K::kStridedSlice, "", {x}, {}, a, {}}, ir::DType::kInt16, s, 0, &a.size);
      }
    }
  }

  ir::Graph m_graph;
  std::mt19937 m_random;
};

int cases(int usual) {
  const char* all = std::getenv("PRESIL_ALL");
  return all != nullptr && std::string(all) == "1" ? 20 * usual : usual;
}

TEST(CompileInt16, random_single_operators_are_exact) {
  const int count = cases(150);
  int varied = 0;
  for (int seed = 0; seed < count; ++seed) {
    const ir::Graph graph = RandomOp(static_cast<uint32_t>(seed)).make();
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + ir::to_string(graph.ops[0].kind));
    const auto check = expect_compiled_exact(graph, SocConfig{}, 1);
    const ir::OpKind kind = graph.ops.front().kind;
    const bool moves = kind == ir::OpKind::kConcat || kind == ir::OpKind::kStridedSlice ||
                       kind == ir::OpKind::kTranspose || kind == ir::OpKind::kReshape;
    const std::string engine = check.compiled.placements.at(0).engine;
    const bool weighted = kind == ir::OpKind::kConv2d || kind == ir::OpKind::kDepthwiseConv2d ||
                          kind == ir::OpKind::kFullyConnected;
    EXPECT_TRUE(engine == "host" || engine == "dsp" || moves || weighted);
    EXPECT_NE(check.compiled.placements.at(0).reason(), "");
    const auto y = reference::run(graph, random_values(graph, 7)).at(0).data;
    varied += std::set<uint8_t>(y.begin(), y.end()).size() > 8 ? 1 : 0;
    if (HasFailure()) break;
  }
  EXPECT_GT(varied, count / 2) << "most results would say nothing";
}

}  // namespace
}  // namespace presil::tests
