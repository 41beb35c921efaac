// Views, what the host and the DMA take, and the table of all limits.
#include "tests/compiler/rules_check.h"

namespace presil::rules {
namespace {

using testing::Contains, testing::HasSubstr;

TEST(RulesView, a_reshape_between_the_caller_s_memories_is_copied) {
  const std::string view = "input %x : " + int8({1, 4}) + "\n%y = reshape(%x) : " + int8({4, 1});
  EXPECT_EQ(sentence(Engine::kNone, view + "\noutput %x"), "");
  EXPECT_THAT(sentence(Engine::kNone, view + "\noutput %y"), HasSubstr("else they are copied"));
}

TEST(RulesView, of_two_outputs_with_the_same_bytes_the_second_is_copied) {
  const std::string views = "input %i : " + int8({1, 4}) + "\n%x = relu(%i) : " + int8({1, 4}) +
                            "\n%y = reshape(%x) : " + int8({4, 1}) +
                            "\n%z = reshape(%x) : " + int8({2, 2});
  EXPECT_EQ(sentence(Engine::kNone, views + "\noutput %z"), "");
  EXPECT_THAT(sentence(Engine::kNone, views + "\noutput %y, %z"),
              HasSubstr("else they are copied"));
}

TEST(RulesFlip,
     uint8_is_int8_with_its_sign_bit_flipped_where_scales_are_equal_and_zeros_128_apart) {
  const auto bit_flip = [](const char* x, const char* y) {
    return sentence(Engine::kNone, std::string("input %x : ") + x + "\n%y = quantize(%x) : " + y);
  };
  EXPECT_EQ(bit_flip("uint8[4] q(0.1, 131)", "int8[4] q(0.1, 3)"), "");
  EXPECT_EQ(bit_flip("int8[4] q(0.1, 3)", "uint8[4] q(0.1, 131)"), "");
  for (const char* y : {"int8[4] q(0.1, 4)", "int8[4] q(0.11, 3)", "uint8[4] q(0.1, 131)"}) {
    EXPECT_THAT(
        bit_flip("uint8[4] q(0.1, 131)", y),
        HasSubstr("must be uint8 and int8 of the same scale, zero point of the int8 one 128"))
        << y;
  }
  EXPECT_THAT(bit_flip("int8[4] q(0.1, 3)", "int8[4] q(0.1, 3)"),
              HasSubstr("must be uint8 and int8"));
}

TEST(RulesHost, what_moves_bytes_takes_values_of_any_type) {
  const auto moved = [](const std::string& type) {
    return host("input %x : " + type + "\n%y = pad(%x) {before=[0], after=[0]} : " + type +
                "\noutput %y");
  };
  EXPECT_EQ(moved("int8[4]"), "");
  EXPECT_EQ(moved("uint8[4]"), "");
  EXPECT_EQ(moved("int16[4]"), "");
  EXPECT_EQ(moved("float32[4]"), "");
  EXPECT_EQ(
      host("input %x : int16[1,2,2,1] q(1, 0)\n%y = resize_nearest(%x) : int16[1,4,4,1] q(1, 0)"
           "\noutput %y"),
      "");
}

TEST(RulesFloat, the_host_takes_what_the_dla_requires_in_int8) {
  for (const char* op : {"relu(%x)", "max_pool2d(%x)", "mean(%x) {axes=[1,2], keep_dims=true}",
                         "softmax(%x)", "tanh(%x)", "add(%x, %x)"}) {
    const std::string graph =
        std::string("input %x : float32[1,1,1,4]\n%y = ") + op + " : float32[1,1,1,4]\noutput %y";
    EXPECT_FALSE(dla(graph).empty()) << op;
    EXPECT_EQ(sentence(Engine::kHost, graph), "") << op;
  }
}

TEST(RulesHost, softmax_of_int16_has_rows_that_add_up_and_is_not_too_steep) {
  const auto softmax = [](const std::string& length, const std::string& scale) {
    return host("input %x : int16[1," + length + "] q(" + scale +
                ", 0)\n%y = softmax(%x) : int16[1," + length +
                "] q(0.000030517578125, 0)\noutput %y");
  };
  EXPECT_EQ(softmax("65535", "0.99"), "");
  EXPECT_EQ(softmax("65536", "0.99"), "host: values in a row of int16 is 65536, must be 1..65535");
  EXPECT_EQ(softmax("9", "1"), "host: beta times the scale of x is 1.000000, must be below 1");
}

TEST(RulesHost, a_length_of_one_has_one_scale) {
  const auto of = [](const std::string& y) {
    return host("input %x : int8[1,9] q(0.5, 3)\n%y = l2_normalize(%x) : int8[1,9] q(" + y +
                ")\noutput %y");
  };
  EXPECT_EQ(of("0.0078125, 0"), "");
  EXPECT_THAT(of("0.0078125, 1"),
              HasSubstr("must be of q(1/128, 0), at most 32767 values in a row"));
}

TEST(RulesHost, blocks_are_transposes_by_then_of_at_most_six_axes) {
  EXPECT_EQ(host("input %x : int8[1,2,2,1]\n%y = space_to_depth(%x) {block=2} : int8[1,1,1,4]"
                 "\noutput %y"),
            "host: operator is space_to_depth, must be a transpose by now");
  EXPECT_EQ(host("input %x : int8[1,2,2,2]\n%y = space_to_batch(%x) {block=[1,1,2], "
                 "before=[0,0,0], after=[0,0,0]} : int8[2,2,2,1]\noutput %y"),
            "host: axes of a block is 3, must be 1..2");
}

TEST(RulesTransposeConv, phases_are_64_on_the_dla_and_any_number_on_the_host) {
  const auto of = [](int stride) {
    return "input %x : " + int8({1, 1, 1, 4}) + "\nconst %w : " + int8({2, 2, 2, 4}, "q(1, 0)") +
           " = splat 1\n%y = transpose_conv2d(%x, %w) {stride_h=8, stride_w=" +
           std::to_string(stride) + "} : " + int8({1, 2, 2, 2}) + "\noutput %y";
  };
  EXPECT_EQ(dla(of(8)), "");
  EXPECT_EQ(dla(of(9)), "dla: row stride times column stride is 72, must be 1..64");
  EXPECT_EQ(sentence(Engine::kHost, of(9)), "");
}

TEST(RulesInterleave, of_computed_int8_images) {
  const auto of = [](const std::string& a, const std::string& b) {
    return a + "\n" + b + "\n%y = interleave(%a, %b) {stride_w=2} : " + int8({1, 1, 2, 4}) +
           "\noutput %y";
  };
  const std::string input = " : " + int8({1, 1, 1, 4});
  EXPECT_EQ(dla(of("input %a" + input, "input %b" + input)), "");
  EXPECT_EQ(dla(of("input %a" + input, "const %b" + input + " = splat 1")),
            "dla: an input is a constant int8[1,1,1,4] q(0.5, -3), must be computed int8");
}

TEST(RulesTable, says_what_the_rules_check) {
  std::vector<std::string> rows;
  for (const OpSupport& row : support_table()) {
    std::string text = row.op + " on " + row.engine + ", " + row.dtypes + ":";
    for (const std::string& limit : row.limits) text += " " + limit + ";";
    rows.push_back(text);
  }
  EXPECT_THAT(rows, Contains("conv2d on dla, int8, weights int8 per tensor or per channel, bias "
                             "int32; float32 or int16 beside int8 weights: int8 values, or, beside "
                             "constant int8 weights on a SoC with a DSP, float32 or int16; x "
                             "computed by the graph; batch 1, at most 4 axes; kernel "
                             "height 1..16; kernel width 1..16; row dilation 1..31; column "
                             "dilation 1..31; padding at the top 0..31; padding on the left 0..31; "
                             "channels 1..16368; of float32 and int16 one group, a group for each "
                             "channel, or channels of y by 16;"));
  EXPECT_THAT(
      rows,
      Contains(
          "softmax on host, int8, int16, float32: axes 0..6; values in a row of int8 "
          "under tflite numerics 1..4095; values in a row of int16 1..65535; of int8 under tflite "
          "numerics beta times the scale of x at least 2^-27; of int16 beta times the scale of x "
          "below 1; of int8 y in steps of 1/256 (tosa: 1) from zero point -128;"));
  EXPECT_THAT(rows, Contains(HasSubstr("depthwise_conv2d on host")));
}

TEST(RulesTable, every_operator_has_a_row_or_becomes_a_table) {
  std::set<std::string> named;
  for (const OpSupport& row : support_table()) named.insert(row.op);
  std::vector<std::string> without;
  for (const ir::OpInfo& kind : ir::op_table()) {
    if (named.count(kind.name) == 0) without.push_back(kind.name);
  }
  EXPECT_THAT(without, testing::IsEmpty());
}

std::string dma(const std::string& lines) {
  return sentence(Engine::kDma, lines);
}

TEST(RulesDma, values_as_they_are_in_at_most_four_loops) {
  EXPECT_EQ(dma("input %x : float32[2,3]\n%y = concat(%x, %x) {axis=1} : float32[2,6]\noutput %y"),
            "");
  EXPECT_EQ(dma("input %x : int8[2,3] q(1, 0)\n"
                "%y = concat(%x, %x) {axis=1, act=relu} : int8[2,6] q(1, 0)\noutput %y"),
            "dma: y is int8[2,6] q(1, 0) with values of its own, must be a copy: inputs of its "
            "quantisation, no activation");
  EXPECT_EQ(dma("input %x : int16[2,3,2,3,2] q(1, 0)\n"
                "%y = transpose(%x) {perm=[3,2,1,0,4]} : int16[3,2,3,2,2] q(1, 0)\noutput %y"),
            "");
  EXPECT_EQ(dma("input %x : int16[2,3,2,3,2] q(1, 0)\n"
                "%y = transpose(%x) {perm=[4,3,2,1,0]} : int16[2,3,2,3,2] q(1, 0)\noutput %y"),
            "dma: loops around a row is 5, must be 0..4");
}

}  // namespace
}  // namespace presil::rules
