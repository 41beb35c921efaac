// Kernels of floats against values worked out by hand.
#include <cmath>
#include <random>

#include "driver/kernels/host/float_functions.h"
#include "tests/driver/kernel_task.h"

namespace presil::kernels {
namespace {

using Floats = std::vector<float>;

const float kInf = infinity();
const float kNan = from_bits(0xffc12345u);

presil_conv_f32_attributes conv() {
  return {1, 1, 1, 1, 0, 0, 1, -kInf, kInf};
}

TEST(KernelFloatMath, a_fused_product_and_sum_are_rounded_once) {
  std::mt19937 random(3);
  for (int i = 0; i < 200000; ++i) {
    const auto any = [&] {
      // Exponents near each other: sums cancel, halves meet; some results are denormal.
      const uint32_t exponent = i % 2 ? 100 + random() % 56 : random() % 255;
      return from_bits((random() & 0x807fffffu) | exponent << 23);
    };
    const float a = any(), b = any(), c = any(), expected = std::fma(a, b, c);
    if (expected != expected || std::isinf(a * b)) continue;
    ASSERT_EQ(to_bits(fused(a, b, c)), to_bits(expected)) << a << " * " << b << " + " << c;
  }
}

TEST(KernelFloatMath, maxima_leave_out_what_is_no_number_and_put_plus_zero_above) {
  EXPECT_EQ(max_number(kNan, -5.0f), -5.0f);
  EXPECT_EQ(min_number(2.0f, kNan), 2.0f);
  EXPECT_EQ(to_bits(max_number(-0.0f, 0.0f)), 0u);
  EXPECT_EQ(to_bits(min_number(0.0f, -0.0f)), 0x80000000u);
  EXPECT_EQ(max_number(-1.0f, -2.0f), -1.0f);
  EXPECT_EQ(to_bits(within(kNan, -kInf, kInf)), 0x7fc00000u);
  EXPECT_EQ(within(kNan, 0.0f, 6.0f), 0.0f);
}

TEST(KernelConv2dF32, sums_begin_with_the_bias_and_leave_out_taps_outside) {
  Floats x{3, -4}, w{kInf, 1, 2}, bias{0.5f}, y(2);
  auto a = conv();
  a.pad_left = 1;
  ASSERT_TRUE(
      run(PRESIL_KERNEL_CONV2D_F32,
          {tensor(x, {1, 1, 2, 1}), tensor(w, {1, 1, 3, 1}), tensor(bias), tensor(y, {1, 1, 2, 1})},
          a));
  EXPECT_EQ(y, (Floats{-4.5f, kInf}));  // 0.5 + 3 * 1 - 4 * 2; 3 * inf - 4 + ..
}

TEST(KernelConv2dF32, groups_and_clamps) {
  Floats x{1, 1, 9, 9, 4, -5}, w{2, -1}, bias{0, 0}, y(4);
  auto a = conv();
  a.stride_w = 2, a.groups = 2, a.low = 0, a.high = 6;
  ASSERT_TRUE(
      run(PRESIL_KERNEL_CONV2D_F32,
          {tensor(x, {1, 1, 3, 2}), tensor(w, {2, 1, 1, 1}), tensor(bias), tensor(y, {1, 1, 2, 2})},
          a));
  EXPECT_EQ(y, (Floats{2, 0, 6, 5}));
}

TEST(KernelConv2dF32, a_filter_for_each_channel) {
  Floats x{1, 10, 100, 1000}, w{1, 2, 3, 4, 5, 6, 7, 8}, bias(4), y(4);
  auto a = conv();
  a.groups = 2;
  ASSERT_TRUE(
      run(PRESIL_KERNEL_DEPTHWISE_CONV2D_F32,
          {tensor(x, {1, 1, 2, 2}), tensor(w, {1, 1, 2, 4}), tensor(bias), tensor(y, {1, 1, 1, 4})},
          a));
  EXPECT_EQ(y, (Floats{501, 602, 7030, 8040}));
}

TEST(KernelConv2dF32, transposed_kernels_overlap) {
  Floats x{1, 2}, w{1, 5, 20}, bias{0}, y(5);
  auto a = conv();
  a.stride_w = 2;
  ASSERT_TRUE(
      run(PRESIL_KERNEL_TRANSPOSE_CONV2D_F32,
          {tensor(x, {1, 1, 2, 1}), tensor(w, {1, 1, 3, 1}), tensor(bias), tensor(y, {1, 1, 5, 1})},
          a));
  EXPECT_EQ(y, (Floats{1, 5, 22, 10, 40}));
}

// (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24, whose last bit a product that is rounded by itself loses.
TEST(KernelConv2dF32, a_product_is_rounded_with_its_sum) {
  Floats x{0x1.001p0f}, w = x, bias{-0x1.002p0f}, y(1);
  auto a = conv();
  a.groups = 1;
  for (const auto kernel : {PRESIL_KERNEL_CONV2D_F32, PRESIL_KERNEL_DEPTHWISE_CONV2D_F32}) {
    y[0] = 0;
    ASSERT_TRUE(run(
        kernel,
        {tensor(x, {1, 1, 1, 1}), tensor(w, {1, 1, 1, 1}), tensor(bias), tensor(y, {1, 1, 1, 1})},
        a));
    EXPECT_EQ(y, (Floats{0x1p-24f}));
  }
}

TEST(KernelFullyConnectedF32, adds_by_ascending_index) {
  Floats x{0x1p24f, 1, 1, 1, 1, 0x1p24f}, w{1, 1, 1}, bias{0}, y(2);
  const presil_clamp_f32_attributes a{-kInf, kInf};
  ASSERT_TRUE(run(PRESIL_KERNEL_FULLY_CONNECTED_F32,
                  {tensor(x, {2, 3}), tensor(w, {1, 3}), tensor(bias), tensor(y, {2, 1})}, a));
  EXPECT_EQ(y, (Floats{0x1p24f, 0x1p24f + 2}));
}

TEST(KernelBatchMatmulF32, rows_times_columns) {
  Floats a{1, 2, 3, 4}, b{10, 100}, y(2);
  ASSERT_TRUE(run(PRESIL_KERNEL_BATCH_MATMUL_F32,
                  {tensor(a, {2, 1, 2}), tensor(b, {2, 1}), tensor(y, {2, 1, 1})},
                  presil_batch_matmul_attributes{}));
  EXPECT_EQ(y, (Floats{210, 430}));
}

TEST(KernelPairF32, broadcasts_and_clamps) {
  Floats a{1, 5}, b{1.5f}, y(2);
  ASSERT_TRUE(run(PRESIL_KERNEL_PAIR_F32, {tensor(a), tensor(b, {1}), tensor(y)},
                  presil_pair_f32_attributes{PRESIL_F32_SUB, -1, 1}));
  EXPECT_EQ(y, (Floats{-0.5f, 1}));
  ASSERT_TRUE(run(PRESIL_KERNEL_PAIR_F32, {tensor(a), tensor(b, {1}), tensor(y)},
                  presil_pair_f32_attributes{PRESIL_F32_MUL, -kInf, kInf}));
  EXPECT_EQ(y, (Floats{1.5f, 7.5f}));
}

TEST(KernelPoolF32, average_and_maximum_of_the_taps_inside) {
  Floats x{4, 1, 2}, y(2);
  const presil_pool_f32_attributes a{1, 2, 1, 2, 0, 1, -kInf, kInf};
  ASSERT_TRUE(
      run(PRESIL_KERNEL_AVERAGE_POOL_F32, {tensor(x, {1, 1, 3, 1}), tensor(y, {1, 1, 2, 1})}, a));
  EXPECT_EQ(y, (Floats{4, 1.5f}));
  x[1] = kNan;
  ASSERT_TRUE(
      run(PRESIL_KERNEL_MAX_POOL_F32, {tensor(x, {1, 1, 3, 1}), tensor(y, {1, 1, 2, 1})}, a));
  EXPECT_EQ(y, (Floats{4, 2}));
}

TEST(KernelReduceF32, a_mean_has_16_lanes) {
  Floats x(17, 0.0f), y(1);
  x[0] = 0x1p24f, x[16] = 1, x[1] = 1, x[9] = 1;
  ASSERT_TRUE(run(PRESIL_KERNEL_REDUCE_F32, {tensor(x), tensor(y)},
                  presil_reduce_f32_attributes{1, PRESIL_F32_MEAN}));
  EXPECT_EQ(y, (Floats{(0x1p24f + 2) / 17}));
}

TEST(KernelSoftmaxF32, shares_of_a_row) {
  Floats x{0, 0, 1000, 0}, y(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_SOFTMAX_F32, {tensor(x, {2, 2}), tensor(y, {2, 2})},
                  presil_softmax_f32_attributes{2, 0}));
  EXPECT_EQ(y, (Floats{0.5f, 0.5f, 1, 0}));
}

TEST(KernelFunctionF32, by_hand) {
  const auto of = [](uint32_t function, Floats x, float slope = 0, float low = -kInf,
                     float high = kInf) {
    Floats y(x.size());
    EXPECT_TRUE(run(PRESIL_KERNEL_FUNCTION_F32, {tensor(x), tensor(y)},
                    presil_function_f32_attributes{function, slope, low, high}));
    return y;
  };
  EXPECT_EQ(of(PRESIL_F32_CLAMP, {-1, 2, 7}, 0, 0, 6), (Floats{0, 2, 6}));
  EXPECT_EQ(of(PRESIL_F32_LEAKY_RELU, {-8, 8}, 0.25f), (Floats{-2, 8}));
  EXPECT_EQ(of(PRESIL_F32_HARD_SWISH, {-3, 1, 10}), (Floats{0, 4.0f / 6, 10}));
  EXPECT_EQ(of(PRESIL_F32_LOGISTIC, {0, 100, -100}), (Floats{0.5f, 1, 0}));
  EXPECT_EQ(of(PRESIL_F32_TANH, {0, 100, -100}), (Floats{0, 1, -1}));
}

TEST(KernelFunctionF32, by_hand_the_rest) {
  const auto of = [](uint32_t function, Floats x) {
    Floats y(x.size());
    EXPECT_TRUE(run(PRESIL_KERNEL_FUNCTION_F32, {tensor(x), tensor(y)},
                    presil_function_f32_attributes{function, 0, -kInf, kInf}));
    return y;
  };
  EXPECT_EQ(of(PRESIL_F32_ELU, {2, 0, -100}), (Floats{2, 0, -1}));
  EXPECT_EQ(of(PRESIL_F32_GELU, {0, 100, -100}), (Floats{0, 100, 0}));
  EXPECT_EQ(of(PRESIL_F32_GELU_TANH, {0, 100, -100}), (Floats{0, 100, 0}));
  EXPECT_EQ(of(PRESIL_F32_EXP, {0, 1, -100}), (Floats{1, 2.718281746f, 0}));
  EXPECT_EQ(of(PRESIL_F32_LOG, {1, 0, 0x1p-149f}), (Floats{0, -kInf, -103.27893f}));
  EXPECT_EQ(of(PRESIL_F32_SQRT, {4, 2}), (Floats{2, 1.41421354f}));
  EXPECT_EQ(of(PRESIL_F32_RSQRT, {4, 0}), (Floats{0.5f, kInf}));
  EXPECT_EQ(of(PRESIL_F32_ABS, {-3, 3}), (Floats{3, 3}));
  EXPECT_EQ(of(PRESIL_F32_NEG, {-3, 3}), (Floats{3, -3}));
  EXPECT_EQ(of(PRESIL_F32_SQUARE, {-3, 3}), (Floats{9, 9}));
  EXPECT_EQ(of(PRESIL_F32_FLOOR, {-1.5f, 1.5f, 3e9f}), (Floats{-2, 1, 3e9f}));
  EXPECT_EQ(of(PRESIL_F32_CEIL, {-1.5f, 1.5f, -3e9f}), (Floats{-1, 2, -3e9f}));
  EXPECT_EQ(of(PRESIL_F32_ROUND, {-1.5f, 0.5f, 2.5f, 0.75f}), (Floats{-2, 0, 2, 1}));
  EXPECT_EQ(of(PRESIL_F32_SIGN, {-1.5f, 0.0f, 2.5f}), (Floats{-1, 0, 1}));
  EXPECT_EQ(to_bits(of(PRESIL_F32_CEIL, {-0.5f})[0]), 0x80000000u);
  EXPECT_EQ(to_bits(of(PRESIL_F32_LOG, {-1})[0]), 0x7fc00000u);
  EXPECT_EQ(to_bits(of(PRESIL_F32_SQRT, {-1})[0]), 0x7fc00000u);
}

TEST(KernelFunctionF32, sine_and_cosine_are_those_of_the_library_up_to_the_largest_float) {
  std::mt19937 random(4);
  for (int i = 0; i < 100000; ++i) {
    const float x = from_bits(random() % 0x7f800000u);
    ASSERT_EQ(sin_f32(x), static_cast<float>(std::sin(static_cast<double>(x)))) << x;
    ASSERT_EQ(cos_f32(x), static_cast<float>(std::cos(static_cast<double>(x)))) << x;
  }
}

TEST(KernelPairF32, quotients_extremes_squares_and_powers) {
  const auto of = [](uint32_t function, Floats a, Floats b) {
    Floats y(a.size());
    EXPECT_TRUE(run(PRESIL_KERNEL_PAIR_F32, {tensor(a), tensor(b), tensor(y)},
                    presil_pair_f32_attributes{function, -kInf, kInf}));
    return y;
  };
  EXPECT_EQ(of(PRESIL_F32_DIV, {1, -1, 0}, {4, 0, 5}), (Floats{0.25f, -kInf, 0}));
  EXPECT_EQ(of(PRESIL_F32_MAXIMUM, {1, kNan}, {2, 3}), (Floats{2, 3}));
  EXPECT_EQ(of(PRESIL_F32_MINIMUM, {1, 4}, {2, kNan}), (Floats{1, 4}));
  EXPECT_EQ(of(PRESIL_F32_SQUARED_DIFFERENCE, {1, 4}, {3, 4}), (Floats{4, 0}));
  EXPECT_EQ(of(PRESIL_F32_PRELU, {-4, 4}, {0.5f, 0.5f}), (Floats{-2, 4}));
  EXPECT_EQ(of(PRESIL_F32_POW, {2, -2, 9, 0, kNan, -kInf}, {10, 3, 0.5f, -1, 0, 3}),
            (Floats{1024, -8, 3, kInf, 1, -kInf}));
  EXPECT_EQ(to_bits(of(PRESIL_F32_POW, {-2}, {0.5f})[0]), 0x7fc00000u);
}

TEST(KernelReduceF32, sums_and_extremes) {
  const auto of = [](uint32_t function) {
    Floats x{1, 5, -2, 3, kNan, 4}, y(2);
    EXPECT_TRUE(run(PRESIL_KERNEL_REDUCE_F32, {tensor(x, {3, 2}), tensor(y)},
                    presil_reduce_f32_attributes{1, function}));
    return y;
  };
  EXPECT_EQ(of(PRESIL_F32_MAX), (Floats{1, 5}));
  EXPECT_EQ(of(PRESIL_F32_MIN), (Floats{-2, 3}));
  EXPECT_EQ(to_bits(of(PRESIL_F32_SUM)[0]), 0x7fc00000u);
  EXPECT_EQ(of(PRESIL_F32_SUM)[1], 12);
}

TEST(KernelSoftmaxF32, its_logarithm) {
  Floats x{0, 0, 1000, 0}, y(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_SOFTMAX_F32, {tensor(x, {2, 2}), tensor(y, {2, 2})},
                  presil_softmax_f32_attributes{1, 1}));
  EXPECT_EQ(y, (Floats{-0.693147182f, -0.693147182f, 0, -1000}));
}

TEST(KernelL2NormalizeF32, rows_have_length_one_unless_they_are_tiny) {
  Floats x{3, 4, 0, 1e-7f}, y(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_L2_NORMALIZE_F32, {tensor(x, {2, 2}), tensor(y, {2, 2})},
                  presil_clamp_f32_attributes{-kInf, kInf}));
  EXPECT_EQ(y, (Floats{0.6f, 0.8f, 0, 1e-7f / 1e-6f}));
}

// 3, 5, 7, 9: mean 6, variance (9 + 1 + 1 + 9) / 4 = 5, with epsilon 4 a root of 1 / 3, times gamma
// 1, 1, 1, 2. Four times 2: root 1 / 2.
TEST(KernelLayerNormF32, rows_less_their_mean_by_the_root_of_their_variance) {
  Floats x{3, 5, 7, 9, 2, 2, 2, 2}, gamma{3, 3, 3, 6}, beta{0, 0, 0, 1}, y(8);
  ASSERT_TRUE(run(PRESIL_KERNEL_LAYER_NORM_F32,
                  {tensor(x, {2, 4}), tensor(gamma), tensor(beta), tensor(y, {2, 4})},
                  presil_layer_norm_attributes{4}));
  EXPECT_EQ(y, (Floats{-3, -1, 1, 7, 0, 0, 0, 1}));
}

TEST(KernelCost, a_function_of_floats_counts_by_what_it_takes) {
  Floats x(6), row(3), y(6);
  const auto elements = [&](uint32_t f) {
    const presil_kernel_tensor t[] = {tensor(x), tensor(y)};
    const presil_function_f32_attributes a{f, 0, -kInf, kInf};
    return presil_kernel_elements(PRESIL_KERNEL_FUNCTION_F32, t, 2, &a);
  };
  EXPECT_EQ(elements(PRESIL_F32_CLAMP), 6u);
  EXPECT_EQ(elements(PRESIL_F32_TANH), 5u * 6u);
  EXPECT_EQ(elements(PRESIL_F32_GELU), 80u * 6u);
  const presil_kernel_tensor pair[] = {tensor(x), tensor(x), tensor(y)};
  presil_pair_f32_attributes a{PRESIL_F32_MUL, -kInf, kInf};
  EXPECT_EQ(presil_kernel_elements(PRESIL_KERNEL_PAIR_F32, pair, 3, &a), 6u);
  a.function = PRESIL_F32_POW;
  EXPECT_EQ(presil_kernel_elements(PRESIL_KERNEL_PAIR_F32, pair, 3, &a), 5u * 6u);
  const presil_kernel_tensor norm[] = {tensor(x, {2, 3}), tensor(row), tensor(row),
                                       tensor(y, {2, 3})};
  const presil_layer_norm_attributes n{0.1f};
  EXPECT_EQ(presil_kernel_elements(PRESIL_KERNEL_LAYER_NORM_F32, norm, 4, &n), 3u * 6u);
}

TEST(KernelResizeF32, between_neighbours_with_half_pixel_centres) {
  Floats x{4, 8}, y(4);
  ASSERT_TRUE(run(PRESIL_KERNEL_RESIZE_BILINEAR_F32,
                  {tensor(x, {1, 1, 2, 1}), tensor(y, {1, 1, 4, 1})},
                  presil_resize_attributes{0, 1, 0}));
  EXPECT_EQ(y, (Floats{4, 5, 7, 8}));
}

TEST(KernelFloatChecks, types_bounds_and_functions_are_looked_at) {
  Floats x{1}, y(1);
  std::vector<int32_t> whole{1};
  const auto pair = [&](presil_kernel_tensor b, presil_pair_f32_attributes a) {
    return run(PRESIL_KERNEL_PAIR_F32, {tensor(x), b, tensor(y)}, a);
  };
  EXPECT_FALSE(pair(tensor(whole), {PRESIL_F32_ADD, -kInf, kInf}));
  EXPECT_FALSE(pair(tensor(x), {PRESIL_F32_PAIRS, -kInf, kInf}));
  EXPECT_FALSE(pair(tensor(x), {PRESIL_F32_ADD, 1, 0}));
  EXPECT_FALSE(pair(tensor(x), {PRESIL_F32_ADD, kNan, kInf}));
  EXPECT_TRUE(pair(tensor(x), {PRESIL_F32_ADD, -kInf, kInf}));
}

}  // namespace
}  // namespace presil::kernels
