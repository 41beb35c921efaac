// Operators of float32: values worked out by hand, the order of sums, and functions against those
// of the mathematical library.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler_bridge/reference/float_functions.h"
#include "compiler_bridge/reference/float_order.h"
#include "tests/reference/values.h"

namespace presil::reference {
namespace {

using Floats = std::vector<float>;

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();

/// Runs `lines` (which make %y) on float inputs; `shapes` are those of %x0, %x1 ...
Floats run_floats(const std::vector<std::string>& shapes, const std::string& lines,
                  const std::vector<Floats>& inputs) {
  std::string text = "graph \"t\" tflite {\n";
  for (size_t i = 0; i < shapes.size(); ++i) {
    text += "input %x" + std::to_string(i) + " : float32" + shapes[i] + "\n";
  }
  const ir::Graph graph = ir::parse(text + lines + "\noutput %y }");
  std::vector<TensorValue> values;
  for (size_t i = 0; i < inputs.size(); ++i) {
    values.push_back(value(graph.tensor(graph.inputs[i]), inputs[i]));
  }
  return elements<float>(run(graph, values).at(0));
}

Floats run_one(const std::string& op, const Floats& x) {
  const std::string shape = "[" + std::to_string(x.size()) + "]";
  return run_floats({shape}, "%y = " + op + " : float32" + shape, {x});
}

// 2^24 + 1 is no float: a sum that begins with 2^24 loses ones, one that ends with it does not.
TEST(FloatOrder, products_are_added_to_the_bias_by_ascending_index) {
  const std::string w = "const %w : float32[1,3] = [1, 1, 1]\n";
  EXPECT_EQ(run_floats({"[2,3]"}, w + "%y = fully_connected(%x0, %w) : float32[2,1]",
                       {{0x1p24f, 1, 1, 1, 1, 0x1p24f}}),
            (Floats{0x1p24f, 0x1p24f + 2}));
  const std::string b = "const %b : float32[1] = [16777216]\n";
  EXPECT_EQ(run_floats({"[1,3]"}, w + b + "%y = fully_connected(%x0, %w, %b) : float32[1,1]",
                       {{1, 1, 1}}),
            (Floats{0x1p24f}));
}

// (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24, whose last bit a product that is rounded by itself loses.
TEST(FloatOrder, a_product_is_rounded_with_its_sum) {
  const std::string b = "const %b : float32[1] = [-1.00048828125]\n";
  const Floats x{0x1.001p0f};
  EXPECT_EQ(run_floats({"[1,1]"},
                       "const %w : float32[1,1] = [1.000244140625]\n" + b +
                           "%y = fully_connected(%x0, %w, %b) : float32[1,1]",
                       {x}),
            (Floats{0x1p-24f}));
  for (const std::string op : {"conv2d", "depthwise_conv2d"}) {
    EXPECT_EQ(run_floats({"[1,1,1,1]"},
                         "const %w : float32[1,1,1,1] = [1.000244140625]\n" + b + "%y = " + op +
                             "(%x0, %w, %b) : float32[1,1,1,1]",
                         {x}),
              (Floats{0x1p-24f}))
        << op;
  }
}

// Term 16 joins term 0 in its lane; the other lanes are added up before they meet lane 0.
TEST(FloatOrder, reductions_have_16_lanes) {
  Floats x(17, 0.0f);
  x[0] = 0x1p24f, x[16] = 1, x[1] = 1, x[9] = 1;
  EXPECT_EQ(run_floats({"[17]"}, "%y = mean(%x0) {axes=[0]} : float32[]", {x}),
            (Floats{(0x1p24f + 2) / 17}));
}

TEST(FloatConv2d, taps_outside_the_image_are_left_out) {
  // An infinite weight meets no pixel there: no NaN.
  EXPECT_EQ(run_floats({"[1,1,2,1]"},
                       "const %w : float32[1,1,3,1] = hex \"0000807f0000803f00000040\"\n"
                       "const %b : float32[1] = [0.5]\n%y = conv2d(%x0, %w, %b) {pad_left=1, "
                       "pad_right=1} : float32[1,1,2,1]",
                       {{3, -4}}),
            (Floats{0.5f + 3 - 8, kInf}));
}

TEST(FloatConv2d, groups_strides_and_clamps) {
  // Two groups of one channel, stride 2: pixels 0 and 2; filters 2 and -1.
  EXPECT_EQ(run_floats({"[1,1,3,2]"},
                       "const %w : float32[2,1,1,1] = [2, -1]\n%y = conv2d(%x0, %w) {stride_w=2, "
                       "groups=2, act=relu6} : float32[1,1,2,2]",
                       {{1, 1, 9, 9, 4, -5}}),
            (Floats{2, 0, 6, 5}));
  EXPECT_EQ(run_floats({"[1,1,2,2]"},
                       "const %w : float32[1,1,2,4] = [1, 2, 3, 4, 5, 6, 7, 8]\n%y = "
                       "depthwise_conv2d(%x0, %w) {multiplier=2} : float32[1,1,1,4]",
                       {{1, 10, 100, 1000}}),
            (Floats{501, 602, 7030, 8040}));
}

TEST(FloatTransposeConv2d, kernels_add_up_where_they_overlap) {
  EXPECT_EQ(run_floats({"[1,1,2,1]"},
                       "const %w : float32[1,1,3,1] = [1, 5, 20]\n%y = transpose_conv2d(%x0, %w) "
                       "{stride_w=2} : float32[1,1,5,1]",
                       {{1, 2}}),
            (Floats{1, 5, 22, 10, 40}));
}

TEST(FloatMatmul, either_operand_transposed_and_leading_axes_broadcast) {
  EXPECT_EQ(run_floats({"[2,1,2]", "[2,1]"}, "%y = batch_matmul(%x0, %x1) : float32[2,1,1]",
                       {{1, 2, 3, 4}, {10, 100}}),
            (Floats{210, 430}));
  EXPECT_EQ(run_floats({"[2,1]", "[1,2]"},
                       "%y = batch_matmul(%x0, %x1) {transpose_a=true, transpose_b=true} : "
                       "float32[1,1]",
                       {{1, 2}, {10, 100}}),
            (Floats{210}));
}

TEST(FloatPairs, clamps_follow_the_operation) {
  EXPECT_EQ(run_floats({"[2]", "[]"}, "%y = sub(%x0, %x1) {act=relu_n1_to_1} : float32[2]",
                       {{1, 5}, {1.5f}}),
            (Floats{-0.5f, 1}));
  EXPECT_EQ(run_floats({"[2]", "[2,1]"}, "%y = mul(%x0, %x1) : float32[2,2]", {{1, 2}, {3, 4}}),
            (Floats{3, 6, 4, 8}));
}

TEST(FloatPools, average_and_maximum_of_the_taps_inside) {
  const std::string window = " {kernel_w=2, stride_w=2, pad_left=1} : float32[1,1,2,1]";
  EXPECT_EQ(run_floats({"[1,1,3,1]"}, "%y = average_pool2d(%x0)" + window, {{4, 1, 2}}),
            (Floats{4, 1.5f}));
  EXPECT_EQ(run_floats({"[1,1,3,1]"}, "%y = max_pool2d(%x0)" + window, {{4, kNan, -2}}),
            (Floats{4, -2}));
}

TEST(FloatSoftmax, shares_of_a_row) {
  const Floats y =
      run_floats({"[2,2]"}, "%y = softmax(%x0) {beta=2} : float32[2,2]", {{0, 0, 1000, 0}});
  EXPECT_EQ(y, (Floats{0.5f, 0.5f, 1, 0}));
}

TEST(FloatFunctions, by_hand) {
  EXPECT_EQ(run_one("relu(%x0)", {-1, 2, kInf}), (Floats{0, 2, kInf}));
  EXPECT_EQ(run_one("relu6(%x0)", {-1, 2, 7}), (Floats{0, 2, 6}));
  EXPECT_EQ(run_one("leaky_relu(%x0) {alpha=0.25}", {-8, 8}), (Floats{-2, 8}));
  EXPECT_EQ(run_one("hard_swish(%x0)", {-3, 0, 1, 3, 10}), (Floats{0, 0, 4.0f / 6, 3, 10}));
  EXPECT_EQ(run_one("logistic(%x0)", {0, 100, -100}), (Floats{0.5f, 1, 0}));
  EXPECT_EQ(run_one("tanh(%x0)", {0, 100, -100}), (Floats{0, 1, -1}));
}

TEST(FloatFunctions, what_is_no_number_has_one_form_and_a_clamp_leaves_it_out) {
  const Floats y = run_one("tanh(%x0)", {-kNan});
  EXPECT_EQ(bits_of(y[0]), 0x7fc00000u);
  EXPECT_EQ(run_one("relu(%x0)", {kNan}), (Floats{0}));
  EXPECT_EQ(bits_of(run_one("relu(%x0)", {-0.0f})[0]), 0u);
  EXPECT_EQ(bits_of(larger(-0.0f, 0.0f)), 0u);
  EXPECT_EQ(bits_of(smaller(0.0f, -0.0f)), 0x80000000u);
}

TEST(FloatResize, between_neighbours_with_half_pixel_centres) {
  // p = (o + 0.5) / 2 - 0.5 = -0.25, 0.25, 0.75, 1.25
  EXPECT_EQ(run_floats({"[1,1,2,1]"},
                       "%y = resize_bilinear(%x0) {half_pixel_centers=true} : float32[1,1,4,1]",
                       {{4, 8}}),
            (Floats{4, 5, 7, 8}));
}

TEST(FloatMoves, a_border_is_written_as_its_bits) {
  EXPECT_EQ(
      run_floats({"[2]"}, "%y = pad(%x0) {before=[1], after=[1], value=1069547520} : float32[4]",
                 {{1, 2}}),
      (Floats{1.5f, 1, 2, 1.5f}));
}

/// Largest |f(x) - exact(x)| in steps of the last digit of exact(x).
template <class F, class Exact>
double worst_ulp(float low, float high, F f, Exact exact) {
  double worst = 0;
  for (int i = 0; i <= 200000; ++i) {
    const float x = low + (high - low) * (static_cast<float>(i) / 200000);
    const double expected = exact(static_cast<double>(x));
    const auto rounded = static_cast<float>(std::fabs(expected));
    const double ulp = static_cast<double>(std::nextafter(rounded, kInf)) - rounded;
    worst = std::max(worst, std::fabs(static_cast<double>(f(x)) - expected) / ulp);
  }
  return worst;
}

TEST(FloatFunctions, are_near_those_of_the_library) {
  EXPECT_LT(worst_ulp(-87.2f, 88.7f, exponential, [](double x) { return std::exp(x); }), 1.5);
  EXPECT_LT(worst_ulp(-4.0f, 4.0f, exponential_less_one, [](double x) { return std::expm1(x); }),
            3.0);
  EXPECT_LT(worst_ulp(-20.0f, 20.0f, logistic_of, [](double x) { return 1 / (1 + std::exp(-x)); }),
            3.0);
  EXPECT_LT(worst_ulp(-12.0f, 12.0f, tanh_of, [](double x) { return std::tanh(x); }), 3.0);
}

TEST(FloatFunctions, of_double_steps_are_rounded_once) {
  const auto as_float = [](auto f) { return [f](float x) { return static_cast<float>(f(x)); }; };
  EXPECT_LT(worst_ulp(0.001f, 9.0f, as_float(natural_log), [](double x) { return std::log(x); }),
            0.501);
  EXPECT_LT(worst_ulp(-5.0f, 5.0f, as_float(error_function), [](double x) { return std::erf(x); }),
            0.501);
  EXPECT_LT(worst_ulp(-100.0f, 100.0f, sine_of, [](double x) { return std::sin(x); }), 0.501);
  EXPECT_LT(worst_ulp(1e30f, 3e38f, cosine_of, [](double x) { return std::cos(x); }), 0.501);
  EXPECT_LT(worst_ulp(
                0.0f, 50.0f, [](float x) { return power_of(x, -2.5f); },
                [](double x) { return std::pow(x, -2.5); }),
            0.501);
}

TEST(FloatFunctions, powers_at_their_ends) {
  for (const float base : {0.0f, -0.0f, 1.0f, -1.0f, 2.0f, -0.5f, kInf, -kInf, kNan, 1e30f}) {
    for (const float exponent : {0.0f, 1.0f, -3.0f, 0.5f, kInf, -kInf, kNan, 16777216.0f}) {
      const float got = power_of(base, exponent);
      const auto expected = static_cast<float>(std::pow(base, exponent));
      EXPECT_TRUE(got != got ? expected != expected : bits_of(got) == bits_of(expected))
          << base << " to the power of " << exponent << " is " << got << ", must be " << expected;
    }
  }
}

// Largest magnitude 254: a step of 2. 3 / 2 = 1.5 goes away from zero, as -1.5 does.
TEST(FloatHybrid, activations_take_127_steps_to_the_largest_of_their_image_or_row) {
  EXPECT_EQ(run_floats({"[1,1,4,1]"},
                       "const %w : int8[1,1,1,1] q(0.5, 0) = [10]\nconst %b : float32[1] = "
                       "[0.25]\n%y = conv2d(%x0, %w, %b) : float32[1,1,4,1]",
                       {{254, 3, -3, 2}}),
            (Floats{1270.25f, 20.25f, -19.75f, 10.25f}));
  EXPECT_EQ(run_floats({"[2,2]"},
                       "const %w : int8[1,2] q(0.5, 0) = [1, 5]\n%y = fully_connected(%x0, %w) : "
                       "float32[2,1]",
                       {{0, 0, 127, -127}}),
            (Floats{0, -254}));
}

TEST(FloatFunctions, the_exponential_ends_at_0_and_infinity) {
  EXPECT_EQ(exponential(-88.0f), 0.0f);
  EXPECT_EQ(exponential(-kInf), 0.0f);
  EXPECT_EQ(exponential(89.0f), kInf);
  EXPECT_LT(exponential(0x1.62e42ep+6f), kInf);
  EXPECT_EQ(exponential(0.0f), 1.0f);
}

}  // namespace
}  // namespace presil::reference
