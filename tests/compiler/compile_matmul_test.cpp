// Products of two computed matrices, from graph to commands: one operator at a time, randomised.
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

SocConfig soc(uint32_t sram_bytes, unsigned lanes = 16, unsigned channels = 4) {
  SocConfig config;
  config.sram.bytes = sram_bytes;
  config.dma.channels = channels;
  config.dla.macs_k = config.dla.macs_c = lanes;
  config.dla.feat_ports = lanes / 4;
  return config;
}

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

bool says_why(const std::string& reason) {
  return reason.find("must be of batch 1") != std::string::npos ||
         reason.find("weights is computed, and xnnpack numerics") != std::string::npos ||
         reason.find("must be of as many matrices as y") != std::string::npos ||
         reason.find("bytes of SRAM") != std::string::npos;
}

/// Random products, and how many of them ran on the DLA.
int expect_products_exact(int first, int number, int most, const SocConfig& config) {
  int on_dla = 0;
  for (int seed = first; seed < first + number; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto graph = RandomProduct(static_cast<uint32_t>(seed), most, ir::DType::kInt8).make();
    const auto check = expect_compiled_exact(graph, config, 2);
    const placement::Placement& placement = check.compiled.placements.at(0);
    if (placement.engine == "dla") {
      ++on_dla;
      EXPECT_EQ(placement.reason(), "its second operand becomes weights once it is computed");
    } else {
      EXPECT_TRUE(says_why(placement.reason())) << placement.reason();
    }
    if (testing::Test::HasFailure()) break;
  }
  return on_dla;
}

TEST(CompileMatmul, random_single_products_are_exact) {
  const int number = cases(60);
  EXPECT_GT(expect_products_exact(0, number, 70, soc(1 << 20)), number / 2);
}

TEST(CompileMatmul, in_sets_of_32_lanes_too) {
  const int number = cases(60);
  EXPECT_GT(expect_products_exact(1000, number, 110, soc(1 << 20, 32)), number / 2);
}

TEST(CompileMatmul, in_little_memory_rows_of_weights_come_by_tiles) {
  const int number = cases(20);
  int on_dla = 0;
  for (int bytes : {32 << 10, 16 << 10, 8 << 10}) {
    on_dla += expect_products_exact(2000 + bytes, number, 150, soc(uint32_t(bytes), 16, 2));
    on_dla += expect_products_exact(3000 + bytes, number, 150, soc(uint32_t(bytes), 32, 1));
  }
  EXPECT_GT(on_dla, 3 * number);
}

/// a [rows,terms] x b [columns,terms], a with the zero point given.
std::string by_zero_point(int zero) {
  const std::string text = R"(graph "g" tflite {
    input %a : int8[20,40] q(0.05, )" +
                           std::to_string(zero) + R"()
    input %b : int8[16,40] q(0.05, -7)
    %y = batch_matmul(%a, %b) {transpose_b=true} from [0] : int8[20,16] q(0.8, 3)
    output %y
  })";
  return expect_compiled_exact(ir::parse(text), soc(1 << 20)).compiled.stream_text;
}

TEST(CompileMatmul, the_bias_is_corrected_for_the_zero_point_by_commands_of_one_pixel) {
  EXPECT_EQ(count(by_zero_point(0), "out_type=int32"), 0u);
  EXPECT_EQ(count(by_zero_point(1), "out_type=int32"), 1u);
  EXPECT_EQ(count(by_zero_point(127), "out_type=int32"), 1u);
  EXPECT_EQ(count(by_zero_point(-127), "out_type=int32"), 1u);
  EXPECT_EQ(count(by_zero_point(-128), "out_type=int32"), 2u);  // 128 is no int8
}

TEST(CompileMatmul, a_constant_is_packed_like_any_weights) {
  const auto check = expect_compiled_exact(ir::parse(R"(graph "g" xnnpack {
    input %a : int8[2,20,40] q(0.05, -128)
    const %b : int8[40,33] q(0.05, -7) = random 1
    %y = batch_matmul(%a, %b) from [0] : int8[2,20,33] q(0.8, 3)
    output %y
  })"),
                                           soc(1 << 20));
  EXPECT_EQ(check.compiled.placements.at(0).reason(), "within the dla's limits");
  EXPECT_EQ(check.compiled.layers.size(), 1u);
}

TEST(CompileMatmul, matrices_of_one_operand_for_all_of_the_other) {
  const std::string head = "graph \"g\" tflite { input %a : int8[3,5,20] q(0.05, 4)\n";
  const auto shared = expect_compiled_exact(
      ir::parse(head + "input %b : int8[9,20] q(0.05, 2)\n"
                       "%y = batch_matmul(%a, %b) {transpose_b=true} from [0] : int8[3,5,9] "
                       "q(0.5, 0) output %y }"),
      soc(1 << 20));
  EXPECT_EQ(count(shared.compiled.stream_text, ": conv "), 2u);  // a correction and all rows
  const auto host = expect_compiled_exact(
      ir::parse("graph \"g\" tflite { input %a : int8[5,20] q(0.05, 4)\n"
                "input %b : int8[3,9,20] q(0.05, 2)\n"
                "%y = batch_matmul(%a, %b) {transpose_b=true} from [0] : int8[3,5,9] q(0.5, 0) "
                "output %y }"),
      soc(1 << 20));
  EXPECT_EQ(host.compiled.placements.at(0).reason(),
            "dla: a is int8[5,20] q(0.05, 4) and b int8[3,9,20] q(0.05, 2), must be of as many "
            "matrices as y, and b of as many or one");
}

/// One head of attention on 24 tokens of 40 values, and what follows it.
std::string attention(const std::string& numerics) {
  return "graph \"attention\" " + numerics + R"( {
    input %x : int8[1,24,40] q(0.05, -3)
    const %wq : int8[24,40] q(0.01, 0) = random 1
    const %wk : int8[24,40] q(0.01, 0) = random 2
    const %wv : int8[40,40] q(0.01, 0) = random 3
    const %wo : int8[40,40] q(0.01, 0) = random 4
    %q = fully_connected(%x, %wq) from [0] : int8[1,24,24] q(0.12, 9)
    %k = fully_connected(%x, %wk) from [1] : int8[1,24,24] q(0.12, -128)
    %v = fully_connected(%x, %wv) from [2] : int8[1,24,40] q(0.12, 5)
    %s = batch_matmul(%q, %k) {transpose_b=true} from [3] : int8[1,24,24] q(1.5, 7)
    %p = softmax(%s) {beta=0.2} from [4] : int8[1,24,24] q(0.00390625, -128)
    %o = batch_matmul(%p, %v) from [5] : int8[1,24,40] q(0.1, 1)
    %r = add(%o, %x) from [6] : int8[1,24,40] q(0.1, 1)
    %y = fully_connected(%r, %wo) from [7] : int8[1,24,40] q(0.3, 0)
    output %y, %o
  })";
}

TEST(CompileMatmul, a_head_of_attention_runs_on_the_dla_but_for_its_softmax) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    for (const uint32_t bytes : {1u << 20, 16u << 10, 8u << 10}) {
      for (const unsigned lanes : {16u, 32u}) {
        SCOPED_TRACE(std::string(numerics) + ", " + std::to_string(bytes) + " bytes, " +
                     std::to_string(lanes) + " lanes");
        const auto check = expect_compiled_exact(ir::parse(attention(numerics)), soc(bytes, lanes));
        if (bytes < (16u << 10)) continue;
        for (const placement::Placement& p : check.compiled.placements) {
          if (p.op == "softmax") continue;  // the host's or the DSP's
          EXPECT_EQ(p.engine, "dla") << p.name << ": " << p.reason();
        }
      }
    }
  }
}

// Weights that the DLA made come from the SRAM: memory sees neither k nor its transpose.
TEST(CompileMatmul, what_the_dla_made_becomes_weights_within_the_sram) {
  const auto check = expect_compiled_exact(ir::parse(R"(graph "g" tflite {
    input %x : int8[1,24,40] q(0.05, -3)
    const %w : int8[24,40] q(0.01, 0) = random 1
    %k = fully_connected(%x, %w) from [0] : int8[1,24,24] q(0.12, 9)
    %y = batch_matmul(%k, %k) from [1] : int8[1,24,24] q(1.5, 7)
    output %y
  })"),
                                           soc(1 << 20));
  EXPECT_EQ(count(check.compiled.stream_text, "dst_space=system"), 1u);  // y
}

TEST(CompileMatmul, of_parts_side_by_side_and_of_uint8) {
  expect_compiled_exact(ir::parse(R"(graph "g" tflite {
    input %u : uint8[1,6,10,20] q(0.05, 120)
    input %x : int8[1,6,10,20] q(0.05, -8)
    %b = quantize(%u) from [0] : int8[1,6,10,20] q(0.05, -8)
    const %w : int8[10,1,1,20] q(0.01, 0) = random 1
    %c = conv2d(%x, %w) from [1] : int8[1,6,10,10] q(0.05, 4)
    %d = conv2d(%b, %w) from [2] : int8[1,6,10,10] q(0.05, 4)
    %e = concat(%c, %d) {axis=3} from [3] : int8[1,6,10,20] q(0.05, 4)
    %s = batch_matmul(%x, %b) {transpose_b=true} from [4] : int8[1,6,10,10] q(0.2, 7)
    %t = batch_matmul(%e, %x) {transpose_b=true} from [5] : int8[1,6,10,10] q(0.2, 7)
    %y = batch_matmul(%s, %e) from [6] : int8[1,6,10,20] q(0.2, 7)
    %z = batch_matmul(%t, %e) {transpose_a=true} from [7] : int8[1,6,10,20] q(0.2, 7)
    output %y, %z
  })"),
                        soc(1 << 20));
}

/// Networks around two products, randomised: what makes their operands, how they lie, what follows.
class RandomAttention {
 public:
  explicit RandomAttention(uint32_t seed) : m_random(seed) {}

  std::string make() {
    const int tokens = pick(1, 40), width = pick(1, 40), inner = pick(1, 40), rows = pick(1, 3);
    m_lead = rows == 1 && pick(0, 1) == 0 ? "" : pick(0, 1) == 0 ? "1," : "";
    if (rows > 1) m_lead += std::to_string(rows) + ",";
    m_text = std::string("graph \"random\" ") + (pick(0, 1) == 0 ? "tflite" : "xnnpack") + " {\n";
    m_text += "input %x : " + type(tokens, width) + "\n";
    m_x = "x", m_x_width = width;
    const std::string q = operand("q", tokens, inner, false), k = operand("k", tokens, inner, true);
    const bool swap_k = pick(0, 1) == 0;
    const std::string right = swap_k ? transposed(k, tokens, inner) : k;
    line("s",
         "batch_matmul(%" + q + ", %" + right + ") {transpose_b=" + (swap_k ? "false" : "true") +
             "}",
         type(tokens, tokens, inner));
    std::string shares = "s";
    if (pick(0, 2) != 0) {
      line("p", "softmax(%s) {beta=0.1}", shape(tokens, tokens) + " q(0.00390625, -128)");
      shares = "p";
    } else if (pick(0, 1) == 0) {
      line("p", "leaky_relu(%s) {alpha=0.2}", type(tokens, tokens, inner));
      shares = "p";
    }
    const std::string v = operand("v", tokens, width, true);
    const bool first_swapped = pick(0, 2) == 0;
    line("o",
         "batch_matmul(%" + shares + ", %" + v +
             ") {transpose_a=" + (first_swapped ? "true" : "false") + "}",
         type(tokens, width, tokens));
    if (pick(0, 1) == 0) line("y", "add(%o, %x)", type(tokens, width));
    const std::string last = m_last;
    m_text +=
        "output %" + last + (pick(0, 2) == 0 && v != "x" && v != last ? ", %" + v : "") + "\n}";
    return m_text;
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
  std::string shape(int rows, int columns) const {
    return "int8[" + m_lead + std::to_string(rows) + "," + std::to_string(columns) + "]";
  }
  /// Of sums of `terms` products; 0: of any values.
  std::string type(int rows, int columns, int terms = 0) {
    const int usual[] = {-128, 0, 127, -3};
    const int zero = pick(0, 1) == 0 ? usual[pick(0, 3)] : pick(-128, 127);
    const double scale = 0.05 * (terms == 0 ? 1 : 3 * std::sqrt(double(terms)));
    return shape(rows, columns) + " q(" + std::to_string(scale) + ", " + std::to_string(zero) + ")";
  }
  void line(const std::string& name, const std::string& op, const std::string& type) {
    m_text += "%" + name + " = " + op + " from [" + std::to_string(m_ops++) + "] : " + type + "\n";
    m_last = name;
  }
  std::string constant(const std::string& name, int rows, int columns) {
    m_text += "const %" + name + " : int8[" + std::to_string(rows) + "," + std::to_string(columns) +
              "] q(0.02, 0) = random " + std::to_string(pick(1, 99)) + "\n";
    return name;
  }
  std::string dense(const std::string& name, int tokens, int width, const std::string& type) {
    line(name, "fully_connected(%x, %" + constant("w" + name, width, m_x_width) + ")", type);
    (void)tokens;
    return name;
  }
  /// [tokens, width]: x itself, a layer, a table of it, layers side by side, what the host makes.
  std::string operand(const std::string& name, int tokens, int width, bool any) {
    if (width == m_x_width && pick(0, 3) == 0) return m_x;
    const std::string made = type(tokens, width);
    switch (any ? pick(0, 3) : pick(0, 2)) {
      case 0: {
        const int part = pick(1, width);
        if (part == width) break;
        const std::string q = made.substr(made.find(" q("));
        dense(name + "1", tokens, part, shape(tokens, part) + q);
        dense(name + "2", tokens, width - part, shape(tokens, width - part) + q);
        const auto axes = 1 + std::count(m_lead.begin(), m_lead.end(), ',');
        line(name, "concat(%" + name + "1, %" + name + "2) {axis=" + std::to_string(axes) + "}",
             made);
        return name;
      }
      case 1:
        dense(name + "0", tokens, width, made);
        line(name, "hard_swish(%" + name + "0)", type(tokens, width));
        return name;
      case 3:
        dense(name + "0", tokens, width, made);
        line(name, "softmax(%" + name + "0) {beta=0.1}",
             shape(tokens, width) + " q(0.00390625, -128)");
        return name;
      default:
        break;
    }
    return dense(name, tokens, width, made);
  }
  /// By an operator of its own, on the host.
  std::string transposed(const std::string& name, int tokens, int width) {
    const size_t at = m_text.find("%" + name + (name == "x" ? " :" : " ="));
    const std::string line_of = m_text.substr(at, m_text.find('\n', at) - at);
    const auto axes = std::count(m_lead.begin(), m_lead.end(), ',');
    std::string perm;
    for (long i = 0; i < axes; ++i) perm += std::to_string(i) + ",";
    line(name + "t",
         "transpose(%" + name + ") {perm=[" + perm + std::to_string(axes + 1) + "," +
             std::to_string(axes) + "]}",
         shape(width, tokens) + line_of.substr(line_of.find(" q(")));
    return name + "t";
  }

  std::mt19937 m_random;
  std::string m_text, m_lead, m_x, m_last;
  int m_x_width = 0, m_ops = 0;
};

TEST(CompileMatmul, random_networks_around_products_are_exact) {
  int products = 0;
  for (int seed = 0; seed < cases(60); ++seed) {
    const std::string text = RandomAttention(static_cast<uint32_t>(seed)).make();
    const uint32_t bytes = seed % 3 == 0 ? 1u << 20 : seed % 3 == 1 ? 16u << 10 : 8u << 10;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const auto check = expect_compiled_exact(ir::parse(text),
                                             soc(bytes, seed % 4 == 0 ? 32 : 16, 1 + seed % 4), 2);
    for (const placement::Placement& p : check.compiled.placements) {
      products += p.op == "batch_matmul" && p.engine == "dla" ? 1 : 0;
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(products, cases(60));
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
