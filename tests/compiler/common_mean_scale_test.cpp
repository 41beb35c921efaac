// Scales of means that round before y's zero point is added.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "compiler_bridge/common/mean_scale.h"

namespace presil::common {
namespace {

ir::Tensor tensor(float scale, int zero) {
  ir::Tensor t;
  t.dtype = ir::DType::kInt8;
  t.quantization = {{scale}, {zero}, -1};
  return t;
}

std::optional<float> scale_of(float x_scale, int x_zero, float y_scale, int y_zero, int64_t count,
                              ir::OpKind kind = ir::OpKind::kMean) {
  const ir::Op op{kind, "mean", {}, {}, ir::Reduce{}, {}};
  const auto bits = scale_before_zero(op, tensor(x_scale, x_zero), tensor(y_scale, y_zero), count);
  if (!bits) return std::nullopt;
  float scale;
  std::memcpy(&scale, &*bits, sizeof scale);
  return scale;
}

TEST(MeanScale, where_no_sum_lies_between_two_values_it_is_that_of_the_definition) {
  EXPECT_EQ(scale_of(1.0f, 3, 3.0f, 5, 1), 1.0f / 3.0f);  // thirds
}

TEST(MeanScale, of_an_even_zero_point_halves_stay) {
  EXPECT_EQ(scale_of(0.5f, 0, 1.0f, -4, 1), 0.5f);
}

TEST(MeanScale, of_an_odd_one_a_single_half_is_rounded_by_a_scale_next_to_it) {
  // Sums -128..127 by 1/256: -128 is -0.5, + 1 = 0.5, which goes to 0; before it has to go to -1.
  EXPECT_EQ(scale_of(0x1p-8f, 0, 1.0f, 1, 1), std::nextafter(0x1p-8f, 1.0f));
  // x - 1: -129..126. -128 again, now with z = -1: -1.5 goes to -2.
  EXPECT_EQ(scale_of(0x1p-8f, 1, 1.0f, -1, 1), std::nextafter(0x1p-8f, 1.0f));
  // x + 127: 1..254. 128 is 0.5, - 1 = -0.5, which goes to 0: before it has to go to 1.
  EXPECT_EQ(scale_of(0x1p-8f, -127, 1.0f, -1, 1), std::nextafter(0x1p-8f, 1.0f));
}

TEST(MeanScale, halves_that_go_both_ways_have_none) {
  EXPECT_EQ(scale_of(0.5f, 0, 1.0f, 1, 1), std::nullopt);    // 0.5 up to 1, 1.5 down to 1
  EXPECT_EQ(scale_of(0.5f, 0, 0.5f, -3, 30), std::nullopt);  // 15 / 30, 45 / 30
}

TEST(MeanScale, of_a_sum_the_ratio_of_the_scales) {
  EXPECT_EQ(scale_of(0.5f, 0, 1.0f, 2, 30, ir::OpKind::kSum), 0.5f);
}

}  // namespace
}  // namespace presil::common
