#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

TEST(SinkTransposes, a_sum_of_two_is_transposed_once) {
  const ir::Graph g = rewritten(sink_transposes, R"(graph "g" tflite {
    input %a : int8[1,4,5,3] q(0.5, 1)
    input %b : int8[1,4,5,3] q(0.25, 7)
    %p = transpose(%a) {perm=[0,3,1,2]} from [0] : int8[1,3,4,5] q(0.5, 1)
    %q = transpose(%b) {perm=[0,3,1,2]} from [1] : int8[1,3,4,5] q(0.25, 7)
    %y = add(%p, %q) from [2] : int8[1,3,4,5] q(1, 0)
    output %y
  })",
                                1);
  EXPECT_EQ(op_lines(g)[2], "y/sunk = add(a, b)");
  EXPECT_EQ(op_lines(g)[3], "y = transpose(y/sunk)");
  EXPECT_THAT(g.ops[2].source_ops, ElementsAre(2));
  EXPECT_THAT(g.ops[3].source_ops, ElementsAre(0, 1));
}

TEST(SinkTransposes, constants_go_the_other_way_round) {
  const ir::Graph g = rewritten(sink_transposes, R"(graph "g" tflite {
    input %a : int8[1,1,2,3] q(0.5, 1)
    const %c : int8[1,3,1,1] q(0.5, 0) = [1, 2, 3]
    const %d : int8[] q(0.5, 0) = [5]
    %p = transpose(%a) {perm=[0,3,1,2]} from [0] : int8[1,3,1,2] q(0.5, 1)
    %y = mul(%p, %c) from [1] : int8[1,3,1,2] q(1, 0)
    %z = sub(%d, %y) from [2] : int8[1,3,1,2] q(1, 0)
    output %z
  })",
                                2);
  EXPECT_EQ(op_lines(g)[1], "y/sunk = mul(a, c/sunk)");
  EXPECT_EQ(op_lines(g)[3], "z/sunk = sub(d, y/sunk)");
  EXPECT_THAT(g.tensor(g.ops[1].input(1)).shape, ElementsAre(1, 1, 1, 3));
}

TEST(SinkTransposes, a_concatenation_joins_along_the_axis_that_was_moved) {
  const ir::Graph g = rewritten(sink_transposes, R"(graph "g" tflite {
    input %a : int8[1,4,5,3] q(0.5, 1)
    input %b : int8[1,4,5,2] q(0.5, 1)
    %p = transpose(%a) {perm=[0,3,1,2]} from [0] : int8[1,3,4,5] q(0.5, 1)
    %q = transpose(%b) {perm=[0,3,1,2]} from [1] : int8[1,2,4,5] q(0.5, 1)
    %y = concat(%p, %q) {axis=1} from [2] : int8[1,5,4,5] q(0.5, 1)
    output %y
  })",
                                1);
  EXPECT_EQ(g.ops[2].as<ir::Concat>().axis, 3);
}

TEST(SinkTransposes, a_network_with_channels_first_has_no_transposes_left) {
  ir::Graph g = ir::parse(R"(graph "g" tflite {
    input %x : int8[1,4,4,3] q(0.5, 1)
    const %w : int8[3,1,1,3] q(0.25, 0) = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    const %s : int8[] q(0.5, 0) = [3]
    %a = conv2d(%x, %w) from [0] : int8[1,4,4,3] q(0.5, 1)
    %b = transpose(%a) {perm=[0,3,1,2]} from [1] : int8[1,3,4,4] q(0.5, 1)
    %c = mul(%b, %s) from [2] : int8[1,3,4,4] q(0.5, 1)
    %d = add(%c, %c) from [3] : int8[1,3,4,4] q(0.5, 1)
    %e = transpose(%d) {perm=[0,2,3,1]} from [4] : int8[1,4,4,3] q(0.5, 1)
    %y = conv2d(%e, %w) from [5] : int8[1,4,4,3] q(0.5, 1)
    output %y
  })");
  const ir::Graph before = g;
  run_passes(g);
  expect_same_values(before, g);
  for (const ir::Op& op : g.ops) EXPECT_NE(op.kind, ir::OpKind::kTranspose) << op.name;
}

TEST(SinkTransposes, a_mean_is_over_the_axes_that_were_moved) {
  const ir::Graph g = rewritten(sink_transposes, R"(graph "g" tflite {
    input %a : int8[2,4,5,3] q(0.5, 1)
    %p = transpose(%a) {perm=[3,0,2,1]} from [0] : int8[3,2,5,4] q(0.5, 1)
    %y = mean(%p) {axes=[2]} from [1] : int8[3,2,4] q(0.5, 0)
    %q = transpose(%a) {perm=[0,3,1,2]} from [2] : int8[2,3,4,5] q(0.5, 1)
    %z = reduce_max(%q) {axes=[2,3], keep_dims=true} from [3] : int8[2,3,1,1] q(0.5, 1)
    output %y, %z
  })",
                                2);
  EXPECT_THAT(g.ops[1].as<ir::Reduce>().axes, ElementsAre(2));  // [2,4,3]
  EXPECT_THAT(g.ops[2].as<ir::Transpose>().perm, ElementsAre(2, 0, 1));
  EXPECT_THAT(g.ops[4].as<ir::Reduce>().axes, ElementsAre(1, 2));
}

TEST(SinkTransposes, floats_are_summed_as_they_stand) {
  rewritten(sink_transposes, R"(graph "g" tflite {
    input %a : float32[1,4,5,3]
    %p = transpose(%a) {perm=[0,3,1,2]} from [0] : float32[1,3,4,5]
    %y = mean(%p) {axes=[2,3]} from [1] : float32[1,3]
    output %y
  })",
            0);
}

TEST(SinkTransposes, one_that_others_read_stays_in_front) {
  rewritten(sink_transposes, R"(graph "g" tflite {
    input %a : int8[1,4,5,3] q(0.5, 1)
    input %b : int8[1,3,4,5] q(0.5, 1)
    %p = transpose(%a) {perm=[0,3,1,2]} from [0] : int8[1,3,4,5] q(0.5, 1)
    %q = transpose(%a) {perm=[0,3,1,2]} from [1] : int8[1,3,4,5] q(0.5, 1)
    %y = add(%p, %p) from [2] : int8[1,3,4,5] q(1, 0)
    %z = relu(%p) from [3] : int8[1,3,4,5] q(0.5, 1)
    %u = add(%q, %b) from [4] : int8[1,3,4,5] q(1, 0)
    output %y, %z, %u
  })",
            0);
}

TEST(SinkTransposes, unlike_permutations_stay_in_front) {
  rewritten(sink_transposes, R"(graph "g" tflite {
    input %a : int8[1,4,4,4] q(0.5, 1)
    %p = transpose(%a) {perm=[0,3,1,2]} from [0] : int8[1,4,4,4] q(0.5, 1)
    %q = transpose(%a) {perm=[0,2,3,1]} from [1] : int8[1,4,4,4] q(0.5, 1)
    %y = add(%p, %q) from [2] : int8[1,4,4,4] q(1, 0)
    output %y
  })",
            0);
}

}  // namespace
}  // namespace presil::passes
