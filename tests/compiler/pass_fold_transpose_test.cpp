#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

std::string product(const std::string& operand, const std::string& attributes) {
  return R"(graph "g" tflite {
    input %a : int8[1,3,5] q(0.5, -3)
    input %x : int8[1,5,4] q(0.25, 7)
    %y = transpose(%x) {perm=[0,2,1]} from [0] : int8[1,4,5] q(0.25, 7)
    %w = transpose(%y) {perm=[0,2,1]} from [1] : int8[1,5,4] q(0.25, 7)
    %z = batch_matmul(%a, %)" +
         operand + ") {" + attributes + R"(} from [3] : int8[1,3,4] q(0.8, 4)
    output %z
  })";
}

TEST(FoldTranspose, of_the_last_two_axes_the_product_reads_the_other_way) {
  const ir::Graph g = rewritten(fold_transpose, product("y", "transpose_b=true"), 1);
  EXPECT_EQ(op_lines(g).back(), "z = batch_matmul(a, x)");
  EXPECT_FALSE(g.ops.back().as<ir::BatchMatmul>().transpose_b);
  EXPECT_THAT(g.ops.back().source_ops, ElementsAre(0, 3));
}

TEST(FoldTranspose, two_of_them_are_none) {
  const ir::Graph g = rewritten(fold_transpose, product("w", ""), 2);
  EXPECT_EQ(op_lines(g).back(), "z = batch_matmul(a, x)");
  EXPECT_FALSE(g.ops.back().as<ir::BatchMatmul>().transpose_b);
}

TEST(FoldTranspose, of_the_first_operand_too_and_other_readers_keep_it) {
  ir::Graph g = rewritten(fold_transpose, R"(graph "g" tflite {
    input %x : int8[6,5] q(0.25, 7)
    input %b : int8[6,4] q(0.5, -3)
    %y = transpose(%x) {perm=[1,0]} from [0] : int8[5,6] q(0.25, 7)
    %z = batch_matmul(%y, %b) from [1] : int8[5,4] q(0.8, 4)
    output %z, %y
  })",
                          1);
  EXPECT_THAT(op_lines(g), ElementsAre("y = transpose(x)", "z = batch_matmul(x, b)"));
  EXPECT_TRUE(g.ops[1].as<ir::BatchMatmul>().transpose_a);
  EXPECT_EQ(remove_dead(g), 0);
}

TEST(FoldTranspose, any_other_order_of_axes_stays) {
  rewritten(fold_transpose, R"(graph "g" tflite {
    input %a : int8[4,3,5] q(0.5, -3)
    input %x : int8[5,4,2] q(0.25, 7)
    %y = transpose(%x) {perm=[1,0,2]} from [0] : int8[4,5,2] q(0.25, 7)
    %z = batch_matmul(%a, %y) from [1] : int8[4,3,2] q(0.8, 4)
    output %z
  })",
            0);
}

}  // namespace
}  // namespace presil::passes
