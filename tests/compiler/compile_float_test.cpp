// Networks of float32, and int8 networks with a part of float32, from graph to commands: every kept
// tensor and output equals the reference interpreter's, in every bit.
#include <gmock/gmock.h>

#include <random>

#include "compiler_bridge/ir/shape.h"
#include "compiler_bridge/ir/text.h"
#include "tests/compiler/compile_check.h"

namespace presil::tests {
namespace {

using K = ir::OpKind;
using Shape = std::vector<int64_t>;

SocConfig soc() {
  SocConfig config;
  config.sram.bytes = 1 << 20;
  config.dma.channels = 4;
  config.dla.macs_k = config.dla.macs_c = 16;
  config.dla.feat_ports = 4;
  return config;
}

/// A chain of float operators after an image that is int8, or float32 of any bits.
class RandomFloats {
 public:
  explicit RandomFloats(uint32_t seed) : m_random(seed) { m_graph.name = "random"; }

  ir::Graph make() {
    const Shape image = {pick(1, 2), pick(1, 7), pick(1, 7), pick(1, 20)};
    const bool whole = pick(0, 3) == 0;  // float32 from the start
    m_last = tensor(whole ? ir::DType::kFloat32 : ir::DType::kInt8, image);
    m_graph.inputs = {m_last};
    if (!whole) append(K::kDequantize, {m_last}, ir::None{});
    for (int i = pick(2, 8); i > 0; --i) append_one();
    if (pick(0, 1) == 0) {
      const ir::TensorId real = m_last;
      m_last = tensor(ir::DType::kInt8, m_graph.tensor(real).shape);
      m_graph.add({K::kQuantize, "q", {real}, {m_last}, ir::Quantize{}, {}});
    }
    m_graph.outputs = {m_last};
    if (pick(0, 1) == 0) m_graph.numerics = ir::Numerics::kXnnpack;
    return m_graph;
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
  ir::Activation act() { return static_cast<ir::Activation>(pick(0, 3)); }
  const Shape& shape() const { return m_graph.tensor(m_last).shape; }

  ir::TensorId tensor(ir::DType dtype, Shape shape) {
    ir::Tensor t;
    t.name = "t" + std::to_string(m_graph.tensors.size());
    t.dtype = dtype, t.shape = std::move(shape);
    if (dtype == ir::DType::kInt8) t.quantization = {{0.05f}, {pick(-128, 127)}, -1};
    return m_graph.add(std::move(t));
  }
  ir::TensorId constant(Shape shape) {
    const ir::TensorId id = tensor(ir::DType::kFloat32, std::move(shape));
    std::normal_distribution<float> normal;
    ir::Bytes bytes(m_graph.tensor(id).bytes());
    for (size_t i = 0; i < bytes.size(); i += sizeof(float)) {
      const float value = normal(m_random);
      std::memcpy(bytes.data() + i, &value, sizeof value);
    }
    m_graph.tensor(id).data = std::make_shared<const ir::Bytes>(std::move(bytes));
    return id;
  }

  /// Float32 or, for dynamic range, int8 with one scale or one along an axis.
  ir::TensorId filters(Shape shape, int axis = 0) {
    if (pick(0, 2) != 0) return constant(std::move(shape));
    const auto channels = static_cast<size_t>(shape[static_cast<size_t>(axis)]);
    const ir::TensorId id = tensor(ir::DType::kInt8, std::move(shape));
    ir::Quantization& q = m_graph.tensor(id).quantization;
    q.zero_points = {0};
    if (pick(0, 1) == 0) {
      q = {std::vector<float>(channels), std::vector<int64_t>(channels, 0), axis};
      for (float& scale : q.scales) scale = static_cast<float>(pick(1, 99)) / 1000;
    }
    ir::Bytes bytes(m_graph.tensor(id).bytes());
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(pick(-127, 127));
    m_graph.tensor(id).data = std::make_shared<const ir::Bytes>(std::move(bytes));
    return id;
  }

  void append(K kind, std::vector<ir::TensorId> inputs, ir::Attributes attributes, Shape y = {}) {
    ir::Op op{kind, "", std::move(inputs), {}, std::move(attributes), {}};
    op.name = "op" + std::to_string(m_graph.ops.size());
    op.source_ops = {static_cast<int>(m_graph.ops.size())};
    const ir::TensorId made = tensor(ir::DType::kFloat32, std::move(y));
    op.outputs = {made};
    m_graph.tensor(made).shape = ir::infer_shapes(m_graph, op)[0];
    m_graph.add(std::move(op));
    m_last = made;
  }

  template <class Window>
  Window window(int kernel_h, int kernel_w) {
    Window w;
    w.stride_h = pick(1, 2), w.stride_w = pick(1, 3);
    w.pad_top = w.pad_bottom = kernel_h / 2, w.pad_left = w.pad_right = kernel_w / 2;
    w.act = act();
    return w;
  }

  void convolve() {
    const int64_t c = shape()[3], h = 1 + 2 * pick(0, 1), w = 1 + 2 * pick(0, 1);
    const int kh = static_cast<int>(h), kw = static_cast<int>(w);
    std::vector<ir::TensorId> inputs = {m_last};
    const int kind = pick(0, 2);
    const int64_t multiplier = pick(1, 2), groups = c % 2 == 0 ? pick(1, 2) : 1;
    const int64_t k = kind == 1 ? c * multiplier : groups * pick(1, 12);
    if (kind == 0) inputs.push_back(filters({k, h, w, c / groups}));
    if (kind == 1) inputs.push_back(filters({1, h, w, k}, 3));
    if (kind == 2) inputs.push_back(constant({k, h, w, c}));
    if (pick(0, 3) != 0) inputs.push_back(constant({k}));
    if (kind == 0) {
      auto a = window<ir::Conv2d>(kh, kw);
      a.groups = static_cast<int>(groups);
      return append(K::kConv2d, inputs, a);
    }
    if (kind == 1) {
      auto a = window<ir::DepthwiseConv2d>(kh, kw);
      a.multiplier = static_cast<int>(multiplier);
      return append(K::kDepthwiseConv2d, inputs, a);
    }
    auto a = window<ir::TransposeConv2d>(kh, kw);
    a.pad_bottom = a.pad_right = 0;
    append(K::kTransposeConv2d, inputs, a);
  }

  void pool() {
    auto a = window<ir::Pool2d>(3, 3);
    a.kernel_h = a.kernel_w = 3;
    append(pick(0, 1) == 0 ? K::kAveragePool2d : K::kMaxPool2d, {m_last}, a);
  }

  void pair() {
    const K kinds[] = {K::kAdd, K::kSub,  K::kMul, K::kDiv, K::kSquaredDifference,
                       K::kPow, K::kPrelu};
    const Shape others[] = {shape(), {shape()[3]}, {}};
    const ir::TensorId other = pick(0, 3) == 0 ? m_last : constant(others[pick(0, 2)]);
    std::vector<ir::TensorId> inputs = {m_last, other};
    const K kind = kinds[pick(0, 6)];
    // The slopes of prelu are no larger than what they are slopes of.
    if (kind != K::kPrelu && pick(0, 1) == 0) std::swap(inputs[0], inputs[1]);
    if (ir::info(kind).defaults.index() == 0) return append(kind, inputs, ir::None{});
    append(kind, inputs, ir::Elementwise{act()});
  }

  void function() {
    const K kinds[] = {K::kRelu,      K::kRelu6,     K::kHardSwish,   K::kLogistic,  K::kTanh,
                       K::kLeakyRelu, K::kGelu,      K::kL2Normalize, K::kElu,       K::kExp,
                       K::kLog,       K::kSqrt,      K::kRsqrt,       K::kAbs,       K::kNeg,
                       K::kSquare,    K::kSin,       K::kCos,         K::kFloor,     K::kCeil,
                       K::kRound,     K::kReluN1To1, K::kRelu0To1,    K::kLogSoftmax};
    const K kind = kinds[pick(0, static_cast<int>(std::size(kinds)) - 1)];
    if (kind == K::kLeakyRelu) return append(kind, {m_last}, ir::LeakyRelu{0.1f});
    if (kind == K::kGelu) return append(kind, {m_last}, ir::Gelu{pick(0, 1) == 0});
    if (kind == K::kL2Normalize) return append(kind, {m_last}, ir::Elementwise{act()});
    append(kind, {m_last}, ir::None{});
  }

  void norm() {
    const Shape row = {shape()[3]};
    append(K::kLayerNorm, {m_last, constant(row), constant(row)}, ir::LayerNorm{0.01f});
  }

  void product() {
    if (pick(0, 1) == 0) {
      const int64_t k = pick(1, 20);
      const Shape y = {shape()[0] * shape()[1] * shape()[2], k};
      append(K::kFullyConnected, {m_last, filters({k, shape()[3]}), constant({k})},
             ir::FullyConnected{act(), pick(0, 1) == 0}, y);
      append(K::kReshape, {m_last}, ir::None{}, {1, 1, y[0], k});
    } else {
      append(K::kBatchMatmul, {m_last, m_last}, ir::BatchMatmul{false, true});
    }
  }

  void move() {
    const Shape x = shape();
    switch (pick(0, 3)) {
      case 0:
        return append(K::kConcat, {m_last, m_last}, ir::Concat{3, ir::Activation::kNone, false});
      case 1:
        return append(K::kTranspose, {m_last}, ir::Transpose{{0, 2, 1, 3}});
      case 2:
        return append(K::kPad, {m_last},
                      ir::Pad{{0, 1, 0, 0}, {0, 0, 2, 0}, pick(0, 1) == 0 ? 0 : 0x40000000});
      default:
        const bool nearest = pick(0, 1) == 0;
        return append(nearest ? K::kResizeNearest : K::kResizeBilinear, {m_last},
                      ir::Resize{false, pick(0, 1) == 0},
                      {x[0], std::min<int64_t>(9, x[1] * 2), std::min<int64_t>(9, x[2] + 1), x[3]});
    }
  }

  void append_one() {
    switch (pick(0, 6)) {
      case 0:
        return convolve();
      case 1:
        return pool();
      case 2:
        return pair();
      case 3:
        return function();
      case 4:
        return product();
      case 5:
        if (pick(0, 1) == 0) return append(K::kSoftmax, {m_last}, ir::Softmax{0.7f});
        if (pick(0, 1) == 0) return norm();
        return append(K::kMean, {m_last}, ir::Reduce{{1, 2}, true});
      default:
        return move();
    }
  }

  std::mt19937 m_random;
  ir::Graph m_graph;
  ir::TensorId m_last = ir::kAbsent;
};

int cases(int usual) {
  const char* all = std::getenv("PRESIL_ALL");
  return all != nullptr && std::string(all) == "1" ? 20 * usual : usual;
}

TEST(CompileFloat, random_networks_are_exact_in_every_bit) {
  for (int seed = 0; seed < cases(60); ++seed) {
    const ir::Graph graph = RandomFloats(static_cast<uint32_t>(seed)).make();
    expect_compiled_exact(graph, soc(), 1);
    if (HasFailure()) FAIL() << "seed " << seed << "\n" << ir::print(graph);
  }
}

TEST(CompileFloat, a_part_of_float_stands_between_layers_of_the_dla) {
  const ir::Graph graph = ir::parse(R"(graph "island" tflite {
    input %x : int8[1,8,8,16] q(0.05, 3)
    const %w : int8[16,3,3,16] q(0.01, 0) = random 1
    const %f : float32[16,3,3,16] = random 2
    const %b : float32[16] = random 3
    %c = conv2d "front"(%x, %w) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} : int8[1,8,8,16] q(0.1, -4)
    %d = dequantize "in"(%c) : float32[1,8,8,16]
    %e = conv2d "middle"(%d, %f, %b) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1, act=relu} : float32[1,8,8,16]
    %s = logistic "gate"(%e) : float32[1,8,8,16]
    %m = mul "swish"(%e, %s) : float32[1,8,8,16]
    %q = quantize "out"(%m) : int8[1,8,8,16] q(0.2, 5)
    %y = conv2d "after"(%q, %w) : int8[1,6,6,16] q(1, 0)
    output %y
  })");
  const auto engines = [&](unsigned dsps) {
    SocConfig config = soc();
    config.dsp.units = dsps;
    const CompileCheck check = expect_compiled_exact(graph, config);
    std::vector<std::string> names;
    for (const auto& placement : check.compiled.placements) names.push_back(placement.engine);
    return names;
  };
  EXPECT_THAT(engines(0),
              testing::ElementsAre("dla", "host", "host", "host", "host", "host", "dla"));
  const std::vector<std::string> with_dsp = engines(1);
  EXPECT_EQ(with_dsp.front() + with_dsp.back(), "dladla");
  for (const size_t i : {1, 4, 5}) EXPECT_EQ(with_dsp[i], "dsp") << i;
}

}  // namespace
}  // namespace presil::tests
