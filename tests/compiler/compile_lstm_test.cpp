// Random LSTMs: the kernels of DSP and host, run from a loadable, against the reference
// interpreter. Batches, both orders of time, states given and absent, scales at which gates are
// open, shut and between, cell scales of all powers, clips, zero points.
#include <random>
#include <set>

#include "compiler_bridge/ir/shape.h"
#include "tests/compiler/compile_dsp_check.h"

namespace presil::tests {
namespace {

class RandomLstm {
 public:
  explicit RandomLstm(uint32_t seed) : m_random(seed) { m_graph.name = "random"; }

  ir::Graph make() {
    const int batch = pick(1, 3), steps = pick(1, 6), in = pick(1, 20), units = pick(1, 20);
    ir::Lstm a;
    a.time_major = pick(0, 1) == 0;
    if (pick(0, 2) == 0) a.cell_clip = std::exp2(static_cast<float>(pick(-40, 40)) / 10);
    const Shape outer = a.time_major ? Shape{steps, batch} : Shape{batch, steps};
    const ir::Quantization hidden{{power(-9, -5)}, {pick(-128, 127)}, -1};
    const ir::Quantization cell{{std::ldexp(1.0f, pick(-15, -9))}, {0}, -1};
    ir::Op op{ir::OpKind::kLstm, "lstm", {}, {}, a, {0}};
    op.inputs = {tensor(ir::DType::kInt8, {outer[0], outer[1], in},
                        {{power(-8, -3)}, {pick(-128, 127)}, -1})};
    m_graph.inputs = op.inputs;
    for (int i = 0; i < 8; ++i) {
      op.inputs.push_back(constant(ir::DType::kInt8, {units, i < 4 ? in : units}));
      m_graph.tensor(op.inputs.back()).quantization = {{power(-11, -4)}, {0}, -1};
    }
    for (int i = 0; i < 4; ++i) op.inputs.push_back(constant(ir::DType::kInt32, {units}));
    if (pick(0, 1) == 0) {
      op.inputs.push_back(tensor(ir::DType::kInt8, {batch, units}, hidden));
      op.inputs.push_back(tensor(ir::DType::kInt16, {batch, units}, cell));
      m_graph.inputs.insert(m_graph.inputs.end(), op.inputs.end() - 2, op.inputs.end());
    }
    op.outputs = {tensor(ir::DType::kInt8, {outer[0], outer[1], units}, hidden),
                  tensor(ir::DType::kInt8, {batch, units}, hidden),
                  tensor(ir::DType::kInt16, {batch, units}, cell)};
    m_graph.outputs = op.outputs;
    m_graph.add(std::move(op));
    return m_graph;
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
  float power(float low, float high) {
    return std::exp2(std::uniform_real_distribution<float>(low, high)(m_random));
  }
  ir::TensorId tensor(ir::DType dtype, Shape shape, ir::Quantization q) {
    ir::Tensor t;
    t.name = "t" + std::to_string(m_graph.tensors.size());
    t.dtype = dtype;
    t.shape = std::move(shape);
    t.quantization = std::move(q);
    return m_graph.add(std::move(t));
  }
  ir::TensorId constant(ir::DType dtype, Shape shape) {
    const ir::TensorId id = tensor(dtype, std::move(shape), {});
    ir::Bytes bytes(m_graph.tensor(id).bytes());
    // Biases of 16 bits and a sign: the size of sums.
    for (size_t i = 0; i < bytes.size(); ++i) {
      const bool sign = dtype == ir::DType::kInt32 && i % 4 >= 2;
      bytes[i] =
          sign ? (bytes[i - i % 4 + 1] & 0x80 ? 0xff : 0) : static_cast<uint8_t>(pick(0, 255));
    }
    m_graph.tensor(id).data = std::make_shared<const ir::Bytes>(std::move(bytes));
    return id;
  }

  ir::Graph m_graph;
  std::mt19937 m_random;
};

int cases(int usual) {
  const char* all = std::getenv("PRESIL_ALL");
  return all != nullptr && std::string(all) == "1" ? 20 * usual : usual;
}

void expect_exact(const SocConfig& soc, const std::string& engine, int count) {
  int varied = 0;
  for (int seed = 0; seed < count; ++seed) {
    const ir::Graph graph = RandomLstm(static_cast<uint32_t>(seed)).make();
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto check = expect_compiled_exact(graph, soc, 1);
    EXPECT_EQ(check.compiled.placements.at(0).engine, engine);
    EXPECT_THAT(check.compiled.placements.at(0).reason(),
                testing::HasSubstr("dla: does not compute lstm"));
    const auto cell = reference::run(graph, random_values(graph, 7)).at(2).data;
    varied += std::set<uint8_t>(cell.begin(), cell.end()).size() > 4 ? 1 : 0;
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_GT(varied, count / 2) << "most states would say nothing";
}

TEST(CompileLstm, random_ones_are_exact_with_their_states_on_the_dsp) {
  expect_exact(soc_for_dsp(kLarge), "dsp", cases(100));
}

TEST(CompileLstm, random_ones_are_exact_with_their_states_on_the_host) {
  SocConfig soc;
  soc.dsp.units = 0;
  expect_exact(soc, "host", cases(50));
}

}  // namespace
}  // namespace presil::tests
