#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

TEST(SplitLargeKernels, twenty_rows_become_two_times_ten) {
  const ir::Graph g = rewritten(split_large_kernels, R"(graph "g" tflite {
    input %x : int8[1,49,12,2] q(0.5, -3)
    const %w : int8[3,20,8,2] q([0.002, 0.001, 0.003], 0, axis=0) = random 7
    const %b : int32[3] = random 8
    %y = conv2d(%x, %w, %b) {stride_h=2, act=relu} from [4] : int8[1,15,5,3] q(0.8, 4)
    output %y
  })",
                                1);
  EXPECT_THAT(op_lines(g),
              ElementsAre("x/part = strided_slice(x)", "x/part = strided_slice(x)",
                          "x/parts = concat(x/part, x/part)", "y = conv2d(x/parts, w, b)"));
  EXPECT_THAT(g.tensor(g.ops[3].input(1)).shape, ElementsAre(3, 10, 8, 4));
  EXPECT_THAT(g.ops[0].source_ops, ElementsAre(4));
}

TEST(SplitLargeKernels, both_axes_with_padding_dilation_and_weights_with_a_zero_point) {
  const ir::Graph g = rewritten(split_large_kernels, R"(graph "g" tflite {
    input %x : int8[1,20,70,3] q(0.5, -3)
    const %w : int8[2,17,35,3] q(0.002, 5) = random 7
    %y = conv2d(%x, %w) {pad_top=9, pad_bottom=7, pad_left=3, pad_right=40, dilation_w=2, stride_w=9} : int8[1,20,5,2] q(0.8, 4)
    output %y
  })",
                                1);
  ASSERT_EQ(g.ops.size(), 9u);  // pad, 2 * 3 slices, concat, conv2d
  EXPECT_THAT(g.tensor(g.ops[8].input(1)).shape, ElementsAre(2, 9, 12, 18));
}

TEST(SplitLargeKernels, sixteen_taps_and_groups_stay) {
  rewritten(split_large_kernels, R"(graph "g" tflite {
    input %x : int8[1,20,20,4] q(0.5, -3)
    const %w : int8[4,16,16,4] q(0.002, 0) = random 7
    const %v : int8[4,17,1,2] q(0.002, 0) = random 7
    %y = conv2d(%x, %w) : int8[1,5,5,4] q(0.8, 4)
    %z = conv2d(%x, %v) {groups=2} : int8[1,4,20,4] q(0.8, 4)
    output %y, %z
  })",
            0);
}

}  // namespace
}  // namespace presil::passes
