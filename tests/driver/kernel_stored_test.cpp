// Kernels of stored integers (TOSA's operators), against values worked out by hand.
#include "tests/driver/kernel_task.h"

namespace presil::kernels {
namespace {

using Bytes = std::vector<int8_t>;
using Shorts = std::vector<int16_t>;
using Words = std::vector<int32_t>;
using Longs = std::vector<int64_t>;

TEST(KernelRescale, one_rounding_or_two_and_any_sign) {
  Words x{5, -5, 3, 1 << 20}, m{1 << 30};
  Bytes t{33}, y(4);
  presil_rescale_attributes p{};
  ASSERT_TRUE(run(PRESIL_KERNEL_RESCALE, {tensor(x), tensor(m), tensor(t), tensor(y)}, p));
  EXPECT_EQ(y, (Bytes{1, -1, 0, 127}));  // 0.625, -0.625, 0.375; 131072 saturates
  p.round_twice = 1;
  ASSERT_TRUE(run(PRESIL_KERNEL_RESCALE, {tensor(x), tensor(m), tensor(t), tensor(y)}, p));
  EXPECT_EQ(y[2], 1);  // 1.5 -> 2, 2 / 4 -> 1
  // Bytes from 0 on: 250 - 128 = 122, less 22.
  Bytes u{-6}, out(1), one{30};
  p = {128, -22, 0, 1, 0};
  ASSERT_TRUE(run(PRESIL_KERNEL_RESCALE, {tensor(u), tensor(m), tensor(one), tensor(out)}, p));
  EXPECT_EQ(out[0], 100);
  p.out_unsigned = 1, p.out_zero = 128;  // 122 + 128 as a byte
  ASSERT_TRUE(run(PRESIL_KERNEL_RESCALE, {tensor(u), tensor(m), tensor(one), tensor(out)}, p));
  EXPECT_EQ(out[0], -6);
  // 48 bits with 16 of scale, by channel.
  Longs wide{int64_t{1} << 40, -(int64_t{1} << 40)};
  Shorts m16{1 << 14, 1 << 13}, y16(2);
  Bytes t16{40, 40};
  ASSERT_TRUE(run(PRESIL_KERNEL_RESCALE,
                  {tensor(wide, {1, 2}), tensor(m16), tensor(t16), tensor(y16, {1, 2})},
                  presil_rescale_attributes{}));
  EXPECT_EQ(y16, (Shorts{1 << 14, -(1 << 13)}));
  p.in_unsigned = 2;
  EXPECT_FALSE(run(PRESIL_KERNEL_RESCALE, {tensor(u), tensor(m), tensor(one), tensor(out)}, p));
}

TEST(KernelConvSums, windows_of_two_and_three_axes) {
  Bytes x{1, 2, 3, 4}, w{1, 1, 1, 1};
  Words bias{10}, y(4);
  presil_conv_sums_attributes p{{1, 1, 1}, {1, 1, 1}, {0, 1, 1}, 1, 0, 0, 0};
  ASSERT_TRUE(
      run(PRESIL_KERNEL_CONV_SUMS,
          {tensor(x, {1, 2, 2, 1}), tensor(w, {1, 2, 2, 1}), tensor(bias), tensor(y, {1, 2, 2, 1})},
          p));
  EXPECT_EQ(y, (Words{10, 11, 12, 16}));  // x - 1 is 0, 1, 2, 3; one row and column of padding
  p.before[1] = p.before[2] = 0;
  Words cube(1);
  ASSERT_TRUE(run(PRESIL_KERNEL_CONV_SUMS,
                  {tensor(x, {1, 1, 2, 2, 1}), tensor(w, {1, 1, 2, 2, 1}), tensor(bias),
                   tensor(cube, {1, 1, 1, 1, 1})},
                  p));
  EXPECT_EQ(cube[0], 16);
  // Depthwise: channel 0 twice, with 2 and 3.
  Shorts wide{100};
  Bytes filters{2, 3};
  Longs offset{1}, sums(2);
  p = {{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 0, 0, 1, 0};
  ASSERT_TRUE(run(PRESIL_KERNEL_CONV_SUMS,
                  {tensor(wide, {1, 1, 1, 1}), tensor(filters, {1, 1, 1, 2}), tensor(offset),
                   tensor(sums, {1, 1, 1, 2})},
                  p));
  EXPECT_EQ(sums, (Longs{201, 301}));
  // Transposed by 2: each x at its own position, and none between.
  Words spread(3);
  Bytes two{1, 2}, unit{5};
  p = {{1, 1, 2}, {1, 1, 1}, {0, 0, 0}, 0, 0, 0, 1};
  ASSERT_TRUE(run(PRESIL_KERNEL_CONV_SUMS,
                  {tensor(two, {1, 1, 2, 1}), tensor(unit, {1, 1, 1, 1}), tensor(bias),
                   tensor(spread, {1, 1, 3, 1})},
                  p));
  EXPECT_EQ(spread, (Words{15, 10, 20}));
  p.depthwise = 1;
  EXPECT_FALSE(run(PRESIL_KERNEL_CONV_SUMS,
                   {tensor(two, {1, 1, 2, 1}), tensor(unit, {1, 1, 1, 1}), tensor(bias),
                    tensor(spread, {1, 1, 3, 1})},
                   p));
}

TEST(KernelMatmulSums, less_both_zero_points) {
  Bytes a{3, 4}, b{5, 6, 7, 8};
  Words y(2);
  ASSERT_TRUE(run(PRESIL_KERNEL_MATMUL_SUMS,
                  {tensor(a, {1, 1, 2}), tensor(b, {1, 2, 2}), tensor(y, {1, 1, 2})},
                  presil_matmul_sums_attributes{1, 4}));
  EXPECT_EQ(y, (Words{2 * 1 + 3 * 3, 2 * 2 + 3 * 4}));
}

TEST(KernelMeanPool, of_what_is_inside) {
  Bytes x{10, 20, 30, 41}, y(4);
  const presil_mean_pool_attributes p{2, 2, 1, 1, 1, 1, 0, 1};
  ASSERT_TRUE(run(PRESIL_KERNEL_MEAN_POOL, {tensor(x, {1, 2, 2, 1}), tensor(y, {1, 2, 2, 1})}, p));
  EXPECT_EQ(y, (Bytes{11, 16, 21, 26}));  // 10, 15, 20, 25.25; and 1
}

TEST(KernelResizeByRatio, nearest_and_between) {
  Bytes x{0, 100}, y(4);
  presil_resize_by_ratio_attributes p{2, 2, 4, 2, 0, 0, 1};
  ASSERT_TRUE(
      run(PRESIL_KERNEL_RESIZE_BY_RATIO, {tensor(x, {1, 1, 2, 1}), tensor(y, {1, 1, 4, 1})}, p));
  EXPECT_EQ(y, (Bytes{0, 100, 100, 100}));  // halves are the later one's
  Words sums(4);
  p.nearest = 0;
  ASSERT_TRUE(
      run(PRESIL_KERNEL_RESIZE_BY_RATIO, {tensor(x, {1, 1, 2, 1}), tensor(sums, {1, 1, 4, 1})}, p));
  EXPECT_EQ(sums, (Words{0, 400, 800, 800}));  // times 2 * 4
}

TEST(KernelTableBetween, with_seven_bits_more) {
  Shorts table(513), x{-32768, 0, 1, 32767};
  for (size_t i = 0; i < table.size(); ++i) table[i] = static_cast<int16_t>(3 * i);
  Words y(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_TABLE_BETWEEN, {tensor(x), tensor(table), tensor(y)}));
  EXPECT_EQ(y, (Words{0, 768 * 128, 768 * 128 + 3, 1533 * 128 + 3 * 127}));
}

TEST(KernelScatter, rows_replaced) {
  Bytes x{1, 2, 3, 4}, updates{9, 8}, y(4);
  Words indices{1, 7};
  ASSERT_TRUE(run(PRESIL_KERNEL_SCATTER, {tensor(x, {1, 4, 1}), tensor(indices, {1, 2}),
                                          tensor(updates, {1, 2, 1}), tensor(y, {1, 4, 1})}));
  EXPECT_EQ(y, (Bytes{1, 9, 3, 4}));
}

TEST(KernelBits, shifts_quotients_and_zeros) {
  Words a{-5, 7, INT32_MIN, 1}, b{1, 2, 31, 0}, y(4);
  const auto of = [&](uint32_t function, uint32_t shift = 0) {
    EXPECT_TRUE(run(PRESIL_KERNEL_BITS, {tensor(a), tensor(b), tensor(y)},
                    presil_bits_attributes{function, shift}));
    return y;
  };
  EXPECT_EQ(of(PRESIL_BITS_XOR), (Words{-6, 5, INT32_MIN + 31, 1}));
  EXPECT_EQ(of(PRESIL_BITS_SHIFT_LEFT), (Words{-10, 28, 0, 1}));
  EXPECT_EQ(of(PRESIL_BITS_SHIFT_RIGHT), (Words{-3, 1, -1, 1}));
  EXPECT_EQ(of(PRESIL_BITS_SHIFT_RIGHT_ROUND), (Words{-2, 2, -1, 1}));
  EXPECT_EQ(of(PRESIL_BITS_SHIFT_RIGHT_LOGICAL), (Words{INT32_MAX - 2, 1, 1, 1}));
  EXPECT_EQ(of(PRESIL_BITS_DIV), (Words{-5, 3, INT32_MIN / 31, 0}));
  EXPECT_EQ(of(PRESIL_BITS_MUL_SHIFT, 1), (Words{-2, 7, 1 << 30, 0}));
  EXPECT_FALSE(run(PRESIL_KERNEL_BITS, {tensor(a), tensor(b), tensor(y)},
                   presil_bits_attributes{PRESIL_BITS, 0}));
  a = {-5, INT32_MAX, INT32_MIN, -1}, b = {32, 32, 34, 63};  // all but the sign is shifted out
  EXPECT_EQ(of(PRESIL_BITS_SHIFT_LEFT), (Words{0, 0, 0, 0}));
  EXPECT_EQ(of(PRESIL_BITS_SHIFT_RIGHT), (Words{-1, 0, -1, -1}));
  EXPECT_EQ(of(PRESIL_BITS_SHIFT_RIGHT_ROUND), (Words{0, 0, 0, 0}));
  EXPECT_EQ(of(PRESIL_BITS_SHIFT_RIGHT_LOGICAL), (Words{0, 0, 0, 0}));
  Words x{0, 1, -1, 256}, zeros(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_LEADING_ZEROS, {tensor(x), tensor(zeros)}));
  EXPECT_EQ(zeros, (Words{32, 31, 0, 23}));
}

}  // namespace
}  // namespace presil::kernels
