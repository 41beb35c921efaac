#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

constexpr char kQ[] = " q(0.5, -3)";

std::string slice(const std::string& name, int begin, int size, int step = 1) {
  return "  %" + name + " = strided_slice(%x) {begin=[0,0,0," + std::to_string(begin) +
         "], size=[1,4,5," + std::to_string(size) + "], step=[1,1,1," + std::to_string(step) +
         "]} : int8[1,4,5," + std::to_string(size) + "]" + kQ + "\n";
}

std::string graph(const std::string& lines, const std::string& outputs, int channels = 24) {
  return "graph \"g\" tflite {\n  input %x : int8[1,4,5," + std::to_string(channels) + "]" + kQ +
         "\n" + lines + "  output " + outputs + "\n}";
}

/// By channel of the result, that of x.
std::vector<int> map_of(const ir::Graph& g, size_t op) {
  const ir::Tensor& w = g.tensor(g.ops[op].input(1));
  std::vector<int> map;
  for (int64_t o = 0; o < w.shape[0]; ++o) {
    for (int64_t i = 0; i < w.shape[3]; ++i) {
      if (w.values<int8_t>()[o * w.shape[3] + i] == 1) map.push_back(static_cast<int>(i));
    }
  }
  return map;
}

TEST(JoinSlices, halves_that_change_places_are_one_convolution) {
  ir::Graph g = rewritten(join_slices,
                          graph(slice("a", 3, 3) + slice("b", 0, 3) +
                                    "  %y = concat(%a, %b) {axis=3} : int8[1,4,5,6]" + kQ + "\n",
                                "%y", 6),
                          1);
  remove_dead(g);
  EXPECT_THAT(op_lines(g), ElementsAre("y = conv2d(x, y/permutation)"));
  EXPECT_THAT(map_of(g, 0), ElementsAre(3, 4, 5, 0, 1, 2));
}

TEST(SliceChannels, a_slice_is_a_convolution_with_a_one_for_each_channel) {
  const ir::Graph g =
      rewritten(slice_channels, graph(slice("a", 5, 4) + slice("b", 1, 3, 7), "%a, %b"), 2);
  EXPECT_THAT(map_of(g, 0), ElementsAre(5, 6, 7, 8));
  EXPECT_THAT(map_of(g, 1), ElementsAre(1, 8, 15));
}

TEST(SliceChannels, other_axes_and_many_channels_stay) {
  rewritten(slice_channels,
            graph("  %a = strided_slice(%x) {begin=[0,1,0,0], size=[1,2,5,24], step=[1,1,1,1]} : "
                  "int8[1,2,5,24]" +
                      std::string(kQ) + "\n",
                  "%a"),
            0);
  rewritten(slice_channels, graph(slice("a", 3, 48), "%a", 64), 1);  // 4 x 3 blocks of 16
  rewritten(slice_channels, graph(slice("a", 3, 49), "%a", 64), 0);
}

TEST(JoinSlices, of_an_image_and_its_slice_none) {
  const std::string text = graph(slice("a", 3, 3) +
                                     "  %y = concat(%a, %x) {axis=3} : "
                                     "int8[1,4,5,27]" +
                                     std::string(kQ) + "\n",
                                 "%y");
  rewritten(join_slices, text, 0);
}

TEST(SliceChannels, a_slice_that_is_joined_to_another_image) {
  const ir::Graph g =
      rewritten(slice_channels,
                graph(slice("a", 3, 3) + "  %y = concat(%a, %x) {axis=3} : int8[1,4,5,27]" +
                          std::string(kQ) + "\n",
                      "%y"),
                1);
  EXPECT_THAT(op_lines(g), ElementsAre("a = conv2d(x, a/permutation)", "y = concat(a, x)"));
}

}  // namespace
}  // namespace presil::passes
