// Under xnnpack, what XNNPACK does not take: LiteRT computes it by TFLite's own kernels. Values
// worked out by hand.
#include <gtest/gtest.h>

#include "compiler_bridge/reference/fixed_point.h"
#include "tests/reference/values.h"

namespace presil::reference {
namespace {

// 6 is 16.5 steps: ties away from zero -28 + 17, to even after the zero point -11.5, so -12.
Ints clamped(const std::string& pool, const std::string& numerics = "xnnpack") {
  return run_int8(numerics, {"int8[1,2,2,1] q(0.36363637, -28)"},
                  "%y = " + pool + " : int8[1,1,1,1] q(0.36363637, -28)", {{127, 127, 127, 127}});
}

TEST(LitertPools, xnnpack_clamps_largest_values_with_strides_up_to_the_kernel) {
  const std::string two = "kernel_h=2, kernel_w=2, stride_h=2, stride_w=2, act=relu6}";
  EXPECT_EQ(clamped("max_pool2d(%x0) {" + two), (Ints{-12}));
  EXPECT_EQ(clamped("max_pool2d(%x0) {" + two, "tflite"), (Ints{-11}));
  const std::string one = "kernel_h=1, kernel_w=1, stride_h=2, stride_w=2, act=relu6}";
  EXPECT_EQ(clamped("max_pool2d(%x0) {" + one), (Ints{-11}));
  const std::string high = "kernel_h=2, kernel_w=1, stride_h=2, stride_w=2, act=relu6}";
  EXPECT_EQ(clamped("max_pool2d(%x0) {" + high), (Ints{-11}));
}

TEST(LitertPools, means_are_clamped_as_under_tflite) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    EXPECT_EQ(clamped("average_pool2d(%x0) {kernel_h=2, kernel_w=2, act=relu6}", numerics),
              (Ints{-11}));
  }
}

// In steps of y: 256 a + b. From 2^8 on on the fine grid of tflite, whose halves go away from zero.
TEST(LitertSums, operands_of_2_to_the_8_and_more_are_added_on_the_fine_grid) {
  const auto run_pair = [](const std::string& op, const std::string& scale, const Ints& a) {
    return run_int8("xnnpack", {"int8[4] q(" + scale + ", 0)", "int8[4] q(0.5, 0)"},
                    "%y = " + op + "(%x0, %x1) : int8[4] q(1, 0)", {a, {5, -3, -128, 127}});
  };
  // 2.5 up by half a step, -1.5 down, 256 - 64, -256 + 63.5.
  EXPECT_EQ(run_pair("add", "256", {0, 0, 1, -1}), (Ints{3, -2, 127, -128}));
  EXPECT_EQ(run_pair("sub", "256", {0, 0, 1, -1}), (Ints{-3, 2, 127, -128}));
  EXPECT_EQ(run_pair("add", "255", {0, 0, 0, 0}), (Ints{3, -1, -64, 64}));  // XNNPACK: halves up
  EXPECT_EQ(run_pair("add", "65536", {0, 0, 1, -1}), (Ints{3, -2, 127, -128}));
}

TEST(MultiplyOnce, one_rounding_whose_halves_go_up) {
  const Scale half{1 << 30, 0};
  EXPECT_EQ(multiply_once(3, half), 2);
  EXPECT_EQ(multiply_once(-3, half), -1);
  // (2^30 + 32767) / 2^36 of 2,000,000: 31250.95.
  EXPECT_EQ(multiply_once(2000000, {(1 << 30) + 32767, -5}), 31251);
}

TEST(MultiplyOnce, the_product_has_more_than_64_bits) {
  const int64_t large = (int64_t{1} << 46) + 12345;
  // By 1 - 2^-31, over 2^31: (2^46 + 12345) * (2^31 - 1) / 2^62 = 32768 - 2^-16 + ...
  EXPECT_EQ(multiply_once(large, {2147483647, -31}), 32768);
  EXPECT_EQ(multiply_once(-large, {2147483647, -31}), -32768);
  EXPECT_EQ(multiply_once(large, {1 << 30, -15}), (int64_t{1} << 30));  // 2^30 + 0.19
}

Ints run16(const std::string& numerics, const std::vector<std::string>& types,
           const std::string& lines, const std::vector<Ints>& inputs) {
  std::string text = "graph \"t\" " + numerics + " {\n";
  for (size_t i = 0; i < types.size(); ++i) {
    text += "input %x" + std::to_string(i) + " : " + types[i] + "\n";
  }
  const ir::Graph graph = ir::parse(text + lines + "\noutput %y }");
  std::vector<TensorValue> values;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<int16_t> numbers(inputs[i].begin(), inputs[i].end());
    values.push_back(value(graph.tensor(graph.inputs[i]), numbers));
  }
  const auto y = elements<int16_t>(run(graph, values).at(0));
  return Ints(y.begin(), y.end());
}

// By 1 - 2^-16: 32766.50002 and -32767.5, a half that goes up. Of 16 bits the multiplier is 32767.
TEST(LitertInt16, rows_with_a_wide_bias_are_rounded_once) {
  const std::vector<std::string> x = {"int16[2,1] q(1, 0)"};
  const std::string layer =
      "const %w : int8[1,1] q(0.9999847412109375, 0) = [1] const %b : int64[1] = [0]\n"
      "%y = fully_connected(%x0, %w, %b) : int16[2,1] q(1, 0)";
  EXPECT_EQ(run16("xnnpack", x, layer, {{32767, -32768}}), (Ints{32767, -32767}));
  EXPECT_EQ(run16("tflite", x, layer, {{32767, -32768}}), (Ints{32766, -32767}));
}

// A quarter: first halved, 1, -1, 3, -3, then again, halves up.
TEST(LitertInt16, other_rows_are_rounded_twice_the_second_time_up) {
  const std::vector<std::string> x = {"int16[4,1] q(1, 0)"};
  const std::string layer =
      "const %w : int8[1,1] q(0.25, 0) = [1]\n"
      "%y = fully_connected(%x0, %w) : int16[4,1] q(1, 0)";
  EXPECT_EQ(run16("xnnpack", x, layer, {{2, -2, 6, -6}}), (Ints{1, 0, 2, -1}));
}

// 7.5 and -7.5 go away from zero.
TEST(LitertInt16, sums_are_multiplied_in_float32) {
  const std::string sum = "%y = sum(%x0) {axes=[1]} : int16[1] q(4, 0)";
  EXPECT_EQ(run16("xnnpack", {"int16[1,4] q(1, 0)"}, sum, {{30000, 30000, 30000, 30000}}),
            (Ints{30000}));
  EXPECT_EQ(run16("xnnpack", {"int16[1,2] q(1, 0)"}, sum, {{15, 15}}), (Ints{8}));
  EXPECT_EQ(run16("xnnpack", {"int16[1,2] q(1, 0)"}, sum, {{-15, -15}}), (Ints{-8}));
  // 0.9 is 15099494 / 2^24; 5 * that is 4.4999999, of which float32 makes 4.5.
  EXPECT_EQ(run16("xnnpack", {"int16[1,2] q(0.9, 0)"},
                  "%y = sum(%x0) {axes=[1]} : int16[1] q(1, 0)", {{-2, -3}}),
            (Ints{-5}));
}

TEST(LitertInt16, one_over_the_root_is_the_largest_value_at_points_below_zero) {
  EXPECT_EQ(run16("xnnpack", {"int16[3] q(0.0078125, 0)"},
                  "%y = rsqrt(%x0) : int16[3] q(0.00390625, 0)", {{-32768, -128, -1000}}),
            (Ints{32767, 32767, 32767}));
}

TEST(LitertInt16, clamps_and_sums_are_those_of_tflite) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    // 6 is 16.5 steps: away from zero.
    EXPECT_EQ(run16(numerics, {"int16[2] q(0.36363637, 0)", "int16[2] q(0.36363637, 0)"},
                    "%y = add(%x0, %x1) {act=relu6} : int16[2] q(0.36363637, 0)",
                    {{100, -100}, {100, -100}}),
              (Ints{17, 0}));
    EXPECT_EQ(run16(numerics, {"int16[1,1,2,1] q(1, 0)"},
                    "%y = resize_bilinear(%x0) : int16[1,1,4,1] q(1, 0)", {{-10, -21}}),
              (Ints{-10, -16, -21, -21}));  // -15.5 away from zero
  }
}

}  // namespace
}  // namespace presil::reference
