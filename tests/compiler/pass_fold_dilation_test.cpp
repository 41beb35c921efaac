#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

/// A 3x3 convolution of x [1,7,9,4] between blocks of 2 x 3; `crops` of the result.
std::string apart(const std::string& padding, const std::string& batch, const std::string& conv,
                  const std::string& after, const std::string& crops, const std::string& y,
                  const std::string& outputs = "%y") {
  return R"(graph "g" tflite {
    input %x : int8[1,7,9,4] q(0.5, -3)
    const %w : int8[4,3,3,4] q(0.1, 0) = random 1
    const %b : int32[4] = [5, -60, 700, 0]
    %a = space_to_batch(%x) {block=[2,3], )" +
         padding + "} from [0] : int8[" + batch + "] q(0.5, -3)\n%c = conv2d(%a, %w, %b) {" + conv +
         "} from [1] : int8[" + after + "] q(2.5, 7)\n%y = batch_to_space(%c) {block=[2,3], " +
         crops + "} from [2] : int8[" + y + "] q(2.5, 7)\noutput " + outputs + " }";
}

TEST(FoldDilation, a_convolution_of_blocks_reads_pixels_a_block_apart) {
  // Padded to 12 x 15 for SAME: 7 + 4 + 1 rows, 9 + 6 columns; the row too many is cut off.
  ir::Graph g = rewritten(fold_dilation,
                          apart("before=[2,3], after=[3,3]", "6,6,5,4", "act=relu", "6,4,3,4",
                                "before=[0,0], after=[1,0]", "1,7,9,4"),
                          1);
  remove_dead(g);
  ASSERT_EQ(g.ops.size(), 1u);
  const auto& conv = g.ops[0].as<ir::Conv2d>();
  EXPECT_EQ(conv.dilation_h, 2);
  EXPECT_EQ(conv.dilation_w, 3);
  EXPECT_EQ(conv.pad_top, 2);
  EXPECT_EQ(conv.pad_bottom, 2);
  EXPECT_EQ(conv.pad_left, 3);
  EXPECT_EQ(conv.pad_right, 3);
  EXPECT_EQ(conv.act, ir::Activation::kRelu);
  EXPECT_THAT(g.ops[0].source_ops, ElementsAre(0, 1, 2));
}

TEST(FoldDilation, padding_of_the_convolution_itself_is_a_block_wide) {
  const ir::Graph g =
      rewritten(fold_dilation,
                apart("before=[0,0], after=[1,0]", "6,4,3,4", "pad_top=1, pad_left=1, pad_right=1",
                      "6,3,3,4", "before=[0,0], after=[0,0]", "1,6,9,4"),
                1);
  EXPECT_EQ(g.ops[2].as<ir::Conv2d>().pad_top, 2);
  EXPECT_EQ(g.ops[2].as<ir::Conv2d>().pad_bottom, 1);
  EXPECT_EQ(g.ops[2].as<ir::Conv2d>().pad_right, 3);
}

TEST(FoldDilation, stays_where_more_is_cut_off_or_others_look) {
  rewritten(fold_dilation,
            apart("before=[0,0], after=[1,0]", "6,4,3,4", "", "6,2,1,4",
                  "before=[1,0], after=[1,0]", "1,2,3,4"),
            0);
  rewritten(fold_dilation,
            apart("before=[2,3], after=[3,3]", "6,6,5,4", "", "6,4,3,4",
                  "before=[0,0], after=[1,0]", "1,7,9,4", "%y, %c"),
            0);
  rewritten(fold_dilation,
            apart("before=[2,3], after=[3,3]", "6,6,5,4", "stride_h=2", "6,2,3,4",
                  "before=[0,0], after=[0,0]", "1,4,9,4"),
            0);
}

TEST(FoldDilation, depthwise_ones_too_along_one_axis) {
  ir::Graph g = rewritten(fold_dilation, R"(graph "g" tflite {
    input %x : int8[1,8,1,4] q(0.5, -3)
    const %w : int8[1,2,1,4] q(0.1, 0) = random 1
    %a = space_to_batch(%x) {block=[4], before=[4], after=[0]} from [0] : int8[4,3,1,4] q(0.5, -3)
    %c = depthwise_conv2d(%a, %w) from [1] : int8[4,2,1,4] q(0.5, 7)
    %y = batch_to_space(%c) {block=[4], before=[0], after=[0]} from [2] : int8[1,8,1,4] q(0.5, 7)
    output %y
  })",
                          1);
  remove_dead(g);
  ASSERT_EQ(g.ops.size(), 1u);
  EXPECT_EQ(g.ops[0].as<ir::DepthwiseConv2d>().dilation_h, 4);
  EXPECT_EQ(g.ops[0].as<ir::DepthwiseConv2d>().pad_top, 4);
}

}  // namespace
}  // namespace presil::passes
