// Kernels that reduce, choose and name places, against values worked out by hand.
#include "tests/driver/kernel_task.h"

namespace presil::kernels {
namespace {

using Bytes = std::vector<int8_t>;
using Shorts = std::vector<int16_t>;
using Words = std::vector<int32_t>;
using Longs = std::vector<int64_t>;

TEST(KernelReduce, sums_wrap_and_extremes_are_of_stored_values) {
  Words x{INT32_MAX, 1, 5, -7}, sums(2);
  ASSERT_TRUE(run(PRESIL_KERNEL_REDUCE, {tensor(x, {2, 2}), tensor(sums)},
                  presil_reduce_attributes{0b10, PRESIL_REDUCE_SUM}));
  EXPECT_EQ(sums, (Words{INT32_MIN, -2}));
  Bytes bytes{-3, 4, -128, 127, 0, 9}, best(2), least(3);
  ASSERT_TRUE(run(PRESIL_KERNEL_REDUCE, {tensor(bytes, {2, 3}), tensor(best)},
                  presil_reduce_attributes{0b10, PRESIL_REDUCE_MAX}));
  EXPECT_EQ(best, (Bytes{4, 127}));
  ASSERT_TRUE(run(PRESIL_KERNEL_REDUCE, {tensor(bytes, {2, 3}), tensor(least)},
                  presil_reduce_attributes{0b01, PRESIL_REDUCE_MIN}));
  EXPECT_EQ(least, (Bytes{-3, 0, -128}));
}

TEST(KernelMean, of_int16_saturates) {
  Shorts x{30000, 30000, -5, 4}, y(2);
  presil_mean_attributes p{};
  p.axes = 0b10, p.multiplier = kHalf, p.shift = 1;  // a sum at one scale
  p.act_min = INT16_MIN, p.act_max = INT16_MAX;
  ASSERT_TRUE(run(PRESIL_KERNEL_MEAN_I16, {tensor(x, {2, 2}), tensor(y)}, p));
  EXPECT_EQ(y, (Shorts{INT16_MAX, -1}));
  p.in_zero = 1;
  EXPECT_FALSE(run(PRESIL_KERNEL_MEAN_I16, {tensor(x, {2, 2}), tensor(y)}, p));
}

// Steps of 1/2 and, of two factors, 1/4: by 1, whose 16 bits are 32767 / 32768. 3 * 5 is 15, -4 * 6
// -24; one factor alone stays.
TEST(KernelReduceProd, scales_after_every_factor_but_the_first) {
  Bytes x{4, 6, -3, 7, 127, 127}, y(3), same(6);
  presil_mean_attributes p{};
  p.act_min = -128, p.act_max = 127;
  p.axes = 0b10, p.rule = PRESIL_RULE_WIDE, p.multiplier = kHalf, p.shift = 1;
  p.in_zero = 1, p.out_zero = 2;
  ASSERT_TRUE(run(PRESIL_KERNEL_REDUCE_PROD, {tensor(x, {3, 2}), tensor(y)}, p));
  EXPECT_EQ(y, (Bytes{17, -22, 127}));
  ASSERT_TRUE(run(PRESIL_KERNEL_REDUCE_PROD, {tensor(x, {6, 1}), tensor(same)}, p));
  EXPECT_EQ(same, x);
  Shorts wide{300, -200}, product(1);
  p.in_zero = 0, p.out_zero = 0;
  p.act_min = INT16_MIN, p.act_max = INT16_MAX, p.shift = -1;  // a quarter, twice
  ASSERT_TRUE(run(PRESIL_KERNEL_REDUCE_PROD, {tensor(wide, {1, 2}), tensor(product)}, p));
  EXPECT_EQ(product, (Shorts{-3750}));
  p.rule = PRESIL_RULE_DOUBLE;
  EXPECT_FALSE(run(PRESIL_KERNEL_REDUCE_PROD, {tensor(wide, {1, 2}), tensor(product)}, p));
}

TEST(KernelArg, the_first_of_equal_ones_along_any_axis) {
  Shorts x{1, 5, 5, 3, 2, 5};
  Words along(2);
  Longs across(3);
  ASSERT_TRUE(
      run(PRESIL_KERNEL_ARG, {tensor(x, {2, 3}), tensor(along)}, presil_arg_attributes{1, 0}));
  EXPECT_EQ(along, (Words{1, 2}));
  ASSERT_TRUE(
      run(PRESIL_KERNEL_ARG, {tensor(x, {2, 3}), tensor(across)}, presil_arg_attributes{0, 1}));
  EXPECT_EQ(across, (Longs{0, 1, 0}));
  EXPECT_FALSE(
      run(PRESIL_KERNEL_ARG, {tensor(x, {2, 3}), tensor(along)}, presil_arg_attributes{2, 0}));
}

TEST(KernelPair, chooses_and_broadcasts) {
  Bytes a{-3, 4, 100, -128}, b{0, 50}, y(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_PAIR, {tensor(a, {2, 2}), tensor(b), tensor(y, {2, 2})},
                  presil_pair_attributes{PRESIL_PAIR_MAXIMUM}));
  EXPECT_EQ(y, (Bytes{0, 50, 100, 50}));
  ASSERT_TRUE(run(PRESIL_KERNEL_PAIR, {tensor(b), tensor(a, {2, 2}), tensor(y, {2, 2})},
                  presil_pair_attributes{PRESIL_PAIR_MINIMUM}));
  EXPECT_EQ(y, (Bytes{-3, 4, 0, -128}));
  EXPECT_FALSE(run(PRESIL_KERNEL_PAIR, {tensor(a, {2, 2}), tensor(b), tensor(y, {2, 2})},
                   presil_pair_attributes{PRESIL_PAIRS}));
}

}  // namespace
}  // namespace presil::kernels
