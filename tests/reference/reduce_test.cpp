// Reductions and choices between stored values, worked out by hand.
#include <gtest/gtest.h>

#include "tests/reference/values.h"

namespace presil::reference {
namespace {

/// Runs `lines`, which make %y of type Y, on one input of type X.
template <class X, class Y>
std::vector<Y> run_on(const std::string& type, const std::string& lines, const std::vector<X>& x,
                      const char* numerics = "tflite") {
  const ir::Graph graph = ir::parse("graph \"t\" " + std::string(numerics) +
                                    " {\ninput %x : " + type + "\n" + lines + "\noutput %y }");
  return elements<Y>(run(graph, {value(graph.tensor(graph.inputs[0]), x)}).at(0));
}

TEST(Sum, has_a_scale_of_its_own_and_saturates) {
  // less zero points 1 + 2 + 3 = 6, -10 * 3 = -30; y's scale is twice x's, zero point 1; halves of
  // sums go away from zero in the second rounding
  for (const char* numerics : {"tflite", "xnnpack"}) {
    EXPECT_EQ(run_int8(numerics, {"int8[1,3,1,2] q(1, 1)"},
                       "%y = sum(%x0) {axes=[1,2]} : int8[1,2] q(2, 1)", {{2, -9, 3, -9, 4, -9}}),
              (Ints{4, -14}));
    EXPECT_EQ(
        run_int8(numerics, {"int8[3] q(1, 1)"},
                 "%y = sum(%x0) {axes=[0], keep_dims=true} : int8[1] q(0.5, 0)", {{100, 100, 100}}),
        (Ints{127}));
  }
}

TEST(Sum, halves_go_away_from_zero_or_to_the_even_stored_value) {
  // 3 / 2 = 1.5 from zero point 1: 3 under tflite, of 2.5 the even 2 under xnnpack
  const auto sum = [](const char* numerics) {
    return run_int8(numerics, {"int8[2] q(1, 0)"}, "%y = sum(%x0) {axes=[0]} : int8[] q(2, 1)",
                    {{1, 2}});
  };
  EXPECT_EQ(sum("tflite"), (Ints{3}));
  EXPECT_EQ(sum("xnnpack"), (Ints{2}));
}

TEST(Sum, of_int16_and_plain_integers) {
  EXPECT_EQ((run_on<int16_t, int16_t>("int16[2,2] q(0.25, 0)",
                                      "%y = sum(%x) {axes=[1]} : int16[2] q(0.5, 0)",
                                      {1000, 3000, -20000, -30000})),
            (std::vector<int16_t>{2000, -25000}));
  EXPECT_EQ((run_on<int32_t, int32_t>("int32[3]", "%y = sum(%x) {axes=[0]} : int32[]",
                                      {INT32_MAX, 1, 4})),
            (std::vector<int32_t>{INT32_MIN + 4}));
}

TEST(Mean, of_int16_takes_any_axes) {
  EXPECT_EQ((run_on<int16_t, int16_t>("int16[2,2] q(0.25, 0)",
                                      "%y = mean(%x) {axes=[0]} : int16[2] q(0.25, 0)",
                                      {1000, 3000, -20000, 30000})),
            (std::vector<int16_t>{-9500, 16500}));
}

TEST(ReduceMax, compares_what_is_stored) {
  const std::vector<int8_t> x = {-5, 9, -128, -7, 3, 127};
  const std::string type = "int8[2,3] q(0.5, 4)";
  EXPECT_EQ((run_on<int8_t, int8_t>(type, "%y = reduce_max(%x) {axes=[1]} : int8[2] q(0.5, 4)", x)),
            (std::vector<int8_t>{9, 127}));
  EXPECT_EQ((run_on<int8_t, int8_t>(
                type, "%y = reduce_min(%x) {axes=[0], keep_dims=true} : int8[1,3] q(0.5, 4)", x)),
            (std::vector<int8_t>{-7, 3, -128}));
  EXPECT_EQ((run_on<int64_t, int64_t>("int64[2]", "%y = reduce_min(%x) {axes=[0]} : int64[]",
                                      {int64_t{1} << 40, -(int64_t{1} << 41)})),
            (std::vector<int64_t>{-(int64_t{1} << 41)}));
}

TEST(ArgMax, names_the_first_of_equal_ones) {
  const std::vector<int8_t> x = {3, 7, 7, -2, -2, 5};
  const std::string type = "int8[2,3] q(0.5, 4)";
  EXPECT_EQ((run_on<int8_t, int32_t>(type, "%y = arg_max(%x) {axis=1} : int32[2]", x)),
            (std::vector<int32_t>{1, 2}));
  EXPECT_EQ((run_on<int8_t, int64_t>(type, "%y = arg_min(%x) {axis=1} : int64[2]", x)),
            (std::vector<int64_t>{0, 0}));
  EXPECT_EQ((run_on<int8_t, int32_t>(type, "%y = arg_max(%x) {axis=0} : int32[3]", x)),
            (std::vector<int32_t>{0, 0, 0}));
}

TEST(Maximum, broadcasts) {
  const std::string lines = "const %c : int8[3] q(0.5, 4) = [0, 5, -9]\n";
  const std::vector<int8_t> x = {3, 3, 3, -20, 6, -9};
  const std::string type = "int8[2,3] q(0.5, 4)";
  EXPECT_EQ((run_on<int8_t, int8_t>(type, lines + "%y = maximum(%x, %c) : int8[2,3] q(0.5, 4)", x)),
            (std::vector<int8_t>{3, 5, 3, 0, 6, -9}));
  EXPECT_EQ((run_on<int8_t, int8_t>(type, lines + "%y = minimum(%c, %x) : int8[2,3] q(0.5, 4)", x)),
            (std::vector<int8_t>{0, 3, -9, -20, 5, -9}));
}

}  // namespace
}  // namespace presil::reference
