// Products of two computed matrices, from graph to commands: one operator at a time, by chance.
#include <gmock/gmock.h>

#include <random>

#include "compiler_bridge/ir/shape.h"
#include "compiler_bridge/ir/text.h"
#include "tests/compiler/compile_check.h"

namespace presil::tests {
namespace {

using K = ir::OpKind;
using Shape = std::vector<int64_t>;

/// batch_matmul, or a fully connected layer with computed weights.
class RandomProduct {
 public:
  /// @param most  rows, terms and columns
  RandomProduct(uint32_t seed, int most, ir::DType dtype)
      : m_random(seed), m_most(most), m_dtype(dtype) {
    m_graph.name = "random";
    m_graph.numerics = dtype == ir::DType::kInt8 && pick(0, 1) == 0 ? ir::Numerics::kXnnpack
                                                                    : ir::Numerics::kTflite;
  }

  ir::Graph make() { return m_dtype == ir::DType::kInt8 && pick(0, 4) == 0 ? dense() : product(); }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
  int extent() { return pick(0, 3) == 0 ? pick(1, m_most) : pick(1, (m_most + 3) / 4); }
  float scale() { return std::exp2(std::uniform_real_distribution<float>(-9.0f, -3.0f)(m_random)); }
  /// Often where zero points are in networks: at an end, or in the middle.
  int zero_point() {
    const int usual[] = {-128, 0, 127, 1};
    if (m_dtype == ir::DType::kInt16) return 0;
    return pick(0, 1) == 0 ? usual[pick(0, 3)] : pick(-128, 127);
  }
  ir::TensorId tensor(const std::string& name, Shape shape, float s) {
    ir::Tensor t;
    t.name = name, t.dtype = m_dtype, t.shape = std::move(shape);
    t.quantization = {{s}, {zero_point()}, -1};
    return m_graph.add(std::move(t));
  }
  ir::TensorId input(const std::string& name, Shape shape) {
    m_graph.inputs.push_back(tensor(name, std::move(shape), scale()));
    return m_graph.inputs.back();
  }
  /// Sums of `terms` products use most of y's range.
  ir::Graph finish(ir::Op op, Shape shape, int64_t terms) {
    const float a = m_graph.tensor(op.input(0)).quantization.scale();
    const float b = m_graph.tensor(op.input(1)).quantization.scale();
    const float range = m_dtype == ir::DType::kInt16 ? 8192.0f : 60.0f;
    const float spread = std::exp2(std::uniform_real_distribution<float>(-2.0f, 2.0f)(m_random));
    const float y = a * b * range * spread * std::sqrt(static_cast<float>(terms));
    op.outputs = {tensor("y", std::move(shape), y)};
    op.name = "y";
    op.source_ops = {0};
    m_graph.outputs = op.outputs;
    m_graph.add(std::move(op));
    return m_graph;
  }

  ir::Graph product() {
    const int rows = extent(), terms = extent(), columns = extent();
    ir::BatchMatmul m;
    m.transpose_a = pick(0, 2) == 0, m.transpose_b = pick(0, 1) == 0;
    Shape leading(static_cast<size_t>(pick(0, 2)), 1);
    if (!leading.empty()) leading.back() = pick(1, 3);
    if (leading.size() == 2 && pick(0, 3) == 0) leading[0] = 2;
    Shape a = leading, b = leading;
    if (!leading.empty() && pick(0, 2) == 0) b.back() = 1;
    if (!leading.empty() && pick(0, 5) == 0) a.back() = 1;
    if (pick(0, 3) == 0 && !b.empty() && b[0] == 1) b.erase(b.begin());
    const auto put = [](Shape& shape, int first, int second, bool swapped) {
      shape.push_back(swapped ? second : first);
      shape.push_back(swapped ? first : second);
    };
    put(a, rows, terms, m.transpose_a);
    put(b, terms, columns, m.transpose_b);
    ir::Op op{K::kBatchMatmul, "", {input("a", a), input("b", b)}, {}, m, {}};
    op.outputs = {op.inputs[0]};  // its type is not looked at
    const Shape y = ir::infer_shapes(m_graph, op)[0];
    return finish(std::move(op), y, terms);
  }

  ir::Graph dense() {
    const int rows = extent(), in = extent(), out = extent();
    ir::Op op{K::kFullyConnected,
              "",
              {input("x", {rows, in}), input("w", {out, in})},
              {},
              ir::FullyConnected{static_cast<ir::Activation>(pick(0, 3))},
              {}};
    if (pick(0, 1) == 0) {
      ir::Tensor bias;
      bias.name = "bias", bias.dtype = ir::DType::kInt32, bias.shape = {out};
      std::vector<int32_t> values;
      for (int i = 0; i < out; ++i) values.push_back(pick(-20000, 20000));
      const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
      bias.data = std::make_shared<const ir::Bytes>(bytes, bytes + bias.bytes());
      op.inputs.push_back(m_graph.add(std::move(bias)));
    }
    return finish(std::move(op), {rows, out}, in);
  }

  std::mt19937 m_random;
  int m_most;
  ir::DType m_dtype;
  ir::Graph m_graph;
};

int cases(int usual) {
  const char* all = std::getenv("PRESIL_ALL");
  return all != nullptr && std::string(all) == "1" ? 20 * usual : usual;
}

TEST(CompileMatmul, random_single_products_are_exact) {
  for (int seed = 0; seed < cases(100); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto graph = RandomProduct(static_cast<uint32_t>(seed), 70, ir::DType::kInt8).make();
    expect_compiled_exact(graph, SocConfig{}, 2);
    if (HasFailure()) break;
  }
}

TEST(CompileMatmul, of_int16_the_host_computes_them) {
  for (int seed = 0; seed < cases(30); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto graph = RandomProduct(static_cast<uint32_t>(seed), 20, ir::DType::kInt16).make();
    const auto check = expect_compiled_exact(graph, SocConfig{}, 1);
    EXPECT_EQ(check.compiled.placements.at(0).engine, "host");
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace presil::tests
