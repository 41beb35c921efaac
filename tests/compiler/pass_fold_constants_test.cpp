#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

TEST(FoldConstants, a_chain_of_moves_is_done_by_the_compiler) {
  const ir::Graph g = rewritten(fold_constants, R"(graph "g" tflite {
    input %x : int8[1,3,2] q(0.5, 1)
    const %c : int8[2,3] q(0.5, 1) = [1, 2, 3, 4, 5, 6]
    %t = transpose(%c) {perm=[1,0]} from [0] : int8[3,2] q(0.5, 1)
    %r = reshape(%t) from [1] : int8[1,3,2] q(0.5, 1)
    %y = add(%x, %r) from [2] : int8[1,3,2] q(1, 0)
    output %y
  })",
                                2);
  EXPECT_THAT(op_lines(g), ElementsAre("y = add(x, r)"));
  EXPECT_THAT(*g.tensor(g.ops[0].input(1)).data, ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(g.ops[0].source_ops, ElementsAre(0, 1, 2));
}

TEST(FoldConstants, slices_and_concatenations_of_int32_are_folded) {
  const ir::Graph g = rewritten(fold_constants, R"(graph "g" tflite {
    input %x : int8[1,4,3] q(0.5, 1)
    const %a : int32[4] = [3, 2, 1, 0]
    const %b : int32[1] = [2]
    %s = strided_slice(%a) {begin=[0], size=[2], step=[2]} from [0] : int32[2]
    %c = concat(%s, %b) {axis=0} from [1] : int32[3]
    %y = gather(%x, %c) {axis=1} from [2] : int8[1,3,3] q(0.5, 1)
    output %y
  })",
                                2);
  EXPECT_THAT(op_lines(g), ElementsAre("y = gather(x, c)"));
}

TEST(FoldConstants, a_table_is_looked_up) {
  ir::Graph g = ir::parse(R"(graph "g" tflite {
    input %x : int8[1,2] q(0.5, 0)
    const %c : int8[1,2] q(0.5, 0) = [-3, 4]
    %r = relu(%c) from [0] : int8[1,2] q(0.5, 0)
    %y = add(%x, %r) from [1] : int8[1,2] q(1, 0)
    output %y
  })");
  ASSERT_EQ(lower_activation_to_lut(g), 1);
  EXPECT_EQ(fold_constants(g), 1);
  EXPECT_THAT(op_lines(g), ElementsAre("y = add(x, r)"));
  EXPECT_THAT(*g.tensor(g.ops[0].input(1)).data, ElementsAre(0, 4));
}

TEST(FoldConstants, an_output_of_the_network_is_still_made) {
  rewritten(fold_constants, R"(graph "g" tflite {
    input %x : int8[1,2] q(0.5, 0)
    const %c : int8[2,1] q(0.5, 0) = [-3, 4]
    %y = reshape(%c) from [0] : int8[1,2] q(0.5, 0)
    %z = relu(%x) from [1] : int8[1,2] q(0.5, 0)
    output %y, %z
  })",
            0);
}

// Under xnnpack a fully connected by computed rows rounds halves up, by a constant to even.
TEST(FoldConstants, what_decides_how_a_product_is_rounded_stays) {
  ir::Graph g = ir::parse(R"(graph "g" xnnpack {
    input %x : int8[1,2] q(0.5, 0)
    const %c : int8[2,2] q(0.5, 0) = [1, 2, 3, 4]
    %w = transpose(%c) {perm=[1,0]} from [0] : int8[2,2] q(0.5, 0)
    %y = fully_connected(%x, %w) from [1] : int8[1,2] q(1, 0)
    output %y
  })");
  EXPECT_EQ(fold_constants(g), 0);
  g.numerics = ir::Numerics::kTflite;
  EXPECT_EQ(fold_constants(g), 1);
}

}  // namespace
}  // namespace presil::passes
