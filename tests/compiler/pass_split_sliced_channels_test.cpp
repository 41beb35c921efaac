#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

/// A convolution to 6 channels, `between`, of which %y is the last, and slices of 2 and 4 channels.
std::string sliced(const std::string& between, const std::string& outputs = "%s, %t",
                   const std::string& second = "begin=[0,0,0,2], size=[1,3,4,4]") {
  return R"(graph "g" tflite {
    input %x : int8[1,5,6,3] q(0.5, -3)
    const %w : int8[6,3,3,3] q([0.01, 0.02, 0.03, 0.04, 0.05, 0.06], 0, axis=0) = random 8
    const %b : int32[6] = random 9
    %c = conv2d(%x, %w, %b) {act=relu} from [0] : int8[1,3,4,6] q(0.8, 4)
    )" + between +
         R"(
    %s = strided_slice(%y) {begin=[0,0,0,0], size=[1,3,4,2], step=[1,1,1,1]} from [5] : int8[1,3,4,2] q(0.6, 1)
    %t = strided_slice(%y) {)" +
         second + R"(, step=[1,1,1,1]} from [6] : int8[1,3,4,4] q(0.6, 1)
    output )" +
         outputs + "\n}";
}

constexpr const char* kSilu = R"(%l = logistic(%c) from [1] : int8[1,3,4,6] q(0.00390625, -128)
    %y = mul(%c, %l) from [2] : int8[1,3,4,6] q(0.6, 1))";
constexpr const char* kOther = "%y = leaky_relu(%c) {alpha=0.1} from [1] : int8[1,3,4,6] q(0.6, 1)";

TEST(SplitSlicedChannels, each_part_has_its_own_filters_and_what_works_by_value) {
  ir::Graph g = rewritten(split_sliced_channels, sliced(kSilu), 1);
  EXPECT_THAT(op_lines(g), ElementsAre("c/part = conv2d(x, w, b)", "l/part = logistic(c/part)",
                                       "s = mul(c/part, l/part)", "c/part = conv2d(x, w, b)",
                                       "l/part = logistic(c/part)", "t = mul(c/part, l/part)"));
  EXPECT_THAT(g.tensor(g.ops[3].input(1)).shape, ElementsAre(4, 3, 3, 3));
  EXPECT_THAT(g.tensor(g.ops[3].input(1)).quantization.scales,
              ElementsAre(0.03f, 0.04f, 0.05f, 0.06f));
  EXPECT_THAT(g.ops[5].source_ops, ElementsAre(2, 6));
  EXPECT_EQ(remove_dead(g), 0);
}

// Scales that differ say that x of dynamic range has a zero point; those of a part may be equal.
TEST(SplitSlicedChannels, dynamic_range_stays_whole) {
  const auto slices = [](const std::string& w) {
    return R"(graph "g" tflite {
    input %x : float32[1,2,2,3]
    const %w : )" +
           w + R"( = random 8
    %y = conv2d(%x, %w) {} from [0] : float32[1,2,2,4]
    %s = strided_slice(%y) {begin=[0,0,0,0], size=[1,2,2,2], step=[1,1,1,1]} from [1] : float32[1,2,2,2]
    %t = strided_slice(%y) {begin=[0,0,0,2], size=[1,2,2,2], step=[1,1,1,1]} from [2] : float32[1,2,2,2]
    output %s, %t
  })";
  };
  rewritten(split_sliced_channels, slices("float32[4,1,1,3]"), 1);
  rewritten(split_sliced_channels, slices("int8[4,1,1,3] q([0.1, 0.1, 0.2, 0.2], 0, axis=0)"), 0);
}

TEST(SplitSlicedChannels, channels_that_nobody_takes_are_not_made) {
  const ir::Graph one = rewritten(split_sliced_channels, R"(graph "g" tflite {
    input %x : int8[1,5,6,3] q(0.5, -3)
    const %w : int8[6,1,1,3] q(0.01, -7) = random 8
    %c = conv2d(%x, %w) : int8[1,5,6,6] q(0.8, 4)
    %s = strided_slice(%c) {begin=[0,0,0,3], size=[1,5,6,2], step=[1,1,1,1]} : int8[1,5,6,2] q(0.8, 4)
    output %s
  })",
                                  1);
  EXPECT_THAT(op_lines(one), ElementsAre("s = conv2d(x, w)"));
  EXPECT_EQ(one.tensor(one.ops[0].input(1)).quantization.zero_point(), -7);
}

TEST(SplitSlicedChannels, what_is_read_otherwise_too_stays_whole) {
  rewritten(split_sliced_channels, sliced(kOther, "%s, %t, %y"), 0);
  rewritten(split_sliced_channels, sliced(kOther, "%s, %t, %c"), 0);
  rewritten(split_sliced_channels,
            sliced(std::string(kOther) + "\n    %m = max_pool2d(%c) {kernel_h=2, kernel_w=2} : "
                                         "int8[1,2,3,6] q(0.8, 4)",
                   "%s, %t, %m"),
            0);
}

TEST(SplitSlicedChannels, slices_of_rows_and_many_narrow_ones_stay) {
  rewritten(split_sliced_channels, R"(graph "g" tflite {
    input %x : int8[1,5,6,3] q(0.5, -3)
    const %w : int8[6,1,1,3] q(0.01, 0) = random 8
    %c = conv2d(%x, %w) : int8[1,5,6,6] q(0.8, 4)
    %s = strided_slice(%c) {begin=[0,1,0,0], size=[1,2,6,6], step=[1,1,1,1]} : int8[1,2,6,6] q(0.8, 4)
    %t = strided_slice(%c) {begin=[0,0,0,0], size=[1,5,6,4], step=[1,1,1,1]} : int8[1,5,6,4] q(0.8, 4)
    output %s, %t
  })",
            0);
  std::string narrow = R"(graph "g" tflite {
    input %x : int8[1,2,2,3] q(0.5, -3)
    const %w : int8[3,1,1,3] q(0.01, 0) = random 8
    %c = conv2d(%x, %w) : int8[1,2,2,3] q(0.8, 4)
)";
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i);
    narrow += "%s" + n + " = strided_slice(%c) {begin=[0,0,0," + n +
              "], size=[1,2,2,1], step=[1,1,1,1]} : int8[1,2,2,1] q(0.8, 4)\n";
  }
  rewritten(split_sliced_channels, narrow + "output %s0, %s1, %s2\n}", 0);
}

TEST(SplitSlicedChannels, operands_that_no_convolution_makes_stay_whole) {
  rewritten(split_sliced_channels,
            R"(graph "g" tflite {
    input %x : int8[1,5,6,3] q(0.5, -3)
    input %v : int8[1,5,6,4] q(0.5, -3)
    const %w : int8[4,1,1,3] q(0.01, 0) = random 8
    %c = conv2d(%x, %w) : int8[1,5,6,4] q(0.8, 4)
    %y = add(%c, %v) : int8[1,5,6,4] q(0.8, 4)
    %s = strided_slice(%y) {begin=[0,0,0,0], size=[1,5,6,2], step=[1,1,1,1]} : int8[1,5,6,2] q(0.8, 4)
    output %s
  })",
            0);
}

// A residual block: %r reads all channels of %c, whose parts alone would be left.
TEST(SplitSlicedChannels, a_convolution_of_the_other_stays) {
  rewritten(split_sliced_channels, R"(graph "g" tflite {
    input %x : int8[1,5,6,3] q(0.5, -3)
    const %w : int8[4,1,1,3] q(0.01, 0) = random 8
    const %v : int8[4,1,1,4] q(0.01, 0) = random 9
    %c = conv2d(%x, %w) : int8[1,5,6,4] q(0.8, 4)
    %r = conv2d(%c, %v) : int8[1,5,6,4] q(0.8, 4)
    %y = add(%c, %r) : int8[1,5,6,4] q(0.8, 4)
    %s = strided_slice(%y) {begin=[0,0,0,0], size=[1,5,6,2], step=[1,1,1,1]} : int8[1,5,6,2] q(0.8, 4)
    %t = strided_slice(%y) {begin=[0,0,0,2], size=[1,5,6,2], step=[1,1,1,1]} : int8[1,5,6,2] q(0.8, 4)
    output %s, %t
  })",
            0);
}

}  // namespace
}  // namespace presil::passes
