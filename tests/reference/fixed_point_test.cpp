#include "compiler_bridge/reference/fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "compiler_bridge/reference/fixed_functions.h"

namespace presil::reference {
namespace {

constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();

TEST(FixedPoint, a_scale_is_fraction_and_exponent) {
  EXPECT_EQ(to_scale(0.5).multiplier, 1 << 30);
  EXPECT_EQ(to_scale(0.5).shift, 0);
  EXPECT_EQ(to_scale(1.0).multiplier, 1 << 30);
  EXPECT_EQ(to_scale(1.0).shift, 1);
  EXPECT_EQ(to_scale(0.3).multiplier, 1288490189);  // 0.6 * 2^31 = 1288490188.8
  EXPECT_EQ(to_scale(0.3).shift, -1);
  EXPECT_EQ(to_scale(0.0).multiplier, 0);
}

TEST(FixedPoint, a_fraction_that_rounds_up_to_one_moves_into_the_exponent) {
  const Scale scale = to_scale(1.0 - 1e-12);  // * 2^31 = 2^31 - 0.002
  EXPECT_EQ(scale.multiplier, 1 << 30);
  EXPECT_EQ(scale.shift, 1);
}

TEST(FixedPoint, what_is_below_two_to_minus_32_is_zero) {
  EXPECT_EQ(to_scale(std::ldexp(0.9, -32)).multiplier, 0);
  EXPECT_NE(to_scale(std::ldexp(0.9, -31)).multiplier, 0);
}

TEST(FixedPoint, high_mul_rounds_positive_halves_up_and_negative_halves_up) {
  EXPECT_EQ(doubling_high_mul(3, 1 << 30), 2);    // 1.5
  EXPECT_EQ(doubling_high_mul(-3, 1 << 30), -1);  // -1.5: the nudge 1 - 2^30 truncates to -1
  EXPECT_EQ(doubling_high_mul(-5, 1 << 30), -2);  // -2.5
  EXPECT_EQ(doubling_high_mul(kMin, kMin), kMax);
  EXPECT_EQ(doubling_high_mul(kMin, kMax), kMin + 1);
}

TEST(FixedPoint, the_right_shift_rounds_ties_away_from_zero) {
  EXPECT_EQ(rounding_shift_right(3, 1), 2);
  EXPECT_EQ(rounding_shift_right(-3, 1), -2);
  EXPECT_EQ(rounding_shift_right(5, 2), 1);
  EXPECT_EQ(rounding_shift_right(6, 2), 2);
  EXPECT_EQ(rounding_shift_right(-6, 2), -2);
  EXPECT_EQ(rounding_shift_right(-7, 0), -7);
  EXPECT_EQ(rounding_shift_right(kMin, 31), -1);
}

TEST(FixedPoint, multiply_rounds_twice) {
  // 7 * 0.125 = 0.875. High mul by 2^30 (0.5): 3.5 -> 4; shift 2: 1. And 5: 2.5 -> 3, 0.75 -> 1;
  // 3: 1.5 -> 2, 0.5 -> 1, though 0.375 rounds to 0.
  const Scale eighth = to_scale(0.125);
  EXPECT_EQ(multiply(7, eighth), 1);
  EXPECT_EQ(multiply(5, eighth), 1);
  EXPECT_EQ(multiply(3, eighth), 1);
  EXPECT_EQ(multiply(2, eighth), 0);
}

TEST(FixedPoint, round_even_takes_ties_to_even_and_saturates) {
  EXPECT_EQ(round_even(0.5f), 0);
  EXPECT_EQ(round_even(1.5f), 2);
  EXPECT_EQ(round_even(2.5f), 2);
  EXPECT_EQ(round_even(-0.5f), 0);
  EXPECT_EQ(round_even(-1.5f), -2);
  EXPECT_EQ(round_even(-2.75f), -3);
  EXPECT_EQ(round_even(3e9f), kMax);
  EXPECT_EQ(round_even(-3e9f), kMin);
  EXPECT_EQ(round_even(std::numeric_limits<float>::quiet_NaN()), kMin);
}

TEST(FixedPoint, round_even_equals_the_processors_rounding) {
  std::mt19937 random(3);
  for (int i = 0; i < 200000; ++i) {
    const float x = std::ldexp(static_cast<float>(static_cast<int32_t>(random())),
                               -static_cast<int>(random() % 40));
    if (std::abs(x) < 2e9f) {
      ASSERT_EQ(round_even(x), static_cast<int32_t>(std::nearbyint(x)));
    }
  }
}

TEST(FixedFunctions, exp_is_within_a_millionth) {
  for (int integer_bits : {4, 5}) {
    const double range = 1 << integer_bits;
    for (int i = 1; i < 1000; ++i) {
      const double x = -range * i / 1000;
      const auto stored = static_cast<int32_t>(std::ldexp(x, 31 - integer_bits));
      EXPECT_NEAR(std::ldexp(exp_of_negative(stored, integer_bits), -31), std::exp(x), 1e-6);
    }
    EXPECT_EQ(exp_of_negative(0, integer_bits), kMax);
  }
}

TEST(FixedFunctions, quotients_are_within_a_millionth) {
  for (int i = 0; i < 1000; ++i) {
    const double a = i / 1000.0;
    const auto stored = static_cast<int32_t>(std::ldexp(a, 31));
    EXPECT_NEAR(std::ldexp(one_over_one_plus(stored), -31), 1 / (1 + a), 1e-6);
    EXPECT_NEAR(std::ldexp(one_minus_over_one_plus(stored), -31), (1 - a) / (1 + a), 1e-6);
  }
}

}  // namespace
}  // namespace presil::reference
