#include "tests/driver/kernel_task.h"

namespace presil::kernels {
namespace {

using Bytes = std::vector<int8_t>;
using Words = std::vector<int32_t>;

// y = acc, clamped to int8.
presil_conv_attributes identity() {
  presil_conv_attributes a{};
  a.rule = PRESIL_RULE_FLOAT;
  a.stride_h = a.stride_w = a.dilation_h = a.dilation_w = a.groups = 1;
  a.act_min = -128, a.act_max = 127;
  return a;
}

struct Channels {
  Words bias, multiplier;
  Bytes shift;
  explicit Channels(Words b) : bias(b), multiplier(b.size(), bits(1.0f)), shift(b.size(), 0) {}
};

TEST(KernelConv2d, taps_outside_the_image_count_nothing_whatever_the_zero_point) {
  Bytes x{1, 2, 3, 4}, weights(9, 1), y(4);
  Channels c({100});
  auto a = identity();
  a.pad_top = a.pad_left = 1;
  ASSERT_TRUE(run(PRESIL_KERNEL_CONV2D_I8,
                  {tensor(x, {1, 2, 2, 1}), tensor(weights, {1, 3, 3, 1}), tensor(c.bias),
                   tensor(c.multiplier), tensor(c.shift), tensor(y, {1, 2, 2, 1})},
                  a));
  EXPECT_EQ(y, (Bytes{110, 110, 110, 110}));  // every window sees all four
  a.in_zero = 2;
  ASSERT_TRUE(run(PRESIL_KERNEL_CONV2D_I8,
                  {tensor(x, {1, 2, 2, 1}), tensor(weights, {1, 3, 3, 1}), tensor(c.bias),
                   tensor(c.multiplier), tensor(c.shift), tensor(y, {1, 2, 2, 1})},
                  a));
  EXPECT_EQ(y, (Bytes{102, 102, 102, 102}));  // 100 + 10 - 4 * 2
}

TEST(KernelConv2d, stride_and_dilation_pick_their_pixels) {
  Bytes x{1, 2, 3, 4, 5, 6}, weights{1, 10}, y(2);
  Channels c({0});
  auto a = identity();
  a.stride_w = 3, a.dilation_w = 2;
  ASSERT_TRUE(run(PRESIL_KERNEL_CONV2D_I8,
                  {tensor(x, {1, 1, 6, 1}), tensor(weights, {1, 1, 2, 1}), tensor(c.bias),
                   tensor(c.multiplier), tensor(c.shift), tensor(y, {1, 1, 2, 1})},
                  a));
  EXPECT_EQ(y, (Bytes{31, 64}));  // 1 + 10 * 3, 4 + 10 * 6
}

TEST(KernelConv2d, groups_see_their_own_channels_and_channels_their_own_scale) {
  Bytes x{1, 2, 3, 4}, weights{1, 1, 1, 1}, y(2);
  Channels c({0, 1});
  c.multiplier[1] = bits(0.5f);
  auto a = identity();
  a.groups = 2, a.out_zero = 1;
  ASSERT_TRUE(run(PRESIL_KERNEL_CONV2D_I8,
                  {tensor(x, {1, 1, 1, 4}), tensor(weights, {2, 1, 1, 2}), tensor(c.bias),
                   tensor(c.multiplier), tensor(c.shift), tensor(y, {1, 1, 1, 2})},
                  a));
  EXPECT_EQ(y, (Bytes{4, 5}));  // 3 + 1, (7 + 1) / 2 + 1
}

TEST(KernelConv2d, weights_have_a_zero_point_and_results_saturate) {
  Bytes x{100, 100}, weights{100, -100}, y(1);
  Channels c({0});
  auto a = identity();
  a.weight_zero = -100;
  ASSERT_TRUE(run(PRESIL_KERNEL_CONV2D_I8,
                  {tensor(x, {1, 1, 1, 2}), tensor(weights, {1, 1, 1, 2}), tensor(c.bias),
                   tensor(c.multiplier), tensor(c.shift), tensor(y, {1, 1, 1, 1})},
                  a));
  EXPECT_EQ(y, (Bytes{127}));
}

TEST(KernelDepthwise, channel_c_times_m_plus_j_reads_channel_c) {
  Bytes x{1, 2, 3, 4}, weights{1, 2, 3, 4, 10, 20, 30, 40}, y(4);
  Channels c({0, 0, 0, 1});
  auto a = identity();
  a.groups = 2;
  ASSERT_TRUE(run(PRESIL_KERNEL_DEPTHWISE_CONV2D_I8,
                  {tensor(x, {1, 1, 2, 2}), tensor(weights, {1, 1, 2, 4}), tensor(c.bias),
                   tensor(c.multiplier), tensor(c.shift), tensor(y, {1, 1, 1, 4})},
                  a));
  // tap 0: channels 1, 2; tap 1: channels 3, 4
  EXPECT_EQ(y, (Bytes{31, 62, 126, 127}));  // 1+30, 2+60, 6+120, 8+160+1 saturates
}

TEST(KernelFullyConnected, runs_rows_and_rounds_ties_by_rule_double) {
  Bytes x{1, 2, 3, 4}, weights{1, 0, 1, 1}, y(4), shift{0, 1};
  Words bias{0, -1}, multiplier{kHalf, kHalf};
  presil_fully_connected_attributes a{};
  a.act_min = -128, a.act_max = 127;
  ASSERT_TRUE(run(PRESIL_KERNEL_FULLY_CONNECTED_I8,
                  {tensor(x, {2, 2}), tensor(weights, {2, 2}), tensor(bias), tensor(multiplier),
                   tensor(shift), tensor(y, {2, 2})},
                  a));
  EXPECT_EQ(y, (Bytes{1, 2, 2, 6}));  // 1/2 and 3/2 up; 3 - 1, 7 - 1
}

presil_pool_attributes pool2x2() {
  presil_pool_attributes a{};
  a.kernel_h = a.kernel_w = a.stride_h = a.stride_w = 2;
  a.act_min = -128, a.act_max = 127;
  return a;
}

TEST(KernelPools, the_mean_is_over_taps_inside_and_halves_go_away_from_zero) {
  Bytes x{1, 2, -1, -2, 2, 1, -2, -1, 5, 5, 7, 8}, y(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_AVERAGE_POOL_I8, {tensor(x, {1, 3, 4, 1}), tensor(y, {1, 2, 2, 1})},
                  pool2x2()));
  EXPECT_EQ(y, (Bytes{2, -2, 5, 8}));  // 6/4, -6/4, 10/2, 15/2
}

TEST(KernelPools, with_ties_up_halves_of_the_mean_go_up_on_both_sides_of_zero) {
  Bytes x{1, 2, -1, -2, 2, 1, -2, -1, 5, 5, -7, -8}, y(4);
  auto a = pool2x2();
  a.ties_up = 1;
  ASSERT_TRUE(
      run(PRESIL_KERNEL_AVERAGE_POOL_I8, {tensor(x, {1, 3, 4, 1}), tensor(y, {1, 2, 2, 1})}, a));
  EXPECT_EQ(y, (Bytes{2, -1, 5, -7}));  // 6/4, -6/4, 10/2, -15/2
}

TEST(KernelPools, the_largest_ignores_padding) {
  Bytes x{-5, -6, -7, -8}, y(4);
  auto a = pool2x2();
  a.pad_top = a.pad_left = 1;
  ASSERT_TRUE(
      run(PRESIL_KERNEL_MAX_POOL_I8, {tensor(x, {1, 2, 2, 1}), tensor(y, {1, 2, 2, 1})}, a));
  EXPECT_EQ(y, (Bytes{-5, -6, -7, -8}));
  a.act_min = -6;
  ASSERT_TRUE(
      run(PRESIL_KERNEL_MAX_POOL_I8, {tensor(x, {1, 2, 2, 1}), tensor(y, {1, 2, 2, 1})}, a));
  EXPECT_EQ(y, (Bytes{-5, -6, -6, -6}));
}

TEST(KernelElements, count_what_a_kernel_works_on) {
  Bytes x(18), weights(9 * 2 * 4), shift(4), y(4 * 4);
  Words bias(4), multiplier(4);
  std::vector<presil_kernel_tensor> t{
      tensor(x, {1, 3, 3, 2}), tensor(weights, {4, 3, 3, 2}), tensor(bias), tensor(multiplier),
      tensor(shift),           tensor(y, {1, 2, 2, 4})};
  auto a = identity();
  // 16 results of 3 * 3 * 2 products
  EXPECT_EQ(presil_kernel_elements(PRESIL_KERNEL_CONV2D_I8, t.data(), 6, &a), 16u * 18u);
}

// Kernel 1, 5, 20 at every second column; the first is cut off.
TEST(KernelTransposeConv2d, kernels_add_up_where_they_overlap) {
  Bytes x{0, 1}, weights{1, 5, 20}, y(4);
  Channels c({100});
  presil_transpose_conv_attributes a{};
  a.rule = PRESIL_RULE_FLOAT;
  a.stride_h = 1, a.stride_w = 2, a.pad_left = 1, a.in_zero = -1;
  a.act_min = -128, a.act_max = 122;
  const std::vector<presil_kernel_tensor> tensors = {
      tensor(x, {1, 1, 2, 1}), tensor(weights, {1, 1, 3, 1}), tensor(c.bias), tensor(c.multiplier),
      tensor(c.shift),         tensor(y, {1, 1, 4, 1})};
  ASSERT_TRUE(run(PRESIL_KERNEL_TRANSPOSE_CONV2D_I8, tensors, a));
  EXPECT_EQ(y, (Bytes{105, 122, 110, 122}));  // 5, 20 + 2, 10, 40 on 100
  a.vector = 4;
  EXPECT_FALSE(run(PRESIL_KERNEL_TRANSPOSE_CONV2D_I8, tensors, a));
  a.vector = 0, a.pad_left = 3;
  EXPECT_FALSE(run(PRESIL_KERNEL_TRANSPOSE_CONV2D_I8, tensors, a));
  EXPECT_EQ(presil_kernel_elements(PRESIL_KERNEL_TRANSPOSE_CONV2D_I8, tensors.data(), 6, &a), 6u);
}

// Sums of -4 / 8 = -0.5: two pixels of nine channels.
TEST(KernelTransposeConv2d, whole_vectors_round_halves_up) {
  Bytes x{-4}, weights(9, 1), shift(9, -2), y(18);
  Words bias(9, 0), multiplier(9, 1 << 30);  // 2^30 * 2^(-2 - 31) = 1/8
  bias.assign(9, -4);
  presil_transpose_conv_attributes a{};
  a.rule = PRESIL_RULE_DOUBLE_UP;
  a.stride_h = 1, a.stride_w = 2, a.in_zero = -4;
  a.act_min = -128, a.act_max = 127;
  const std::vector<presil_kernel_tensor> tensors = {
      tensor(x, {1, 1, 1, 1}), tensor(weights, {9, 1, 1, 1}), tensor(bias), tensor(multiplier),
      tensor(shift),           tensor(y, {1, 1, 2, 9})};
  a.vector = 8;
  ASSERT_TRUE(run(PRESIL_KERNEL_TRANSPOSE_CONV2D_I8, tensors, a));
  EXPECT_EQ(y, (Bytes{0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, -1}));
  a.vector = 16;
  ASSERT_TRUE(run(PRESIL_KERNEL_TRANSPOSE_CONV2D_I8, tensors, a));
  EXPECT_EQ(y, (Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1}));
}

}  // namespace
}  // namespace presil::kernels
