#include <cmath>

#include "driver/kernels/host/arithmetic.h"
#include "tests/driver/kernel_task.h"

namespace presil::kernels {
namespace {

using Bytes = std::vector<int8_t>;

TEST(KernelRules, double_rounding_rounds_ties_away_from_zero_in_the_shift) {
  EXPECT_EQ(double_rounding(3, kHalf, 0), 2);     // high product: 1.5, its own tie goes up
  EXPECT_EQ(double_rounding(-3, kHalf, 0), -1);   // -1.5 + nudge 1 - 2^30, truncated: up as well
  EXPECT_EQ(double_rounding(6, kHalf, -1), 2);    // 3 / 2 = 1.5
  EXPECT_EQ(double_rounding(-6, kHalf, -1), -2);  // -3 / 2 = -1.5
  EXPECT_EQ(double_rounding(5, kHalf, 1), 5);     // (5 << 1) / 2
}

TEST(KernelRules, double_rounding_up_rounds_ties_of_the_shift_up) {
  EXPECT_EQ(double_rounding_up(6, kHalf, -1), 2);    // 3 / 2 = 1.5
  EXPECT_EQ(double_rounding_up(-6, kHalf, -1), -1);  // -1.5
  EXPECT_EQ(double_rounding_up(-7, kHalf, -1), -1);  // high product -3.5: -3, -1.5
  EXPECT_EQ(double_rounding_up(5, kHalf, 1), 5);
  EXPECT_EQ(double_rounding_up(INT32_MIN, INT32_MIN, -31), 1);
}

TEST(KernelRules, double_rounding_saturates_the_one_product_that_does_not_fit) {
  EXPECT_EQ(double_rounding(INT32_MIN, INT32_MIN, 0), INT32_MAX);
  EXPECT_EQ(double_rounding(INT32_MIN, INT32_MAX, 0), -INT32_MAX);
}

TEST(KernelRules, double_rounding_takes_every_shift) {
  EXPECT_EQ(double_rounding(1, kHalf, 127), 1 << 29);         // as 30
  EXPECT_EQ(double_rounding(INT32_MAX, INT32_MAX, -128), 1);  // as -31: (2^31 - 2) / 2^31
}

TEST(KernelRules, float_requantise_rounds_ties_to_even) {
  for (const auto& [x, expected] :
       {std::pair{1, 0}, {3, 2}, {5, 2}, {7, 4}, {-1, 0}, {-3, -2}, {-5, -2}}) {
    EXPECT_EQ(float_requantise(x, bits(0.5f)), expected) << x;
  }
}

TEST(KernelRules, float_requantise_saturates) {
  EXPECT_EQ(float_requantise(INT32_MAX, bits(2.0f)), INT32_MAX);
  EXPECT_EQ(float_requantise(INT32_MIN, bits(2.0f)), INT32_MIN);
  EXPECT_EQ(float_requantise(1, 0x7fc00000), INT32_MIN);  // NaN
}

TEST(KernelRules, float_requantise_converts_to_float_first) {
  EXPECT_EQ(float_requantise((1 << 24) + 1, bits(1.0f)), 1 << 24);  // not representable: to even
}

TEST(KernelRules, rule_fixed8_rounds_halves_up) {
  EXPECT_EQ(rule_fixed8(1, 128), 1);   // 0.5
  EXPECT_EQ(rule_fixed8(-1, 128), 0);  // -0.5
}

presil_elementwise_attributes add_of_equal_scales() {
  presil_elementwise_attributes a{};
  a.a_mult = a.b_mult = a.out_mult = kHalf;  // 1/2, 1/2, and 2^-19 back
  a.out_shift = -18;
  a.left_shift = 20;
  a.act_min = -128;
  a.act_max = 127;
  return a;
}

TEST(KernelAdd, tflite_adds_and_saturates) {
  Bytes a{10, 100, -100, 1}, b{-3, 100, -100, 1}, y(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_ADD_I8, {tensor(a), tensor(b), tensor(y)}, add_of_equal_scales()));
  EXPECT_EQ(y, (Bytes{7, 127, -128, 2}));
}

TEST(KernelAdd, tflite_subtracts_and_moves_zero_points) {
  Bytes a{10, 20}, b{-3, 5}, y(2);
  presil_elementwise_attributes p = add_of_equal_scales();
  p.subtract = 1;
  p.a_zero = 4, p.b_zero = 1, p.out_zero = -2;
  ASSERT_TRUE(run(PRESIL_KERNEL_ADD_I8, {tensor(a), tensor(b), tensor(y)}, p));
  EXPECT_EQ(y, (Bytes{8, 10}));  // (10 - 4) - (-3 - 1) - 2, (20 - 4) - (5 - 1) - 2
}

TEST(KernelAdd, xnnpack_shifts_arithmetically_after_its_constant) {
  presil_elementwise_attributes p{};
  p.numerics = PRESIL_NUMERICS_XNNPACK;
  p.a_mult = 3, p.b_mult = 5, p.out_mult = 4, p.out_shift = 3;
  p.out_zero = 1, p.act_min = -128, p.act_max = 20;
  Bytes a{1, -1, 100}, b{1, -2, 100}, y(3);
  ASSERT_TRUE(run(PRESIL_KERNEL_ADD_I8, {tensor(a), tensor(b), tensor(y)}, p));
  EXPECT_EQ(y, (Bytes{2, -1, 20}));  // 12 >> 3 = 1; -9 >> 3 = -2; clamped
}

TEST(KernelAdd, broadcasts_as_numpy) {
  Bytes a{1, 2, 3, 4, 5, 6}, b{10, 20, 30}, c{10, 20}, y(6);
  const auto p = add_of_equal_scales();
  ASSERT_TRUE(run(PRESIL_KERNEL_ADD_I8, {tensor(a, {2, 3}), tensor(b), tensor(y, {2, 3})}, p));
  EXPECT_EQ(y, (Bytes{11, 22, 33, 14, 25, 36}));
  ASSERT_TRUE(
      run(PRESIL_KERNEL_ADD_I8, {tensor(a, {2, 3}), tensor(c, {2, 1}), tensor(y, {2, 3})}, p));
  EXPECT_EQ(y, (Bytes{11, 12, 13, 24, 25, 26}));
}

TEST(KernelMul, rounds_ties_by_its_rule) {
  presil_elementwise_attributes p{};
  p.act_min = -128, p.act_max = 127;
  Bytes a{5, 3, 120}, b{1, 1, 120}, y(3);
  p.out_mult = kHalf;  // 1/2
  ASSERT_TRUE(run(PRESIL_KERNEL_MUL_I8, {tensor(a), tensor(b), tensor(y)}, p));
  EXPECT_EQ(y, (Bytes{3, 2, 127}));  // 2.5, 1.5 up
  p.numerics = PRESIL_NUMERICS_XNNPACK;
  p.out_mult = bits(0.5f);
  ASSERT_TRUE(run(PRESIL_KERNEL_MUL_I8, {tensor(a), tensor(b), tensor(y)}, p));
  EXPECT_EQ(y, (Bytes{2, 2, 127}));  // to even
}

TEST(KernelLut, index_is_the_value_as_uint8) {
  Bytes table(256), x{-1, 0, 127, -128}, y(4);
  table[255] = 1, table[0] = 2, table[127] = 3, table[128] = 4;
  ASSERT_TRUE(run(PRESIL_KERNEL_LUT_I8, {tensor(x), tensor(table), tensor(y)}));
  EXPECT_EQ(y, (Bytes{1, 2, 3, 4}));
}

// scale * beta = 1 is 2^26 in Q5.26: 2^30 * 2^(27 - 31); below -15 nothing counts.
constexpr presil_softmax_attributes kUnitSoftmax{kHalf, 27, -15};

TEST(KernelSoftmax, equal_values_share_the_row) {
  Bytes x{5, 5, 9, 9, 9, 9}, y(2), z(4);
  Bytes two(x.begin(), x.begin() + 2), four(x.begin() + 2, x.end());
  ASSERT_TRUE(run(PRESIL_KERNEL_SOFTMAX_I8, {tensor(two), tensor(y)}, kUnitSoftmax));
  ASSERT_TRUE(run(PRESIL_KERNEL_SOFTMAX_I8, {tensor(four), tensor(z)}, kUnitSoftmax));
  EXPECT_EQ(y, (Bytes{0, 0}));                // 256 / 2 - 128
  EXPECT_EQ(z, (Bytes{-64, -64, -64, -64}));  // 256 / 4 - 128
}

TEST(KernelSoftmax, follows_the_exponential_row_by_row) {
  Bytes x{0, -1, 0, -3}, y(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_SOFTMAX_I8, {tensor(x, {2, 2}), tensor(y, {2, 2})}, kUnitSoftmax));
  // 256 / (1 + e^-1) = 187.15; 256 / (1 + e^-3) = 243.86
  EXPECT_EQ(y, (Bytes{59, -59, 116, -116}));
}

TEST(KernelSoftmax, by_a_table_shares_are_quotients_of_floats) {
  std::vector<float> table(256, 0.0f);
  table[0] = 1.0f, table[1] = 0.5f;
  Bytes x{5, 4, 7, 7}, y(4);  // e is 1, 1/2; 1, 1
  const presil_softmax_attributes none{};
  const auto task = [&] {
    return run(PRESIL_KERNEL_SOFTMAX_I8, {tensor(x, {2, 2}), tensor(table), tensor(y, {2, 2})},
               none);
  };
  ASSERT_TRUE(task());
  EXPECT_EQ(y, (Bytes{171 - 128, 85 - 128, 0, 0}));  // 256 * 2/3 = 170.7, 256 * 1/3 = 85.3
  table[1] = 1.0f / 511;
  ASSERT_TRUE(task());  // 256 * 511/512 = 255.5 goes up, the other is 0.5 and does too
  EXPECT_EQ(y, (Bytes{127, 1 - 128, 0, 0}));
  table.assign(256, std::nanf(""));
  ASSERT_TRUE(task());
  EXPECT_EQ(y, (Bytes{-128, -128, -128, -128}));
  table.pop_back();
  EXPECT_FALSE(task());
}

TEST(KernelSoftmax, far_below_the_largest_is_nothing_and_certainty_saturates) {
  Bytes x{127, -128, 100}, y(3);
  ASSERT_TRUE(run(PRESIL_KERNEL_SOFTMAX_I8, {tensor(x), tensor(y)}, kUnitSoftmax));
  EXPECT_EQ(y, (Bytes{127, -128, -128}));
}

TEST(KernelRequantise, knows_both_types_and_all_rules) {
  std::vector<uint8_t> x{0, 128, 131, 255};
  Bytes y(4);
  presil_requantise_attributes p{PRESIL_RULE_FIXED8, 256, 0, 128, -1};
  ASSERT_TRUE(run(PRESIL_KERNEL_REQUANTISE, {tensor(x), tensor(y)}, p));
  EXPECT_EQ(y, (Bytes{-128, -1, 2, 126}));  // -129 saturates
  p = {PRESIL_RULE_FLOAT, bits(0.5f), 0, 128, 0};
  ASSERT_TRUE(run(PRESIL_KERNEL_REQUANTISE, {tensor(x), tensor(y)}, p));
  EXPECT_EQ(y, (Bytes{-64, 0, 2, 64}));  // 1.5 and 63.5 to even
  p = {PRESIL_RULE_DOUBLE, kHalf, 0, 128, 0};
  ASSERT_TRUE(run(PRESIL_KERNEL_REQUANTISE, {tensor(x), tensor(y)}, p));
  EXPECT_EQ(y, (Bytes{-64, 0, 2, 64}));
}

TEST(KernelQuantise, the_two_numerics_differ_in_ties) {
  std::vector<float> x{0.5f, 1.5f, -0.5f, -2.5f, 1000.0f, -1000.0f};
  Bytes y(6);
  presil_quantise_attributes p{PRESIL_NUMERICS_TFLITE, 1.0f, 0};
  ASSERT_TRUE(run(PRESIL_KERNEL_QUANTISE, {tensor(x), tensor(y)}, p));
  EXPECT_EQ(y, (Bytes{1, 2, -1, -3, 127, -128}));
  p.numerics = PRESIL_NUMERICS_XNNPACK;
  ASSERT_TRUE(run(PRESIL_KERNEL_QUANTISE, {tensor(x), tensor(y)}, p));
  EXPECT_EQ(y, (Bytes{0, 2, 0, -2, 127, -128}));
}

TEST(KernelDequantise, is_one_product) {
  std::vector<uint8_t> x{0, 130};
  std::vector<float> y(2);
  ASSERT_TRUE(run(PRESIL_KERNEL_DEQUANTISE, {tensor(x), tensor(y)},
                  presil_quantise_attributes{0, 0.25f, 128}));
  EXPECT_EQ(y, (std::vector<float>{-32.0f, 0.5f}));
}

TEST(KernelMean, sums_any_axes) {
  Bytes x{1, 2, 3, 4, 5, 6, 7, 9}, rows(4), all(1);
  presil_mean_attributes p{};
  p.act_min = -128, p.act_max = 127;
  p.axes = 0b010;  // pairs (1,3) (2,4) (5,7) (6,9): halves
  p.multiplier = kHalf;
  ASSERT_TRUE(run(PRESIL_KERNEL_MEAN_I8, {tensor(x, {2, 2, 2}), tensor(rows, {2, 2})}, p));
  EXPECT_EQ(rows, (Bytes{2, 3, 6, 8}));  // 7.5 up
  p.axes = 0b111, p.rule = PRESIL_RULE_FLOAT, p.multiplier = bits(0.125f), p.in_zero = 1;
  ASSERT_TRUE(run(PRESIL_KERNEL_MEAN_I8, {tensor(x, {2, 2, 2}), tensor(all)}, p));
  EXPECT_EQ(all, (Bytes{4}));                                // (37 - 8) / 8 = 3.625
  p.multiplier = bits(0.5f), p.in_zero = 3, p.out_zero = 1;  // (37 - 24) / 2 = 6.5
  ASSERT_TRUE(run(PRESIL_KERNEL_MEAN_I8, {tensor(x, {2, 2, 2}), tensor(all)}, p));
  EXPECT_EQ(all, (Bytes{8}));  // 7.5 to the even one
  p.rule = PRESIL_RULE_FLOAT_THEN_ZERO;
  ASSERT_TRUE(run(PRESIL_KERNEL_MEAN_I8, {tensor(x, {2, 2, 2}), tensor(all)}, p));
  EXPECT_EQ(all, (Bytes{7}));  // 6, + 1
}

}  // namespace
}  // namespace presil::kernels
