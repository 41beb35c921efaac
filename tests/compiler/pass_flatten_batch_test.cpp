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

TEST(FlattenBatch, convolutions_of_a_pixel_tables_and_joined_channels_too) {
  const ir::Graph g = rewritten(flatten_batch, R"(graph "g" tflite {
    input %x : int8[2,3,4,5] q(0.5, 1)
    const %w : int8[6,1,1,5] q(0.25, 0) = random 3
    const %v : int8[6,3,1,5] q(0.25, 0) = random 3
    const %t : int8[256] q(1, 0) = random 4
    %c = conv2d(%x, %w) from [0] : int8[2,3,4,6] q(1, 0)
    %d = lut(%c, %t) from [1] : int8[2,3,4,6] q(1, 0)
    %y = concat(%c, %d) {axis=3} from [2] : int8[2,3,4,12] q(1, 0)
    %r = concat(%c, %d) {axis=1} from [3] : int8[2,6,4,6] q(1, 0)
    %k = conv2d(%x, %v) from [4] : int8[2,1,4,6] q(1, 0)
    output %y, %r, %k
  })",
                                3);
  EXPECT_THAT(
      op_lines(g),
      ElementsAre("x/rows = reshape(x)", "c/rows = conv2d(x/rows, w)", "c = reshape(c/rows)",
                  "c/rows = reshape(c)", "d/rows = lut(c/rows, t)", "d = reshape(d/rows)",
                  "c/rows = reshape(c)", "d/rows = reshape(d)", "y/rows = concat(c/rows, d/rows)",
                  "y = reshape(y/rows)", "r = concat(c, d)", "k = conv2d(x, v)"));
  EXPECT_THAT(g.tensor(g.ops[1].output()).shape, ElementsAre(1, 6, 4, 6));
}

TEST(FlattenBatch, rows_are_doubled_whatever_image_they_are_of) {
  const ir::Graph g = rewritten(flatten_batch, R"(graph "g" tflite {
    input %x : int8[3,2,4,5] q(0.5, 1)
    %y = resize_nearest(%x) from [0] : int8[3,4,8,5] q(0.5, 1)
    %z = resize_nearest(%x) {align_corners=true} from [1] : int8[3,4,8,5] q(0.5, 1)
    %t = resize_nearest(%x) from [2] : int8[3,6,8,5] q(0.5, 1)
    output %y, %z, %t
  })",
                                1);
  EXPECT_THAT(g.tensor(g.ops[1].output()).shape, ElementsAre(1, 12, 8, 5));
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
