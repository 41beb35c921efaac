#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

/// y [y] = op(a [a], b [b]), both of the graph's inputs.
std::string pair(const std::string& op, const std::string& a, const std::string& b,
                 const std::string& y, const std::string& numerics = "tflite") {
  return "graph \"g\" " + numerics + " {\n  input %a : int8" + a +
         " q(0.5, -3)\n  input %b : int8" + b + " q(0.25, 7)\n  %y = " + op +
         "(%a, %b) from [0] : int8" + y + " q(0.75, 1)\n  output %y\n}";
}

TEST(BroadcastChannels, one_value_a_pixel_is_written_out_for_all_channels) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    for (const char* op : {"add", "sub", "mul"}) {
      const ir::Graph g = rewritten(broadcast_channels,
                                    pair(op, "[1,4,5,6]", "[1,4,5,1]", "[1,4,5,6]", numerics), 1);
      EXPECT_THAT(op_lines(g), ElementsAre("b/channels = conv2d(b, b/ones)",
                                           std::string("y = ") + op + "(a, b/channels)"));
      const ir::Tensor& w = g.tensor(g.ops[0].input(1));
      EXPECT_THAT(w.shape, ElementsAre(6, 1, 1, 1));
      for (int i = 0; i < 6; ++i) EXPECT_EQ(w.values<int8_t>()[i], 1);
    }
  }
}

TEST(BroadcastChannels, matrices_take_a_fully_connected_layer) {
  const ir::Graph g = rewritten(broadcast_channels, pair("mul", "[5,1]", "[5,6]", "[5,6]"), 1);
  EXPECT_THAT(op_lines(g),
              ElementsAre("a/channels = fully_connected(a, a/ones)", "y = mul(a/channels, b)"));
}

TEST(BroadcastChannels, beside_one_pixel_it_is_written_out_too) {
  rewritten(broadcast_channels, pair("mul", "[1,4,5,1]", "[1,1,1,6]", "[1,4,5,6]"), 1);
}

// TFLite's difference is computed from what is subtracted from, which is one pixel here.
TEST(BroadcastChannels, what_the_dla_would_not_take_then_stays) {
  rewritten(broadcast_channels, pair("sub", "[1,1,1,6]", "[1,4,5,1]", "[1,4,5,6]"), 0);
  rewritten(broadcast_channels, pair("mul", "[1,4,5,6]", "[1,4,5,6]", "[1,4,5,6]"), 0);
  rewritten(broadcast_channels, pair("mul", "[1,4,5,6]", "[1,1,5,1]", "[1,4,5,6]"), 0);
  rewritten(broadcast_channels, pair("mul", "[2,4,5,6]", "[2,4,5,1]", "[2,4,5,6]"), 0);
  rewritten(broadcast_channels, pair("squared_difference", "[1,4,5,6]", "[1,4,5,1]", "[1,4,5,6]"),
            0);
}

TEST(BroadcastChannels, what_is_read_twice_is_written_out_once) {
  const ir::Graph g = rewritten(broadcast_channels, R"(graph "g" tflite {
  input %a : int8[1,4,5,6] q(0.5, -3)
  input %b : int8[1,4,5,1] q(0.25, 7)
  %m = mul(%a, %b) from [0] : int8[1,4,5,6] q(0.75, 1)
  %y = add(%m, %b) from [1] : int8[1,4,5,6] q(0.75, 1)
  output %y
})",
                                2);
  EXPECT_THAT(op_lines(g), ElementsAre("b/channels = conv2d(b, b/ones)", "m = mul(a, b/channels)",
                                       "y = add(m, b/channels)"));
}

}  // namespace
}  // namespace presil::passes
