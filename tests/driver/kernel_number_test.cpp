// Kernels of numbers as such, and of int16 functions, against values worked out by hand.
#include "tests/driver/kernel_task.h"

namespace presil::kernels {
namespace {

using Bytes = std::vector<int8_t>;
using Shorts = std::vector<int16_t>;
using Words = std::vector<int32_t>;
using Bools = std::vector<uint8_t>;
using Floats = std::vector<float>;

presil_kernel_tensor bools(Bools& data) {
  presil_kernel_tensor t = tensor(data);
  t.dtype = PRESIL_BOOL;
  return t;
}

TEST(KernelCompare, stored_values_or_scaled_ones) {
  Words a{1, 2, 3}, b{2};
  Bools y(3);
  presil_compare_attributes p{};
  p.function = PRESIL_COMPARE_GREATER_EQUAL;
  ASSERT_TRUE(run(PRESIL_KERNEL_COMPARE, {tensor(a), tensor(b), bools(y)}, p));
  EXPECT_EQ(y, (Bools{0, 1, 1}));
  // Of bytes: (a - 1) * 256 / 512 and b * 256 / 256
  Bytes u{3, 4, 5}, v{1};
  p.scaled = 1, p.a_zero = 1;
  p.a_mult = kHalf, p.a_shift = 0, p.b_mult = kHalf, p.b_shift = -1;
  p.function = PRESIL_COMPARE_LESS;  // 256, 384, 512 with 64
  ASSERT_TRUE(run(PRESIL_KERNEL_COMPARE, {tensor(u), tensor(v), bools(y)}, p));
  EXPECT_EQ(y, (Bools{0, 0, 0}));
  EXPECT_FALSE(run(PRESIL_KERNEL_COMPARE, {tensor(a), tensor(b), bools(y)}, p));
  p.function = PRESIL_COMPARES;
  EXPECT_FALSE(run(PRESIL_KERNEL_COMPARE, {tensor(u), tensor(v), bools(y)}, p));
}

TEST(KernelPair, whole_numbers_wrap_and_divide_down) {
  Words a{INT32_MAX, -7, INT32_MIN, 7}, b{1, 2, -1, 0}, y(4);
  const auto of = [&](uint32_t function) {
    EXPECT_TRUE(run(PRESIL_KERNEL_PAIR, {tensor(a), tensor(b), tensor(y)},
                    presil_pair_attributes{function}));
    return y;
  };
  EXPECT_EQ(of(PRESIL_PAIR_ADD), (Words{INT32_MIN, -5, INT32_MAX, 7}));
  EXPECT_EQ(of(PRESIL_PAIR_SUB), (Words{INT32_MAX - 1, -9, INT32_MIN + 1, 7}));
  EXPECT_EQ(of(PRESIL_PAIR_MUL), (Words{INT32_MAX, -14, INT32_MIN, 0}));
  EXPECT_EQ(of(PRESIL_PAIR_FLOOR_DIV), (Words{INT32_MAX, -4, INT32_MIN, 0}));
  EXPECT_EQ(of(PRESIL_PAIR_FLOOR_MOD), (Words{0, 1, 0, 0}));
}

TEST(KernelPairF32, rests_of_divisions_are_exact) {
  Floats a{7.5f, -7.5f, 3e30f, 1e-44f, 5.0f}, b{2.0f, 2.0f, 7.0f, 3e-45f, -3.0f}, y(5);
  presil_pair_f32_attributes p{PRESIL_F32_FLOOR_MOD, -__builtin_huge_valf(), __builtin_huge_valf()};
  ASSERT_TRUE(run(PRESIL_KERNEL_PAIR_F32, {tensor(a), tensor(b), tensor(y)}, p));
  EXPECT_EQ(y, (Floats{1.5f, 0.5f, __builtin_fmodf(3e30f, 7.0f), __builtin_fmodf(1e-44f, 3e-45f),
                       -1.0f}));
}

TEST(KernelTopK, the_first_of_equal_ones_and_no_numbers_last) {
  Bytes x{1, 9, 9, -3, 2, 0, 0, 0}, y(4);
  Words index(4);
  ASSERT_TRUE(
      run(PRESIL_KERNEL_TOP_K, {tensor(x, {2, 4}), tensor(y, {2, 2}), tensor(index, {2, 2})}));
  EXPECT_EQ(y, (Bytes{9, 9, 2, 0}));
  EXPECT_EQ(index, (Words{1, 2, 0, 1}));
  Floats f{__builtin_nanf(""), 1, __builtin_nanf("")}, g(3);
  Words places(3);
  ASSERT_TRUE(run(PRESIL_KERNEL_TOP_K, {tensor(f), tensor(g), tensor(places)}));
  EXPECT_EQ(places, (Words{1, 0, 2}));
  Bytes more(10);
  Words most(10);
  EXPECT_FALSE(
      run(PRESIL_KERNEL_TOP_K, {tensor(x, {2, 4}), tensor(more, {2, 5}), tensor(most, {2, 5})}));
}

TEST(KernelSigmoidI16, rounds_what_the_table_is_asked_for) {
  Words table(256);
  for (int i = 0; i < 256; ++i) table[static_cast<size_t>(i)] = 32768 + 128 * i;
  Shorts x{0, 512, -512}, y(3);
  ASSERT_TRUE(run(PRESIL_KERNEL_SIGMOID_I16, {tensor(x), tensor(table), tensor(y)},
                  presil_sigmoid_attributes{0, 2, 1}));
  // v = 0, 512, -512: half of the entries 32768 and 32896; 2^15 less 16448
  EXPECT_EQ(y, (Shorts{16384, 16448, 16320}));
  EXPECT_FALSE(run(PRESIL_KERNEL_SIGMOID_I16, {tensor(x), tensor(table), tensor(y)},
                   presil_sigmoid_attributes{2, 2, 1}));
}

TEST(KernelSoftmaxI16, shares_of_a_flat_row_are_equal) {
  Shorts exponential(513, 32767), reciprocal(513, 16384), x{5, 5, 5, 5}, y(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_SOFTMAX_I16,
                  {tensor(x), tensor(exponential), tensor(reciprocal), tensor(y)},
                  presil_softmax_i16_attributes{kHalf, 1}));
  // sum = 131068, 15 zeros; 32767 * 16384 / 2^16
  EXPECT_EQ(y, (Shorts{8192, 8192, 8192, 8192}));
}

TEST(KernelRoots, of_int16_and_of_rows) {
  Shorts x{4, 0, 400}, y(3);
  ASSERT_TRUE(run(PRESIL_KERNEL_RSQRT_I16, {tensor(x), tensor(y)},
                  presil_scale_attributes{kHalf, 11 - 20}));  // 2^10 / sqrt
  EXPECT_EQ(y, (Shorts{512, INT16_MAX, 51}));
  Bytes row{2, 3, -1, 10}, unit(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_L2_NORMALIZE_I8, {tensor(row, {2, 2}), tensor(unit, {2, 2})},
                  presil_l2_normalize_attributes{-1}));
  EXPECT_EQ(unit, (Bytes{77, 102, 0, 127}));
}

TEST(KernelPools, of_int16) {
  Shorts x{-3000, -2999}, y(1);
  presil_pool_attributes p{};
  p.kernel_h = 1, p.kernel_w = 2, p.stride_h = p.stride_w = 1;
  p.act_min = INT16_MIN, p.act_max = INT16_MAX;
  ASSERT_TRUE(
      run(PRESIL_KERNEL_AVERAGE_POOL_I16, {tensor(x, {1, 1, 2, 1}), tensor(y, {1, 1, 1, 1})}, p));
  EXPECT_EQ(y, (Shorts{-3000}));
  ASSERT_TRUE(
      run(PRESIL_KERNEL_MAX_POOL_I16, {tensor(x, {1, 1, 2, 1}), tensor(y, {1, 1, 1, 1})}, p));
  EXPECT_EQ(y, (Shorts{-2999}));
}

}  // namespace
}  // namespace presil::kernels
