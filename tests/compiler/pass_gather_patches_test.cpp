#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

/// A convolution of 3 channels to 2, the weights 0 1 2 .. 9 0 1 ..
std::string conv(const std::string& x, int rows, int columns, const std::string& y,
                 const std::string& attributes) {
  std::string values;
  for (int i = 0; i < 2 * rows * columns * 3; ++i) {
    values += (i == 0 ? "" : ", ") + std::to_string(i % 10);
  }
  return "graph \"g\" tflite {\n  input %x : int8" + x + " q(0.5, -3)\n  const %w : int8[2," +
         std::to_string(rows) + "," + std::to_string(columns) + ",3] q(0.5, 0) = [" + values +
         "]\n  %y = conv2d(%x, %w) {" + attributes + "} from [0] : int8" + y +
         " q(30, 1)\n  output %y\n}";
}

TEST(GatherPatches, large_patches_become_rows_of_a_product) {
  const ir::Graph g = rewritten(
      gather_patches, conv("[1,16,24,3]", 8, 8, "[1,2,3,2]", "stride_h=8, stride_w=8"), 1);
  EXPECT_THAT(op_lines(g),
              ElementsAre("x/patches = reshape(x)", "x/patches = transpose(x/patches)",
                          "x/patches = reshape(x/patches)", "y = conv2d(x/patches, w)"));
  EXPECT_THAT(g.tensor(g.ops[3].input(0)).shape, ElementsAre(1, 2, 3, 192));
  EXPECT_THAT(g.tensor(g.ops[3].input(1)).shape, ElementsAre(2, 1, 1, 192));
}

TEST(GatherPatches, small_ones_and_those_that_overlap_or_are_cut_stay) {
  rewritten(gather_patches, conv("[1,14,14,3]", 7, 7, "[1,2,2,2]", "stride_h=7, stride_w=7"), 0);
  rewritten(gather_patches, conv("[1,16,16,3]", 8, 8, "[1,3,2,2]", "stride_h=4, stride_w=8"), 0);
  rewritten(gather_patches, conv("[1,18,16,3]", 8, 8, "[1,2,2,2]", "stride_h=8, stride_w=8"), 0);
}

}  // namespace
}  // namespace presil::passes
