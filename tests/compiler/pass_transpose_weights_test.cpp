#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

std::string dense(const std::string& x, const std::string& w, const std::string& y,
                  const std::string& attributes = "") {
  return "graph \"g\" tflite { input %x : " + x + "\ninput %w : " + w +
         "\n%y = fully_connected(%x, %w) " + attributes + " from [3] : " + y + "\noutput %y }";
}

TEST(TransposeWeights, of_floats_that_the_graph_computes) {
  const ir::Graph g =
      rewritten(transpose_weights, dense("float32[99,64]", "float32[30,64]", "float32[99,30]"), 1);
  EXPECT_THAT(op_lines(g),
              ElementsAre("y/weights = transpose(w)", "y = batch_matmul(x, y/weights)"));
  EXPECT_THAT(g.tensor(g.ops[0].output()).shape, ElementsAre(64, 30));
  EXPECT_THAT(g.ops[0].source_ops, ElementsAre(3));
}

TEST(TransposeWeights, rows_that_the_result_counts_another_way) {
  const ir::Graph g =
      rewritten(transpose_weights, dense("float32[1,4,9,7]", "float32[3,7]", "float32[36,3]"), 1);
  EXPECT_THAT(op_lines(g), ElementsAre("y/weights = transpose(w)", "y/rows = reshape(x)",
                                       "y = batch_matmul(y/rows, y/weights)"));
}

TEST(TransposeWeights, matrices_of_a_batch) {
  const ir::Graph g = rewritten(transpose_weights, R"(graph "g" tflite {
    input %a : float32[2,20,5]
    input %b : float32[2,4,5]
    %y = batch_matmul(%a, %b) {transpose_b=true} from [0] : float32[2,20,4]
    output %y
  })",
                                1);
  EXPECT_THAT(op_lines(g),
              ElementsAre("y/weights = transpose(b)", "y = batch_matmul(a, y/weights)"));
  EXPECT_FALSE(g.ops[1].as<ir::BatchMatmul>().transpose_b);
  ir::Graph folded = g;
  EXPECT_EQ(fold_transpose(folded), 0);  // it remains transposed
}

TEST(TransposeWeights, few_rows_integers_and_what_is_fused_stay) {
  rewritten(transpose_weights, dense("float32[15,64]", "float32[30,64]", "float32[15,30]"), 0);
  rewritten(transpose_weights,
            dense("float32[99,64]", "float32[30,64]", "float32[99,30]", "{act=relu}"), 0);
  rewritten(transpose_weights,
            dense("int8[99,64] q(0.5, 0)", "int8[30,64] q(0.5, 0)", "int8[99,30] q(9, 0)"), 0);
}

TEST(TransposeWeights, of_what_was_transposed_before_nothing_is_left_to_move) {
  ir::Graph g = ir::parse(R"(graph "g" tflite {
    input %x : float32[1,99,64]
    input %k : float32[64,30]
    %w = transpose(%k) {perm=[1,0]} from [0] : float32[30,64]
    %y = fully_connected(%x, %w) from [1] : float32[1,99,30]
    output %y
  })");
  const ir::Graph before = g;
  run_passes(g);
  EXPECT_THAT(op_lines(g), ElementsAre("y = batch_matmul(x, k)"));
  expect_same_values(before, g);
}

}  // namespace
}  // namespace presil::passes
