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
  remove_dead(g);
  EXPECT_THAT(op_lines(g), ElementsAre("y = conv2d(x, y/permutation)"));
  EXPECT_THAT(g.ops[0].source_ops, ElementsAre(0, 1, 2));
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

TEST(PermuteChannels, what_moves_pixels_or_is_read_otherwise_stays) {
  rewritten(permute_channels,
            shuffled("int8", "[1,4,5,6]", "[1,4,5,2,3]", "[0,2,1,4,3]", "[1,5,4,3,2]"), 0);
  rewritten(permute_channels,
            shuffled("int8", "[1,4,6,6]", "[1,4,3,2,6]", "[0,1,2,4,3]", "[1,4,3,6,2]"), 0);
  rewritten(permute_channels, plain("int8", "%y, %t"), 0);
  rewritten(permute_channels, plain("float32"), 0);
}

TEST(PermuteChannels, weights_that_cost_more_than_the_bytes_stay_away) {
  rewritten(permute_channels,
            shuffled("int8", "[1,1,1,96]", "[1,1,1,2,48]", "[0,1,2,4,3]", "[1,1,1,48,2]"), 0);
  rewritten(permute_channels,
            shuffled("int8", "[1,1,2,96]", "[1,1,2,2,48]", "[0,1,2,4,3]", "[1,1,2,48,2]"), 1);
}

}  // namespace
}  // namespace presil::passes
