// Sums that no fixed-point words give, under numerics onnx.
#include "compiler_bridge/common/standard_pair.h"
#include "compiler_bridge/passes/passes.h"
#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

std::string sum(const std::string& numerics, const std::string& a, const std::string& b,
                const std::string& y, const std::string& op = "add") {
  return "graph \"g\" " + numerics + " {\n  input %a : int8[1,4,4,8] q(" + a + ", 0)\n" +
         "  input %b : int8[1,4,4,8] q(" + b + ", 3)\n  %y = " + op +
         "(%a, %b) from [0] : " + "int8[1,4,4,8] q(" + y + ", -5)\n  output %y\n}\n";
}

/// The graph after the pass, by the numerics of its text.
ir::Graph changed(const std::string& text, int rewrites) {
  const ir::Graph before = ir::parse(text);
  ir::Graph after = before;
  EXPECT_EQ(pairs_in_float(after), rewrites);
  expect_same_values(before, after);
  EXPECT_EQ(pairs_in_float(after), 0) << "the second run still finds work";
  return after;
}

TEST(PassPairsInFloat, sums_midway_between_two_steps_are_floats) {
  const ir::Graph after = changed(sum("onnx", "0.25", "0.25", "0.5"), 1);
  ASSERT_EQ(after.ops.size(), 4u);
  EXPECT_EQ(after.ops[0].kind, ir::OpKind::kDequantize);
  EXPECT_EQ(after.ops[2].kind, ir::OpKind::kAdd);
  EXPECT_EQ(after.tensor(after.ops[2].output()).dtype, ir::DType::kFloat32);
  EXPECT_EQ(after.ops[3].kind, ir::OpKind::kQuantize);
}

TEST(PassPairsInFloat, sums_with_words_and_other_numerics_stay) {
  changed(sum("onnx", "0.0317", "0.0218", "0.0453"), 0);
  changed(sum("xnnpack", "0.25", "0.25", "0.5"), 0);
  changed(sum("tflite", "0.25", "0.25", "0.5"), 0);
}

// (a - 0) * 0.25 + (b - 3) * 0.25 over 0.5: (1 + 4 - 3) / 2 = 1, (2 + 4 - 3) / 2 = 1.5 -> 2,
// (0 + 4 - 3) / 2 = 0.5 -> 0; then - 5.
TEST(PassPairsInFloat, halves_go_to_the_even_step) {
  const ir::Graph graph = ir::parse(sum("onnx", "0.25", "0.25", "0.5"));
  EXPECT_EQ(common::standard_value(graph, graph.ops[0], 1, 4), -4);
  EXPECT_EQ(common::standard_value(graph, graph.ops[0], 2, 4), -3);
  EXPECT_EQ(common::standard_value(graph, graph.ops[0], 0, 4), -5);
  EXPECT_FALSE(common::standard_words(graph, graph.ops[0]));
}

}  // namespace
}  // namespace presil::passes
