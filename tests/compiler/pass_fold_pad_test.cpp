#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

std::string padded_conv(const std::string& pad, const std::string& y, const std::string& z) {
  return R"(graph "g" tflite {
    input %x : int8[1,5,5,2] q(0.5, -3)
    const %w : int8[3,3,3,2] q(0.02, 0) = random 7
    %y = pad(%x) {)" +
         pad + "} from [0] : int8[1," + y + R"(,2] q(0.5, -3)
    %z = conv2d(%y, %w) {pad_top=1} from [1] : int8[1,)" +
         z + R"(,3] q(0.8, 4)
    output %z
  })";
}

TEST(FoldPad, zero_padding_moves_into_the_convolution) {
  ir::Graph g = rewritten(
      fold_pad, padded_conv("before=[0,1,1,0], after=[0,0,2,0], value=-3", "6,8", "5,6"), 1);
  EXPECT_THAT(op_lines(g), ElementsAre("y = pad(x)", "z = conv2d(x, w)"));
  const ir::Conv2d& conv = g.ops[1].as<ir::Conv2d>();
  EXPECT_EQ(conv.pad_top, 2);
  EXPECT_EQ(conv.pad_left, 1);
  EXPECT_EQ(conv.pad_bottom, 0);
  EXPECT_EQ(conv.pad_right, 2);
  EXPECT_THAT(g.ops[1].source_ops, ElementsAre(0, 1));
  EXPECT_EQ(remove_dead(g), 1);
}

TEST(FoldPad, padding_as_large_as_the_kernel_stays) {
  rewritten(fold_pad, padded_conv("before=[0,2,0,0], after=[0,0,0,0], value=-3", "7,5", "6,3"), 0);
  rewritten(fold_pad, padded_conv("before=[0,0,0,0], after=[0,0,3,0], value=-3", "5,8", "4,6"), 0);
}

TEST(FoldPad, padding_with_another_value_stays) {
  rewritten(fold_pad, padded_conv("before=[0,1,1,0], after=[0,0,2,0], value=-4", "6,8", "5,6"), 0);
}

TEST(FoldPad, channels_are_not_rows_or_columns) {
  rewritten(fold_pad, R"(graph "g" tflite {
    input %x : int8[1,5,5,2] q(0.5, -3)
    const %w : int8[3,3,3,3] q(0.02, 0) = random 7
    %y = pad(%x) {before=[0,0,0,1], after=[0,0,0,0], value=-3} : int8[1,5,5,3] q(0.5, -3)
    %z = conv2d(%y, %w) : int8[1,3,3,3] q(0.8, 4)
    output %z
  })",
            0);
}

TEST(FoldPad, each_reader_that_can_takes_it_depthwise_too) {
  const ir::Graph g = rewritten(fold_pad, R"(graph "g" tflite {
    input %x : int8[1,5,5,2] q(0.5, -3)
    const %w : int8[3,3,3,2] q(0.02, 0) = random 7
    const %d : int8[1,3,3,2] q(0.02, 0) = random 7
    %y = pad(%x) {before=[0,1,1,0], after=[0,1,1,0], value=-3} : int8[1,7,7,2] q(0.5, -3)
    %z = conv2d(%y, %w) : int8[1,5,5,3] q(0.8, 4)
    %v = depthwise_conv2d(%y, %d) : int8[1,5,5,2] q(0.8, 4)
    %m = max_pool2d(%y) {kernel_h=2, kernel_w=2} : int8[1,6,6,2] q(0.5, -3)
    output %z, %v, %m
  })",
                                2);
  EXPECT_THAT(op_lines(g), ElementsAre("y = pad(x)", "z = conv2d(x, w)",
                                       "v = depthwise_conv2d(x, d)", "m = max_pool2d(y)"));
}

}  // namespace
}  // namespace presil::passes
