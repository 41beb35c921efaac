#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

std::string transposed(const std::string& x, const std::string& w, const std::string& attributes,
                       const std::string& y, const std::string& bias = "") {
  return "graph \"g\" tflite {\ninput %x : int8" + x + " q(0.5, -3)\nconst %w : int8" + w +
         " q(0.02, 0) = random 7\nconst %b : int32[3] = [100, -70, 7]\n%y = transpose_conv2d(%x, " +
         "%w" + bias + ") {" + attributes + "} from [4] : int8" + y + " q(0.08, 4)\noutput %y\n}";
}

std::vector<int8_t> values(const ir::Graph& g, size_t op) {
  const ir::Tensor& w = g.tensor(g.ops.at(op).input(1));
  return {w.values<int8_t>(), w.values<int8_t>() + w.elements()};
}

TEST(SplitTransposeConv, each_phase_is_a_convolution_with_its_taps_backwards) {
  const std::string text = R"(graph "g" tflite {
    input %x : int8[1,1,4,1] q(0.5, -3)
    const %w : int8[1,1,5,1] q(0.02, 0) = [1, 2, 3, 4, 5]
    %y = transpose_conv2d(%x, %w) {stride_w=2, pad_left=1, pad_right=2, act=relu} from [4] : int8[1,1,8,1] q(0.08, 4)
    output %y
  })";
  const ir::Graph g = rewritten(split_transpose_conv, text, 1);
  ASSERT_THAT(op_lines(g), ElementsAre("y/phase = conv2d(x, w)", "y/phase = conv2d(x, w)",
                                       "y = interleave(y/phase, y/phase)"));
  // Column 2 o + 0: taps 1 and 3 at o and o - 1; column 2 o + 1: taps 0, 2, 4 at o + 1, o, o - 1.
  EXPECT_THAT(values(g, 0), ElementsAre(4, 2));
  EXPECT_THAT(values(g, 1), ElementsAre(5, 3, 1));
  for (const size_t i : {0u, 1u}) {
    const auto& conv = g.ops[i].as<ir::Conv2d>();
    EXPECT_EQ(conv.pad_left, 1);
    EXPECT_EQ(conv.pad_right, i == 0 ? 0 : 1);
    EXPECT_EQ(conv.act, ir::Activation::kRelu);
    EXPECT_THAT(g.ops[i].source_ops, ElementsAre(4));
  }
  EXPECT_EQ(g.ops[2].as<ir::Interleave>().stride_w, 2);
}

TEST(SplitTransposeConv, products_are_those_of_the_taps_that_meet_a_pixel) {
  const ir::Graph g = rewritten(
      split_transpose_conv,
      transposed("[1,6,6,5]", "[3,4,4,5]",
                 "stride_h=2, stride_w=2, pad_top=1, pad_left=1, pad_bottom=1, pad_right=1",
                 "[1,12,12,3]", ", %b"),
      1);
  int64_t taps = 0;
  for (size_t i = 0; i < 4; ++i) taps += g.tensor(g.ops[i].input(1)).elements();
  EXPECT_EQ(taps, 4 * 4 * 5 * 3);  // every weight stands in one phase
}

TEST(SplitTransposeConv, every_size_stride_and_padding_keeps_its_values) {
  for (int kernel = 1; kernel <= 5; ++kernel) {
    for (int stride = 1; stride <= 4; ++stride) {
      for (int before = 0; before < kernel; ++before) {
        for (int after = std::min(0, kernel - stride); after < kernel; ++after) {
          const int rows = 2 * stride + kernel - before - after;  // of 3
          if (rows < 1) continue;
          const auto n = [](int value) { return std::to_string(value); };
          SCOPED_TRACE("kernel " + n(kernel) + " stride " + n(stride) + " padding " + n(before) +
                       " and " + n(after));
          rewritten(split_transpose_conv,
                    transposed("[1,3,2,2]", "[3," + n(kernel) + ",2,2]",
                               "stride_h=" + n(stride) + ", stride_w=2, pad_top=" + n(before) +
                                   ", pad_bottom=" + n(after),
                               "[1," + n(rows) + ",4,3]", ", %b"),
                    1);
        }
      }
    }
  }
}

TEST(SplitTransposeConv, of_stride_1_it_is_one_convolution) {
  const ir::Graph g = rewritten(split_transpose_conv,
                                transposed("[1,3,3,2]", "[3,2,2,2]", "stride_h=1", "[1,4,4,3]"), 1);
  EXPECT_THAT(op_lines(g), ElementsAre("y = conv2d(x, w)"));
}

TEST(SplitTransposeConv, more_than_64_phases_stay) {
  rewritten(split_transpose_conv,
            transposed("[1,1,1,2]", "[3,9,9,2]", "stride_h=8, stride_w=9", "[1,9,9,3]"), 0);
  rewritten(split_transpose_conv,
            transposed("[1,1,1,2]", "[3,9,9,2]", "stride_h=8, stride_w=8", "[1,9,9,3]"), 1);
}

TEST(LiftLut, a_table_after_the_phases_becomes_one_after_each) {
  const std::string text = R"(graph "g" tflite {
    input %a : int8[1,2,2,3] q(0.5, -3)
    input %b : int8[1,2,1,3] q(0.5, -3)
    const %t : int8[256] = random 4
    %y = interleave(%a, %b) {stride_w=2} from [1] : int8[1,2,3,3] q(0.5, -3)
    %z = lut(%y, %t) from [2] : int8[1,2,3,3] q(0.25, 9)
    output )";
  const ir::Graph g = rewritten(lift_lut, text + "%z\n}", 1);
  EXPECT_THAT(op_lines(g), ElementsAre("z/lifted = lut(a, t)", "z/lifted = lut(b, t)",
                                       "z = interleave(z/lifted, z/lifted)"));
  EXPECT_THAT(g.ops[2].source_ops, ElementsAre(1, 2));
  rewritten(lift_lut, text + "%z, %y\n}", 0);
}

TEST(LiftLut, a_table_of_one_image_stays_where_a_reshape_has_made_it_of_several) {
  const auto text = [](const std::string& x) {
    return "graph \"g\" tflite {\n  input %x : int8" + x + R"( q(0.5, -3)
    const %t : int8[256] = random 4
    %y = reshape(%x) from [1] : int8[1,4,2,3] q(0.5, -3)
    %z = lut(%y, %t) from [2] : int8[1,4,2,3] q(0.25, 9)
    output %z
  })";
  };
  rewritten(lift_lut, text("[2,2,2,3]"), 0);
  rewritten(lift_lut, text("[4,2,3]"), 1);
}

TEST(SplitTransposeConv, what_xnnpack_does_not_take_stays_under_xnnpack) {
  ir::Graph g = ir::parse(transposed(
      "[1,2,2,5]", "[3,1,1,5]", "stride_h=2, stride_w=2, pad_bottom=-1, pad_right=-1, vector=8",
      "[1,4,4,3]", ", %b"));
  g.numerics = ir::Numerics::kXnnpack;
  EXPECT_EQ(split_transpose_conv(g), 0);
  g.numerics = ir::Numerics::kTflite;
  EXPECT_EQ(split_transpose_conv(g), 1);
}

}  // namespace
}  // namespace presil::passes
