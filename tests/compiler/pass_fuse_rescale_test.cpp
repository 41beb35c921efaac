// What TOSA states in several operators, as one of the graph's.
#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

std::string convolution(const std::string& bias, const std::string& zero, const std::string& more) {
  return R"(graph "g" tosa {
    input %x : int8[1,5,5,2] q(1, -3)
    const %w : int8[3,3,3,2] = random 7
    const %b : )" +
         bias + R"( = splat 40
    const %m : int32[3] = [1500000000, 1100000000, 2000000000]
    const %t : int8[3] = [38, 37, 40]
    %s = conv_sums(%x, %w, %b) {stride=[1, 1], dilation=[1, 1], before=[0, 0], after=[0, 0], )" +
         zero + R"(} from [0] : int32[1,3,3,3]
    %y = rescale(%s, %m, %t) {out_zero=4, round_twice=true} from [1] : int8[1,3,3,3] q(1, 4)
    output %y)" +
         more + "\n  }";
}

TEST(FuseRescale, sums_of_a_convolution_are_rescaled_by_it) {
  for (const char* bias : {"int32[3]", "int32[1]"}) {
    const ir::Graph g = rewritten(fuse_rescale, convolution(bias, "in_zero=-3", ""), 1);
    ASSERT_EQ(g.ops.size(), 1u);
    EXPECT_EQ(g.ops[0].kind, ir::OpKind::kConv2d);
    EXPECT_THAT(g.ops[0].source_ops, ElementsAre(0, 1));
    const ir::Quantization& q = g.tensor(g.ops[0].input(1)).quantization;
    EXPECT_EQ(q.fixed.at(2), (ir::FixedScale{2000000000, 40}));
    EXPECT_TRUE(q.round_twice);
  }
}

// 613 / 2^17 with all bits: an engine would shift sums of 2^19 by 14 to the left, out of 32 bits.
TEST(FuseRescale, small_multipliers_get_all_bits) {
  std::string text = convolution("int32[1]", "in_zero=-3", "");
  const auto put = [&text](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  put("[1500000000, 1100000000, 2000000000]", "[613, 1, 1073741824]");
  put("[38, 37, 40]", "[17, 2, 31]");
  const ir::Graph g = rewritten(fuse_rescale, text, 1);
  const ir::Quantization& q = g.tensor(g.ops[0].input(1)).quantization;
  EXPECT_THAT(q.fixed, ElementsAre(ir::FixedScale{613 << 21, 38}, ir::FixedScale{1 << 30, 32},
                                   ir::FixedScale{1 << 30, 31}));
  EXPECT_FALSE(q.round_twice);
}

TEST(FuseRescale, another_zero_point_or_another_reader_keeps_it) {
  rewritten(fuse_rescale, convolution("int32[3]", "in_zero=5", ""), 0);
  rewritten(fuse_rescale, convolution("int32[3]", "in_zero=-3", ", %s"), 0);
  rewritten(fuse_rescale, convolution("int32[3]", "in_zero=-3, weight_zero=1", ""), 0);
}

TEST(FuseRescale, a_product_of_matrices_too) {
  const ir::Graph g = rewritten(fuse_rescale, R"(graph "g" tosa {
    input %a : int8[2,3,4] q(1, -3)
    input %b : int8[2,4,5] q(1, 7)
    const %m : int32[1] = [1500000000]
    const %t : int8[1] = [39]
    %s = matmul_sums(%a, %b) {a_zero=-3, b_zero=7} : int32[2,3,5]
    %y = rescale(%s, %m, %t) {out_zero=4} : int8[2,3,5] q(1, 4)
    output %y
  })",
                                1);
  ASSERT_EQ(g.ops.size(), 1u);
  EXPECT_THAT(g.ops[0].as<ir::BatchMatmul>().fixed, ElementsAre(1500000000, 39, 0));
}

std::string pair(const std::string& kind, const std::string& shift, const std::string& rounding) {
  return R"(graph "g" tosa {
    input %a : int8[1,3,3,2] q(1, -3)
    input %b : int8[1,3,3,2] q(1, 7)
    const %one : int32[1] = [1073741824]
    const %m : int32[1] = [1500000000]
    const %left : int8[1] = [)" +
         shift + R"(]
    const %t : int8[1] = [32]
    const %last : int8[1] = [49]
    const %thirty : int8[1] = [30]
    %u = rescale(%a, %one, %left) {in_zero=-3} : int32[1,3,3,2]
    %v = rescale(%b, %one, %left) {in_zero=7} : int32[1,3,3,2]
    )" +
         (kind == "mul" ? "%w = mul(%u, %v)"
                        : "%k = rescale(%u, %m, %t) {round_twice=true} : int32[1,3,3,2]\n"
                          "%w = " +
                              kind + "(%k, %v)") +
         R"( : int32[1,3,3,2]
    %y = rescale(%w, %m, %)" +
         (kind == "mul" ? "thirty" : "last") + ") {out_zero=4" + rounding +
         R"(} : int8[1,3,3,2] q(1, 4)
    output %y
  })";
}

TEST(FuseRescaledPairs, sums_differences_and_products) {
  for (const char* kind : {"add", "sub"}) {
    const ir::Graph g = rewritten(fuse_rescaled_pairs, pair(kind, "10", ", round_twice=true"), 1);
    ASSERT_EQ(g.ops.size(), 1u);
    EXPECT_THAT(g.ops[0].as<ir::Elementwise>().fixed,
                ElementsAre(20, 1500000000, -1, 1073741824, 1, 1500000000, -18));
  }
  const ir::Graph g = rewritten(fuse_rescaled_pairs, pair("mul", "30", ""), 1);
  ASSERT_EQ(g.ops.size(), 1u);
  EXPECT_EQ(g.ops[0].kind, ir::OpKind::kMul);
}

std::string with_constant(const std::string& kind, const std::string& left) {
  return R"(graph "g" tosa {
    input %a : int8[1,3,3,2] q(1, -3)
    const %b : int8[3,2] q(1, 7) = random 5
    const %one : int32[1] = [1073741824]
    const %m : int32[1] = [1500000000]
    const %left : int8[1] = [)" +
         left + R"(]
    const %last : int8[1] = [)" +
         (kind == "mul" ? "35" : "49") + R"(]
    %u = rescale(%a, %one, %left) {in_zero=-3} : int32[1,3,3,2]
    %v = rescale(%b, %one, %left) {in_zero=7} : int32[3,2]
    %r = reshape(%v) : int32[1,1,3,2]
    %w = )" +
         kind + R"((%u, %r) : int32[1,3,3,2]
    %y = rescale(%w, %m, %last) {out_zero=4, round_twice=true} : int8[1,3,3,2] q(1, 4)
    output %y
  })";
}

TEST(FuseRescaledPairs, of_a_constant_that_is_reshaped) {
  for (const char* kind : {"add", "sub", "mul"}) {
    const std::string left = kind[0] == 'm' ? "30" : "10";
    const ir::Graph g = rewritten(fuse_rescaled_pairs, with_constant(kind, left), 1);
    ASSERT_EQ(g.ops.size(), 1u);
    const ir::Tensor& b = g.tensor(g.ops[0].input(1));
    EXPECT_TRUE(b.is_constant());
    EXPECT_THAT(b.shape, ElementsAre(1, 1, 3, 2));
  }
}

TEST(FuseRescaledPairs, two_constants_or_a_reshaped_value_stay) {
  std::string text = with_constant("add", "10");
  text.replace(text.find("const %b : int8[3,2] q(1, 7) = random 5"), 39,
               "input %b : int8[3,2] q(1, 7)");
  rewritten(fuse_rescaled_pairs, text, 0);
  text = with_constant("add", "10");
  text.replace(text.find("input %a : int8[1,3,3,2] q(1, -3)"), 33,
               "const %a : int8[1,3,3,2] q(1, -3) = random 6");
  rewritten(fuse_rescaled_pairs, text, 0);
}

TEST(FuseRescaledPairs, one_rounding_of_more_than_31_bits_stays) {
  rewritten(fuse_rescaled_pairs, pair("add", "10", ""), 0);
  rewritten(fuse_rescaled_pairs, pair("mul", "29", ""), 0);  // twice each operand
}

TEST(LowerClamps, zero_is_a_relu_and_another_bound_a_table) {
  const ir::Graph g = rewritten(lower_clamps, R"(graph "g" tosa {
    input %x : int8[1,3,3,2] q(1, -3)
    const %low : int8[1,1,1,1] q(1, -3) = [-3]
    const %high : int8[1,1,1,1] q(1, -3) = [90]
    %u = maximum(%x, %low) : int8[1,3,3,2] q(1, -3)
    %y = minimum(%u, %high) : int8[1,3,3,2] q(1, -3)
    output %y
  })",
                                2);
  EXPECT_EQ(g.ops.at(0).kind, ir::OpKind::kRelu);
  EXPECT_EQ(g.ops.at(1).kind, ir::OpKind::kLut);
}

std::string cropped(const std::string& kernel, const std::string& padding, const std::string& y) {
  return R"(graph "g" tosa {
    input %x : int8[1,8,8,2] q(1, -3)
    const %w : int8)" +
         kernel + R"( q(0.1, 0) = random 7
    %c = strided_slice(%x) {begin=[0, 0, 0, 0], size=[1, 7, 7, 2],
         step=[1, 1, 1, 1]} : int8[1,7,7,2] q(1, -3)
    %y = conv2d(%c, %w) {stride_h=2, stride_w=2)" +
         padding + "} : int8" + y + R"( q(1, 4)
    output %y
  })";
}

TEST(DropUnreadRows, the_window_reads_the_whole_image) {
  const ir::Graph g = rewritten(drop_unread_rows, cropped("[3,1,1,2]", "", "[1,4,4,3]"), 1);
  EXPECT_EQ(g.ops.back().input(0), g.inputs.at(0));
}

TEST(DropUnreadRows, padding_after_the_image_keeps_the_slice) {
  rewritten(drop_unread_rows, cropped("[3,3,3,2]", ", pad_bottom=1", "[1,3,3,3]"), 0);
}

}  // namespace
}  // namespace presil::passes
