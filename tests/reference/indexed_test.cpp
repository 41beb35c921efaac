// What picks, repeats, mirrors or casts values, worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference/values.h"

namespace presil::reference {
namespace {

/// The one result of `lines`, whose inputs have these values.
template <class T>
std::vector<T> result(const std::string& lines, const std::vector<ir::Bytes>& inputs) {
  const ir::Graph graph = ir::parse("graph \"t\" tflite {\n" + lines + "\noutput %y }");
  std::vector<TensorValue> values;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ir::Tensor& type = graph.tensor(graph.inputs[i]);
    values.push_back({type.dtype, type.shape, inputs[i]});
  }
  return elements<T>(run(graph, values).at(0));
}

template <class T>
ir::Bytes bytes(const std::vector<T>& values) {
  ir::Bytes all(values.size() * sizeof(T));
  std::memcpy(all.data(), values.data(), all.size());
  return all;
}

TEST(Tile, an_axis_repeats_as_a_whole) {
  EXPECT_EQ(run_int8("tflite", {"int8[2,2] q(1, 0)"},
                     "%y = tile(%x0) {multiples=[2,3]} : int8[4,6] q(1, 0)", {{1, 2, 3, 4}}),
            (Ints{1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4, 1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4}));
}

TEST(MirrorPad, shows_the_edge_once_or_twice) {
  EXPECT_EQ(
      run_int8("tflite", {"int8[4] q(1, 0)"},
               "%y = mirror_pad(%x0) {before=[3], after=[2]} : int8[9] q(1, 0)", {{1, 2, 3, 4}}),
      (Ints{4, 3, 2, 1, 2, 3, 4, 3, 2}));
  EXPECT_EQ(run_int8("tflite", {"int8[2,2] q(1, 0)"},
                     "%y = mirror_pad(%x0) {before=[0,2], after=[1,1], symmetric=true} : int8[3,5] "
                     "q(1, 0)",
                     {{1, 2, 3, 4}}),
            (Ints{2, 1, 1, 2, 2, 4, 3, 3, 4, 4, 4, 3, 3, 4, 4}));
}

TEST(Gather, slices_come_in_the_order_of_the_indices) {
  EXPECT_EQ(run_int8("tflite", {"int8[2,3] q(1, 0)"},
                     "const %i : int32[2,2] = [2, 0, 1, 2]\n%y = gather(%x0, %i) {axis=1} : "
                     "int8[2,2,2] q(1, 0)",
                     {{1, 2, 3, 4, 5, 6}}),
            (Ints{3, 1, 2, 3, 6, 4, 5, 6}));
}

TEST(Gather, axes_in_common_go_along) {
  // Of image b row indices[b]: 1 of 0..2, 2 of 10..12.
  EXPECT_EQ(run_int8("tflite", {"int8[2,3,1] q(1, 0)"},
                     "const %i : int64[2] = [1, 2]\n%y = gather(%x0, %i) {axis=1, batch_dims=1} : "
                     "int8[2,1] q(1, 0)",
                     {{0, 1, 2, 10, 11, 12}}),
            (Ints{1, 12}));
}

TEST(Gather, computed_indices_outside_are_the_nearest_inside) {
  const auto y = result<int16_t>(
      "input %x : int16[3] q(1, 0)\ninput %i : int32[4]\n%y = gather(%x, %i) : int16[4] q(1, 0)",
      {bytes<int16_t>({100, 200, 300}), bytes<int32_t>({-5, 1, 7, 2})});
  EXPECT_EQ(y, (std::vector<int16_t>{100, 200, 300, 300}));
}

TEST(GatherNd, a_row_of_indices_names_a_value_or_all_after) {
  const std::string x = "input %x : int8[2,3] q(1, 0)\n";
  const ir::Bytes values = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(result<int8_t>(x + "const %i : int32[3,2] = [0, 2, 1, 0, 1, 1]\n"
                               "%y = gather_nd(%x, %i) : int8[3] q(1, 0)",
                           {values}),
            (std::vector<int8_t>{3, 4, 5}));
  EXPECT_EQ(result<int8_t>(x + "input %i : int64[2,1]\n"
                               "%y = gather_nd(%x, %i) : int8[2,3] q(1, 0)",
                           {values, bytes<int64_t>({1, -1})}),
            (std::vector<int8_t>{4, 5, 6, 1, 2, 3}));
}

TEST(Select, one_of_two_and_shapes_broadcast) {
  const auto y = result<float>(
      "input %c : bool[2,1]\ninput %a : float32[2,2]\ninput %b : float32[]\n"
      "%y = select(%c, %a, %b) : float32[2,2]",
      {{0, 1}, bytes<float>({1, 2, 3, 4}), bytes<float>({-9})});
  EXPECT_EQ(y, (std::vector<float>{-9, -9, 3, 4}));
}

TEST(OneHot, is_on_at_the_index_and_off_elsewhere) {
  const std::string lines =
      "input %i : int32[3]\nconst %on : int8[] = [7]\nconst %off : int8[1] = [-1]\n";
  EXPECT_EQ(result<int8_t>(lines + "%y = one_hot(%i, %on, %off) {axis=1} : int8[3,2]",
                           {bytes<int32_t>({1, 0, 5})}),
            (std::vector<int8_t>{-1, 7, 7, -1, -1, -1}));
  EXPECT_EQ(result<int8_t>(lines + "%y = one_hot(%i, %on, %off) : int8[2,3]",
                           {bytes<int32_t>({1, 0, -1})}),
            (std::vector<int8_t>{-1, 7, -1, 7, -1, -1}));
}

TEST(Cast, a_float_loses_its_fraction_and_stays_within_the_type) {
  const ir::Bytes x = bytes<float>({1.9f, -1.9f, 300.0f, -1e20f, std::nanf(""), 0.5f});
  const std::string input = "input %x : float32[6]\n%y = cast(%x) : ";
  EXPECT_EQ(result<int8_t>(input + "int8[6]", {x}), (std::vector<int8_t>{1, -1, 127, -128, 0, 0}));
  EXPECT_EQ(result<uint8_t>(input + "uint8[6]", {x}), (std::vector<uint8_t>{1, 0, 255, 0, 0, 0}));
  EXPECT_EQ(result<int64_t>(input + "int64[6]", {x}),
            (std::vector<int64_t>{1, -1, 300, INT64_MIN, 0, 0}));
  EXPECT_EQ(result<uint8_t>(input + "bool[6]", {x}), (std::vector<uint8_t>{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(
      result<int64_t>("input %x : float32[1]\n%y = cast(%x) : int64[1]", {bytes<float>({9.3e18f})}),
      (std::vector<int64_t>{INT64_MAX}));
}

TEST(Cast, an_integer_keeps_its_low_bits_or_the_nearest_float) {
  const ir::Bytes x = bytes<int32_t>({300, -1, 16777217, 16777219});
  const std::string input = "input %x : int32[4]\n%y = cast(%x) : ";
  EXPECT_EQ(result<int8_t>(input + "int8[4]", {x}), (std::vector<int8_t>{44, -1, 1, 3}));
  EXPECT_EQ(result<float>(input + "float32[4]", {x}),
            (std::vector<float>{300, -1, 16777216, 16777220}));  // ties to even
  EXPECT_EQ(result<int64_t>(input + "int64[4]", {x}),
            (std::vector<int64_t>{300, -1, 16777217, 16777219}));
  EXPECT_EQ(result<float>("input %x : bool[3]\n%y = cast(%x) : float32[3]", {{0, 1, 9}}),
            (std::vector<float>{0, 1, 1}));
}

TEST(Pad, a_border_of_floats_is_given_by_its_bits) {
  EXPECT_EQ(result<float>("input %x : float32[1]\n%y = pad(%x) {before=[1], after=[1], "
                          "value=1069547520} : float32[3]",  // 0x3fc00000
                          {bytes<float>({7})}),
            (std::vector<float>{1.5f, 7, 1.5f}));
}

}  // namespace
}  // namespace presil::reference
