// Integers of scales, worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler_bridge/common/scales.h"
#include "models/base/refusal.h"

namespace presil::common {
namespace {

const ir::Op kOp;

ir::Tensor int8(float scale, int64_t zero_point) {
  ir::Tensor tensor;
  tensor.quantization = {{scale}, {zero_point}, -1};
  return tensor;
}

void expect(FixedPoint got, int32_t multiplier, int32_t shift) {
  EXPECT_EQ(got.multiplier, multiplier);
  EXPECT_EQ(got.shift, shift);
}

TEST(PartitionScales, a_real_number_is_a_31_bit_fraction_and_a_shift) {
  expect(fixed_point(kOp, 0.5), 1 << 30, 0);
  expect(fixed_point(kOp, 1.0), 1 << 30, 1);
  expect(fixed_point(kOp, 0.75), 1610612736, 0);  // 3 * 2^29
  expect(fixed_point(kOp, 0.1), 1717986918, -3);  // 0.8 * 2^31 = 1717986918.4
  expect(fixed_point(kOp, -0.1), -1717986918, -3);
  expect(fixed_point(kOp, 1.0 - 0x1p-33), 1 << 30, 1);  // the fraction rounds up to 1
  expect(fixed_point(kOp, 0x1p-32), 1 << 30, -31);
  expect(fixed_point(kOp, 0x1p-33), 0, 0);
  expect(fixed_point(kOp, 0x1p30 - 1), 2147483646, 30);
}

TEST(PartitionScales, wild_ratios_are_not_expressed) {
  EXPECT_THROW(fixed_point(kOp, 0x1p30), Refusal);
  EXPECT_THROW(fixed_point(kOp, -0x1p30), Refusal);
  EXPECT_THROW(fixed_point(kOp, 1.0 / 0.0), Refusal);
  EXPECT_THROW(fixed_point(kOp, 0.0 / 0.0), Refusal);
}

TEST(PartitionScales, xnnpack_ratios_are_floats_or_steps_of_1_256) {
  EXPECT_EQ(float_bits(kOp, 1.0f), 0x3f800000);
  EXPECT_EQ(float_bits(kOp, 0x1p29f), 0x4e000000);
  EXPECT_THROW(float_bits(kOp, 0x1p30f), Refusal);
  EXPECT_THROW(float_bits(kOp, INFINITY), Refusal);
  EXPECT_THROW(float_bits(kOp, NAN), Refusal);
  EXPECT_EQ(fixed8(kOp, 1.5f), 384);
  EXPECT_EQ(fixed8(kOp, -0.25f), -64);
  EXPECT_EQ(fixed8(kOp, 2.5f / 256), 2);  // to even
  EXPECT_EQ(fixed8(kOp, 0x1p22f - 1), (1 << 30) - 256);
  EXPECT_THROW(fixed8(kOp, 0x1p22f), Refusal);
  EXPECT_THROW(fixed8(kOp, NAN), Refusal);
}

TEST(PartitionScales, clamps_round_by_their_rule_set) {
  const ir::Tensor y = int8(4.0f, -3);
  // 6 / 4 = 1.5: tflite -3 + 2; xnnpack round_even(-1.5)
  EXPECT_EQ(clamp_of(ir::Activation::kRelu6, y, ir::Numerics::kTflite).max, -1);
  EXPECT_EQ(clamp_of(ir::Activation::kRelu6, y, ir::Numerics::kXnnpack).max, -2);
  EXPECT_EQ(clamp_of(ir::Activation::kRelu6, y, ir::Numerics::kTflite).min, -3);
  EXPECT_EQ(clamp_of(ir::Activation::kRelu, y, ir::Numerics::kTflite).max, 127);
  const Clamp narrow = clamp_of(ir::Activation::kReluN1To1, int8(0.01f, 90), ir::Numerics::kTflite);
  EXPECT_EQ(narrow.min, -10);
  EXPECT_EQ(narrow.max, 127);  // 190 saturates
  EXPECT_EQ(clamp_of(ir::Activation::kNone, y, ir::Numerics::kTflite).min, -128);
}

TEST(PartitionScales, tflite_adds_on_a_grid_of_twice_the_larger_scale) {
  const ElementWiseScales s = add_scales(kOp, int8(0.5f, 3), int8(0.25f, -4), int8(0.75f, 9), false,
                                         ir::Activation::kNone, ir::Numerics::kTflite);
  EXPECT_EQ(s.left_shift, 20);
  expect({s.a_mult, s.a_shift}, 1 << 30, 0);           // 0.5 / 1
  expect({s.b_mult, s.b_shift}, 1 << 30, -1);          // 0.25 / 1
  expect({s.out_mult, s.out_shift}, 1431655765, -19);  // 1 / 0.75 * 2^-20 = 2/3 * 2^-19
  EXPECT_EQ(s.a_zero, 3);
  EXPECT_EQ(s.b_zero, -4);
  EXPECT_EQ(s.out_zero, 9);
}

TEST(PartitionScales, xnnpack_adds_with_21_bit_multipliers_and_one_constant) {
  const auto scales = [](bool subtract) {
    return add_scales(kOp, int8(0.75f, 3), int8(0.5f, -4), int8(1.0f, 9), subtract,
                      ir::Activation::kNone, ir::Numerics::kXnnpack);
  };
  const ElementWiseScales sum = scales(false);
  EXPECT_EQ(sum.out_shift, 21);    // 0.75 is in [2^-1, 1): 20 + 1
  EXPECT_EQ(sum.a_mult, 1572864);  // 0.75 * 2^21, in [2^20, 2^21)
  EXPECT_EQ(sum.b_mult, 1048576);  // 0.5 * 2^21
  EXPECT_EQ(sum.out_mult, 1048576 - 3 * 1572864 + 4 * 1048576);
  const ElementWiseScales difference = scales(true);
  EXPECT_EQ(difference.b_mult, -1048576);
  EXPECT_EQ(difference.out_mult, 1048576 - 3 * 1572864 - 4 * 1048576);
}

TEST(PartitionScales, a_product_has_one_scale) {
  const auto scales = [](ir::Numerics numerics) {
    return mul_scales(kOp, int8(0.5f, 3), int8(0.25f, -4), int8(0.75f, 9), ir::Activation::kNone,
                      numerics);
  };
  const ElementWiseScales tflite = scales(ir::Numerics::kTflite);
  expect({tflite.out_mult, tflite.out_shift}, 1431655765, -2);     // 1/6 = 2/3 * 2^-2
  EXPECT_EQ(scales(ir::Numerics::kXnnpack).out_mult, 0x3e2aaaab);  // float32 1/6
}

}  // namespace
}  // namespace presil::common
