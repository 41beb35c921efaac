// Every limit from both sides, with its sentence.
#include "tests/compiler/rules_check.h"

namespace presil::rules {
namespace {

using testing::Contains, testing::HasSubstr;

/// x [1,h,w,c] with a kernel [1,kh,kw,c].
struct Conv {
  int h = 40, w = 40, c = 1, kh = 1, kw = 1, stride_h = 1, stride_w = 1, dil_h = 1, dil_w = 1;
  int top = 0, left = 0, bottom = 0, right = 0;
};
template <class F>
std::string conv(F&& change) {
  Conv v;
  change(v);
  const auto out = [](int in, int kernel, int stride, int dilation, int pad) {
    return (in + pad - (kernel - 1) * dilation - 1) / stride + 1;
  };
  const auto field = [](const char* name, int value) {
    return std::string(name) + "=" + std::to_string(value);
  };
  return "input %x : " + int8({1, v.h, v.w, v.c}) +
         "\nconst %w : " + int8({1, v.kh, v.kw, v.c}, "q(0.5, 0)") +
         " = splat 1\n%y = conv2d(%x, %w) {" + field("stride_h", v.stride_h) + "," +
         field("stride_w", v.stride_w) + "," + field("dilation_h", v.dil_h) + "," +
         field("dilation_w", v.dil_w) + "," + field("pad_top", v.top) + "," +
         field("pad_left", v.left) + "," + field("pad_bottom", v.bottom) + "," +
         field("pad_right", v.right) + "} : " +
         int8({1, out(v.h, v.kh, v.stride_h, v.dil_h, v.top + v.bottom),
               out(v.w, v.kw, v.stride_w, v.dil_w, v.left + v.right), 1}) +
         "\noutput %y";
}

#define WITH(change) dla(conv([](Conv& v) { change; }))

TEST(RulesConv, kernels_are_1_to_16) {
  EXPECT_EQ(WITH(v.kh = 16), "");
  EXPECT_EQ(WITH(v.kh = 17), "dla: kernel height is 17, must be 1..16");
  EXPECT_EQ(WITH(v.kw = 16), "");
  EXPECT_EQ(WITH(v.kw = 17), "dla: kernel width is 17, must be 1..16");
}

TEST(RulesConv, strides_are_any) {
  EXPECT_EQ(WITH(v.stride_h = 8), "");
  EXPECT_EQ(WITH(v.stride_w = 40), "");
}

TEST(RulesConv, dilations_are_1_to_31) {
  EXPECT_EQ(WITH((v.kh = 2, v.dil_h = 31)), "");
  EXPECT_EQ(WITH((v.kh = 2, v.dil_h = 32)), "dla: row dilation is 32, must be 1..31");
  EXPECT_EQ(WITH((v.kw = 2, v.dil_w = 31)), "");
  EXPECT_EQ(WITH((v.kw = 2, v.dil_w = 32)), "dla: column dilation is 32, must be 1..31");
}

TEST(RulesConv, padding_fits_five_bits_of_the_command) {
  EXPECT_EQ(WITH((v.kh = 16, v.dil_h = 3, v.top = 31)), "");
  EXPECT_EQ(WITH((v.kh = 16, v.dil_h = 3, v.top = 32)),
            "dla: padding at the top is 32, must be 0..31");
  EXPECT_EQ(WITH((v.kw = 16, v.dil_w = 3, v.left = 31)), "");
  EXPECT_EQ(WITH((v.kw = 16, v.dil_w = 3, v.left = 32)),
            "dla: padding on the left is 32, must be 0..31");
  EXPECT_EQ(WITH((v.kh = 16, v.dil_h = 3, v.bottom = 32)), "");
}

TEST(RulesConv, channels_fit_1023_blocks) {
  EXPECT_EQ(WITH((v.h = 1, v.w = 1, v.c = 16368)), "");
  EXPECT_EQ(WITH((v.h = 1, v.w = 1, v.c = 16369)), "dla: channels is 16369, must be 1..16368");
}

TEST(RulesConv, groups_are_any_number_and_batches_one) {
  const auto grouped = [](int n) {
    return dla("input %x : " + int8({1, 4, 4, n}) +
               "\nconst %w : " + int8({n, 1, 1, 1}, "q(1, 0)") +
               " = splat 1\n%y = conv2d(%x, %w) {groups=" + std::to_string(n) +
               "} : " + int8({1, 4, 4, n}) + "\noutput %y");
  };
  EXPECT_EQ(grouped(256), "");
  EXPECT_EQ(grouped(1000), "");
  EXPECT_EQ(
      dla("input %x : " + int8({2, 4, 4, 4}) + "\nconst %w : " + int8({2, 1, 1, 4}, "q(1, 0)") +
          " = splat 1\n%y = conv2d(%x, %w) : " + int8({2, 4, 4, 2}) + "\noutput %y"),
      "dla: a tensor is int8[2,4,4,4] q(0.5, -3), must be of batch 1 and at most 4 axes");
}

std::string dense(const std::vector<int>& x, int in, const std::vector<int>& y) {
  return "input %x : " + int8(x) + "\nconst %w : " + int8({3, in}, "q(1, 0)") +
         " = splat 1\n%y = fully_connected(%x, %w) : " + int8(y) + "\noutput %y";
}

TEST(RulesInt16, the_dla_takes_bytes_of_products_and_the_host_all) {
  const std::string conv =
      "input %x : int16[1,4,4,2] q(0.001, 0)\nconst %w : int8[3,1,1,2] q(1, 0) = splat 1\n"
      "const %b : int64[3] = splat 1\n%y = conv2d(%x, %w, %b) : int16[1,4,4,3] q(0.1, 0)\noutput "
      "%y";
  EXPECT_EQ(dla(conv), "");
  EXPECT_EQ(sentence(Engine::kHost, conv), "");
  const std::string leaky =
      "input %x : int16[4] q(1, 0)\n%y = leaky_relu(%x) {alpha=0.1} : int16[4] q(1, 0)\noutput %y";
  EXPECT_EQ(dla(leaky), "dla: x is int16[4] q(1, 0), must be int8, which has a table");
  EXPECT_EQ(sentence(Engine::kHost, leaky), "");
  EXPECT_EQ(host("input %x : int8[4] q(1, 0)\n%y = leaky_relu(%x) : int8[4] q(1, 0)\noutput %y"),
            "host: x is int8[4] q(1, 0), must be of another type: of int8 it is a table");
  EXPECT_EQ(dla("input %x : int16[2] q(1, 0)\n%y = concat(%x, %x) : int16[4] q(1, 0)\noutput %y"),
            "dla: an input is int16[2] q(1, 0), must be computed int8");
}

TEST(RulesBytes, blocks_are_full) {
  const auto grouped = [](int channels) {
    return "input %x : float32[1,4,4,8]\nconst %w : int8[" + std::to_string(channels) +
           ",1,1,4] q(1, 0) = splat 1\n%y = conv2d(%x, %w) {groups=2} : float32[1,4,4," +
           std::to_string(channels) + "]\noutput %y";
  };
  EXPECT_EQ(dla(grouped(16)), "");
  EXPECT_EQ(dla(grouped(18)), "dla: channels of y in groups is 18, must be a multiple of 16");
}

TEST(RulesBytes, a_row_is_a_pixel) {
  const auto rows = [](int count, int values) {
    const std::string in = std::to_string(values), n = std::to_string(count);
    return "input %x : float32[" + n + "," + in + "]\nconst %w : int8[2," + in +
           "] q(1, 0) = splat 1\n%y = fully_connected(%x, %w) : float32[" + n + ",2]\noutput %y";
  };
  EXPECT_EQ(dla(rows(4095, 16)), "");
  EXPECT_EQ(dla(rows(4096, 16)), "dla: rows of float32 or int16 is 4096, must be 0..4095");
  EXPECT_EQ(dla(rows(1, 16368)), "");
  EXPECT_EQ(dla(rows(1, 16369)),
            "dla: values of a row of float32 or int16 is 16369, must be 0..16368");
}

TEST(RulesBytes, of_a_soc_with_a_dsp) {
  SocConfig without;
  without.dsp.units = 0;
  ir::Graph graph = ir::parse(
      "graph \"g\" tflite {\ninput %x : float32[3,8]\nconst %w : int8[2,8] q(1, 0) = splat 1\n"
      "%y = fully_connected(%x, %w) : float32[3,2]\noutput %y\n}");
  const Verdict verdict = take(Engine::kDla, graph, graph.ops.back(), without);
  EXPECT_EQ(placement::line(verdict), "dla: x is float32[3,8], must be int8");
  EXPECT_TRUE(take(Engine::kDla, graph, graph.ops.back(), SocConfig{}).yes());
}

TEST(RulesDense, an_image_of_up_to_16_x_16_or_a_row_a_pixel) {
  EXPECT_EQ(dla(dense({1, 16, 16, 2}, 512, {1, 3})), "");
  EXPECT_EQ(
      dla(dense({1, 17, 16, 2}, 544, {1, 3})),
      "dla: x is int8[1,17,16,2] q(0.5, -3) as rows of 544, must be one image of at most 16 x 16 "
      "pixels, or one row a pixel");
  EXPECT_EQ(dla(dense({17, 4}, 4, {17, 3})), "");
  EXPECT_THAT(dla(dense({4, 2}, 4, {2, 3})), HasSubstr("as rows of 4"));
}

std::string pool(const char* kind, int size, int kernel_h, int kernel_w, int stride, int pad,
                 int out_h, int out_w) {
  const auto n = [](int value) { return std::to_string(value); };
  return "input %x : " + int8({1, size, size, 4}) + "\n%y = " + kind +
         "(%x) {kernel_h=" + n(kernel_h) + ", kernel_w=" + n(kernel_w) + ", stride_h=" + n(stride) +
         ", pad_top=" + n(pad) + "} : " + int8({1, out_h, out_w, 4}) + "\noutput %y";
}

TEST(RulesDense, computed_weights_meet_one_row_a_pixel) {
  const auto line = [](const std::vector<int>& x) {
    return "input %x : " + int8(x) + "\ninput %w : " + int8({4, 8}) +
           "\n%y = fully_connected(%x, %w) : " + int8({1, 4}) + "\noutput %y";
  };
  EXPECT_EQ(dla(line({1, 8})), "");
  EXPECT_EQ(dla(line({1, 2, 2, 2})),
            "dla: x is int8[1,2,2,2] q(0.5, -3) as rows of 8, must be one row a pixel where the "
            "weights are computed");
  EXPECT_EQ(host(line({1, 2, 2, 2})), "");
  EXPECT_EQ(dla(line({1, 8}), ir::Numerics::kXnnpack),
            "dla: weights is computed, and xnnpack numerics round their halves up, must be "
            "constant");
}

TEST(RulesMatmul, one_image_of_matrices_with_one_or_as_many_others) {
  const auto line = [](const std::vector<int>& a, const std::vector<int>& b,
                       const std::vector<int>& y) {
    return "input %a : " + int8(a) + "\ninput %b : " + int8(b) +
           "\n%y = batch_matmul(%a, %b) : " + int8(y) + "\noutput %y";
  };
  EXPECT_EQ(dla(line({3, 4}, {4, 5}, {3, 5})), "");
  EXPECT_EQ(dla(line({1, 2, 3, 4}, {1, 2, 4, 5}, {1, 2, 3, 5})), "");
  EXPECT_EQ(dla(line({2, 3, 4}, {4, 5}, {2, 3, 5})), "");
  EXPECT_EQ(dla(line({3, 4}, {2, 4, 5}, {2, 3, 5})),
            "dla: a is int8[3,4] q(0.5, -3) and b int8[2,4,5] q(0.5, -3), must be of as many "
            "matrices as y, and b of as many or one");
  EXPECT_THAT(dla(line({2, 2, 3, 4}, {4, 5}, {2, 2, 3, 5})),
              HasSubstr("must be of batch 1 and at most 4 axes"));
  EXPECT_EQ(dla(line({1, 16369}, {16369, 1}, {1, 1})),
            "dla: rows and columns of the matrices is 16369, must be 1..16368");
  EXPECT_EQ(host(line({2, 2, 3, 4}, {4, 5}, {2, 2, 3, 5})), "");
}

TEST(RulesPool, windows_are_up_to_63_x_63_and_averages_2_to_4096_taps) {
  EXPECT_EQ(dla(pool("max_pool2d", 64, 63, 63, 1, 0, 2, 2)), "");
  EXPECT_EQ(dla(pool("max_pool2d", 64, 64, 1, 1, 0, 1, 64)),
            "dla: kernel height is 64, must be 1..63");
  EXPECT_EQ(dla(pool("average_pool2d", 64, 63, 63, 1, 0, 2, 2)), "");
  EXPECT_EQ(dla(pool("average_pool2d", 4, 2, 1, 1, 0, 3, 4)), "");
  EXPECT_EQ(dla(pool("average_pool2d", 4, 1, 1, 1, 0, 4, 4)), "dla: taps is 1, must be 2..4096");
  EXPECT_EQ(dla(pool("max_pool2d", 20, 2, 1, 8, 0, 3, 20)), "");
}

TEST(RulesPool, a_padded_average_has_ties_away_from_zero) {
  const auto average = [](const std::string& more, int out) {
    return "input %x : " + int8({1, 4, 4, 4}) +
           "\n%y = average_pool2d(%x) {kernel_h=2, kernel_w=2" + more +
           "} : " + int8({1, out, 3, 4}) + "\noutput %y";
  };
  EXPECT_EQ(dla(average(", ties_up=true", 3)), "");
  EXPECT_EQ(dla(average(", pad_top=1", 4)), "");
  EXPECT_EQ(
      dla(average(", pad_top=1, ties_up=true", 4)),
      "dla: rounding of ties is up, with padding, must be away from zero, or without padding");
}

TEST(RulesPool, padding_fits_five_bits_of_the_command) {
  for (const char* kind : {"max_pool2d", "average_pool2d"}) {
    EXPECT_EQ(dla(pool(kind, 40, 33, 1, 1, 31, 39, 40)), "");
    EXPECT_EQ(dla(pool(kind, 40, 33, 1, 1, 32, 40, 40)),
              "dla: padding at the top is 32, must be 0..31");
  }
}

std::string depthwise(int kernel, int channels, int filters, int stride = 1) {
  const int out = (40 - kernel) / stride + 1;
  const auto n = [](int value) { return std::to_string(value); };
  return "input %x : " + int8({1, 40, 40, channels}) +
         "\nconst %w : " + int8({1, kernel, kernel, channels * filters}, "q(1, 0)") +
         " = splat 1\n%y = depthwise_conv2d(%x, %w) {stride_h=" + n(stride) +
         ", stride_w=" + n(stride) + ", multiplier=" + n(filters) +
         "} : " + int8({1, out, out, channels * filters}) + "\noutput %y";
}

TEST(RulesDepthwise, kernels_and_strides_are_a_convolution_s) {
  EXPECT_EQ(dla(depthwise(16, 3, 1)), "");
  EXPECT_EQ(dla(depthwise(17, 3, 1)), "dla: kernel height is 17, must be 1..16");
  EXPECT_EQ(dla(depthwise(3, 3, 1, 8)), "");
}

TEST(RulesDepthwise, any_number_of_channels_has_several_filters) {
  EXPECT_EQ(dla(depthwise(3, 1, 8)), "");
  EXPECT_EQ(dla(depthwise(3, 257, 1)), "");
  EXPECT_EQ(dla(depthwise(3, 257, 2)), "");
}

std::string mean(int h, int w, const char* axes, const std::vector<int>& y) {
  return "input %x : " + int8({1, h, w, 4}) + "\n%y = mean(%x) {axes=" + axes + "} : " + int8(y) +
         "\noutput %y";
}

TEST(RulesMean, over_rows_and_columns_of_up_to_63_or_over_channels) {
  EXPECT_EQ(dla(mean(63, 63, "[1,2]", {1, 4})), "");
  EXPECT_EQ(dla(mean(64, 1, "[1,2]", {1, 4})), "dla: rows is 64, must be 1..63");
  EXPECT_EQ(dla(mean(1, 64, "[1,2]", {1, 4})), "dla: columns is 64, must be 1..63");
  EXPECT_EQ(dla(mean(5, 6, "[3]", {1, 5, 6})),
            "dla: mean over axes is [3] of int8[1,5,6,4] q(0.5, -3), must be over the two before "
            "the last, or over the last that stays as an axis of 1");
  EXPECT_EQ(
      dla("input %x : " + int8({1, 64, 65, 4}) +
          "\n%y = mean(%x) {axes=[3], keep_dims=true} : " + int8({1, 64, 65, 1}) + "\noutput %y"),
      "");
  EXPECT_EQ(host(mean(5, 6, "[3]", {1, 5, 6})), "");
}

TEST(RulesMean, under_xnnpack_few_sums_lie_between_two_values) {
  const auto mean_to = [](const std::string& q) {
    return dla("input %x : int8[1,5,6,4] q(0.5, -3)\n%y = mean(%x) {axes=[1,2]} : " +
                   int8({1, 4}, q) + "\noutput %y",
               ir::Numerics::kXnnpack);
  };
  EXPECT_EQ(mean_to("q(0.37, -4)"), "");
  EXPECT_EQ(mean_to("q(0.37, -3)"), "");
  // 15 / 30, 45 / 30, ..: up, down, up. Float32 makes them a little more than halves, until y's
  // zero point is added.
  for (const std::string zero : {"-3", "-4"}) {
    EXPECT_EQ(mean_to("q(0.5, " + zero + ")"),
              "dla: zero point of y is " + zero +
                  ", must be such that a scale near that of the mean rounds as it does");
  }
  EXPECT_EQ(dla(mean(5, 6, "[1,2]", {1, 4})), "");
}

TEST(RulesReduce, sums_and_largest_values_as_means) {
  const auto net = [](const std::string& kind, const char* axes) {
    return "input %x : " + int8({1, 5, 6, 4}) + "\n%y = " + kind + "(%x) {axes=" + axes +
           ", keep_dims=true} : " + int8({1, 1, axes[3] == ']' ? 6 : 1, 4}) + "\noutput %y";
  };
  for (const char* kind : {"sum", "reduce_max"}) {
    EXPECT_EQ(dla(net(kind, "[1,2]")), "");
    EXPECT_THAT(dla(net(kind, "[ 1]")), HasSubstr(std::string(kind) + " over axes is [1] of int8"));
    EXPECT_EQ(host(net(kind, "[ 1]")), "");
  }
  EXPECT_EQ(dla(net("reduce_min", "[1,2]")), "dla: does not compute reduce_min");
}

std::string sum(const std::string& a_scale, const std::string& b_shape, const char* b = "input") {
  return "input %a : int8[1,2,2,4] q(" + a_scale + ", 0)\n" + b + " %b : int8" + b_shape +
         " q(0.0001, 0)" + (std::string(b) == "const" ? " = splat 1" : "") +
         "\n%y = add(%a, %b) : int8[1,2,2,4] q(1, 0)\noutput %y";
}

TEST(RulesAdd, one_operand_is_computed_and_whole_the_other_one_pixel_or_a_constant_too) {
  EXPECT_EQ(dla(sum("0.5", "[1,2,2,4]")), "");
  EXPECT_EQ(dla(sum("0.5", "[1,1,1,4]")), "");
  EXPECT_EQ(dla(sum("0.5", "[4]")), "");
  EXPECT_EQ(dla(sum("0.5", "[1,2,2,4]", "const")), "");
  EXPECT_EQ(dla(sum("0.5", "[2,1]", "const")), "");
  EXPECT_EQ(dla(sum("0.5", "[1,1,2,4]")),
            "dla: pair of operands is int8[1,2,2,4] q(0.5, 0) and int8[1,1,2,4] q(0.0001, 0), must "
            "be one computed and of y's shape, the other of that shape, one pixel, or a constant");
  EXPECT_THAT(dla(sum("0.5", "[1,1,1,1]")), HasSubstr("dla: pair of operands is"));
  EXPECT_EQ(host(sum("0.5", "[1,1,2,4]")), "");
}

TEST(RulesSub, under_tflite_numerics_the_first_operand_is_the_whole_one) {
  const std::string text =
      "input %a : int8[1,1,1,4] q(0.5, 0)\ninput %b : int8[1,2,2,4] q(0.5, 0)\n"
      "%y = sub(%a, %b) : int8[1,2,2,4] q(1, 0)\noutput %y";
  EXPECT_THAT(dla(text), HasSubstr("computed and of y's shape (under tflite numerics the first)"));
  EXPECT_EQ(dla(text, ir::Numerics::kXnnpack), "");
}

TEST(RulesAdd, scales_may_be_far_apart) {
  for (const char* scale : {"0.00097", "255.9", "256", "100000"}) {
    EXPECT_EQ(dla(sum(scale, "[1,2,2,4]"), ir::Numerics::kXnnpack), "") << scale;
    EXPECT_EQ(dla(sum(scale, "[1,2,2,4]")), "") << scale;
  }
}

std::string pad(const char* before, const char* after, const std::vector<int>& y) {
  return "input %x : " + int8({1, 3, 4, 5}) + "\n%y = pad(%x) {before=" + before +
         ", after=" + after + ", value=7} : " + int8(y) + "\noutput %y";
}

TEST(RulesPad, a_margin_of_up_to_31_around_the_image) {
  EXPECT_EQ(dla(pad("[0,31,1,0]", "[0,31,0,0]", {1, 65, 5, 5})), "");
  EXPECT_EQ(dla(pad("[0,1,32,0]", "[0,0,0,0]", {1, 4, 36, 5})),
            "dla: padding before is 32, must be 0..31");
  EXPECT_EQ(dla(pad("[0,0,0,0]", "[0,32,0,0]", {1, 35, 4, 5})),
            "dla: padding after is 32, must be 0..31");
  EXPECT_EQ(dla(pad("[0,0,0,1]", "[0,0,0,0]", {1, 3, 4, 6})),
            "dla: a padded axis is 3 of int8[1,3,4,5] q(0.5, -3), must be that of rows or columns");
  EXPECT_EQ(host(pad("[0,0,0,1]", "[0,0,0,0]", {1, 3, 4, 6})), "");
}

std::string resize(const std::vector<int>& y, const char* attributes) {
  return "input %x : " + int8({1, 3, 4, 5}) + "\n%y = resize_nearest(%x) " + attributes + " : " +
         int8(y) + "\noutput %y";
}

TEST(RulesResize, rows_and_columns_double) {
  EXPECT_EQ(dla(resize({1, 6, 8, 5}, "")), "");
  EXPECT_EQ(dla(resize({1, 6, 8, 5}, "{half_pixel_centers=true}")), "");
  EXPECT_THAT(dla(resize({1, 6, 8, 5}, "{align_corners=true}")), HasSubstr("corners not aligned"));
  EXPECT_THAT(dla(resize({1, 6, 9, 5}, "")), HasSubstr("exactly twice the rows and columns"));
  EXPECT_EQ(host(resize({1, 6, 9, 5}, "")), "");
}

TEST(Rules, every_limit_says_what_helps_where_it_is_not_kept) {
  for (const OpSupport& row : support_table()) {
    ASSERT_EQ(row.limits.size(), row.remedies.size());
    for (const std::string& remedy : row.remedies) EXPECT_NE(remedy, "") << row.op;
  }
  const auto helps = [](const std::string& op, const std::string& engine, const char* remedy) {
    for (const OpSupport& row : support_table()) {
      if (row.op != op || row.engine != engine) continue;
      EXPECT_THAT(row.remedies, Contains(remedy)) << op;
    }
  };
  helps("conv2d", "dla", "split it by channels and join the parts");
  helps("average_pool2d", "dla", "take every so many pixels by a slice where a window has one");
  helps("interleave", "dla", "interleave in two steps");
  helps("transpose", "host", "join axes by a reshape");
  helps("yolo_decode", "host", "decode the anchors in several heads");
  const ir::Graph graph =
      ir::parse("graph \"g\" tflite {\n" + conv([](Conv& v) { v.kh = 17; }) + "\n}");
  EXPECT_EQ(take(Engine::kDla, graph, graph.ops.back(), SocConfig{}).remedy,
            "split the kernel into smaller ones and add their results");
}

}  // namespace
}  // namespace presil::rules
