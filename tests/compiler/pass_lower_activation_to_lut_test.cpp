// A table holds what the reference interpreter's operator gives, at all 256 values, over scales
// that shift left and right and zero points at both ends.
#include <gmock/gmock.h>

#include <cstring>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

struct Quantized {
  float scale;
  int zero;
};

const Quantized kPoints[] = {{0.05f, -128},   {0.0039215686f, 127}, {0.5f, -3}, {0.001f, 0},
                             {1.0f / 16, 19}, {7.3f, 40},           {12.5f, 6}};

ir::Graph all_values(const std::string& op, Quantized x, Quantized y, ir::Numerics numerics) {
  const auto type = [](Quantized q) {
    char text[64];
    std::snprintf(text, sizeof text, "int8[256] q(%.9g, %d)", static_cast<double>(q.scale), q.zero);
    return std::string(text);
  };
  ir::Graph graph = ir::parse("graph \"g\" tflite {\n input %x : " + type(x) + "\n %y = " + op +
                              " : " + type(y) + "\n output %y\n}");
  graph.numerics = numerics;
  return graph;
}

ir::Bytes counting() {
  ir::Bytes bytes(256);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i);
  return bytes;
}

class EveryValue : public testing::TestWithParam<const char*> {};

TEST_P(EveryValue, of_the_table_is_the_operator_s) {
  int tables = 0;
  for (const ir::Numerics numerics : {ir::Numerics::kTflite, ir::Numerics::kXnnpack}) {
    for (const Quantized& x : kPoints) {
      for (const Quantized& y : kPoints) {
        const ir::Graph before = all_values(GetParam(), x, y, numerics);
        ir::Graph after = before;
        ASSERT_EQ(lower_activation_to_lut(after), 1);
        ASSERT_EQ(after.ops.at(0).kind, ir::OpKind::kLut);
        const auto expected =
            reference::run(before, {{ir::DType::kInt8, {256}, counting()}}).at(0).data;
        const ir::Bytes& table = *after.tensor(after.ops[0].input(1)).data;
        ASSERT_EQ(table, expected) << ir::print(before);
        ++tables;
      }
    }
  }
  EXPECT_EQ(tables, 2 * 7 * 7);
}

INSTANTIATE_TEST_SUITE_P(Operators, EveryValue,
                         testing::Values("relu(%x)", "relu6(%x)", "leaky_relu(%x) {alpha=0.1}",
                                         "leaky_relu(%x) {alpha=-0.3}",
                                         "leaky_relu(%x) {alpha=1.7}", "logistic(%x)", "tanh(%x)",
                                         "hard_swish(%x)", "quantize(%x)", "relu_n1_to_1(%x)",
                                         "relu_0_to_1(%x)", "elu(%x)", "gelu(%x)",
                                         "gelu(%x) {approximate=true}", "abs(%x)", "exp(%x)",
                                         "log(%x)", "sqrt(%x)", "rsqrt(%x)"));

TEST(LowerActivationToLut, a_slope_for_all_is_a_table_and_one_for_each_channel_is_not) {
  for (const ir::Numerics numerics : {ir::Numerics::kTflite, ir::Numerics::kXnnpack}) {
    ir::Graph before = ir::parse(R"(graph "g" tflite {
      input %x : int8[256] q(0.05, -3)
      const %a : int8[1] q(0.003, 5) = [90]
      %y = prelu(%x, %a) : int8[256] q(0.03, 7)
      output %y
    })");
    before.numerics = numerics;
    ir::Graph after = before;
    ASSERT_EQ(lower_activation_to_lut(after), 1);
    EXPECT_EQ(*after.tensor(after.ops[0].input(1)).data,
              reference::run(before, {{ir::DType::kInt8, {256}, counting()}}).at(0).data);
  }
  ir::Graph channels = ir::parse(R"(graph "g" tflite {
    input %x : int8[3,2] q(0.05, -3)
    const %a : int8[2] q(0.003, 5) = [90, 7]
    %y = prelu(%x, %a) : int8[3,2] q(0.03, 7)
    output %y
  })");
  EXPECT_EQ(lower_activation_to_lut(channels), 0);
}

TEST(LowerActivationToLut, a_stored_value_is_negated) {
  const ir::Graph before = all_values("neg(%x)", {0.5f, 3}, {0.5f, -3}, ir::Numerics::kTflite);
  ir::Graph after = before;
  ASSERT_EQ(lower_activation_to_lut(after), 1);
  EXPECT_EQ(*after.tensor(after.ops[0].input(1)).data,
            reference::run(before, {{ir::DType::kInt8, {256}, counting()}}).at(0).data);
}

TEST(LowerActivationToLut, the_op_keeps_its_result_and_gets_a_table) {
  const ir::Graph g = rewritten(lower_activation_to_lut, R"(graph "g" tflite {
    input %x : int8[1,2,2,3] q(0.5, -3)
    %y = leaky_relu(%x) {alpha=0.1} from [4] : int8[1,2,2,3] q(0.25, 9)
    %z = add(%y, %x) : int8[1,2,2,3] q(0.5, 0)
    output %z
  })",
                                1);
  EXPECT_THAT(op_lines(g), ElementsAre("y = lut(x, y/table)", "z = add(y, x)"));
  EXPECT_THAT(g.ops[0].source_ops, ElementsAre(4));
  EXPECT_EQ(g.ops[0].output(), 1);
}

TEST(LowerActivationToLut, other_types_stay) {
  ir::Graph g = ir::parse(R"(graph "g" tflite {
    input %x : float32[4]
    %y = quantize(%x) : int8[4] q(0.25, 9)
    %z = quantize(%y) : uint8[4] q(0.25, 9)
    output %z
  })");
  EXPECT_EQ(lower_activation_to_lut(g), 0);
}

}  // namespace
}  // namespace presil::passes
