// Trees of operators over one value become one table, which gives what the reference interpreter's
// operators give one after another, at all 256 values, over random scales and both rule sets.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

/// A type with random scale (2^-9 to 2^3) and zero point.
std::string random_type(std::mt19937& random, const std::string& shape) {
  std::uniform_real_distribution<double> exponent(-9, 3);
  std::uniform_int_distribution<int> zero(-128, 127);
  char text[64];
  std::snprintf(text, sizeof text, "int8[%s] q(%.9g, %d)", shape.c_str(),
                std::exp2(exponent(random)), zero(random));
  return text;
}

struct Tree {
  const char* name;
  std::vector<const char*> ops;  ///< the last makes the output; %x input, %c and %d constants
};

std::string text_of(const Tree& tree, std::mt19937& random) {
  const auto type = [&](const char* shape) { return random_type(random, shape); };
  std::string text = "graph \"g\" tflite {\n input %x : " + type("256") + "\n";
  text += " const %c : " + type("1") + " = [" + std::to_string(int(random() % 256) - 128) + "]\n";
  text += " const %d : " + type("") + " = [" + std::to_string(int(random() % 256) - 128) + "]\n";
  for (size_t i = 0; i < tree.ops.size(); ++i) {
    text += " %t" + std::to_string(i) + " = " + tree.ops[i] + " : " + type("256") + "\n";
  }
  return text + " output %t" + std::to_string(tree.ops.size() - 1) + "\n}";
}

/// Every stored value once.
std::vector<reference::TensorValue> all_values() {
  ir::Bytes bytes(256);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i);
  return {{ir::DType::kInt8, {256}, bytes}};
}

class Trees : public testing::TestWithParam<Tree> {};

TEST_P(Trees, become_one_table_with_the_operators_values) {
  std::mt19937 random(7);
  int tables = 0;
  for (int round = 0; round < 40; ++round) {
    const std::string text = text_of(GetParam(), random);
    for (const ir::Numerics numerics : {ir::Numerics::kTflite, ir::Numerics::kXnnpack}) {
      ir::Graph before = ir::parse(text);
      before.numerics = numerics;
      ir::verify(before);
      ir::Graph after = before;
      lower_activation_to_lut(after);
      fuse_tables(after);
      ASSERT_EQ(fuse_tables(after), 0) << "the second run still finds work";
      ir::verify(after);
      const bool xnnpack = numerics == ir::Numerics::kXnnpack;  // whose sums have narrow ranges
      if (xnnpack && (after.ops.size() > 1 || after.ops[0].kind != ir::OpKind::kLut)) continue;
      ++tables;
      ASSERT_EQ(after.ops.size(), 1u);
      ASSERT_EQ(after.ops[0].kind, ir::OpKind::kLut);
      const auto expected = reference::run(before, all_values()).at(0).data;
      ASSERT_EQ(*after.tensor(after.ops[0].input(1)).data, expected) << ir::print(before);
    }
  }
  EXPECT_GE(tables, 40);
}

// Leaky ReLU and a clamp, as they are written out: what is compared means the same.
TEST(FuseTables, choices_of_one_value_are_tables) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    const ir::Graph before = ir::parse("graph \"g\" " + std::string(numerics) + R"( {
      input %x : int8[256] q(0.25, 3)
      const %slope : int8[] q(0.01, 0) = [17]
      const %most : int8[1] q(0.25, 3) = [27]
      %s = mul(%x, %slope) : int8[256] q(0.25, 3)
      %m = maximum(%s, %x) : int8[256] q(0.25, 3)
      %y = minimum(%most, %m) : int8[256] q(0.25, 3)
      output %y
    })");
    ir::Graph after = before;
    fuse_tables(after);
    ASSERT_EQ(after.ops.size(), 1u);
    EXPECT_EQ(*after.tensor(after.ops[0].input(1)).data,
              reference::run(before, all_values()).at(0).data);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Of, Trees,
    testing::Values(Tree{"silu", {"logistic(%x)", "mul(%x, %t0)"}},
                    Tree{"silu_backwards", {"logistic(%x)", "mul(%t0, %x) {act=relu6}"}},
                    Tree{"hard_swish",
                         {"add(%x, %c)", "relu6(%t0)", "mul(%t1, %d)", "mul(%x, %t2)"}},
                    Tree{"quantize_chain", {"quantize(%x)", "quantize(%t0)", "quantize(%t1)"}},
                    Tree{"square", {"mul(%x, %x)"}},
                    Tree{"distance", {"squared_difference(%x, %d)"}},
                    Tree{"distances", {"elu(%x)", "squared_difference(%t0, %x)", "rsqrt(%t1)"}},
                    Tree{"add_constant", {"add(%x, %c)"}},
                    Tree{"constant_less_value", {"sub(%d, %x) {act=relu}"}},
                    Tree{"value_less_constant", {"sub(%x, %d) {act=relu_n1_to_1}"}},
                    Tree{"two_tables", {"tanh(%x)", "logistic(%x)", "sub(%t0, %t1)"}},
                    Tree{"shared",
                         {"leaky_relu(%x) {alpha=0.1}", "add(%t0, %x)", "mul(%t1, %t0)",
                          "tanh(%t2)", "sub(%t3, %x)"}},
                    Tree{"deep",
                         {"mul(%x, %c)", "logistic(%t0)", "mul(%t0, %t1)", "logistic(%t2)",
                          "mul(%t2, %t3)", "add(%t4, %t2)"}}),
    [](const auto& tree) { return tree.param.name; });

TEST(FuseTables, silu_after_a_convolution_is_one_table) {
  ir::Graph g = rewritten(fuse_tables, R"(graph "g" tflite {
    input %x : int8[1,5,5,2] q(0.5, -3)
    const %w : int8[3,3,3,2] q(0.02, 0) = random 7
    const %t : int8[256] = random 8
    %c = conv2d(%x, %w) from [0] : int8[1,3,3,3] q(0.1, 4)
    %s = lut(%c, %t) from [1] : int8[1,3,3,3] q(0.00390625, -128)
    %y = mul(%s, %c) from [2] : int8[1,3,3,3] q(0.05, -100)
    output %y
  })",
                          1);
  EXPECT_THAT(op_lines(g), ElementsAre("c = conv2d(x, w)", "y = lut(c, y/table)"));
  EXPECT_THAT(g.ops[1].source_ops, ElementsAre(1, 2));
}

TEST(FuseTables, a_tensor_that_others_read_stays_and_is_where_the_next_table_starts) {
  ir::Graph g = rewritten(fuse_tables, R"(graph "g" tflite {
    input %x : int8[1,5,5,2] q(0.5, -3)
    const %t : int8[256] = random 8
    %a = lut(%x, %t) : int8[1,5,5,2] q(0.1, 4)
    %m = max_pool2d(%a) {kernel_h=2, kernel_w=2} : int8[1,4,4,2] q(0.1, 4)
    %s = lut(%a, %t) : int8[1,5,5,2] q(0.00390625, -128)
    %y = mul(%s, %a) : int8[1,5,5,2] q(0.05, -100)
    output %m, %y
  })",
                          1);
  EXPECT_THAT(op_lines(g),
              ElementsAre("a = lut(x, t)", "m = max_pool2d(a)", "y = lut(a, y/table)"));
}

TEST(FuseTables, an_output_between_two_tables_stays) {
  rewritten(fuse_tables, R"(graph "g" tflite {
    input %x : int8[1,5,5,2] q(0.5, -3)
    const %t : int8[256] = random 8
    %a = lut(%x, %t) : int8[1,5,5,2] q(0.1, 4)
    %s = lut(%a, %t) : int8[1,5,5,2] q(0.00390625, -128)
    output %a, %s
  })",
            0);
}

TEST(FuseTables, two_different_values_or_constants_by_channel_are_no_table) {
  rewritten(fuse_tables, R"(graph "g" tflite {
    input %x : int8[1,5,5,2] q(0.5, -3)
    input %z : int8[1,5,5,2] q(0.5, -3)
    const %c : int8[2] q(0.1, 3) = [3, 4]
    %a = add(%x, %z) : int8[1,5,5,2] q(0.5, 4)
    %b = mul(%a, %c) : int8[1,5,5,2] q(0.5, -128)
    output %b
  })",
            0);
}

TEST(FuseTables, a_broadcast_value_is_no_table) {
  rewritten(fuse_tables, R"(graph "g" tflite {
    input %x : int8[1,1,1,2] q(0.5, -3)
    const %c : int8[1,2,2,2] q(0.1, 3) = [3, 3, 3, 3, 3, 3, 3, 3]
    %a = add(%x, %c) : int8[1,2,2,2] q(0.5, 4)
    output %a
  })",
            0);
}

}  // namespace
}  // namespace presil::passes
