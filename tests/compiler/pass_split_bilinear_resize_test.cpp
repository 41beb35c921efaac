#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

std::string resize(const std::string& x, const std::string& y, const std::string& attributes,
                   const std::string& steps = "q(0.3, -7)") {
  return "graph \"g\" tflite {\n  input %x : int8" + x + " " + steps +
         "\n  %y = resize_bilinear(%x)" + attributes + " from [0] : int8" + y + " " + steps +
         "\n  output %y\n}";
}

std::vector<int> weights_of(const ir::Graph& g, size_t op) {
  const ir::Tensor& w = g.tensor(g.ops[op].input(1));
  std::vector<int> all;
  for (int64_t i = 0; i < w.elements(); i += w.shape[3]) {
    all.push_back(static_cast<int8_t>((*w.data)[static_cast<size_t>(i)]));
  }
  return all;
}

// Half a pixel before pixel i of x lies its quarter: 1/4 of pixel i - 1 and 3/4 of i, then 3/4
// of i and 1/4 of i + 1. Of 64 in both directions: 1/16 is 4.
TEST(SplitBilinearResize, phases_of_twice_the_size_are_convolutions_over_the_edges) {
  const ir::Graph g = rewritten(split_bilinear_resize,
                                resize("[1,3,8,8]", "[1,6,16,8]", " {half_pixel_centers=true}"), 1);
  EXPECT_THAT(op_lines(g), ElementsAre("x/edges = mirror_pad(x)",
                                       "y/phase = depthwise_conv2d(x/edges, y/weights, y/bias)",
                                       "y/phase = depthwise_conv2d(x/edges, y/weights, y/bias)",
                                       "y/phase = depthwise_conv2d(x/edges, y/weights, y/bias)",
                                       "y/phase = depthwise_conv2d(x/edges, y/weights, y/bias)",
                                       "y/between = interleave(y/phase, y/phase, y/phase, y/phase)",
                                       "y = lut(y/between, y/table)"));
  EXPECT_THAT(g.tensor(g.ops[0].output()).shape, ElementsAre(1, 5, 10, 8));
  EXPECT_THAT(weights_of(g, 1), ElementsAre(4, 12, 0, 12, 36, 0, 0, 0, 0));
  EXPECT_THAT(weights_of(g, 4), ElementsAre(0, 0, 0, 0, 36, 12, 0, 12, 4));
}

TEST(SplitBilinearResize, without_half_pixels_the_first_phase_is_x_itself) {
  const ir::Graph g = rewritten(split_bilinear_resize, resize("[2,3,5,16]", "[2,6,20,16]", ""), 1);
  ASSERT_EQ(g.ops.size(), 1 + 8 + 2);
  EXPECT_THAT(weights_of(g, 1), ElementsAre(64, 0, 0, 0));
  EXPECT_THAT(weights_of(g, 8), ElementsAre(8, 24, 8, 24));  // 1/2 by 1/4 and 3/4
}

// Halves of 1/8 in both directions: 49/64 are 98/128, of which 64 would have an odd one.
TEST(SplitBilinearResize, four_times_the_size_and_one_axis_alone) {
  const std::string half = " {half_pixel_centers=true}";
  ir::Graph g = rewritten(split_bilinear_resize, resize("[1,2,16,4]", "[1,8,64,4]", half), 1);
  ASSERT_EQ(g.ops.size(), 1 + 16 + 2);
  EXPECT_EQ(weights_of(g, 6)[4], 98);
  g = rewritten(split_bilinear_resize, resize("[1,4,16,4]", "[1,8,16,4]", half, "q(2, 127)"), 1);
  ASSERT_EQ(g.ops.size(), 1 + 2 + 2);
  EXPECT_THAT(weights_of(g, 1), ElementsAre(16, 48, 0));
}

// Under tosa, which `rewritten` does not try, ties go as under tflite.
TEST(SplitBilinearResize, under_tosa_values_are_the_same) {
  ir::Graph before = ir::parse(resize("[1,3,8,8]", "[1,6,16,8]", " {half_pixel_centers=true}"));
  before.numerics = ir::Numerics::kTosa;
  ir::Graph after = before;
  EXPECT_EQ(split_bilinear_resize(after), 1);
  expect_same_values(before, after);
}

TEST(SplitBilinearResize, other_ratios_positions_and_narrow_images_stay) {
  rewritten(split_bilinear_resize, resize("[1,3,8,8]", "[1,9,24,8]", ""), 0);
  rewritten(split_bilinear_resize, resize("[1,4,8,8]", "[1,2,4,8]", ""), 0);
  rewritten(split_bilinear_resize, resize("[1,3,8,8]", "[1,24,64,8]", ""), 0);
  rewritten(split_bilinear_resize, resize("[1,3,8,8]", "[1,6,16,8]", " {align_corners=true}"), 0);
  rewritten(split_bilinear_resize, resize("[1,3,9,7]", "[1,6,18,7]", ""), 0);
}

}  // namespace
}  // namespace presil::passes
