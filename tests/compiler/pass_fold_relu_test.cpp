#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

std::string conv_then(const std::string& act, const std::string& relu, const std::string& y_type,
                      const std::string& output) {
  return R"(graph "g" tflite {
    input %x : int8[1,5,5,2] q(0.5, -3)
    const %w : int8[3,3,3,2] q(0.02, 0) = random 7
    %y = conv2d(%x, %w) {act=)" +
         act + R"(} from [0] : int8[1,3,3,3] q(0.08, 4)
    %z = )" +
         relu + "(%y) from [1] : int8[1,3,3,3] " + y_type + "\n    output " + output + "\n  }";
}

TEST(FoldRelu, becomes_the_clamp_of_the_op_before) {
  const ir::Graph g = rewritten(fold_relu, conv_then("none", "relu", "q(0.08, 4)", "%z"), 1);
  ASSERT_THAT(op_lines(g), ElementsAre("z = conv2d(x, w)"));
  EXPECT_EQ(g.ops[0].as<ir::Conv2d>().act, ir::Activation::kRelu);
  EXPECT_THAT(g.ops[0].source_ops, ElementsAre(0, 1));
}

TEST(FoldRelu, relu6_tightens_relu_and_relu_adds_nothing_to_relu6) {
  for (const char* text : {"relu relu6", "relu6 relu", "relu6 relu6", "none relu6"}) {
    const std::string pair = text;
    const size_t space = pair.find(' ');
    const ir::Graph g = rewritten(
        fold_relu, conv_then(pair.substr(0, space), pair.substr(space + 1), "q(0.08, 4)", "%z"), 1);
    EXPECT_EQ(g.ops.at(0).as<ir::Conv2d>().act, ir::Activation::kRelu6) << pair;
  }
}

TEST(FoldRelu, another_scale_or_another_reader_keeps_it) {
  rewritten(fold_relu, conv_then("none", "relu", "q(0.09, 4)", "%z"), 0);
  rewritten(fold_relu, conv_then("none", "relu", "q(0.08, 5)", "%z"), 0);
  rewritten(fold_relu, conv_then("none", "relu", "q(0.08, 4)", "%z, %y"), 0);
  rewritten(fold_relu, conv_then("relu_n1_to_1", "relu", "q(0.08, 4)", "%z"), 0);
}

// 6 is 1.5 steps of 4. With zero point 5 a fused clamp ends at round_even(6.5) = 6, RELU6 at 5 + 2.
TEST(FoldRelu, a_bound_that_rounds_otherwise_keeps_it) {
  const auto text = [](const std::string& numerics, const std::string& zero) {
    return "graph \"g\" " + numerics + R"( {
    input %x : int8[1,5,5,2] q(0.5, -3)
    const %w : int8[3,3,3,2] q(0.5, 0) = random 7
    %y = conv2d(%x, %w) : int8[1,3,3,3] q(4, )" +
           zero + R"()
    %z = relu6(%y) : int8[1,3,3,3] q(4, )" +
           zero + ")\n output %z\n }";
  };
  const auto folded = [&](const std::string& numerics, const std::string& zero) {
    ir::Graph graph = ir::parse(text(numerics, zero));
    const ir::Graph before = graph;
    const int count = fold_relu(graph);
    expect_same_values(before, graph);
    return count;
  };
  EXPECT_EQ(folded("xnnpack", "5"), 0);
  EXPECT_EQ(folded("xnnpack", "4"), 1);
  EXPECT_EQ(folded("tflite", "5"), 1);
}

TEST(FoldRelu, becomes_the_clamp_of_a_pool_too_under_both_rule_sets) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    rewritten(fold_relu, std::string("graph \"g\" ") + numerics + R"( {
    input %x : int8[1,4,4,3] q(0.08, 4)
    %y = average_pool2d(%x) {kernel_h=2, kernel_w=2, stride_h=2, stride_w=2} : int8[1,2,2,3] q(0.08, 4)
    %z = relu6(%y) : int8[1,2,2,3] q(0.08, 4)
    output %z
  })",
              1);
  }
}

TEST(FoldRelu, after_an_input_or_a_table_it_stays) {
  rewritten(fold_relu, R"(graph "g" tflite {
    input %x : int8[1,5] q(0.5, -3)
    %y = leaky_relu(%x) {alpha=0.5} : int8[1,5] q(0.5, -3)
    %z = relu(%y) : int8[1,5] q(0.5, -3)
    %v = relu(%x) : int8[1,5] q(0.5, -3)
    output %z, %v
  })",
            0);
}

}  // namespace
}  // namespace presil::passes
