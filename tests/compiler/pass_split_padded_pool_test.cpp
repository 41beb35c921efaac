#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

std::string pool(const std::string& attributes, const std::string& x, const std::string& y) {
  return "graph \"g\" tflite { input %x : " + x + "\n%y = average_pool2d(%x) {" + attributes +
         "} from [4] : " + y + "\noutput %y }";
}

// 2 x 2 of an odd image: the last row and column have windows of one.
TEST(SplitPaddedPool, windows_of_two_over_an_odd_image_are_of_four_kinds) {
  const ir::Graph g = rewritten(
      split_padded_pool,
      pool(
          "kernel_h=2, kernel_w=2, stride_h=2, stride_w=2, pad_bottom=1, pad_right=1, ties_up=true",
          "int8[1,7,9,20] q(0.5, -3)", "int8[1,4,5,20] q(0.5, -3)"),
      1);
  const std::string part = "y/part = average_pool2d(y/part)", slice = "y/part = strided_slice(x)";
  EXPECT_THAT(op_lines(g),
              ElementsAre(slice, part, slice, part, "y/part = concat(y/part, y/part)", slice, part,
                          slice, "y/part = concat(y/part, y/part)", "y = concat(y/part, y/part)"));
  EXPECT_THAT(g.ops[0].source_ops, ElementsAre(4));
}

TEST(SplitPaddedPool, padding_on_every_side) {
  const std::string all = "pad_top=1, pad_left=1, pad_bottom=1, pad_right=1, ties_up=true";
  const ir::Graph g = rewritten(split_padded_pool,
                                pool("kernel_h=3, kernel_w=3, act=relu, " + all,
                                     "int8[1,6,8,4] q(0.5, -3)", "int8[1,6,8,4] q(0.5, -3)"),
                                1);
  EXPECT_EQ(g.ops.size(), 8u + 9 + 3 + 1);  // the middle is of all of x
  rewritten(split_padded_pool,
            pool("kernel_h=3, kernel_w=3, stride_h=2, stride_w=2, " + all,
                 "int8[1,6,7,4] q(0.5, -3)", "int8[1,3,4,4] q(0.5, -3)"),
            1);
}

// Of columns no two are averaged: under the image's last row a window is one value.
TEST(SplitPaddedPool, windows_of_one_value_are_so_many_apart) {
  rewritten(split_padded_pool,
            pool("kernel_h=2, kernel_w=1, stride_w=2, pad_bottom=1, ties_up=true",
                 "int8[1,4,7,5] q(0.5, -3)", "int8[1,4,4,5] q(0.5, -3)"),
            1);
}

TEST(SplitPaddedPool, windows_around_one_value_each_are_a_copy) {
  const ir::Graph g =
      rewritten(split_padded_pool,
                pool("kernel_h=1, kernel_w=4, stride_w=3, pad_left=1, pad_right=2, ties_up=true",
                     "int8[1,7,1,16] q(0.5, -3)", "int8[1,7,1,16] q(0.5, -3)"),
                1);
  EXPECT_THAT(op_lines(g), ElementsAre("y = reshape(x)"));
}

TEST(SplitPaddedPool, no_padding_other_ties_clamps_of_one_tap_and_many_parts_stay) {
  const std::string image = "int8[1,8,8,4] q(0.5, -3)";
  rewritten(split_padded_pool,
            pool("kernel_h=2, kernel_w=2, ties_up=true", image, "int8[1,7,7,4] q(0.5, -3)"), 0);
  rewritten(split_padded_pool,
            pool("kernel_h=2, kernel_w=2, pad_bottom=1, pad_right=1", image, image), 0);
  rewritten(split_padded_pool,
            pool("kernel_h=2, kernel_w=2, pad_bottom=1, pad_right=1, ties_up=true, act=relu", image,
                 image),
            0);
  rewritten(split_padded_pool,
            pool("kernel_h=5, kernel_w=5, pad_top=2, pad_left=2, pad_bottom=2, pad_right=2, "
                 "ties_up=true",
                 image, image),
            0);
}

}  // namespace
}  // namespace presil::passes
