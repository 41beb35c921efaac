#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

TEST(ComposeTransposes, two_that_cancel_are_a_reshape_to_the_same) {
  const ir::Graph g = rewritten(compose_transposes, R"(graph "g" tflite {
    input %x : int8[1,4,5,3] q(0.5, 1)
    %y = transpose(%x) {perm=[0,3,1,2]} from [0] : int8[1,3,4,5] q(0.5, 1)
    %z = transpose(%y) {perm=[0,2,3,1]} from [1] : int8[1,4,5,3] q(0.5, 1)
    output %z
  })",
                                2);
  EXPECT_EQ(op_lines(g).back(), "z = reshape(x)");
  EXPECT_THAT(g.ops.back().source_ops, ElementsAre(0, 1));
}

TEST(ComposeTransposes, two_that_do_not_are_one_and_other_readers_keep_the_first) {
  const ir::Graph g = rewritten(compose_transposes, R"(graph "g" tflite {
    input %x : int16[2,4,5,3] q(0.5, 0)
    %y = transpose(%x) {perm=[0,3,1,2]} from [0] : int16[2,3,4,5] q(0.5, 0)
    %z = transpose(%y) {perm=[1,0,3,2]} from [1] : int16[3,2,5,4] q(0.5, 0)
    output %z, %y
  })",
                                1);
  EXPECT_THAT(op_lines(g), ElementsAre("y = transpose(x)", "z = transpose(x)"));
  EXPECT_THAT(g.ops[1].as<ir::Transpose>().perm, ElementsAre(3, 0, 2, 1));
}

TEST(ComposeTransposes, chains_of_any_length_are_one) {
  const ir::Graph g = rewritten(compose_transposes, R"(graph "g" tflite {
    input %x : int8[2,3,4] q(0.5, 1)
    %a = transpose(%x) {perm=[1,2,0]} from [0] : int8[3,4,2] q(0.5, 1)
    %b = transpose(%a) {perm=[1,2,0]} from [1] : int8[4,2,3] q(0.5, 1)
    %c = transpose(%b) {perm=[1,2,0]} from [2] : int8[2,3,4] q(0.5, 1)
    output %c
  })",
                                3);
  EXPECT_EQ(op_lines(g).back(), "c = reshape(x)");
}

TEST(ComposeTransposes, axes_of_1_alone_move_no_bytes) {
  const ir::Graph g = rewritten(compose_transposes, R"(graph "g" tflite {
    input %x : int8[8,1,5] q(0.5, 1)
    %y = transpose(%x) {perm=[0,2,1]} from [0] : int8[8,5,1] q(0.5, 1)
    output %y
  })",
                                1);
  EXPECT_EQ(op_lines(g).back(), "y = reshape(x)");
}

TEST(ComposeTransposes, one_that_moves_bytes_stays) {
  rewritten(compose_transposes, R"(graph "g" tflite {
    input %x : int8[8,1,5] q(0.5, 1)
    %y = transpose(%x) {perm=[2,1,0]} from [0] : int8[5,1,8] q(0.5, 1)
    output %y
  })",
            0);
}

}  // namespace
}  // namespace presil::passes
