#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

TEST(RequantiseBeforeConcat, only_inputs_of_another_scale_go_through_a_table) {
  const ir::Graph g = rewritten(requantise_before_concat, R"(graph "g" tflite {
    input %a : int8[1,2,2,3] q(0.5, -3)
    input %b : int8[1,2,2,5] q(0.3, 7)
    input %c : int8[1,2,2,1] q(0.5, 9)
    %y = concat(%a, %b, %c) {axis=3} from [2] : int8[1,2,2,9] q(0.5, -3)
    output %y
  })",
                                2);
  EXPECT_THAT(op_lines(g), ElementsAre("b/requantised = lut(b, b/requantised/table)",
                                       "c/requantised = lut(c, c/requantised/table)",
                                       "y = concat(a, b/requantised, c/requantised)"));
  EXPECT_THAT(g.ops[0].source_ops, ElementsAre(2));
}

TEST(RequantiseBeforeConcat, the_float_rule_of_unsigned_bytes_is_kept) {
  rewritten(requantise_before_concat, R"(graph "g" tflite {
    input %a : int8[1,20,20,2] q(0.0475, -3)
    input %b : int8[1,20,20,2] q(0.0391, 21)
    %y = concat(%a, %b) {axis=1, in_float=true} : int8[1,40,20,2] q(0.0477, -4)
    output %y
  })",
            2);
}

TEST(RequantiseBeforeConcat, what_clamps_or_holds_no_int8_stays) {
  rewritten(requantise_before_concat, R"(graph "g" tflite {
    input %a : int8[1,2,2,3] q(0.5, -3)
    input %b : int8[1,2,2,5] q(0.3, 7)
    %y = concat(%a, %b) {axis=3, act=relu} : int8[1,2,2,8] q(0.5, -3)
    output %y
  })",
            0);
}

TEST(RequantiseBeforeConcat, tables_meet_those_of_the_convolutions) {
  ir::Graph g = ir::parse(R"(graph "g" tflite {
    input %x : int8[1,5,5,2] q(0.5, -3)
    const %w : int8[3,3,3,2] q(0.02, 0) = random 7
    %c = conv2d(%x, %w) from [0] : int8[1,3,3,3] q(0.1, 4)
    %s = logistic(%c) from [1] : int8[1,3,3,3] q(0.00390625, -128)
    %m = mul(%c, %s) from [2] : int8[1,3,3,3] q(0.05, -100)
    %r = reshape(%m) from [3] : int8[1,9,3] q(0.05, -100)
    %y = concat(%r, %r) {axis=2} from [4] : int8[1,9,6] q(0.06, -100)
    output %y
  })");
  const ir::Graph before = g;
  run_passes(g);
  expect_same_values(before, g);
  EXPECT_THAT(op_lines(g), ElementsAre("c = conv2d(x, w)",
                                       "r/requantised/lifted = lut(c, r/requantised/lifted/table)",
                                       "r/requantised = reshape(r/requantised/lifted)",
                                       "y = concat(r/requantised, r/requantised)"));
  EXPECT_THAT(g.ops[1].source_ops, ElementsAre(1, 2, 4));
}

}  // namespace
}  // namespace presil::passes
