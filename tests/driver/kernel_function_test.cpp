// Kernels of squared_difference and prelu against values worked out by hand.
#include "tests/driver/kernel_task.h"

namespace presil::kernels {
namespace {

using Bytes = std::vector<int8_t>;
using Shorts = std::vector<int16_t>;

TEST(KernelSquaredDifference, squares_on_a_finer_grid) {
  // Halves of (a - 1) * 2 and (b - 0) * 2: 4 - 1 = 3 and 4 + 3 = 7 squared; a quarter of that.
  Bytes a{5, 5}, b{1, -3}, y(2);
  presil_elementwise_attributes p{};
  p.left_shift = 1, p.a_zero = 1, p.out_zero = -1;
  p.a_mult = p.b_mult = p.out_mult = kHalf;
  p.out_shift = -1;
  p.act_min = -128, p.act_max = 127;
  ASSERT_TRUE(run(PRESIL_KERNEL_SQUARED_DIFFERENCE_I8, {tensor(a), tensor(b), tensor(y)}, p));
  EXPECT_EQ(y, (Bytes{2, 12}));  // 9 and 49: 4.5 up to 5, 2.5 up to 3; 24.5 up to 25, 12.5 to 13
}

TEST(KernelSquaredDifference, of_int16_saturates) {
  Shorts a{30000, 7}, b{-2000, 4}, y(2);
  presil_elementwise_attributes p{};
  p.a_mult = p.b_mult = p.out_mult = kHalf;
  p.act_min = INT16_MIN, p.act_max = INT16_MAX;
  ASSERT_TRUE(run(PRESIL_KERNEL_SQUARED_DIFFERENCE_I16, {tensor(a), tensor(b), tensor(y)}, p));
  EXPECT_EQ(y, (Shorts{INT16_MAX, 2}));  // 16000 squared; 4 - 2 squared is 4, half of it
}

// 6 / 3 and -7 / 2 on a grid of 1/2: 2^31 of Q31 is 1, so half of 2 * 2 and of 2 * 3.5.
TEST(KernelDiv, divides_and_saturates_by_zero) {
  Bytes a{7, -6, 1, 9}, b{3, -2, 0, 0}, y(4);
  presil_elementwise_attributes p{};
  p.a_zero = 1, p.out_zero = -1;
  p.out_mult = kHalf;
  p.out_shift = 2;
  p.act_min = -128, p.act_max = 127;
  ASSERT_TRUE(run(PRESIL_KERNEL_DIV_I8, {tensor(a), tensor(b), tensor(y)}, p));
  EXPECT_EQ(y, (Bytes{3, 6, -1, 127}));
}

TEST(KernelPrelu, multiplies_by_alpha_below_zero) {
  Bytes x{6, -4, -4, 2}, alpha{3, -1}, y(4);
  presil_prelu_attributes p{};
  p.multiplier_above = p.multiplier_below = kHalf;
  p.shift_above = 1;
  p.in_zero = 2, p.alpha_zero = 1, p.out_zero = -1;
  ASSERT_TRUE(run(PRESIL_KERNEL_PRELU, {tensor(x, {2, 2}), tensor(alpha), tensor(y, {2, 2})}, p));
  EXPECT_EQ(y, (Bytes{3, 5, -7, -1}));  // 4; -6 * -2 / 2 = 6; -6 * 2 / 2 = -6; 0
  Shorts wide{100, -100}, result(2);
  p.in_zero = p.out_zero = 0;
  ASSERT_TRUE(run(PRESIL_KERNEL_PRELU, {tensor(wide), tensor(alpha), tensor(result)}, p));
  EXPECT_EQ(result, (Shorts{100, 100}));
  EXPECT_FALSE(run(PRESIL_KERNEL_PRELU, {tensor(wide), tensor(x), tensor(result)}, p));
}

}  // namespace
}  // namespace presil::kernels
