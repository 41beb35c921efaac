// Operators against values worked out by hand, under both rule sets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/base/refusal.h"
#include "tests/reference/values.h"

namespace presil::reference {
namespace {

using testing::HasSubstr;

// x of scale 1, one 1x1 weight of scale 0.5 and value 1, y of scale 1: y = x / 2.
Ints halved(const std::string& numerics, const std::string& act, const Ints& x, int zero = 0) {
  const std::string n = std::to_string(x.size());
  return run_int8(numerics, {"int8[1,1," + n + ",1] q(1, 0)"},
                  "const %w : int8[1,1,1,1] q(0.5, 0) = [1]\n%y = conv2d(%x0, %w) {act=" + act +
                      "} : int8[1,1," + n + ",1] q(1, " + std::to_string(zero) + ")",
                  {x});
}

TEST(Conv2d, ties_go_up_under_tflite_and_to_even_under_xnnpack) {
  // 0.5 is multiplier 2^30, shift 0: one rounding, halves up.
  EXPECT_EQ(halved("tflite", "none", {1, 3, 5, -1, -3, -5}), (Ints{1, 2, 3, 0, -1, -2}));
  EXPECT_EQ(halved("xnnpack", "none", {1, 3, 5, -1, -3, -5}), (Ints{0, 2, 2, 0, -2, -2}));
}

TEST(Conv2d, results_saturate_after_the_zero_point) {
  EXPECT_EQ(halved("tflite", "none", {127, -128}, 100), (Ints{127, 36}));
  EXPECT_EQ(halved("xnnpack", "none", {126, -128}, -100), (Ints{-37, -128}));
}

TEST(Conv2d, the_fused_clamp_is_in_real_numbers) {
  EXPECT_EQ(halved("tflite", "relu", {-20, 20}, 5), (Ints{5, 15}));
  EXPECT_EQ(halved("tflite", "relu6", {-20, 8, 20}, 5), (Ints{5, 9, 11}));
  EXPECT_EQ(halved("xnnpack", "relu_n1_to_1", {-20, 0, 20}, 5), (Ints{4, 5, 6}));
}

TEST(Conv2d, taps_outside_the_image_add_nothing_whatever_the_zero_point) {
  // 2x2 image of 3 - (-1) = 4; 3x3 ones: every pixel sees all four: 16, + bias 2; weights scale 1.
  for (const char* numerics : {"tflite", "xnnpack"}) {
    EXPECT_EQ(run_int8(numerics, {"int8[1,2,2,1] q(1, -1)"},
                       "const %w : int8[1,3,3,1] q(1, 0) = splat 1 const %b : int32[1] = [2]\n"
                       "%y = conv2d(%x0, %w, %b) {pad_top=1, pad_left=1, pad_bottom=1, "
                       "pad_right=1} : int8[1,2,2,1] q(1, 10)",
                       {{3, 3, 3, 3}}),
              (Ints{28, 28, 28, 28}));
  }
}

// (3 - 1) * (w - -2) summed over two channels, and over four taps at the middle of a 2x2 image.
TEST(Conv2d, weights_are_what_they_are_above_their_zero_point) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    EXPECT_EQ(run_int8(numerics, {"int8[1,1,1,2] q(1, 1)"},
                       "const %w : int8[1,1,1,2] q(1, -2) = [-128, 127]\n%y = conv2d(%x0, %w) : "
                       "int8[1,1,1,1] q(8, 0)",
                       {{3, 5}}),
              (Ints{33}));  // 2 * -126 + 4 * 129 = 264
    EXPECT_EQ(run_int8(numerics, {"int8[1,1,1,2] q(1, 1)"},
                       "const %w : int8[1,2] q(1, -2) = [-128, 127]\n%y = fully_connected(%x0, %w)"
                       " : int8[1,1] q(8, 0)",
                       {{3, 5}}),
              (Ints{33}));
    EXPECT_EQ(run_int8(numerics, {"int8[1,1,2,2] q(1, 1)"},
                       "const %w : int8[1,1,2,2] q(1, -2) = [-3, 4, 5, 6]\n%y = "
                       "depthwise_conv2d(%x0, %w) {pad_right=1} : int8[1,1,2,2] q(1, 0)",
                       {{3, 4, 5, 6}}),
              // 2 * -1 + 4 * 7, 3 * 6 + 5 * 8; after the image a product is 0: 4 * -1, 5 * 6
              (Ints{26, 58, -4, 30}));
  }
}

// Kernel 1, 5, 20 at every second column: 1 5 20 and, two further, 2 10 40.
TEST(TransposeConv2d, kernels_add_up_where_they_overlap) {
  const std::string w = "const %w : int8[1,1,3,1] q(1, 0) = [1, 5, 20]\n";
  for (const char* numerics : {"tflite", "xnnpack"}) {
    EXPECT_EQ(run_int8(numerics, {"int8[1,1,2,1] q(1, -1)"},
                       w + "%y = transpose_conv2d(%x0, %w) {stride_w=2} : int8[1,1,5,1] q(1, 0)",
                       {{0, 1}}),
              (Ints{1, 5, 22, 10, 40}));
    EXPECT_EQ(run_int8(numerics, {"int8[1,1,2,1] q(1, -1)"},
                       w + "%y = transpose_conv2d(%x0, %w) {stride_w=2, pad_left=1, pad_right=1, "
                           "act=relu6} : int8[1,1,3,1] q(1, 3)",
                       {{0, 1}}),
              (Ints{8, 9, 9}));
  }
}

TEST(TransposeConv2d, what_no_input_reaches_is_the_bias) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    EXPECT_EQ(run_int8(numerics, {"int8[1,2,1,1] q(1, 0)"},
                       "const %w : int8[2,1,1,1] q([1, 2], 0, axis=0) = [2, 3] const %b : int32[2] "
                       "= [7, 1]\n%y = transpose_conv2d(%x0, %w, %b) {stride_h=2, pad_bottom=-1} : "
                       "int8[1,4,1,2] q(1, 0)",
                       {{3, 4}}),
              (Ints{13, 20, 7, 2, 15, 26, 7, 2}));
  }
}

// x = 0, so every sum is its bias: -4, times 1/8 -0.5, a half of the second rounding. Two pixels of
// nine channels: groups of 8 in each, the ninth left over; or 16 of the 18 values, two left over.
TEST(TransposeConv2d, under_xnnpack_vectors_of_tflites_kernel_round_halves_up) {
  const auto y = [](const std::string& numerics, const std::string& vector) {
    return run_int8(
        numerics.c_str(), {"int8[1,1,1,1] q(1, 0)"},
        "const %w : int8[9,1,1,1] q(1, 0) = splat 1 const %b : int32[9] = splat -4\n%y = "
        "transpose_conv2d(%x0, %w, %b) {stride_w=2, pad_right=-1" +
            vector + "} : int8[1,1,2,9] q(8, 0)",
        {{0}});
  };
  EXPECT_EQ(y("xnnpack", ", vector=8"),
            (Ints{0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, -1}));
  EXPECT_EQ(y("xnnpack", ", vector=16"),
            (Ints{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1}));
  EXPECT_EQ(y("xnnpack", ""), Ints(18, 0));  // to even
  EXPECT_EQ(y("tflite", ", vector=8"), Ints(18, -1));
}

TEST(Interleave, pixels_come_in_turn) {
  EXPECT_EQ(
      run_int8("tflite", {"int8[1,1,2,1] q(1, 0)", "int8[1,1,1,1] q(1, 0)"},
               "%y = interleave(%x0, %x1) {stride_w=2} : int8[1,1,3,1] q(1, 0)", {{1, 2}, {5}}),
      (Ints{1, 5, 2}));
}

TEST(Conv2d, stride_dilation_and_padding_pick_their_taps) {
  // 1x7 row of 1 .. 7, taps at distance 2, stride 2, one column of padding before:
  // outputs at -1+1=.. : columns {-1,1}, {1,3}, {3,5}
  EXPECT_EQ(run_int8("tflite", {"int8[1,1,7,1] q(1, 0)"},
                     "const %w : int8[1,1,2,1] q(1, 0) = [1, 10]\n%y = conv2d(%x0, %w) "
                     "{stride_w=2, dilation_w=2, pad_left=1} : int8[1,1,3,1] q(1, 0)",
                     {{1, 2, 3, 4, 5, 6, 7}}),
            (Ints{20, 42, 64}));
}

TEST(Conv2d, scales_and_bias_are_per_channel_and_groups_see_their_own_channels) {
  // two groups of one channel; scales 1 and 2
  EXPECT_EQ(run_int8("tflite", {"int8[1,1,1,2] q(1, 0)"},
                     "const %w : int8[2,1,1,1] q([1, 2], 0, axis=0) = [3, 3] "
                     "const %b : int32[2] = [1, -1]\n"
                     "%y = conv2d(%x0, %w, %b) {groups=2} : int8[1,1,1,2] q(1, 0)",
                     {{4, 5}}),
            (Ints{13, 28}));
}

TEST(DepthwiseConv2d, channel_c_feeds_its_multiples) {
  EXPECT_EQ(run_int8("xnnpack", {"int8[1,1,2,2] q(1, 1)"},
                     "const %w : int8[1,1,2,4] q(1, 0) = [1, 2, 3, 4, 10, 20, 30, 40]\n"
                     "%y = depthwise_conv2d(%x0, %w) {multiplier=2} : int8[1,1,1,4] q(1, 0)",
                     {{2, 3, 2, 1}}),  // less the zero point: 1, 2, 1, 0
            (Ints{11, 22, 6, 8}));
}

TEST(FullyConnected, rows_of_any_shape) {
  EXPECT_EQ(run_int8("tflite", {"int8[1,2,1,2] q(1, 0)"},
                     "const %w : int8[1,2] q(1, 0) = [1, 3]\n"
                     "%y = fully_connected(%x0, %w) : int8[2,1] q(1, 0)",
                     {{1, 2, 3, 4}}),
            (Ints{7, 15}));
}

Ints add(const std::string& numerics, const std::string& op, const Ints& a, const Ints& b) {
  const std::string n = std::to_string(a.size());
  return run_int8(numerics, {"int8[" + n + "] q(0.5, 0)", "int8[" + n + "] q(0.25, 4)"},
                  "%y = " + op + "(%x0, %x1) : int8[" + n + "] q(1, -2)", {a, b});
}

TEST(Add, two_scales_into_a_third) {
  // 0.5 * a + 0.25 * (b - 4), - 2. The ties: 1/2 goes up or away under tflite (two roundings),
  // up under xnnpack (arithmetic shift of sum + half).
  EXPECT_EQ(add("tflite", "add", {10, 1, -1}, {8, 4, 4}), (Ints{4, -1, -3}));
  EXPECT_EQ(add("xnnpack", "add", {10, 1, -1}, {8, 4, 4}), (Ints{4, -1, -2}));
  EXPECT_EQ(add("tflite", "add", {127, -128}, {127, -128}), (Ints{92, -99}));
  EXPECT_EQ(add("xnnpack", "add", {127, -128}, {127, -128}), (Ints{92, -99}));
}

TEST(Sub, turns_the_second_operand) {
  EXPECT_EQ(add("tflite", "sub", {10, 0}, {8, -4}), (Ints{2, 0}));
  EXPECT_EQ(add("xnnpack", "sub", {10, 0}, {8, -4}), (Ints{2, 0}));
}

TEST(Mul, product_of_scales) {
  const auto run = [](const char* numerics, const Ints& a, const Ints& b) {
    return run_int8(numerics, {"int8[3] q(0.5, 0)", "int8[3] q(0.5, 1)"},
                    "%y = mul(%x0, %x1) : int8[3] q(0.5, 3)", {a, b});
  };
  // a * (b - 1) / 2 + 3; 15 / 2 = 7.5
  EXPECT_EQ(run("tflite", {4, 3, -3}, {3, 6, 6}), (Ints{7, 11, -4}));
  EXPECT_EQ(run("xnnpack", {4, 3, -3}, {3, 6, 6}), (Ints{7, 11, -5}));
  EXPECT_EQ(run("xnnpack", {127, -128, 1}, {127, 127, 2}), (Ints{127, -128, 3}));
}

TEST(Elementwise, shapes_broadcast_from_the_right) {
  EXPECT_EQ(run_int8("tflite", {"int8[2,2] q(1, 0)", "int8[2] q(1, 0)"},
                     "%y = mul(%x0, %x1) : int8[2,2] q(1, 0)", {{1, 2, 3, 4}, {10, 20}}),
            (Ints{10, 40, 30, 80}));
  EXPECT_EQ(run_int8("tflite", {"int8[2,1] q(1, 0)", "int8[1,2] q(1, 0)"},
                     "%y = mul(%x0, %x1) : int8[2,2] q(1, 0)", {{1, 2}, {10, 20}}),
            (Ints{10, 20, 20, 40}));
}

TEST(AveragePool2d, rounds_halves_away_from_zero_over_the_taps_inside) {
  // 2x2 window at stride 1 with one column after: the last column sees two taps.
  for (const char* numerics : {"tflite", "xnnpack"}) {
    EXPECT_EQ(run_int8(numerics, {"int8[1,2,2,1] q(1, 5)"},
                       "%y = average_pool2d(%x0) {kernel_h=2, kernel_w=2, pad_right=1} : "
                       "int8[1,1,2,1] q(1, 5)",
                       {{1, 2, 3, 0}}),  // 6 / 4 = 1.5; 2 / 2
              (Ints{2, 1}));
    EXPECT_EQ(run_int8(numerics, {"int8[1,2,2,1] q(1, 5)"},
                       "%y = average_pool2d(%x0) {kernel_h=2, kernel_w=2} : int8[1,1,1,1] q(1, 5)",
                       {{-1, -2, -3, 0}}),
              (Ints{-2}));
  }
}

TEST(AveragePool2d, with_ties_up_it_is_the_unsigned_mean_of_values_128_larger) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    const auto mean = [&](const Ints& x) {
      return run_int8(numerics, {"int8[1,1,2,1] q(1, 5)"},
                      "%y = average_pool2d(%x0) {kernel_h=1, kernel_w=2, ties_up=true} : "
                      "int8[1,1,1,1] q(1, 5)",
                      {x});
    };
    for (int a : {-128, -127, -5, -2, -1, 0, 1, 2, 127}) {
      for (int b : {-128, -6, -1, 0, 3, 126, 127}) {
        EXPECT_EQ(mean({a, b}), (Ints{(a + 128 + b + 128 + 1) / 2 - 128})) << a << " " << b;
      }
    }
  }
}

TEST(MaxPool2d, the_padding_never_wins) {
  EXPECT_EQ(run_int8("tflite", {"int8[1,1,3,1] q(1, 0)"},
                     "%y = max_pool2d(%x0) {kernel_w=3, pad_left=1, pad_right=1} : "
                     "int8[1,1,3,1] q(1, 0)",
                     {{-128, -5, -9}}),
            (Ints{-5, -5, -5}));
}

TEST(Mean, has_a_scale_of_its_own) {
  // sums less zero point: 1 + 2 + 3 = 6 of three: mean 2, y scale 0.5: 4, zero point 1
  for (const char* numerics : {"tflite", "xnnpack"}) {
    EXPECT_EQ(
        run_int8(numerics, {"int8[1,3,1,2] q(1, 1)"},
                 "%y = mean(%x0) {axes=[1,2]} : int8[1,2] q(0.5, 1)", {{2, -9, 3, -9, 4, -9}}),
        (Ints{5, -19}));
  }
}

TEST(LeakyRelu, slope_below_the_zero_point_in_each_rule) {
  const auto run = [](const char* numerics) {
    return run_int8(numerics, {"int8[5] q(0.5, 1)"},
                    "%y = leaky_relu(%x0) {alpha=0.1} : int8[5] q(0.25, -3)",
                    {{1, 6, -9, -128, 127}});
  };
  // above: 2 * (x - 1) - 3. Below, x - 1 = -10: -2 under tflite; 256 * 0.2 = 51.2 -> 51 under
  // xnnpack: (-510 + 128) >> 8 = -2; x - 1 = -129: -25.8 -> -26; (-6579 + 128) >> 8 = -26
  EXPECT_EQ(run("tflite"), (Ints{-3, 7, -5, -29, 127}));
  EXPECT_EQ(run("xnnpack"), (Ints{-3, 7, -5, -29, 127}));
}

TEST(Quantize, the_coarse_multiplier_of_xnnpack_shows) {
  // 1/3. tflite rounds 127/3 = 42.33 twice: 127 * 2/3 = 84.67 -> 85, 85/2 = 42.5 -> 43.
  // xnnpack takes 85/256: (127 * 85 + 128) >> 8 = 42.
  const auto run = [](const char* numerics, const Ints& x) {
    return run_int8(numerics, {"int8[3] q(1, 0)"}, "%y = quantize(%x0) : int8[3] q(3, 0)", {x});
  };
  EXPECT_EQ(run("tflite", {127, 126, -128}), (Ints{43, 42, -43}));
  // -128 * 85 = -10880 + 128 = -10752 >> 8 = -42
  EXPECT_EQ(run("xnnpack", {127, 126, -128}), (Ints{42, 42, -42}));
}

TEST(Quantize, floats_round_ties_away_or_to_even_and_saturate) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    const ir::Graph graph = ir::parse("graph \"t\" " + std::string(numerics) +
                                      " { input %x : float32[6] %y = quantize(%x) : int8[6] "
                                      "q(0.5, 1) output %y }");
    const auto y = run(
        graph, {value<float>(graph.tensor(0), {1.25f, -1.25f, 0.75f, 1e9f, -1e9f, std::nanf("")})});
    const Ints expected = graph.numerics == ir::Numerics::kTflite ? Ints{4, -2, 3, 127, -128, -128}
                                                                  : Ints{3, -1, 3, 127, -128, -128};
    const auto got = elements<int8_t>(y[0]);
    EXPECT_EQ(Ints(got.begin(), got.end()), expected);
  }
}

TEST(Dequantize, is_one_product) {
  const ir::Graph graph = ir::parse(
      "graph \"t\" tflite { input %x : uint8[2] q(0.5, 128) %y = dequantize(%x) : float32[2] "
      "output %y }");
  const auto y = run(graph, {value<uint8_t>(graph.tensor(0), {130, 0})});
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{1.0f, -64.0f}));
}

TEST(Relu, clamps_at_the_zero_point) {
  EXPECT_EQ(
      run_int8("tflite", {"int8[3] q(1, 2)"}, "%y = relu(%x0) : int8[3] q(1, 2)", {{-5, 2, 9}}),
      (Ints{2, 2, 9}));
  EXPECT_EQ(
      run_int8("xnnpack", {"int8[3] q(1, 2)"}, "%y = relu6(%x0) : int8[3] q(1, 2)", {{-5, 5, 9}}),
      (Ints{2, 5, 8}));
}

TEST(Softmax, equal_values_share_and_far_ones_get_nothing) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    // 1/256 steps from -128: 0.5 -> 0, 0.25 -> -64
    EXPECT_EQ(run_int8(numerics, {"int8[2,2] q(0.1, 0)"},
                       "%y = softmax(%x0) : int8[2,2] q(0.00390625, -128)", {{7, 7, 127, -128}}),
              (Ints{0, 0, 127, -128}));
    EXPECT_EQ(run_int8(numerics, {"int8[4] q(0.1, 0)"},
                       "%y = softmax(%x0) : int8[4] q(0.00390625, -128)", {{1, 1, 1, 1}}),
              (Ints{-64, -64, -64, -64}));
  }
}

// e is exp(-3.75), 1, exp(-5.5), exp(-5), their sum 1.034343: the largest gets 256 / sum =
// 247.5002.
TEST(Softmax, under_xnnpack_is_a_quotient_of_floats_and_under_tflite_of_polynomials) {
  const auto softmax = [](const char* numerics) {
    return run_int8(numerics, {"int8[4] q(0.25, 0)"},
                    "%y = softmax(%x0) : int8[4] q(0.00390625, -128)", {{-3, 12, -10, -8}});
  };
  EXPECT_EQ(softmax("xnnpack"), (Ints{-122, 120, -127, -126}));
  EXPECT_EQ(softmax("tflite"), (Ints{-122, 119, -127, -126}));
}

TEST(Softmax, is_within_one_step_of_the_real_function) {
  Ints x;
  for (int i = 0; i < 10; ++i) x.push_back(i * 23 - 110);
  const Ints y = run_int8("tflite", {"int8[10] q(0.02, 0)"},
                          "%y = softmax(%x0) : int8[10] q(0.00390625, -128)", {x});
  double sum = 0;
  for (int v : x) sum += std::exp(0.02 * v);
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(y[i], 256 * std::exp(0.02 * x[i]) / sum - 128, 1.0);
  }
}

/// All 256 values through a unary operator.
Ints whole_range(const std::string& numerics, const std::string& op, const std::string& y) {
  Ints x;
  for (int i = -128; i < 128; ++i) x.push_back(i);
  return run_int8(numerics, {"int8[256] q(0.05, 7)"}, "%y = " + op + "(%x0) : int8[256] " + y, {x});
}

TEST(Smooth, functions_stay_within_one_step_of_the_real_ones_under_both_rules) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    const Ints logistic = whole_range(numerics, "logistic", "q(0.00390625, -128)");
    const Ints tanh = whole_range(numerics, "tanh", "q(0.0078125, 0)");
    const Ints swish = whole_range(numerics, "hard_swish", "q(0.04, -100)");
    for (int q = -128; q < 128; ++q) {
      const double x = 0.05 * (q - 7);
      const auto at = static_cast<size_t>(q + 128);
      EXPECT_NEAR(logistic[at], std::min(127.0, 256 / (1 + std::exp(-x)) - 128), 1.0);
      EXPECT_NEAR(tanh[at], std::min(127.0, 128 * std::tanh(x)), 1.0);
      const double ramp = std::min(std::max(x + 3, 0.0), 6.0);
      EXPECT_NEAR(swish[at], std::min(127.0, x * ramp / 6 / 0.04 - 100), 1.0) << numerics << q;
    }
    EXPECT_EQ(logistic[135], 0);
    EXPECT_EQ(tanh[135], 0);
  }
}

TEST(Lut, index_is_the_value_as_uint8) {
  const ir::Graph graph =
      ir::parse("graph \"t\" tflite { const %t : int8[256] = random 4 output %t }");
  const int8_t* table = graph.tensor(0).values<int8_t>();
  EXPECT_EQ(run_int8("tflite", {"int8[3] q(1, 0)"},
                     "const %t : int8[256] = random 4\n%y = lut(%x0, %t) : int8[3] q(1, 0)",
                     {{0, 127, -1}}),
            (Ints{table[0], table[127], table[255]}));
}

TEST(Moves, reshape_transpose_pad_slice_concat) {
  const auto one = [](const std::string& x, const std::string& line, const Ints& values) {
    return run_int8("tflite", {x}, line, {values});
  };
  EXPECT_EQ(one("int8[2,3] q(1, 0)", "%y = reshape(%x0) : int8[6] q(1, 0)", {1, 2, 3, 4, 5, 6}),
            (Ints{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(one("int8[2,3] q(1, 0)", "%y = transpose(%x0) {perm=[1,0]} : int8[3,2] q(1, 0)",
                {1, 2, 3, 4, 5, 6}),
            (Ints{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(one("int8[1,2] q(1, 0)",
                "%y = pad(%x0) {before=[1,0], after=[0,1], value=-7} : int8[2,3] q(1, 0)", {1, 2}),
            (Ints{-7, -7, -7, 1, 2, -7}));
  EXPECT_EQ(one("int8[6] q(1, 0)",
                "%y = strided_slice(%x0) {begin=[5], size=[3], step=[-2]} : int8[3] q(1, 0)",
                {0, 1, 2, 3, 4, 5}),
            (Ints{5, 3, 1}));
  EXPECT_EQ(run_int8("tflite", {"int8[2,1] q(1, 0)", "int8[2,2] q(1, 0)"},
                     "%y = concat(%x0, %x1) {axis=1} : int8[2,3] q(1, 0)", {{1, 2}, {3, 4, 5, 6}}),
            (Ints{1, 3, 4, 2, 5, 6}));
}

TEST(Concat, an_input_of_another_scale_is_requantised) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    EXPECT_EQ(run_int8(numerics, {"int8[2] q(1, 0)", "int8[2] q(0.5, 1)"},
                       "%y = concat(%x0, %x1) {axis=0} : int8[4] q(1, 0)", {{1, 2}, {5, -127}}),
              (Ints{1, 2, 2, -64}));
  }
}

// Unsigned 3 of zero point 4 at half the scale: 3 * 0.5 - 4 * 0.5 = -0.5, away from zero -1; by the
// rule of quantize it is 0. Unsigned 255 saturates.
TEST(Concat, unsigned_bytes_are_requantised_in_float) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    EXPECT_EQ(run_int8(numerics, {"int8[2] q(0.5, -124)", "int8[2] q(4, -128)"},
                       "%y = concat(%x0, %x1) {axis=0, in_float=true} : int8[4] q(1, -100)",
                       {{-125, -121}, {-127, 127}}),
              (Ints{-101, -98, -96, 127}));
    EXPECT_EQ(run_int8(numerics, {"int8[2] q(0.5, -124)"},
                       "%y = concat(%x0) {axis=0} : int8[2] q(1, -100)", {{-125, -121}}),
              (Ints{-100, -98}));
  }
}

TEST(ResizeNearest, twice_the_size_repeats_each_pixel) {
  EXPECT_EQ(run_int8("tflite", {"int8[1,1,2,1] q(1, 0)"},
                     "%y = resize_nearest(%x0) : int8[1,2,4,1] q(1, 0)", {{3, 4}}),
            (Ints{3, 3, 4, 4, 3, 3, 4, 4}));
  // 3 from 5 columns: floor(o * 5/3) = 0, 1, 3; by half pixels floor((o + .5) * 5/3) = 0, 2, 4;
  // by corners round(o * 2) = 0, 2, 4
  const auto three = [](const std::string& attributes) {
    return run_int8("tflite", {"int8[1,1,5,1] q(1, 0)"},
                    "%y = resize_nearest(%x0) " + attributes + " : int8[1,1,3,1] q(1, 0)",
                    {{0, 1, 2, 3, 4}});
  };
  EXPECT_EQ(three(""), (Ints{0, 1, 3}));
  EXPECT_EQ(three("{half_pixel_centers=true}"), (Ints{0, 2, 4}));
  EXPECT_EQ(three("{align_corners=true}"), (Ints{0, 2, 4}));
}

TEST(ResizeBilinear, halves_between_neighbours) {
  EXPECT_EQ(run_int8("tflite", {"int8[1,1,2,1] q(1, 0)"},
                     "%y = resize_bilinear(%x0) : int8[1,1,4,1] q(1, 0)", {{10, 21}}),
            (Ints{10, 16, 21, 21}));  // 15.5 away from zero
  EXPECT_EQ(run_int8("tflite", {"int8[1,1,2,1] q(1, 0)"},
                     "%y = resize_bilinear(%x0) {align_corners=true} : int8[1,1,3,1] q(1, 0)",
                     {{-10, -21}}),
            (Ints{-10, -16, -21}));
}

TEST(Reference, inputs_of_another_shape_or_number_are_refused) {
  const auto refusal = [](const std::vector<TensorValue>& inputs) {
    const ir::Graph graph = ir::parse(
        "graph \"t\" tflite { input %x : int8[2] q(1, 0) %y = relu(%x) : int8[2] q(1, 0) "
        "output %y }");
    try {
      run(graph, inputs);
    } catch (const Refusal& refusal) {
      return std::string(refusal.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(refusal({{ir::DType::kInt8, {2}, {1, 2}}}), "taken");
  EXPECT_THAT(refusal({}), HasSubstr("got 0 inputs, t requires 1"));
  EXPECT_THAT(refusal({{ir::DType::kInt8, {3}, {1, 2, 3}}}),
              HasSubstr("input 0 \"x\" is int8[3] with 3 bytes, expected int8[2] with 2 bytes"));
  EXPECT_THAT(refusal({{ir::DType::kUint8, {2}, {1, 2}}}), HasSubstr("uint8[2]"));
}

TEST(Reference, run_all_returns_every_tensor_by_id) {
  const ir::Graph graph = ir::parse(
      "graph \"t\" tflite { input %0 : int8[2] q(1, 0) const %1 : int8[2] q(1, 0) = [3, 4] %2 = "
      "mul(%0, %1) : int8[2] q(1, 0) %3 = relu(%2) : int8[2] q(1, 0) output %3 }");
  const auto all = run_all(graph, {{ir::DType::kInt8, {2}, {255, 2}}});
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(elements<int8_t>(all[1]), (std::vector<int8_t>{3, 4}));
  EXPECT_EQ(elements<int8_t>(all[2]), (std::vector<int8_t>{-3, 8}));
  EXPECT_EQ(elements<int8_t>(all[3]), (std::vector<int8_t>{0, 8}));
}

}  // namespace
}  // namespace presil::reference
