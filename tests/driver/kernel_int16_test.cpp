// Kernels of int16 against values worked out by hand.
#include "driver/kernels/host/wide.h"
#include "tests/driver/kernel_task.h"

namespace presil::kernels {
namespace {

using Bytes = std::vector<int8_t>;
using Shorts = std::vector<int16_t>;
using Words = std::vector<int32_t>;
using Longs = std::vector<int64_t>;

template <class A>
A whole_range(uint32_t rule) {
  A a{};
  a.rule = rule;
  a.act_min = INT16_MIN, a.act_max = INT16_MAX;
  return a;
}

presil_conv_attributes window(uint32_t rule) {
  auto a = whole_range<presil_conv_attributes>(rule);
  a.stride_h = a.stride_w = a.dilation_h = a.dilation_w = a.groups = 1;
  return a;
}

// One sum, which is the bias, times (2^30 + 32767) * 2^(-5 - 31): 31250.95.
int16_t scaled(int64_t bias, uint32_t rule) {
  Shorts x{0}, y(1);
  Bytes weights{1}, shift{-5};
  Longs sum{bias};
  Words multiplier{(1 << 30) + 32767};
  EXPECT_TRUE(run(PRESIL_KERNEL_FULLY_CONNECTED_I16,
                  {tensor(x), tensor(weights, {1, 1}), tensor(sum), tensor(multiplier),
                   tensor(shift), tensor(y)},
                  whole_range<presil_fully_connected_attributes>(rule)));
  return y[0];
}

TEST(KernelInt16, rule_wide_has_16_bits_of_the_multiplier_and_64_of_the_sum) {
  EXPECT_EQ(scaled(2000000, PRESIL_RULE_WIDE), 31250);
  EXPECT_EQ(scaled(2000000, PRESIL_RULE_DOUBLE), 31251);
  EXPECT_EQ(scaled(-32, PRESIL_RULE_WIDE), 0);  // -0.5 goes up
  EXPECT_EQ(scaled(-33, PRESIL_RULE_WIDE), -1);
  EXPECT_EQ(scaled(int64_t{1} << 33, PRESIL_RULE_WIDE), INT16_MAX);   // 2^27
  EXPECT_EQ(scaled((int64_t{1} << 32) + 64, PRESIL_RULE_DOUBLE), 1);  // low 32 bits alone
}

TEST(KernelInt16, rule_once_has_all_bits_of_the_multiplier_and_one_rounding) {
  EXPECT_EQ(scaled(2000000, PRESIL_RULE_ONCE), 31251);
  EXPECT_EQ(scaled(-32, PRESIL_RULE_ONCE), -1);  // -0.500015
  EXPECT_EQ(scaled(-31, PRESIL_RULE_ONCE), 0);
  EXPECT_EQ(scaled(int64_t{1} << 46, PRESIL_RULE_ONCE), INT16_MAX);
  EXPECT_EQ(rule_once((int64_t{1} << 46) + 12345, 1 << 30, -15), int64_t{1} << 30);  // and 0.19
  EXPECT_EQ(rule_once(-(int64_t{1} << 46) - 12345, INT32_MAX, -31), -32768);
  EXPECT_EQ(rule_once(3, 1 << 30, 0), 2);
  EXPECT_EQ(rule_once(-3, 1 << 30, 0), -1);
}

// A half of the first rounding goes away from zero, one of the second up: -32 * (2^30 + 32767) /
// 2^31 is -16.0005, over 2^5 a half.
TEST(KernelInt16, rows_of_32_bits_may_be_rounded_up) {
  EXPECT_EQ(scaled(-32, PRESIL_RULE_DOUBLE_UP), 0);
  EXPECT_EQ(scaled(-32, PRESIL_RULE_DOUBLE), -1);
}

TEST(KernelInt16, other_kernels_refuse_the_rules_of_rows) {
  Shorts x(9, 1000), y(9);
  Bytes weights(9, 1), shift{1};
  Longs bias{5};
  Words multiplier{kHalf};
  for (const uint32_t rule : {PRESIL_RULE_ONCE, PRESIL_RULE_DOUBLE_UP}) {
    auto a = window(rule);
    a.pad_top = a.pad_left = 1;
    EXPECT_FALSE(run(PRESIL_KERNEL_CONV2D_I16,
                     {tensor(x, {1, 3, 3, 1}), tensor(weights, {1, 3, 3, 1}), tensor(bias),
                      tensor(multiplier), tensor(shift), tensor(y, {1, 3, 3, 1})},
                     a));
  }
}

// 65,537 times 32767 is beyond int32; over 2^17 16383.75. -80010 / 4 is a half, away from zero.
TEST(KernelInt16, sums_may_be_of_64_bits_and_float) {
  Shorts x(65537, 32767), some{-30000, -30000, -20010, 0}, y(1);
  presil_mean_attributes p{};
  p.act_min = INT16_MIN, p.act_max = INT16_MAX;
  p.axes = 0b10, p.rule = PRESIL_RULE_FLOAT_AWAY, p.multiplier = bits(0x1p-17f);
  ASSERT_TRUE(run(PRESIL_KERNEL_MEAN_I16, {tensor(x, {1, 65537}), tensor(y)}, p));
  EXPECT_EQ(y, (Shorts{16384}));
  p.multiplier = bits(0.25f);
  ASSERT_TRUE(run(PRESIL_KERNEL_MEAN_I16, {tensor(some, {1, 4}), tensor(y)}, p));
  EXPECT_EQ(y, (Shorts{-20003}));
  p.rule = PRESIL_RULE_WIDE;
  EXPECT_FALSE(run(PRESIL_KERNEL_MEAN_I16, {tensor(some, {1, 4}), tensor(y)}, p));
}

TEST(KernelInt16, convolutions_sum_what_is_inside_the_image) {
  Shorts x(9, 1000), y(9);
  Bytes weights(9, 1), shift{1};
  Longs bias{5};
  Words multiplier{kHalf};
  auto a = window(PRESIL_RULE_WIDE);
  a.pad_top = a.pad_left = 1;
  ASSERT_TRUE(run(PRESIL_KERNEL_CONV2D_I16,
                  {tensor(x, {1, 3, 3, 1}), tensor(weights, {1, 3, 3, 1}), tensor(bias),
                   tensor(multiplier), tensor(shift), tensor(y, {1, 3, 3, 1})},
                  a));
  EXPECT_EQ(y, (Shorts{4005, 6005, 4005, 6005, 9005, 6005, 4005, 6005, 4005}));
}

TEST(KernelInt16, depthwise_channels_are_multiplied) {
  Shorts x{1000, -1000}, y(4);
  Bytes weights{1, -2, 3, 100}, shift(4, 1);
  Longs bias(4, 0);
  Words multiplier(4, kHalf);
  auto a = window(PRESIL_RULE_WIDE);
  a.groups = 2;
  ASSERT_TRUE(run(PRESIL_KERNEL_DEPTHWISE_CONV2D_I16,
                  {tensor(x, {1, 1, 1, 2}), tensor(weights, {1, 1, 1, 4}), tensor(bias),
                   tensor(multiplier), tensor(shift), tensor(y, {1, 1, 1, 4})},
                  a));
  EXPECT_EQ(y, (Shorts{1000, -2000, -3000, INT16_MIN}));
}

TEST(KernelInt16, sums_and_differences_saturate) {
  Shorts a{100, 32000}, b{51, 8000}, y(2);
  presil_elementwise_attributes p{};
  p.a_mult = p.b_mult = kHalf, p.b_shift = -1;  // scales 1 and 0.5 of twice 1
  p.out_mult = kHalf, p.out_shift = -13;        // 2^-14: 2 * 2^-15
  p.left_shift = 15;
  p.act_min = INT16_MIN, p.act_max = INT16_MAX;
  ASSERT_TRUE(run(PRESIL_KERNEL_ADD_I16, {tensor(a), tensor(b), tensor(y)}, p));
  EXPECT_EQ(y, (Shorts{126, INT16_MAX}));  // 125.5, 36000
  p.subtract = 1;
  ASSERT_TRUE(run(PRESIL_KERNEL_ADD_I16, {tensor(a), tensor(b), tensor(y)}, p));
  EXPECT_EQ(y, (Shorts{75, 28000}));
  p.out_shift = 0;
  ASSERT_TRUE(run(PRESIL_KERNEL_MUL_I16, {tensor(a), tensor(b), tensor(y)}, p));
  EXPECT_EQ(y, (Shorts{2550, INT16_MAX}));
}

TEST(KernelInt16, leaky_relu_has_a_factor_on_either_side) {
  Shorts x{30000, -10, -11}, y(3);
  const presil_leaky_relu_attributes p{kHalf, 1, kHalf, -1};
  ASSERT_TRUE(run(PRESIL_KERNEL_LEAKY_RELU_I16, {tensor(x), tensor(y)}, p));
  EXPECT_EQ(y, (Shorts{30000, -3, -3}));
}

TEST(KernelInt16, types_are_requantised_in_any_direction) {
  Shorts x{1000, -32768}, y(2);
  Words wide(2);
  ASSERT_TRUE(run(PRESIL_KERNEL_REQUANTISE, {tensor(x), tensor(wide)},
                  presil_requantise_attributes{PRESIL_RULE_DOUBLE, kHalf, 4, 0, 7}));
  EXPECT_EQ(wide, (Words{8007, -262137}));  // times 8
  ASSERT_TRUE(run(PRESIL_KERNEL_REQUANTISE, {tensor(wide), tensor(y)},
                  presil_requantise_attributes{PRESIL_RULE_DOUBLE, kHalf, 1, 7, 0}));
  EXPECT_EQ(y, (Shorts{8000, INT16_MIN}));
}

TEST(KernelInt16, pad_and_concat_move_two_bytes) {
  Shorts x{1, 2}, padded(4), joined(6);
  presil_pad_attributes p{};
  p.before[0] = 1, p.value = -1000;
  ASSERT_TRUE(run(PRESIL_KERNEL_PAD, {tensor(x), tensor(padded)}, p));
  EXPECT_EQ(padded, (Shorts{-1000, 1, 2, -1000}));
  ASSERT_TRUE(run(PRESIL_KERNEL_CONCAT, {tensor(x), tensor(padded), tensor(joined)},
                  presil_concat_attributes{0, 0}));
  EXPECT_EQ(joined, (Shorts{1, 2, -1000, 1, 2, -1000}));
}

TEST(KernelInt16, what_the_kernels_do_not_know_is_refused) {
  Shorts x{1}, y(1);
  Bytes weights{1}, shift{0};
  Longs bias{0};
  Words multiplier{kHalf}, narrow{0};
  const auto tensors = [&](presil_kernel_tensor b) {
    return std::vector<presil_kernel_tensor>{
        tensor(x), tensor(weights, {1, 1}), b, tensor(multiplier), tensor(shift), tensor(y)};
  };
  auto a = whole_range<presil_fully_connected_attributes>(PRESIL_RULE_WIDE);
  EXPECT_TRUE(run(PRESIL_KERNEL_FULLY_CONNECTED_I16, tensors(tensor(bias)), a));
  EXPECT_FALSE(run(PRESIL_KERNEL_FULLY_CONNECTED_I16, tensors(tensor(narrow)), a));
  a.in_zero = 1;
  EXPECT_FALSE(run(PRESIL_KERNEL_FULLY_CONNECTED_I16, tensors(tensor(bias)), a));
  a.in_zero = 0, a.rule = PRESIL_RULE_FLOAT;
  EXPECT_FALSE(run(PRESIL_KERNEL_FULLY_CONNECTED_I16, tensors(tensor(bias)), a));
}

// Points 128 values apart, the slope is (next - p) / 128, rounded down after a half is added.
TEST(KernelInt16, functions_are_interpolated_between_513_points) {
  Shorts table(513, 0), x{-32768, 0, 1, 64, 130, 32767}, y(6);
  table[0] = table[1] = 7;
  table[256] = 100, table[257] = -28, table[258] = 32767;
  table[511] = -10, table[512] = 10;
  ASSERT_TRUE(run(PRESIL_KERNEL_LUT_I16, {tensor(x), tensor(table), tensor(y)}));
  // 100 - 0.5 and 100 - 63.5 go down. 32767 + 28 wraps to -32741: -28 + floor(-65418 / 128).
  EXPECT_EQ(y, (Shorts{7, 100, 99, 36, -540, 10}));
  table.pop_back();
  EXPECT_FALSE(run(PRESIL_KERNEL_LUT_I16, {tensor(x), tensor(table), tensor(y)}));
}

}  // namespace
}  // namespace presil::kernels
