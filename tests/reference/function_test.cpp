// Functions of one int8 value, and of two, worked out by hand.
#include <gtest/gtest.h>

#include "tests/reference/values.h"

namespace presil::reference {
namespace {

const char* const kBoth[] = {"tflite", "xnnpack"};

/// y = op(x), x of scale and zero point `from`, y of `to`.
Ints function(const std::string& op, const std::string& from, const std::string& to, const Ints& x,
              const std::string& numerics = "xnnpack") {
  const std::string type = "int8[" + std::to_string(x.size()) + "] q(";
  return run_int8(numerics, {type + from + ")"}, "%y = " + op + " : " + type + to + ")", {x});
}

TEST(Exp, is_rounded_away_from_zero_and_saturates) {
  // steps of 1/8: e^0 = 8, e^1 = 21.7, e^-2 = 1.08, e^4 = 437
  EXPECT_EQ(function("exp(%x0)", "1, 3", "0.125, -4", {3, 4, 1, 7}), (Ints{4, 18, -3, 127}));
}

TEST(Log, of_nothing_and_less_is_the_least_value) {
  // steps of 1/4: ln 1 = 0, ln 0.5 = -2.77, ln 20 = 11.98
  EXPECT_EQ(function("log(%x0)", "0.5, 0", "0.25, 5", {2, 1, 40, 0, -7}),
            (Ints{5, 2, 17, -128, -128}));
}

TEST(Sqrt, is_cut_and_0_below_0) {
  // steps of 1/2: sqrt 2 = 2.83, sqrt 3 = 3.46, sqrt 4 = 4
  EXPECT_EQ(function("sqrt(%x0)", "1, -1", "0.5, -10", {1, 2, 3, -1, -50}),
            (Ints{-8, -7, -6, -10, -10}));
}

TEST(Rsqrt, of_nothing_is_the_largest_value) {
  // steps of 1/64: 1, 1 / sqrt 2 = 45.25, 1 / 2, 1 / sqrt 255 = 4.008
  for (const char* numerics : kBoth) {
    EXPECT_EQ(
        function("rsqrt(%x0)", "1, -128", "0.015625, 0", {-127, -126, -124, 127, -128}, numerics),
        (Ints{64, 45, 32, 4, 127}));
  }
}

TEST(Elu, ties_depend_on_the_zero_point_under_xnnpack) {
  // 1.5 - 11 = -9.5 is even -10; else 1.5 is 2. e^-1 - 1 = -0.632, 2.5 steps down.
  EXPECT_EQ(function("elu(%x0)", "0.5, 0", "0.25, -11", {-2}), (Ints{-14}));
  EXPECT_EQ(function("elu(%x0)", "0.25, 0", "0.5, -11", {3, 4}, "tflite"), (Ints{-9, -9}));
  EXPECT_EQ(function("elu(%x0)", "0.25, 0", "0.5, -11", {3, 4}, "xnnpack"), (Ints{-10, -9}));
}

TEST(Gelu, has_two_forms) {
  // x = -1: -0.1587 exactly, -0.1588 by tanh; 1: 0.8413 and 0.8412; 3: 2.99595, 2.9964
  const Ints x = {-8, 8, 24, 0};
  EXPECT_EQ(function("gelu(%x0)", "0.125, 0", "0.025, 1", x), (Ints{-5, 35, 121, 1}));
  EXPECT_EQ(function("gelu(%x0) {approximate=true}", "0.125, 0", "0.025, 1", x),
            (Ints{-5, 35, 121, 1}));
  // x = -2: -0.04550 and -0.04540
  EXPECT_EQ(function("gelu(%x0)", "1, 0", "0.001, 100", {-2}), (Ints{54}));
  EXPECT_EQ(function("gelu(%x0) {approximate=true}", "1, 0", "0.001, 100", {-2}), (Ints{55}));
}

TEST(Abs, is_around_the_zero_point) {
  for (const char* numerics : kBoth) {
    EXPECT_EQ(function("abs(%x0)", "0.5, 10", "0.5, -3", {10, 12, 8, -128}, numerics),
              (Ints{-3, -1, -1, 127}));
    EXPECT_EQ(function("abs(%x0)", "0.5, 0", "1, 0", {3, -3, -128}, numerics), (Ints{2, 2, 64}));
  }
}

TEST(Neg, turns_the_sign_of_what_is_stored) {
  EXPECT_EQ(function("neg(%x0)", "0.5, 4", "0.5, -4", {4, 10, -7, -128}), (Ints{-4, -10, 7, -128}));
}

TEST(ReluN1To1, and_0_to_1_clamp_after_the_scale) {
  for (const char* numerics : kBoth) {
    EXPECT_EQ(function("relu_n1_to_1(%x0)", "0.25, 1", "0.125, 0", {1, 3, 5, 9, -9}, numerics),
              (Ints{0, 4, 8, 8, -8}));
    EXPECT_EQ(function("relu_0_to_1(%x0)", "0.25, 1", "0.125, 5", {1, 3, 5, 9, -9}, numerics),
              (Ints{5, 9, 13, 13, 5}));
  }
}

TEST(Prelu, has_a_slope_for_each_channel) {
  // x = 4, -4, -4 steps of 0.5; slopes 0.25 * (2, 4, -2) = 0.5, 1, -0.5; y in steps of 0.5
  for (const char* numerics : kBoth) {
    EXPECT_EQ(run_int8(numerics, {"int8[2,3] q(0.5, 1)"},
                       "const %a : int8[3] q(0.25, 1) = [3, 5, -1]\n"
                       "%y = prelu(%x0, %a) : int8[2,3] q(0.5, -2)",
                       {{5, -3, -3, -3, 5, 5}}),
              (Ints{2, -6, 0, -4, 2, 2}));
  }
}

// a = 6, -6, 5, 1 by b = 3, 3, -2, 4 in steps of 1/2; a quotient that is far too small for y.
TEST(Div, rounds_the_quotient) {
  for (const char* numerics : kBoth) {
    EXPECT_EQ(run_int8(numerics, {"int8[4] q(1, -2)", "int8[4] q(0.5, 1)"},
                       "%y = div(%x0, %x1) : int8[4] q(0.5, 10)", {{4, -8, 3, -1}, {7, 7, -3, 9}}),
              (Ints{14, 6, 5, 11}));  // 2, -2, -2.5, 0.25 of which the half is rounded up
    EXPECT_EQ(run_int8(numerics, {"int8[1] q(0.00390625, 0)", "int8[1] q(1, 0)"},
                       "%y = div(%x0, %x1) : int8[1] q(1, 0)", {{1}, {100}}),
              (Ints{127}));  // shifted by 31 - 25 + 30 + 7 = 43, that is 11
    EXPECT_EQ(run_int8(numerics, {"int8[3] q(1, 0)", "int8[3] q(1, 5)"},
                       "%y = div(%x0, %x1) : int8[3] q(1, 3)", {{1, -1, 0}, {5, 5, 5}}),
              (Ints{127, -128, 3}));
  }
}

TEST(SquaredDifference, is_scaled_before_and_after) {
  // a - b: 3 - 1 = 2, 3 - 4.5 = -1.5, squared 4, 2.25; y in steps of 0.25 from -1
  for (const char* numerics : kBoth) {
    EXPECT_EQ(
        run_int8(numerics, {"int8[2] q(1, 0)", "int8[2] q(0.5, 1)"},
                 "%y = squared_difference(%x0, %x1) : int8[2] q(0.25, -1)", {{3, 3}, {3, 10}}),
        (Ints{15, 8}));
  }
}

}  // namespace
}  // namespace presil::reference
