#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

/// x of `type` in two groups of three channels, shuffled.
std::string shuffled(const std::string& type, const std::string& shape, const std::string& split,
                     const std::string& perm, const std::string& turned,
                     const std::string& outputs = "%y") {
  const std::string q = type == "float32" ? "" : " q(0.5, -3)";
  return "graph \"g\" tflite {\n  input %x : " + type + shape + q +
         "\n  %r = reshape(%x) from [0] : " + type + split + q +
         "\n  %t = transpose(%r) {perm=" + perm + "} from [1] : " + type + turned + q +
         "\n  %y = reshape(%t) from [2] : " + type + shape + q + "\n  output " + outputs + "\n}";
}

std::string plain(const std::string& type = "int8", const std::string& outputs = "%y") {
  return shuffled(type, "[1,4,5,6]", "[1,4,5,2,3]", "[0,1,2,4,3]", "[1,4,5,3,2]", outputs);
}

TEST(PermuteChannels, a_shuffle_is_a_convolution_with_a_one_for_each_channel) {
  ir::Graph g = rewritten(permute_channels, plain(), 1);
  for (int i = 0; i < 3; ++i) remove_identity(g), remove_dead(g);
  EXPECT_THAT(op_lines(g), ElementsAre("y = conv2d(x, t/channels/permutation)"));
  EXPECT_THAT(g.ops[0].source_ops, ElementsAre(1));
  // a b c | d e f becomes a d b e c f
  const auto* w = g.tensor(g.ops[0].input(1)).values<int8_t>();
  const int from[] = {0, 3, 1, 4, 2, 5};
  for (int o = 0; o < 6; ++o) {
    for (int i = 0; i < 6; ++i) EXPECT_EQ(w[o * 6 + i], i == from[o] ? 1 : 0) << o << ' ' << i;
  }
}

TEST(PermuteChannels, channels_of_three_axes_in_any_order) {
  rewritten(permute_channels,
            shuffled("int8", "[1,4,5,12]", "[1,4,5,2,3,2]", "[0,1,2,5,3,4]", "[1,4,5,2,2,3]"), 1);
}

TEST(PermuteChannels, one_shuffle_after_the_other) {
  const std::string q = " q(0.5, -3)";
  const ir::Graph g =
      rewritten(permute_channels,
                "graph \"g\" tflite {\n  input %x : int8[1,4,5,6]" + q +
                    "\n  %r = reshape(%x) : int8[1,4,5,2,3]" + q +
                    "\n  %t = transpose(%r) {perm=[0,1,2,4,3]} : int8[1,4,5,3,2]" + q +
                    "\n  %s = reshape(%t) : int8[1,4,5,2,3]" + q +
                    "\n  %u = transpose(%s) {perm=[0,1,2,4,3]} : int8[1,4,5,3,2]" + q +
                    "\n  %y = reshape(%u) : int8[20,6]" + q + "\n  output %y\n}",
                2);
  EXPECT_EQ(g.producer(g.outputs[0]), static_cast<int>(g.ops.size()) - 1);
}

TEST(PermuteChannels, what_moves_pixels_or_whole_runs_stays) {
  rewritten(permute_channels,
            shuffled("int8", "[1,4,5,6]", "[1,4,5,2,3]", "[0,2,1,4,3]", "[1,5,4,3,2]"), 0);
  rewritten(permute_channels,
            shuffled("int8", "[1,4,5,24]", "[1,4,5,2,3,4]", "[0,1,2,4,3,5]", "[1,4,5,3,2,4]"), 0);
  rewritten(permute_channels, plain("float32"), 0);
}

TEST(PermuteChannels, weights_and_products_that_cost_more_than_the_runs_stay_away) {
  // 2 pixels, 50 runs each: 72 cycles of products, 768 of weights, 300 of runs; then 100 pixels.
  rewritten(permute_channels,
            shuffled("int8", "[1,1,2,96]", "[1,1,2,2,48]", "[0,1,2,4,3]", "[1,1,2,48,2]"), 0);
  rewritten(permute_channels,
            shuffled("int8", "[1,10,10,96]", "[1,10,10,2,48]", "[0,1,2,4,3]", "[1,10,10,48,2]"), 1);
  // 16 matrices of 16 x 24: 9,216 cycles of products, 1,920 of runs.
  rewritten(permute_channels,
            shuffled("int8", "[1,4,4,384]", "[1,4,4,16,24]", "[0,1,2,4,3]", "[1,4,4,24,16]"), 0);
}

}  // namespace
}  // namespace presil::passes
