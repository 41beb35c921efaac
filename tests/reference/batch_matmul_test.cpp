// Products of matrices that are both computed, against values worked out by hand.
#include <gtest/gtest.h>

#include "tests/reference/values.h"

namespace presil::reference {
namespace {

const char* const kRules[] = {"tflite", "xnnpack"};

// a - -1 = [1 2 3; 4 5 6], b - 2 = [1 0; 0 1; 2 -1]; y = [7 -1; 16 -1], above 10.
TEST(BatchMatmul, both_operands_are_what_they_are_above_their_zero_points) {
  const std::string a = "int8[2,3] q(1, -1)", b = "int8[3,2] q(1, 2)";
  const Ints values_a = {0, 1, 2, 3, 4, 5}, values_b = {3, 2, 2, 3, 4, 1};
  for (const char* numerics : kRules) {
    EXPECT_EQ(run_int8(numerics, {a, b}, "%y = batch_matmul(%x0, %x1) : int8[2,2] q(1, 10)",
                       {values_a, values_b}),
              (Ints{17, 9, 26, 9}));
  }
}

TEST(BatchMatmul, either_operand_may_lie_transposed) {
  const Ints a = {1, 2, 3, 4, 5, 6}, a_transposed = {1, 4, 2, 5, 3, 6};
  const Ints b = {1, 0, 0, 1, 2, -1}, b_transposed = {1, 0, 2, 0, 1, -1};
  const Ints y = {7, -1, 16, -1};
  const std::string type_y = " : int8[2,2] q(1, 0)";
  const auto product = [&](const Ints& left, const Ints& right, bool ta, bool tb) {
    return run_int8("tflite",
                    {ta ? "int8[3,2] q(1, 0)" : "int8[2,3] q(1, 0)",
                     tb ? "int8[2,3] q(1, 0)" : "int8[3,2] q(1, 0)"},
                    std::string("%y = batch_matmul(%x0, %x1) {transpose_a=") +
                        (ta ? "true" : "false") + ", transpose_b=" + (tb ? "true" : "false") + "}" +
                        type_y,
                    {left, right});
  };
  EXPECT_EQ(product(a, b, false, false), y);
  EXPECT_EQ(product(a_transposed, b, true, false), y);
  EXPECT_EQ(product(a, b_transposed, false, true), y);
  EXPECT_EQ(product(a_transposed, b_transposed, true, true), y);
}

// Leading axes [2,1] and [3] make [2,3]: row i of a times column j of b.
TEST(BatchMatmul, leading_axes_broadcast) {
  EXPECT_EQ(run_int8("tflite", {"int8[2,1,1,2] q(1, 0)", "int8[3,2,1] q(1, 0)"},
                     "%y = batch_matmul(%x0, %x1) : int8[2,3,1,1] q(1, 0)",
                     {{1, 10, 2, 20}, {1, 0, 0, 1, 1, 1}}),
            (Ints{1, 10, 11, 2, 20, 22}));
  EXPECT_EQ(
      run_int8("tflite", {"int8[1,2] q(1, 0)", "int8[3,2,1] q(1, 0)"},
               "%y = batch_matmul(%x0, %x1) : int8[3,1,1] q(1, 0)", {{1, 10}, {1, 0, 0, 1, 1, 1}}),
      (Ints{1, 10, 11}));
}

/// Of 0.25 x: 0.5, 1.5, 2.5, -0.5, -1.5, -2.5.
Ints halves(const char* numerics, const std::string& op, int zero_of_b) {
  const std::string b = "int8[1,1] q(1, " + std::to_string(zero_of_b) + ")";
  return run_int8(numerics, {"int8[6,1] q(0.25, 0)", b},
                  "%y = " + op + "(%x0, %x1) : int8[6,1] q(1, 0)",
                  {{2, 6, 10, -2, -6, -10}, {1 + zero_of_b}});
}

TEST(BatchMatmul, under_xnnpack_halves_go_to_even_where_the_zero_point_of_b_is_0) {
  const Ints away = {1, 2, 3, -1, -2, -3}, even = {0, 2, 2, 0, -2, -2};
  EXPECT_EQ(halves("tflite", "batch_matmul", 0), away);
  EXPECT_EQ(halves("xnnpack", "batch_matmul", 0), even);
  for (const char* numerics : kRules) EXPECT_EQ(halves(numerics, "batch_matmul", 5), away);
}

TEST(FullyConnected, under_xnnpack_halves_of_rows_by_computed_ones_go_up) {
  for (const int zero : {0, 5}) {
    EXPECT_EQ(halves("tflite", "fully_connected", zero), (Ints{1, 2, 3, -1, -2, -3}));
    EXPECT_EQ(halves("xnnpack", "fully_connected", zero), (Ints{1, 2, 3, 0, -1, -2}));
  }
}

// Rows of w are outputs; w - 3 = [1 -1; 2 0]; (5 - 4, 6 - 4) = (1, 2); bias 10, 20.
TEST(FullyConnected, weights_may_be_computed_and_have_a_zero_point) {
  for (const char* numerics : kRules) {
    EXPECT_EQ(run_int8(numerics, {"int8[1,2] q(1, 4)", "int8[2,2] q(1, 3)"},
                       "const %b : int32[2] = [10, 20]\n"
                       "%y = fully_connected(%x0, %x1, %b) {act=relu6} : int8[1,2] q(1, -100)",
                       {{5, 6}, {4, 2, 5, 3}}),
              (Ints{-94, -94}));
    EXPECT_EQ(run_int8(numerics, {"int8[1,2] q(1, 4)", "int8[2,2] q(1, 3)"},
                       "const %b : int32[2] = [10, 20]\n"
                       "%y = fully_connected(%x0, %x1, %b) : int8[1,2] q(1, -100)",
                       {{5, 6}, {4, 2, 5, 3}}),
              (Ints{-91, -78}));
  }
}

TEST(BatchMatmul, int16_sums_are_as_long_as_they_are) {
  const ir::Graph graph = ir::parse(R"(graph "t" tflite {
    input %a : int16[1,3] q(1, 0)
    input %b : int16[2,3] q(1, 0)
    %y = batch_matmul(%a, %b) {transpose_b=true} : int16[1,2] q(262144, 0)
    output %y })");
  const std::vector<int16_t> a = {32767, 32767, 32767}, b = {32767, 32767, 32767, 8, 0, 0};
  const auto y = run(
      graph, {value(graph.tensor(graph.inputs[0]), a), value(graph.tensor(graph.inputs[1]), b)});
  // 3 * 32767^2 / 2^18 = 12287.25, beyond int32; 8 * 32767 / 2^18 = 0.99997
  EXPECT_EQ(elements<int16_t>(y.at(0)), (std::vector<int16_t>{12287, 1}));
}

}  // namespace
}  // namespace presil::reference
