#include <gmock/gmock.h>

#include <algorithm>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

/// A table of an image, and a convolution of it to 2 channels.
std::string scaled(const std::string& x, int channels, const std::string& y, bool shown = false) {
  std::string table, weights;
  for (int i = 0; i < 256; ++i) table += (i == 0 ? "" : ", ") + std::to_string(127 - i);
  for (int i = 0; i < 2 * 9 * channels; ++i) {
    weights += (i == 0 ? "" : ", ") + std::to_string(i % 7 - 3);
  }
  const std::string c = std::to_string(channels);
  return "graph \"g\" tflite {\n  input %x : int8" + x + " q(0.5, -3)\n  const %t : int8[256] = [" +
         table + "]\n  const %w : int8[2,3,3," + c + "] q(0.5, 0) = [" + weights +
         "]\n  %s = lut(%x, %t) from [0] : int8" + x +
         " q(0.25, 1)\n  %y = conv2d(%s, %w) {stride_h=2, stride_w=2} from [1] : int8" + y +
         " q(30, 1)\n  output %y\n" + (shown ? "  output %s\n" : "") + "}";
}

std::vector<int64_t> shape_of_table(const ir::Graph& g) {
  const auto at = std::find_if(g.ops.begin(), g.ops.end(),
                               [](const ir::Op& op) { return op.kind == ir::OpKind::kLut; });
  return g.tensor(at->output()).shape;
}

TEST(WidenTables, values_of_few_channels_lie_16_a_pixel) {
  ir::Graph g = rewritten(widen_tables, scaled("[1,9,16,3]", 3, "[1,4,7,2]"), 1);
  EXPECT_THAT(op_lines(g), ElementsAre("x/wide = reshape(x)", "s/wide = lut(x/wide, t)",
                                       "s = reshape(s/wide)", "y = conv2d(s, w)"));
  EXPECT_THAT(shape_of_table(g), ElementsAre(1, 9, 3, 16));
  EXPECT_EQ(lift_lut(g), 0) << "it would undo this";
  g = rewritten(widen_tables, scaled("[1,16,15,1]", 1, "[1,7,7,2]", true), 1);
  EXPECT_THAT(shape_of_table(g), ElementsAre(1, 1, 15, 16));
}

TEST(WidenTables, other_images_stay) {
  rewritten(widen_tables, scaled("[1,9,15,3]", 3, "[1,4,7,2]"), 0);    // 405 values
  rewritten(widen_tables, scaled("[1,9,16,16]", 16, "[1,4,7,2]"), 0);  // fill a pixel
}

}  // namespace
}  // namespace presil::passes
