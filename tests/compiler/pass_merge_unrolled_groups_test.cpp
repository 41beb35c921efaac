#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

/// Two groups of three channels; `change` replaces one piece of the text by another.
std::string two_groups(const std::string& from = "", const std::string& to = "") {
  std::string text = R"(graph "g" tflite {
    input %x : int8[1,5,6,6] q(0.5, -3)
    const %v : int8[4,3,3,3] q(0.02, 0) = random 7
    const %w : int8[4,3,3,3] q([0.01, 0.02, 0.03, 0.04], 0, axis=0) = random 8
    const %a : int32[4] q(0.01, 0) = random 9
    const %b : int32[4] q([0.005, 0.01, 0.015, 0.02], 0, axis=0) = random 10
    %s = strided_slice(%x) {begin=[0,0,0,0], size=[1,5,6,3], step=[1,1,1,1]} from [0] : int8[1,5,6,3] q(0.5, -3)
    %t = strided_slice(%x) {begin=[0,0,0,3], size=[1,5,6,3], step=[1,1,1,1]} from [0] : int8[1,5,6,3] q(0.5, -3)
    %p = conv2d(%s, %v, %a) {pad_top=1, stride_w=2, act=relu} from [1] : int8[1,4,2,4] q(0.8, 4)
    %q = conv2d(%t, %w, %b) {pad_top=1, stride_w=2, act=relu} from [2] : int8[1,4,2,4] q(0.8, 4)
    %y = concat(%p, %q) {axis=3} from [3] : int8[1,4,2,8] q(0.8, 4)
    output %y
  })";
  if (!from.empty()) {
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  }
  return text;
}

// Of dynamic range each slice is quantised by its own range; all channels would be by one.
TEST(MergeUnrolledGroups, dynamic_range_stays_in_slices) {
  const auto groups = [](const std::string& w) {
    return R"(graph "g" tflite {
    input %x : float32[1,2,2,4]
    const %v : )" +
           w + " = random 7\n    const %w : " + w + R"( = random 8
    %s = strided_slice(%x) {begin=[0,0,0,0], size=[1,2,2,2], step=[1,1,1,1]} from [0] : float32[1,2,2,2]
    %t = strided_slice(%x) {begin=[0,0,0,2], size=[1,2,2,2], step=[1,1,1,1]} from [0] : float32[1,2,2,2]
    %p = conv2d(%s, %v) {} from [1] : float32[1,2,2,3]
    %q = conv2d(%t, %w) {} from [2] : float32[1,2,2,3]
    %y = concat(%p, %q) {axis=3} from [3] : float32[1,2,2,6]
    output %y
  })";
  };
  rewritten(merge_unrolled_groups, groups("float32[3,1,1,2]"), 1);
  rewritten(merge_unrolled_groups, groups("int8[3,1,1,2] q(0.1, 0)"), 0);
}

TEST(MergeUnrolledGroups, slices_convolutions_and_concatenation_are_one_convolution) {
  ir::Graph g = rewritten(merge_unrolled_groups, two_groups(), 1);
  EXPECT_EQ(remove_dead(g), 4);
  ASSERT_THAT(op_lines(g), ElementsAre("y = conv2d(x, v, a)"));
  EXPECT_EQ(g.ops[0].as<ir::Conv2d>().groups, 2);
  EXPECT_EQ(g.ops[0].as<ir::Conv2d>().act, ir::Activation::kRelu);
  EXPECT_THAT(g.ops[0].source_ops, ElementsAre(0, 1, 2, 3));
  const ir::Tensor& weights = g.tensor(g.ops[0].input(1));
  EXPECT_THAT(weights.shape, ElementsAre(8, 3, 3, 3));
  EXPECT_THAT(weights.quantization.scales,
              ElementsAre(0.02f, 0.02f, 0.02f, 0.02f, 0.01f, 0.02f, 0.03f, 0.04f));
}

TEST(MergeUnrolledGroups, one_scale_and_one_zero_point_of_all_weights_stay_one) {
  std::string text =
      two_groups("q([0.01, 0.02, 0.03, 0.04], 0, axis=0) = random 8", "q(0.02, -9) = random 8");
  text.replace(text.find("q(0.02, 0) = random 7"), 21, "q(0.02, -9) = random 7");
  const ir::Graph g = rewritten(merge_unrolled_groups, text, 1);
  const ir::Tensor& weights = g.tensor(g.ops.back().input(1));
  EXPECT_TRUE(weights.quantization.per_tensor());
  EXPECT_EQ(weights.quantization.zero_point(), -9);
}

TEST(MergeUnrolledGroups, convolutions_in_groups_themselves_are_that_many_more) {
  std::string text = R"(graph "g" tflite {
    input %x : int8[1,3,3,8] q(0.5, -3)
    const %v : int8[2,1,1,2] q(0.02, 0) = random 7
    %s = strided_slice(%x) {begin=[0,0,0,0], size=[1,3,3,4], step=[1,1,1,1]} : int8[1,3,3,4] q(0.5, -3)
    %t = strided_slice(%x) {begin=[0,0,0,4], size=[1,3,3,4], step=[1,1,1,1]} : int8[1,3,3,4] q(0.5, -3)
    %p = conv2d(%s, %v) {groups=2} : int8[1,3,3,2] q(0.8, 4)
    %q = conv2d(%t, %v) {groups=2} : int8[1,3,3,2] q(0.8, 4)
    %y = concat(%p, %q) {axis=3} : int8[1,3,3,4] q(0.8, 4)
    output %y
  })";
  const ir::Graph g = rewritten(merge_unrolled_groups, text, 1);
  EXPECT_EQ(g.ops.back().as<ir::Conv2d>().groups, 4);
  EXPECT_EQ(g.ops.back().inputs.size(), 2u);  // no bias
}

TEST(MergeUnrolledGroups, whatever_differs_between_them_keeps_them_apart) {
  const auto stays = [](const std::string& from, const std::string& to) {
    SCOPED_TRACE(from + " -> " + to);
    rewritten(merge_unrolled_groups, two_groups(from, to), 0);
  };
  stays("{pad_top=1, stride_w=2, act=relu} from [2]", "{pad_top=1, stride_w=2} from [2]");
  stays("q(0.02, 0) = random 7", "q(0.02, 5) = random 7");  // channels have zero point 0
  stays("from [2] : int8[1,4,2,4] q(0.8, 4)", "from [2] : int8[1,4,2,4] q(0.7, 4)");  // requantised
  stays("conv2d(%t, %w, %b)", "conv2d(%t, %w)");
  stays("begin=[0,0,0,3]", "begin=[0,0,0,2]");  // not the next channels
  stays("output %y", "output %y, %q");          // read by others too
  stays("concat(%p, %q)", "concat(%q, %p)");    // in another order
}

TEST(MergeUnrolledGroups, channels_that_no_convolution_reads_keep_them_apart) {
  std::string text = two_groups();
  text.replace(text.find("int8[1,5,6,6]"), 13, "int8[1,5,6,7]");
  rewritten(merge_unrolled_groups, text, 0);
}

}  // namespace
}  // namespace presil::passes
