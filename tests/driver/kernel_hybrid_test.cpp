// Kernels of float activations and int8 weights against values worked out by hand.
#include "driver/kernels/host/hybrid.h"
#include "tests/driver/kernel_task.h"

namespace presil::kernels {
namespace {

using Floats = std::vector<float>;
using Bytes = std::vector<int8_t>;

const float kInf = infinity();
const float kNan = from_bits(0xffc12345u);

presil_hybrid_attributes attributes(uint32_t input, uint32_t order) {
  return {input, order, 0, 1, 1, 1, 1, 0, 0, 1, -kInf, kInf};
}

HybridInput found(uint32_t input, const Floats& x, const Bytes& expected) {
  Bytes q(x.size());
  const HybridInput in = hybrid_input(input, x.data(), x.size(), q.data());
  EXPECT_EQ(q, expected);
  return in;
}

// Largest magnitude 254: a step of 2. 3 / 2 = 1.5 goes away from zero, as -1.5 does.
TEST(KernelHybrid, symmetric_activations_take_127_steps_to_the_largest_of_their_image_or_row) {
  Floats x{254, 3, -3, 2}, bias{0.25f}, scale{0.5f}, y(4);
  Bytes w{10}, bytes(4);
  auto a = attributes(PRESIL_HYBRID_SYMMETRIC, PRESIL_HYBRID_BOTH_SCALES);
  a.high = 1000;
  ASSERT_TRUE(run(PRESIL_KERNEL_CONV2D_HYBRID,
                  {tensor(x, {1, 1, 4, 1}), tensor(w, {1, 1, 1, 1}), tensor(bias), tensor(scale),
                   tensor(bytes), tensor(y, {1, 1, 4, 1})},
                  a));
  EXPECT_EQ(bytes, (Bytes{127, 2, -2, 1}));
  EXPECT_EQ(y, (Floats{1000, 20.25f, -19.75f, 10.25f}));
  Floats rows{0, 0, 127, -kNan}, dense(2);
  w = {1, 5};
  ASSERT_TRUE(run(PRESIL_KERNEL_FULLY_CONNECTED_HYBRID,
                  {tensor(rows, {2, 2}), tensor(w, {1, 2}), tensor(bias), tensor(scale),
                   tensor(bytes), tensor(dense, {2, 1})},
                  a));
  EXPECT_EQ(dense, (Floats{0.25f, 63.75f}));
}

// A range of 255 is steps of 1. From -100.5 on the zero point is -27.5, away from zero -28, to even
// -28 too; 0 is always in the range.
TEST(KernelHybrid, asymmetric_activations_take_255_steps_from_their_least_to_their_largest) {
  const HybridInput both = found(PRESIL_HYBRID_ASYMMETRIC, {-100.5f, 154.5f, 1.5f, -0.5f, kNan},
                                 {-128, 127, -26, -29, -28});
  EXPECT_EQ(both.zero, -28);
  EXPECT_EQ(both.scale, 1.0f);
  EXPECT_EQ(found(PRESIL_HYBRID_ASYMMETRIC, {510, 3}, {127, -126}).zero, -128);  // 3 / 2 is 2
  EXPECT_EQ(found(PRESIL_HYBRID_ASYMMETRIC, {-510, -3}, {-128, 125}).zero, 127);
  const HybridInput none = found(PRESIL_HYBRID_ASYMMETRIC, {0, -0.0f}, {0, 0});
  EXPECT_EQ(none.zero, 0);
  EXPECT_EQ(none.scale, 1.0f);
}

// The float below 0.5, plus 0.5, is 1 after rounding.
TEST(KernelHybrid, what_is_next_below_a_half_goes_away_from_zero) {
  const float below = from_bits(to_bits(0.5f) - 1);
  found(PRESIL_HYBRID_ASYMMETRIC, {255, below, -0.0f}, {127, -127, -128});
  found(PRESIL_HYBRID_SYMMETRIC, {127, below, -below}, {127, 1, -1});
  found(PRESIL_HYBRID_QD8, {255, below, -0.0f}, {127, -128, -128});
}

TEST(KernelHybrid, qd8_rounds_halves_to_even) {
  const HybridInput in =
      found(PRESIL_HYBRID_QD8, {-100.5f, 154.5f, 1.5f, -0.5f, kNan}, {-128, 126, -26, -28, -28});
  EXPECT_EQ(in.zero, -28);
  EXPECT_EQ(in.scale, 1.0f);
  EXPECT_EQ(found(PRESIL_HYBRID_QD8, {0}, {127}).zero, 127);
}

// 100 * 2^122 is beyond float32, 100 / 128 * 2^122 is not.
TEST(KernelHybrid, the_order_of_the_scales_is_that_of_the_runtime) {
  const float s = 0x1p-7f, large = 0x1p122f;
  const auto at = [&](uint32_t order, int64_t channel) {
    return hybrid_result(order, 100, s, large, 0, channel, 6);
  };
  const float product = 0.78125f * large;
  EXPECT_EQ(at(PRESIL_HYBRID_BOTH_SCALES, 0), product);
  EXPECT_EQ(at(PRESIL_HYBRID_FUSED, 0), product);
  EXPECT_EQ(at(PRESIL_HYBRID_WEIGHT_SCALE, 5), kInf);
  EXPECT_EQ(at(PRESIL_HYBRID_IN_FOURS, 3), kInf);
  EXPECT_EQ(at(PRESIL_HYBRID_IN_FOURS, 4), product);
  // 4097 * (1 + 2^-12) = 4098 + 2^-12 has 25 bits: to even it is 4098, as a term of fma it is
  // whole.
  EXPECT_EQ(hybrid_result(PRESIL_HYBRID_BOTH_SCALES, 4097, 1, 1 + 0x1p-12f, -4098, 0, 1), 0);
  EXPECT_EQ(hybrid_result(PRESIL_HYBRID_FUSED, 4097, 1, 1 + 0x1p-12f, -4098, 0, 1), 0x1p-12f);
}

// 0, 255, 1.5 are 0, 255, 2 steps from zero point -128, and 0 beside the image.
TEST(KernelHybrid, taps_outside_the_image_are_left_out) {
  Floats x{0, 255, 1.5f}, bias{0.25f, -1}, scales{1, 0.5f}, y(6);
  Bytes w{1, 1, 1, 1, 0, 2}, bytes(3);
  auto a = attributes(PRESIL_HYBRID_ASYMMETRIC, PRESIL_HYBRID_BOTH_SCALES);
  a.pad_left = 1;
  const auto task = [&](std::vector<uint32_t> shape) {
    return std::vector<presil_kernel_tensor>{
        tensor(x, {1, 1, 3, 1}), tensor(w, shape), tensor(bias),
        tensor(scales),          tensor(bytes),    tensor(y, {1, 1, 3, 2})};
  };
  ASSERT_TRUE(run(PRESIL_KERNEL_CONV2D_HYBRID, task({2, 1, 3, 1}), a));
  // 255, 510 / 2; 257, 4 / 2; 257, 255 / 2; plus the bias
  EXPECT_EQ(y, (Floats{255.25f, 254, 257.25f, 1, 257.25f, 126.5f}));
  // Of a depthwise one the weights' channels are interleaved: 1 1 0 and 1 1 2.
  ASSERT_TRUE(run(PRESIL_KERNEL_DEPTHWISE_CONV2D_HYBRID, task({1, 1, 3, 2}), a));
  // 0 + 255 * 0, 0 + 255 * 2; 0 + 255, 0 + 255 + 2 * 2; 255 + 2, 255 + 2
  EXPECT_EQ(y, (Floats{0.25f, 254, 255.25f, 128.5f, 257.25f, 127.5f}));
}

// Ranges of 255 and 510: steps of 1 and 2.
TEST(KernelHybrid, pixels_are_quantised_by_themselves_where_asked_for) {
  Floats x{255, 1, 510, 1}, bias{0}, scale{1}, y(2);
  Bytes w{0, 1}, bytes(4);
  auto a = attributes(PRESIL_HYBRID_QD8, PRESIL_HYBRID_FUSED);
  const auto task = [&] {
    return std::vector<presil_kernel_tensor>{
        tensor(x, {1, 1, 2, 2}), tensor(w, {1, 1, 1, 2}), tensor(bias),
        tensor(scale),           tensor(bytes),           tensor(y, {1, 1, 2, 1})};
  };
  a.by_pixel = 1;
  ASSERT_TRUE(run(PRESIL_KERNEL_CONV2D_HYBRID, task(), a));
  EXPECT_EQ(y, (Floats{1, 0}));  // half a step of 2 is 0, to even
  a.by_pixel = 0;
  ASSERT_TRUE(run(PRESIL_KERNEL_CONV2D_HYBRID, task(), a));
  EXPECT_EQ(y, (Floats{0, 0}));
  a.by_pixel = 1, a.stride_w = 2;
  EXPECT_FALSE(run(PRESIL_KERNEL_CONV2D_HYBRID, task(), a));
}

TEST(KernelHybrid, types_rules_and_sizes_are_looked_at) {
  Floats x{1, 2}, bias{0}, scale{1}, two{1, 1}, y(1);
  Bytes w{1, 1}, bytes(2), few(1);
  auto a = attributes(PRESIL_HYBRID_QD8, PRESIL_HYBRID_FUSED);
  const auto taken = [&](Floats& scales, Bytes& scratch) {
    return static_cast<bool>(run(PRESIL_KERNEL_FULLY_CONNECTED_HYBRID,
                                 {tensor(x, {1, 2}), tensor(w, {1, 2}), tensor(bias),
                                  tensor(scales), tensor(scratch), tensor(y, {1, 1})},
                                 a));
  };
  EXPECT_TRUE(taken(scale, bytes));
  EXPECT_FALSE(taken(two, bytes));
  EXPECT_FALSE(taken(scale, few));
  a.input = PRESIL_HYBRID_INPUTS;
  EXPECT_FALSE(taken(scale, bytes));
  a.input = PRESIL_HYBRID_QD8, a.order = PRESIL_HYBRID_ORDERS;
  EXPECT_FALSE(taken(scale, bytes));
}

}  // namespace
}  // namespace presil::kernels
