#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

constexpr char kQ[] = " q(0.5, -3)";
constexpr char kOne[] = " q(1, 0)";

/// y of x's channels 2, 0, 1.
std::string select(const std::string& y, const std::string& x) {
  return "  const %p_" + y + " : int8[3,1,1,3]" + kOne + " = [0,0,1, 1,0,0, 0,1,0]\n  %" + y +
         " = conv2d(%" + x + ", %p_" + y + ") from [7] : int8[1,4,5,3]" + kQ + "\n";
}

/// 3 x 3 of three channels to three, with a scale and a bias for each.
std::string conv(const std::string& y, const std::string& x, const std::string& more = "") {
  return "  const %w_" + y + " : int8[3,3,3,3] q([0.1, 0.2, 0.3], 0, axis=0) = random 5\n" +
         "  const %b_" + y + " : int32[3] = [100, -50, 7]\n  %" + y + " = conv2d(%" + x + ", %w_" +
         y + ", %b_" + y + ") {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1" + more +
         "} from [3] : int8[1,4,5,3]" + kQ + "\n";
}

std::string graph(const std::string& lines, const std::string& outputs) {
  return "graph \"g\" tflite {\n  input %x : int8[1,4,5,3]" + std::string(kQ) + "\n" + lines +
         "  output " + outputs + "\n}";
}

TEST(FoldSelection, a_convolution_before_it_has_its_filters_in_another_order) {
  const ir::Graph g =
      rewritten(fold_selection, graph(conv("c", "x", ", act=relu") + select("y", "c"), "%y"), 1);
  EXPECT_THAT(op_lines(g), ElementsAre("y = conv2d(x, w_c/selected, b_c/selected)"));
  EXPECT_THAT(g.ops[0].source_ops, ElementsAre(3, 7));
  const auto& scales = g.tensor(g.ops[0].input(1)).quantization.scales;
  EXPECT_THAT(scales, ElementsAre(0.3f, 0.1f, 0.2f));
}

TEST(FoldSelection, convolutions_after_it_read_other_channels) {
  const ir::Graph g = rewritten(
      fold_selection, graph(select("s", "x") + conv("y", "s") + conv("z", "s"), "%y, %z"), 1);
  EXPECT_THAT(op_lines(g),
              ElementsAre("y = conv2d(x, w_y/spread, b_y)", "z = conv2d(x, w_z/spread, b_z)"));
}

TEST(FoldSelection, one_after_the_other_is_one) {
  // The second walk finds what the first one left.
  ir::Graph g = ir::parse(graph(select("s", "x") + select("t", "s") + conv("y", "t"), "%y"));
  const ir::Graph before = g;
  while (fold_selection(g) != 0) {
  }
  expect_same_values(before, g);
  EXPECT_THAT(op_lines(g), ElementsAre(testing::StartsWith("y = conv2d(x")));
}

TEST(FoldSelection, what_is_read_otherwise_or_is_an_output_stays) {
  rewritten(fold_selection, graph(conv("c", "x") + select("y", "c"), "%y, %c"), 0);
  rewritten(fold_selection, graph(select("y", "x"), "%y"), 0);
  rewritten(fold_selection,
            graph(select("s", "x") + conv("y", "s") + "  %z = relu(%s) : int8[1,4,5,3]" +
                      std::string(kQ) + "\n",
                  "%y, %z"),
            0);
}

TEST(FoldSelection, a_few_of_many_channels_stay_a_convolution_of_their_own) {
  std::string ones = "[1";
  for (int i = 1; i < 17; ++i) ones += ",0";
  const std::string text = "graph \"g\" tflite {\n  input %x : int8[1,4,5,17]" + std::string(kQ) +
                           "\n  const %p : int8[1,1,1,17] q(1, 0) = " + ones +
                           "]\n  %s = conv2d(%x, %p) : int8[1,4,5,1]" + kQ +
                           "\n  const %w : int8[2,1,1,1] q(0.5, 0) = [3, 4]\n"
                           "  %y = conv2d(%s, %w) : int8[1,4,5,2]" +
                           kQ + "\n  output %y\n}";
  rewritten(fold_selection, text, 0);
}

TEST(FoldSelection, a_weight_of_another_scale_computes_something) {
  std::string text = graph(conv("c", "x") + select("y", "c"), "%y");
  const size_t at = text.find(" q(1, 0)");
  text.replace(at, 8, " q(0.5, 0)");
  rewritten(fold_selection, text, 0);
}

}  // namespace
}  // namespace presil::passes
