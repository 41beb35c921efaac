#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

TEST(FlattenBatch, matrices_of_windows_are_rows_of_one_image) {
  const ir::Graph g = rewritten(flatten_batch, R"(graph "g" tflite {
    input %a : int8[4,2,5,3] q(0.5, 1)
    input %b : int8[4,2,7,3] q(0.25, 0)
    %y = batch_matmul(%a, %b) {transpose_b=true} from [3] : int8[4,2,5,7] q(1, 0)
    output %y
  })",
                                1);
  EXPECT_THAT(op_lines(g),
              ElementsAre("a/rows = reshape(a)", "b/rows = reshape(b)",
                          "y/rows = batch_matmul(a/rows, b/rows)", "y = reshape(y/rows)"));
  EXPECT_THAT(g.tensor(g.ops[2].output()).shape, ElementsAre(1, 8, 5, 7));
  EXPECT_THAT(g.ops[3].source_ops, ElementsAre(3));
}

TEST(FlattenBatch, layers_of_pixels_and_sums_too) {
  const ir::Graph g = rewritten(flatten_batch, R"(graph "g" tflite {
    input %x : int8[1,2,2,3,4] q(0.5, 1)
    const %w : int8[6,4] q(0.25, 0) = random 3
    const %c : int8[6] q(0.25, 0) = [1, 2, 3, 4, 5, 6]
    const %s : int8[] q(0.25, 0) = [9]
    %d = fully_connected(%x, %w) from [0] : int8[1,2,2,3,6] q(1, 0)
    %e = add(%d, %c) from [1] : int8[1,2,2,3,6] q(1, 0)
    %f = sub(%s, %e) from [2] : int8[1,2,2,3,6] q(1, 0)
    %y = mul(%f, %d) from [3] : int8[1,2,2,3,6] q(9, 0)
    output %y
  })",
                                4);
  EXPECT_THAT(g.tensor(g.ops[1].output()).shape, ElementsAre(1, 4, 3, 6));
}

TEST(FlattenBatch, operands_that_are_stretched_otherwise_stay) {
  rewritten(flatten_batch, R"(graph "g" tflite {
    input %a : int8[4,2,5,3] q(0.5, 1)
    input %b : int8[4,2,5,1] q(0.5, 1)
    input %m : int8[1,2,3,5] q(0.25, 0)
    %y = add(%a, %b) from [0] : int8[4,2,5,3] q(1, 0)
    %z = batch_matmul(%a, %m) from [1] : int8[4,2,5,5] q(1, 0)
    output %y, %z
  })",
            0);
}

TEST(FlattenBatch, one_image_stays_as_it_is) {
  rewritten(flatten_batch, R"(graph "g" tflite {
    input %a : int8[1,4,5,3] q(0.5, 1)
    input %b : int8[4,5,3] q(0.5, 1)
    %y = add(%a, %a) from [0] : int8[1,4,5,3] q(1, 0)
    %z = add(%b, %b) from [1] : int8[4,5,3] q(1, 0)
    output %y, %z
  })",
            0);
}

}  // namespace
}  // namespace presil::passes
