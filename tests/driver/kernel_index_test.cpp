#include <cmath>

#include "tests/driver/kernel_task.h"

namespace presil::kernels {
namespace {

using Bytes = std::vector<int8_t>;
using Ints = std::vector<int32_t>;

presil_kernel_tensor bools(std::vector<uint8_t>& data, std::vector<uint32_t> shape = {}) {
  presil_kernel_tensor t = tensor(data, std::move(shape));
  t.dtype = PRESIL_BOOL;
  return t;
}

TEST(KernelTile, repeats_along_every_axis) {
  std::vector<int16_t> x{1, 2, 3, 4}, y(24);
  ASSERT_TRUE(run(PRESIL_KERNEL_TILE, {tensor(x, {2, 2}), tensor(y, {4, 6})}));
  EXPECT_EQ(y, (std::vector<int16_t>{1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4,
                                     1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4}));
  std::vector<int16_t> z(3);
  EXPECT_FALSE(run(PRESIL_KERNEL_TILE, {tensor(x), tensor(z)}));
}

TEST(KernelMirrorPad, shows_the_edge_once_or_twice) {
  Bytes x{1, 2, 3, 4}, y(9), z(8);
  presil_mirror_pad_attributes p{};
  p.before[0] = 3;
  ASSERT_TRUE(run(PRESIL_KERNEL_MIRROR_PAD, {tensor(x), tensor(y)}, p));
  EXPECT_EQ(y, (Bytes{4, 3, 2, 1, 2, 3, 4, 3, 2}));
  p.before[0] = 4;
  EXPECT_FALSE(run(PRESIL_KERNEL_MIRROR_PAD, {tensor(x), tensor(y)}, p));
  p.symmetric = 1;
  ASSERT_TRUE(run(PRESIL_KERNEL_MIRROR_PAD, {tensor(x), tensor(z)}, p));
  EXPECT_EQ(z, (Bytes{4, 3, 2, 1, 1, 2, 3, 4}));
}

TEST(KernelGather, slices_of_any_axis_and_none_outside) {
  std::vector<float> x{1, 2, 3, 4, 5, 6}, y(8);
  Ints i{2, 0, -1, 9};
  ASSERT_TRUE(run(PRESIL_KERNEL_GATHER,
                  {tensor(x, {2, 3}), tensor(i, {2, 2}), tensor(y, {2, 2, 2})},
                  presil_gather_attributes{1, 0}));
  EXPECT_EQ(y, (std::vector<float>{3, 1, 1, 3, 6, 4, 4, 6}));
}

TEST(KernelGather, axes_in_common_go_along) {
  Bytes x{0, 1, 2, 10, 11, 12}, y(2);
  std::vector<int64_t> i{1, 2};
  const std::vector<presil_kernel_tensor> task = {tensor(x, {2, 3}), tensor(i), tensor(y)};
  ASSERT_TRUE(run(PRESIL_KERNEL_GATHER, task, presil_gather_attributes{1, 1}));
  EXPECT_EQ(y, (Bytes{1, 12}));
  EXPECT_FALSE(run(PRESIL_KERNEL_GATHER, task, presil_gather_attributes{0, 1}));
  EXPECT_FALSE(run(PRESIL_KERNEL_GATHER, task, presil_gather_attributes{1, 0}));
  EXPECT_FALSE(run(PRESIL_KERNEL_GATHER, task, presil_gather_attributes{2, 0}));
}

TEST(KernelGatherNd, values_or_all_after) {
  Bytes x{1, 2, 3, 4, 5, 6}, y(3), z(6);
  Ints i{0, 2, 1, 0, 1, 1}, rows{1, -1};
  ASSERT_TRUE(run(PRESIL_KERNEL_GATHER_ND, {tensor(x, {2, 3}), tensor(i, {3, 2}), tensor(y, {3})}));
  EXPECT_EQ(y, (Bytes{3, 4, 5}));
  ASSERT_TRUE(
      run(PRESIL_KERNEL_GATHER_ND, {tensor(x, {2, 3}), tensor(rows, {2, 1}), tensor(z, {2, 3})}));
  EXPECT_EQ(z, (Bytes{4, 5, 6, 1, 2, 3}));
  EXPECT_FALSE(
      run(PRESIL_KERNEL_GATHER_ND, {tensor(x, {2, 3}), tensor(i, {2, 3}), tensor(y, {3})}));
}

TEST(KernelSelect, one_of_two_broadcasting) {
  std::vector<uint8_t> c{0, 1};
  std::vector<float> a{1, 2, 3, 4}, b{-9}, y(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_SELECT,
                  {bools(c, {2, 1}), tensor(a, {2, 2}), tensor(b, {1}), tensor(y, {2, 2})}));
  EXPECT_EQ(y, (std::vector<float>{-9, -9, 3, 4}));
  EXPECT_FALSE(run(PRESIL_KERNEL_SELECT,
                   {tensor(c, {2, 1}), tensor(a, {2, 2}), tensor(b, {1}), tensor(y, {2, 2})}));
}

TEST(KernelOneHot, on_at_the_index) {
  Ints i{1, 0, 5};
  Bytes on{7}, off{-1}, y(6);
  ASSERT_TRUE(run(PRESIL_KERNEL_ONE_HOT, {tensor(i), tensor(on), tensor(off), tensor(y, {3, 2})},
                  presil_one_hot_attributes{1}));
  EXPECT_EQ(y, (Bytes{-1, 7, 7, -1, -1, -1}));
  ASSERT_TRUE(run(PRESIL_KERNEL_ONE_HOT, {tensor(i), tensor(on), tensor(off), tensor(y, {2, 3})},
                  presil_one_hot_attributes{0}));
  EXPECT_EQ(y, (Bytes{-1, 7, -1, 7, -1, -1}));
}

TEST(KernelCast, floats_lose_their_fraction_and_saturate) {
  std::vector<float> x{1.9f, -1.9f, 300.0f, -1e20f, std::nanf(""), -128.5f};
  Bytes i8(6);
  std::vector<uint8_t> u8(6);
  std::vector<int64_t> i64(6);
  ASSERT_TRUE(run(PRESIL_KERNEL_CAST, {tensor(x), tensor(i8)}));
  EXPECT_EQ(i8, (Bytes{1, -1, 127, -128, 0, -128}));
  ASSERT_TRUE(run(PRESIL_KERNEL_CAST, {tensor(x), tensor(u8)}));
  EXPECT_EQ(u8, (std::vector<uint8_t>{1, 0, 255, 0, 0, 0}));
  ASSERT_TRUE(run(PRESIL_KERNEL_CAST, {tensor(x), tensor(i64)}));
  EXPECT_EQ(i64, (std::vector<int64_t>{1, -1, 300, INT64_MIN, 0, -128}));
  ASSERT_TRUE(run(PRESIL_KERNEL_CAST, {tensor(x), bools(u8)}));
  EXPECT_EQ(u8, (std::vector<uint8_t>{1, 1, 1, 1, 1, 1}));
}

TEST(KernelCast, integers_keep_their_low_bits_or_the_nearest_float) {
  Ints x{300, -1, 16777217, 0};
  Bytes i8(4);
  std::vector<float> f32(4);
  std::vector<uint8_t> flags(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_CAST, {tensor(x), tensor(i8)}));
  EXPECT_EQ(i8, (Bytes{44, -1, 1, 0}));
  ASSERT_TRUE(run(PRESIL_KERNEL_CAST, {tensor(x), tensor(f32)}));
  EXPECT_EQ(f32, (std::vector<float>{300, -1, 16777216, 0}));
  ASSERT_TRUE(run(PRESIL_KERNEL_CAST, {tensor(x), bools(flags)}));
  EXPECT_EQ(flags, (std::vector<uint8_t>{1, 1, 1, 0}));
  flags[0] = 9;
  ASSERT_TRUE(run(PRESIL_KERNEL_CAST, {bools(flags), tensor(f32)}));
  EXPECT_EQ(f32, (std::vector<float>{1, 1, 1, 0}));
}

TEST(KernelPad, of_floats_writes_the_bits_of_the_value) {
  std::vector<float> x{7}, y(3);
  presil_pad_attributes p{};
  p.before[0] = 1, p.value = bits(1.5f);
  ASSERT_TRUE(run(PRESIL_KERNEL_PAD, {tensor(x), tensor(y)}, p));
  EXPECT_EQ(y, (std::vector<float>{1.5f, 7, 1.5f}));
}

TEST(KernelResizeNearest, of_any_type) {
  std::vector<float> x{1, 2}, y(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_RESIZE_NEAREST, {tensor(x, {1, 1, 2, 1}), tensor(y, {1, 1, 4, 1})},
                  presil_resize_attributes{0, 0, PRESIL_NUMERICS_TFLITE}));
  EXPECT_EQ(y, (std::vector<float>{1, 1, 2, 2}));
}

}  // namespace
}  // namespace presil::kernels
