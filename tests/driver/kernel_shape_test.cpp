#include "tests/driver/kernel_task.h"

namespace presil::kernels {
namespace {

using Bytes = std::vector<int8_t>;

TEST(KernelCopy, keeps_bytes_under_another_shape) {
  std::vector<float> x{1, 2, 3, 4}, y(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_COPY, {tensor(x, {2, 2}), tensor(y, {1, 4, 1})}));
  EXPECT_EQ(x, y);
}

TEST(KernelConcat, puts_pieces_side_by_side_on_any_axis) {
  Bytes a{1, 2, 3, 4}, b{5, 6}, y(6);
  presil_concat_attributes p{1, 0};
  ASSERT_TRUE(
      run(PRESIL_KERNEL_CONCAT, {tensor(a, {2, 2}), tensor(b, {2, 1}), tensor(y, {2, 3})}, p));
  EXPECT_EQ(y, (Bytes{1, 2, 5, 3, 4, 6}));
  p.axis = 0;
  ASSERT_TRUE(
      run(PRESIL_KERNEL_CONCAT, {tensor(a, {2, 2}), tensor(b, {1, 2}), tensor(y, {3, 2})}, p));
  EXPECT_EQ(y, (Bytes{1, 2, 3, 4, 5, 6}));
}

TEST(KernelConcat, sends_each_input_through_its_own_table) {
  Bytes a{1, -1}, b{1}, tables(512), y(3);
  for (int i = 0; i < 256; ++i) {
    tables[i] = static_cast<int8_t>(i);  // as it is
    tables[256 + i] = static_cast<int8_t>(static_cast<int8_t>(i) / 2 + 7);
  }
  ASSERT_TRUE(run(PRESIL_KERNEL_CONCAT, {tensor(a), tensor(b), tensor(tables, {2, 256}), tensor(y)},
                  presil_concat_attributes{0, 1}));
  EXPECT_EQ(y, (Bytes{1, -1, 7}));
}

TEST(KernelInterleave, pixels_of_any_type_come_in_turn) {
  std::vector<int16_t> a{1, 2, 3, 4}, b{5, 6}, y(6);
  std::vector<presil_kernel_tensor> tensors = {tensor(a, {1, 1, 2, 2}), tensor(b, {1, 1, 1, 2}),
                                               tensor(y, {1, 1, 3, 2})};
  ASSERT_TRUE(run(PRESIL_KERNEL_INTERLEAVE, tensors, presil_interleave_attributes{1, 2}));
  EXPECT_EQ(y, (std::vector<int16_t>{1, 2, 5, 6, 3, 4}));
  EXPECT_FALSE(run(PRESIL_KERNEL_INTERLEAVE, tensors, presil_interleave_attributes{2, 1}));
  EXPECT_FALSE(run(PRESIL_KERNEL_INTERLEAVE, tensors, presil_interleave_attributes{2, 2}));
}

TEST(KernelResizeNearest, doubles) {
  Bytes x{1, 2, 3, 4}, y(16);
  ASSERT_TRUE(run(PRESIL_KERNEL_RESIZE_NEAREST, {tensor(x, {1, 2, 2, 1}), tensor(y, {1, 4, 4, 1})},
                  presil_resize_attributes{0, 0, PRESIL_NUMERICS_TFLITE}));
  EXPECT_EQ(y, (Bytes{1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4}));
}

TEST(KernelResizeNearest, aligned_corners_and_half_pixels_pick_other_neighbours) {
  Bytes x{0, 1, 2, 3}, y(6), z(2);
  ASSERT_TRUE(run(PRESIL_KERNEL_RESIZE_NEAREST, {tensor(x, {1, 1, 4, 1}), tensor(y, {1, 1, 6, 1})},
                  presil_resize_attributes{1, 0, PRESIL_NUMERICS_TFLITE}));
  EXPECT_EQ(y, (Bytes{0, 1, 1, 2, 2, 3}));  // i * 3/5 = 0 .6 1.2 1.8 2.4 3
  ASSERT_TRUE(run(PRESIL_KERNEL_RESIZE_NEAREST, {tensor(x, {1, 1, 4, 1}), tensor(z, {1, 1, 2, 1})},
                  presil_resize_attributes{0, 1, PRESIL_NUMERICS_TFLITE}));
  EXPECT_EQ(z, (Bytes{1, 3}));  // (i + 0.5) * 2
}

TEST(KernelResizeBilinear, interpolates_in_integers) {
  Bytes x{0, 10}, y(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_RESIZE_BILINEAR_I8,
                  {tensor(x, {1, 1, 2, 1}), tensor(y, {1, 1, 4, 1})},
                  presil_resize_attributes{0, 0, PRESIL_NUMERICS_TFLITE}));
  EXPECT_EQ(y, (Bytes{0, 5, 10, 10}));
  ASSERT_TRUE(run(PRESIL_KERNEL_RESIZE_BILINEAR_I8,
                  {tensor(x, {1, 1, 2, 1}), tensor(y, {1, 1, 4, 1})},
                  presil_resize_attributes{0, 1, PRESIL_NUMERICS_TFLITE}));
  EXPECT_EQ(y, (Bytes{0, 3, 8, 10}));  // -0.25, 0.25, 0.75, 1.25: 2.5 and 7.5 away from zero
}

// Steps of 563.52 / 1024, in whole ones 564, lead to row 1226.04 of 0 .. 1225; the next image
// is 50.
TEST(KernelResizeBilinear, rounded_steps_end_at_the_last_row) {
  constexpr uint32_t kIn = 1226, kOut = 2227;
  Bytes x(2 * kIn, 0), y(2 * kOut);
  x[kIn - 1] = 100;
  for (size_t i = kIn; i < x.size(); ++i) x[i] = 50;
  ASSERT_TRUE(run(PRESIL_KERNEL_RESIZE_BILINEAR_I8,
                  {tensor(x, {2, kIn, 1, 1}), tensor(y, {2, kOut, 1, 1})},
                  presil_resize_attributes{1, 0, PRESIL_NUMERICS_TFLITE}));
  EXPECT_EQ(Bytes(y.begin() + kOut - 4, y.begin() + kOut + 1), (Bytes{39, 94, 100, 100, 50}));
}

TEST(KernelResizeBilinear, halves_go_up_by_the_rule_of_floats) {
  Bytes x{0, -10}, y(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_RESIZE_BILINEAR_I8,
                  {tensor(x, {1, 1, 2, 1}), tensor(y, {1, 1, 4, 1})},
                  presil_resize_attributes{0, 1, PRESIL_NUMERICS_XNNPACK}));
  EXPECT_EQ(y, (Bytes{0, -2, -7, -10}));  // -2.5 and -7.5
}

TEST(KernelPad, writes_a_border_of_the_stored_value) {
  Bytes x{1, 2}, y(12);
  presil_pad_attributes p{};
  p.before[0] = 1, p.before[1] = 2, p.value = -7;
  ASSERT_TRUE(run(PRESIL_KERNEL_PAD, {tensor(x, {1, 2}), tensor(y, {3, 4})}, p));
  EXPECT_EQ(y, (Bytes{-7, -7, -7, -7, -7, -7, 1, 2, -7, -7, -7, -7}));
}

TEST(KernelTranspose, permutes_axes_of_any_type) {
  std::vector<int16_t> x{1, 2, 3, 4, 5, 6}, y(6);
  presil_transpose_attributes p{};
  p.perm[0] = 2, p.perm[1] = 0, p.perm[2] = 1;
  ASSERT_TRUE(run(PRESIL_KERNEL_TRANSPOSE, {tensor(x, {1, 2, 3}), tensor(y, {3, 1, 2})}, p));
  EXPECT_EQ(y, (std::vector<int16_t>{1, 4, 2, 5, 3, 6}));
}

TEST(KernelStridedSlice, steps_forwards_and_backwards) {
  Bytes x{0, 1, 2, 3, 4, 5, 6, 7}, y(4);
  presil_strided_slice_attributes p{};
  p.begin[0] = 1, p.size[0] = 2, p.step[0] = -1;
  p.begin[1] = 0, p.size[1] = 2, p.step[1] = 3;
  ASSERT_TRUE(run(PRESIL_KERNEL_STRIDED_SLICE, {tensor(x, {2, 4}), tensor(y, {2, 2})}, p));
  EXPECT_EQ(y, (Bytes{4, 7, 0, 3}));
}

}  // namespace
}  // namespace presil::kernels
