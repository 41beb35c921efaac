// Operators of int16 against values worked out by hand.
#include <gtest/gtest.h>

#include "compiler_bridge/reference/fixed_point.h"
#include "tests/reference/values.h"

namespace presil::reference {
namespace {

/// Runs `lines` (which make %y from %x0, %x1) on inputs of X; the result's elements are Y.
template <class X, class Y>
Ints run_as(const std::vector<std::string>& types, const std::string& lines,
            const std::vector<Ints>& inputs) {
  std::string text = "graph \"t\" tflite {\n";
  for (size_t i = 0; i < types.size(); ++i) {
    text += "input %x" + std::to_string(i) + " : " + types[i] + "\n";
  }
  const ir::Graph graph = ir::parse(text + lines + "\noutput %y }");
  std::vector<TensorValue> values;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<X> numbers(inputs[i].begin(), inputs[i].end());
    values.push_back(value(graph.tensor(graph.inputs[i]), numbers));
  }
  const auto y = elements<Y>(run(graph, values).at(0));
  return Ints(y.begin(), y.end());
}

Ints run16(const std::vector<std::string>& types, const std::string& lines,
           const std::vector<Ints>& inputs) {
  return run_as<int16_t, int16_t>(types, lines, inputs);
}

TEST(MultiplyWide, halves_go_up) {
  const Scale half{1 << 30, 0};
  EXPECT_EQ(multiply_wide(3, half), 2);
  EXPECT_EQ(multiply_wide(1, half), 1);
  EXPECT_EQ(multiply_wide(-1, half), 0);
  EXPECT_EQ(multiply_wide(-3, half), -1);
}

TEST(MultiplyWide, the_multiplier_has_16_bits) {
  const Scale scale{(1 << 30) + 32767, -5};
  EXPECT_EQ(multiply_wide(2000000, scale), 31250);  // as if 2^30
  EXPECT_EQ(multiply(2000000, scale), 31251);       // 31250.95
  EXPECT_EQ(multiply_wide(32768, {2147483647, 0}), 32767);
}

TEST(MultiplyWide, sums_are_beyond_32_bits) {
  EXPECT_EQ(multiply_wide(int64_t{1} << 40, {1 << 30, -24}), 32768);
}

// 600 * 32767 * 127 = 2496845400, more than an int32; over 2^18 it is 9524.7.
TEST(Int16, sums_of_products_are_int64) {
  const Ints row(600, 32767);
  const std::string weights = "const %w : int8[1,600] q(0.000003814697265625, 0) = splat 127\n";
  EXPECT_EQ(run16({"int16[1,600] q(1, 0)"},
                  weights + "%y = fully_connected(%x0, %w) : int16[1,1] q(1, 0)", {row}),
            (Ints{9525}));
  // With an int32 bias they are int32: 2496845400 - 2^32 = -1798121896, over 2^18 -6859.3.
  EXPECT_EQ(run16({"int16[1,600] q(1, 0)"},
                  weights + "const %b : int32[1] = [0]\n%y = fully_connected(%x0, %w, %b) : "
                            "int16[1,1] q(1, 0)",
                  {row}),
            (Ints{-6859}));
}

TEST(Int16, convolutions_pad_with_nothing_and_add_their_bias) {
  // Ones everywhere: 9 taps, 6 at edges, 4 in corners of a 3x3 image of 1000.
  EXPECT_EQ(run16({"int16[1,3,3,1] q(1, 0)"},
                  "const %w : int8[1,3,3,1] q(1, 0) = splat 1 const %b : int64[1] = [5]\n"
                  "%y = conv2d(%x0, %w, %b) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1, "
                  "act=relu} : int16[1,3,3,1] q(1, 0)",
                  {Ints(9, 1000)}),
            (Ints{4005, 6005, 4005, 6005, 9005, 6005, 4005, 6005, 4005}));
  EXPECT_EQ(run16({"int16[1,1,1,2] q(1, 0)"},
                  "const %w : int8[1,1,1,4] q(1, 0) = [1, -2, 3, 100]\n%y = depthwise_conv2d(%x0, "
                  "%w) {multiplier=2} : int16[1,1,1,4] q(1, 0)",
                  {{1000, -1000}}),
            (Ints{1000, -2000, -3000, -32768}));
}

TEST(Int16, elementwise_operators_meet_on_a_fine_grid) {
  const std::vector<std::string> types = {"int16[2] q(1, 0)", "int16[2] q(0.5, 0)"};
  const auto run_pair = [&](const std::string& op) {
    return run16(types, "%y = " + op + "(%x0, %x1) : int16[2] q(1, 0)", {{100, 32000}, {51, 8000}});
  };
  EXPECT_EQ(run_pair("add"), (Ints{126, 32767}));  // 125.5, away from zero; 36000
  EXPECT_EQ(run_pair("sub"), (Ints{75, 28000}));   // 74.5
  EXPECT_EQ(run_pair("mul"), (Ints{2550, 32767}));
}

TEST(Int16, leaky_relu_rounds_away_from_zero) {
  EXPECT_EQ(run16({"int16[3] q(1, 0)"}, "%y = leaky_relu(%x0) {alpha=0.25} : int16[3] q(1, 0)",
                  {{30000, -10, -11}}),
            (Ints{30000, -3, -3}));  // -2.5, -2.75
}

TEST(Int16, quantize_leads_to_bytes_and_to_32_bits_and_back) {
  const std::string wide = "int16[2] q(0.01, 0)";
  EXPECT_EQ(
      (run_as<int16_t, int8_t>({wide}, "%y = quantize(%x0) : int8[2] q(0.5, 3)", {{1000, 32767}})),
      (Ints{23, 127}));
  EXPECT_EQ((run_as<int8_t, int16_t>({"int8[2] q(0.5, 3)"}, "%y = quantize(%x0) : " + wide,
                                     {{23, -128}})),
            (Ints{1000, -6550}));
  EXPECT_EQ((run_as<int16_t, int32_t>({wide}, "%y = quantize(%x0) : int32[2] q(0.0001, 0)",
                                      {{1000, -32768}})),
            (Ints{100000, -3276800}));
  EXPECT_EQ((run_as<int32_t, int16_t>({"int32[2] q(0.0001, 0)"}, "%y = quantize(%x0) : " + wide,
                                      {{100000, 2000000000}})),
            (Ints{1000, 32767}));
}

TEST(Int16, sigmoid_and_tanh_interpolate_a_table) {
  const std::string unit = "int16[4] q(0.000030517578125, 0)";
  // x = 0, 1, -1, 8: 1/2; 0.731059, 0.268941; 0.999665, all times 2^15. The entry of 1 is 47911,
  // half of which goes up above 0, and what is left of 2^15 down below.
  EXPECT_EQ(run16({"int16[4] q(0.000244140625, 0)"}, "%y = logistic(%x0) : " + unit,
                  {{0, 4096, -4096, 32767}}),
            (Ints{16384, 23956, 8812, 32757}));
  // 0, tanh 1 = 0.761594, tanh 16 in steps of 2^-11: 1
  EXPECT_EQ(run16({"int16[4] q(0.00048828125, 0)"}, "%y = tanh(%x0) : " + unit,
                  {{0, 2048, -2048, 32767}}),
            (Ints{0, 24956, -24956, 32767}));
}

TEST(Int16, softmax_is_by_tables_of_513_points) {
  // e^0, e^0, e^-10: a half each, nothing
  EXPECT_EQ(run16({"int16[3] q(0.001, 0)"}, "%y = softmax(%x0) : int16[3] q(0.000030517578125, 0)",
                  {{0, 0, -20000}}),
            (Ints{16384, 16384, 1}));
}

TEST(Int16, pools_means_and_roots_keep_16_bits) {
  EXPECT_EQ(
      run16({"int16[1,1,2,1] q(1, 0)"},
            "%y = average_pool2d(%x0) {kernel_w=2} : int16[1,1,1,1] q(1, 0)", {{-3000, -2999}}),
      (Ints{-3000}));  // ties away from zero
  EXPECT_EQ(run16({"int16[1,1,2,1] q(1, 0)"},
                  "%y = max_pool2d(%x0) {kernel_w=2} : int16[1,1,1,1] q(1, 0)", {{-3000, -2999}}),
            (Ints{-2999}));
  EXPECT_EQ(run16({"int16[1,1,2,1] q(1, 0)"}, "%y = resize_bilinear(%x0) : int16[1,1,4,1] q(1, 0)",
                  {{1000, 2000}}),
            (Ints{1000, 1500, 2000, 2000}));
  EXPECT_EQ(run16({"int16[3] q(0.5, 0)"}, "%y = relu(%x0) : int16[3] q(1, 0)", {{-9, 9, 300}}),
            (Ints{0, 5, 150}));
  // 1 / sqrt(4 * 0.25) = 1 is 1000 steps; of 0 and below the largest value
  EXPECT_EQ(run16({"int16[3] q(0.25, 0)"}, "%y = rsqrt(%x0) : int16[3] q(0.001, 0)", {{4, 0, 100}}),
            (Ints{1000, 32767, 200}));
}

}  // namespace
}  // namespace presil::reference
