// The product of two computed matrices against values worked out by hand.
#include "tests/driver/kernel_task.h"

namespace presil::kernels {
namespace {

using Bytes = std::vector<int8_t>;
using Shorts = std::vector<int16_t>;

/// y = acc, saturated.
presil_batch_matmul_attributes plain(uint32_t transpose_a = 0, uint32_t transpose_b = 0) {
  presil_batch_matmul_attributes a{};
  a.transpose_a = transpose_a, a.transpose_b = transpose_b;
  a.multiplier = kHalf, a.shift = 1;
  return a;
}

TEST(KernelBatchMatmul, rows_times_columns_above_the_zeros) {
  Bytes a{0, 1, 2, 3, 4, 5}, b{3, 2, 2, 3, 4, 1}, y(4);
  auto attributes = plain();
  attributes.a_zero = -1, attributes.b_zero = 2, attributes.out_zero = 10;
  ASSERT_TRUE(run(PRESIL_KERNEL_BATCH_MATMUL_I8,
                  {tensor(a, {2, 3}), tensor(b, {3, 2}), tensor(y, {2, 2})}, attributes));
  EXPECT_EQ(y, (Bytes{17, 9, 26, 9}));
}

TEST(KernelBatchMatmul, transposed_operands_are_read_by_columns) {
  Bytes a{1, 4, 2, 5, 3, 6}, b{1, 0, 2, 0, 1, -1}, y(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_BATCH_MATMUL_I8,
                  {tensor(a, {3, 2}), tensor(b, {2, 3}), tensor(y, {2, 2})}, plain(1, 1)));
  EXPECT_EQ(y, (Bytes{7, -1, 16, -1}));
}

TEST(KernelBatchMatmul, leading_axes_broadcast_from_the_right) {
  Bytes a{1, 10, 2, 20}, b{1, 0, 0, 1, 1, 1}, y(6);
  ASSERT_TRUE(run(PRESIL_KERNEL_BATCH_MATMUL_I8,
                  {tensor(a, {2, 1, 1, 2}), tensor(b, {3, 2, 1}), tensor(y, {2, 3, 1, 1})},
                  plain()));
  EXPECT_EQ(y, (Bytes{1, 10, 11, 2, 20, 22}));
}

TEST(KernelBatchMatmul, sums_of_int16_have_64_bits) {
  Shorts a{32767, 32767, 32767}, b{32767, 32767, 32767}, y(1);
  auto attributes = plain();
  attributes.multiplier = kHalf, attributes.shift = -17;  // 2^-18
  ASSERT_TRUE(run(PRESIL_KERNEL_BATCH_MATMUL_I16,
                  {tensor(a, {1, 3}), tensor(b, {3, 1}), tensor(y, {1, 1})}, attributes));
  EXPECT_EQ(y, (Shorts{12287}));  // 12287.25
}

TEST(KernelBatchMatmul, shapes_agree) {
  Bytes a(6), b(6), y(4), z(9);
  const auto run_i8 = [&](std::vector<presil_kernel_tensor> tensors, const auto& attributes) {
    return bool(run(PRESIL_KERNEL_BATCH_MATMUL_I8, std::move(tensors), attributes));
  };
  EXPECT_TRUE(run_i8({tensor(a, {2, 3}), tensor(b, {3, 2}), tensor(y, {2, 2})}, plain()));
  EXPECT_FALSE(run_i8({tensor(a, {2, 3}), tensor(b, {2, 3}), tensor(y, {2, 2})}, plain()));
  EXPECT_TRUE(run_i8({tensor(a, {2, 3}), tensor(b, {2, 3}), tensor(y, {2, 2})}, plain(0, 1)));
  EXPECT_FALSE(run_i8({tensor(a, {2, 3}), tensor(b, {3, 2}), tensor(y, {4, 1})}, plain()));
  EXPECT_FALSE(run_i8({tensor(a), tensor(b, {6, 1}), tensor(y, {2, 2})}, plain()));
  EXPECT_FALSE(run_i8({tensor(a, {3, 1, 2}), tensor(b, {3, 2, 1}), tensor(y, {4, 1, 1})}, plain()));
  EXPECT_FALSE(run_i8({tensor(a, {2, 3}), tensor(b, {3, 2}), tensor(y, {2, 2})}, plain(2, 0)));
  const auto attributes = plain();
  const presil_kernel_tensor tensors[] = {tensor(a, {3, 1, 2}), tensor(b, {2, 3}),
                                          tensor(z, {3, 1, 3})};
  EXPECT_EQ(presil_kernel_elements(PRESIL_KERNEL_BATCH_MATMUL_I8, tensors, 3, &attributes), 18u);
}

}  // namespace
}  // namespace presil::kernels
