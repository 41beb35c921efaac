// Comparisons, logic, whole numbers and the largest ones, worked out by hand.
#include <gtest/gtest.h>

#include <limits>

#include "tests/reference/values.h"

namespace presil::reference {
namespace {

/// Outputs %y (and what else `outputs` names) of `lines` on inputs of T, each of type `type`.
template <class T, class Y>
std::vector<Y> of(const std::string& type, const std::string& lines,
                  const std::vector<std::vector<T>>& inputs, const std::string& output = "%y") {
  std::string text = "graph \"t\" tflite {\n";
  for (size_t i = 0; i < inputs.size(); ++i) {
    text += "input %x" + std::to_string(i) + " : " + type + "\n";
  }
  const ir::Graph graph = ir::parse(text + lines + "\noutput " + output + " }");
  std::vector<TensorValue> values;
  for (size_t i = 0; i < inputs.size(); ++i) {
    values.push_back(value(graph.tensor(graph.inputs[i]), inputs[i]));
  }
  return elements<Y>(run(graph, values).at(0));
}

using Words = std::vector<int32_t>;
using Bools = std::vector<uint8_t>;
using Bytes = std::vector<int8_t>;
using Floats = std::vector<float>;

TEST(Compare, whole_numbers_as_they_are) {
  const std::vector<Words> x = {{1, 2, 3}, {2, 2, 2}};
  const std::pair<const char*, Bools> expected[] = {
      {"equal", {0, 1, 0}},         {"not_equal", {1, 0, 1}}, {"greater", {0, 0, 1}},
      {"greater_equal", {0, 1, 1}}, {"less", {1, 0, 0}},      {"less_equal", {1, 1, 0}}};
  for (const auto& [op, y] : expected) {
    EXPECT_EQ(
        (of<int32_t, uint8_t>("int32[3]", std::string("%y = ") + op + "(%x0, %x1) : bool[3]", x)),
        y)
        << op;
  }
}

TEST(Compare, bytes_by_their_real_values_in_steps_of_1_256) {
  // Steps of 1/1024, 4 of which are one of the comparison: 2 and 3 round to 1, 1 to 0. So 3 is 2,
  // 2 is not 1, and 1 is 0.
  const std::string line = "%y = equal(%x0, %x1) : bool[3]";
  EXPECT_EQ((of<int8_t, uint8_t>("int8[3] q(0.0009765625, -1)", line, {{2, 1, 0}, {1, 0, -1}})),
            (Bools{1, 0, 1}));
}

TEST(Compare, what_is_no_number_is_unequal) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Floats> x = {{nan, 1.5f}, {nan, 1.5f}};
  EXPECT_EQ((of<float, uint8_t>("float32[2]", "%y = equal(%x0, %x1) : bool[2]", x)), (Bools{0, 1}));
  EXPECT_EQ((of<float, uint8_t>("float32[2]", "%y = less_equal(%x0, %x1) : bool[2]", x)),
            (Bools{0, 1}));
}

TEST(Logic, of_two_and_of_one) {
  const std::vector<Bools> x = {{0, 0, 1, 1}, {0, 1, 0, 1}};
  EXPECT_EQ((of<uint8_t, uint8_t>("bool[4]", "%y = logical_and(%x0, %x1) : bool[4]", x)),
            (Bools{0, 0, 0, 1}));
  EXPECT_EQ((of<uint8_t, uint8_t>("bool[4]", "%y = logical_or(%x0, %x1) : bool[4]", x)),
            (Bools{0, 1, 1, 1}));
  EXPECT_EQ((of<uint8_t, uint8_t>("bool[4]", "%y = logical_not(%x0) : bool[4]", {x[0]})),
            (Bools{1, 1, 0, 0}));
}

TEST(WholeNumbers, quotients_are_rounded_down_and_rests_have_the_sign_of_b) {
  const int32_t low = std::numeric_limits<int32_t>::min();
  const std::vector<Words> x = {{7, -7, 7, -7, 6, low, 5}, {2, 2, -2, -2, -3, -1, 0}};
  EXPECT_EQ((of<int32_t, int32_t>("int32[7]", "%y = floor_div(%x0, %x1) : int32[7]", x)),
            (Words{3, -4, -4, 3, -2, low, 0}));
  EXPECT_EQ((of<int32_t, int32_t>("int32[7]", "%y = floor_mod(%x0, %x1) : int32[7]", x)),
            (Words{1, 1, -1, -1, 0, 0, 0}));
  const std::vector<Floats> f = {{7.5f, -7.5f, 6.0f}, {2.0f, 2.0f, -4.0f}};
  EXPECT_EQ((of<float, float>("float32[3]", "%y = floor_div(%x0, %x1) : float32[3]", f)),
            (Floats{3, -4, -2}));
  EXPECT_EQ((of<float, float>("float32[3]", "%y = floor_mod(%x0, %x1) : float32[3]", f)),
            (Floats{1.5f, 0.5f, -2}));
}

TEST(WholeNumbers, sums_and_products_wrap) {
  const int32_t high = std::numeric_limits<int32_t>::max();
  const std::vector<Words> x = {{high, 3}, {2, -5}};
  EXPECT_EQ((of<int32_t, int32_t>("int32[2]", "%y = add(%x0, %x1) : int32[2]", x)),
            (Words{-high, -2}));
  EXPECT_EQ((of<int32_t, int32_t>("int32[2]", "%y = sub(%x1, %x0) : int32[2]", x)),
            (Words{-high + 2, -8}));
  EXPECT_EQ((of<int32_t, int32_t>("int32[2]", "%y = mul(%x0, %x1) : int32[2]", x)),
            (Words{-2, -15}));
}

TEST(TopK, the_largest_first_and_of_equal_ones_the_first) {
  const std::string line = "%y, %i = top_k(%x0) : int8[2,3] q(1, 0), int32[2,3]";
  const std::vector<Bytes> x = {{1, 9, 9, -3, 2, 0, 0, 0}};
  EXPECT_EQ((of<int8_t, int8_t>("int8[2,4] q(1, 0)", line, x)), (Bytes{9, 9, 1, 2, 0, 0}));
  EXPECT_EQ((of<int8_t, int32_t>("int8[2,4] q(1, 0)", line, x, "%i")), (Words{1, 2, 0, 0, 1, 2}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::string floats = "%y, %i = top_k(%x0) : float32[3], int32[3]";
  EXPECT_EQ((of<float, int32_t>("float32[3]", floats, {{nan, -1, 4}}, "%i")), (Words{2, 1, 0}));
}

TEST(L2Normalize, a_row_of_bytes_has_length_128) {
  // 3, 4 of length 5: 76.8 and 102.4; one value alone saturates.
  const std::string line = "%y = l2_normalize(%x0) : int8[2,2] q(0.0078125, 0)";
  EXPECT_EQ((of<int8_t, int8_t>("int8[2,2] q(0.3, -1)", line, {{2, 3, -1, 10}})),
            (Bytes{77, 102, 0, 127}));
}

// 3, 5, 7, 9: mean 6, variance 5, with epsilon 4 a third of what lies apart.
TEST(LayerNorm, rows_less_their_mean_by_the_root_of_their_variance) {
  const std::string line = "%y = layer_norm(%x0, %x1, %x2) {epsilon=4} : float32[4]";
  EXPECT_EQ((of<float, float>("float32[4]", line, {{3, 5, 7, 9}, {3, 3, 3, 6}, {0, 0, 0, 1}})),
            (Floats{-3, -1, 1, 7}));
}

TEST(FloatReductions, of_16_lanes_and_of_extremes) {
  const std::vector<Floats> x = {{1, 5, -2, 4}};
  EXPECT_EQ((of<float, float>("float32[2,2]", "%y = sum(%x0) {axes=[1]} : float32[2]", x)),
            (Floats{6, 2}));
  EXPECT_EQ((of<float, float>("float32[2,2]", "%y = reduce_max(%x0) {axes=[0]} : float32[2]", x)),
            (Floats{1, 5}));
  EXPECT_EQ((of<float, float>("float32[2,2]", "%y = reduce_min(%x0) {axes=[0]} : float32[2]", x)),
            (Floats{-2, 4}));
  EXPECT_EQ((of<float, int32_t>("float32[2,2]", "%y = arg_max(%x0) {axis=1} : int32[2]", x)),
            (Words{1, 1}));
  EXPECT_EQ((of<float, float>("float32[4]", "%y = maximum(%x0, %x1) : float32[4]",
                              {{1, 5, -2, 4}, {3, 0, -1, 4}})),
            (Floats{3, 5, -1, 4}));
}

}  // namespace
}  // namespace presil::reference
