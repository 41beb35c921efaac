// Operators on stored integers that do not fit together, by the text of the refusal.
#include "tests/ir/refusals.h"

namespace presil::ir {
namespace {

const Line kLines[] = {
    {"input %i : int32[2,3] const %k : int32[1] = [1] const %h : int8[1] = [63] "
     "%y = rescale(%i, %k, %h) : int8[2,3]",
     "shift 0 is 63, must be 2..62"},
    {"input %i : int64[2,3] const %k : int32[1] = [1] const %h : int8[1] = [30] "
     "%y = rescale(%i, %k, %h) : int8[2,3]",
     "x is int64 and multiplier int32, of 48 bits it must be int16"},
    {"input %i : int32[2,3] const %k : int16[1] = [1] const %h : int8[1] = [30] "
     "%y = rescale(%i, %k, %h) {round_twice=true} : int8[2,3]",
     "multiplier is int16 and round_twice set, must have 32 bits of scale"},
    {"input %i : int32[2,3] const %k : int32[2] = [1, 1] const %h : int8[1] = [30] "
     "%y = rescale(%i, %k, %h) : int8[2,3]",
     "multiplier is [2], must be [1] or [3], the last axis of x"},
    {"input %k : int32[1] const %h : int8[1] = [30] %y = rescale(%x, %k, %h) : int8[1,4,4,8]",
     "multiplier is computed by the graph, expected a constant"},
    {"const %z : int32[1] = [0] %y = conv_sums(%x, %w, %z) {stride=[1], dilation=[1], before=[0], "
     "after=[0]} : int32[1,2,2,4]",
     "stride has not two or three entries"},
    {"const %z : int32[3] = [0, 0, 0] %y = conv_sums(%x, %w, %z) {stride=[1, 1], dilation=[1, 1], "
     "before=[0, 0], after=[0, 0]} : int32[1,2,2,4]",
     "bias is [3], must be [1] or [4]"},
    {"const %z : int32[1] = [0] %y = conv_sums(%u, %w, %z) {stride=[1, 1], dilation=[1, 1], "
     "before=[0, 0], after=[0, 0]} : int32[1,2,2,4]",
     "7 and 8 input channels, must be as many"},
    {"const %z : int32[1] = [0] %y = conv_sums(%x, %w, %z) {stride=[1, 1], dilation=[1, 1], "
     "before=[0, 0]} : int32[1,2,2,4]",
     "after has 0 entries, must have 2"},
    {"%y = mean_pool(%x) {kernel_h=2, kernel_w=2, pad_top=2} : int8[1,4,4,8] q(0.5, 0)",
     "its padding is as large as its kernel, must be less"},
    {"%y = add(%x, %x) {fixed=[1, 2, 3]} : int8[1,4,4,8] q(0.5, 0)",
     "fixed must hold left, 0..22, and three multipliers, 0..2^31 - 1, and shifts, -31..30"},
    {"input %v : int8[6,2] q(1, 0) %y = batch_matmul(%row, %v) {fixed=[5]} : int8[1,2] q(1, 0)",
     "fixed must hold a multiplier, 0..2^31 - 1, a shift, 2..62, and 0 or 1"},
    {"input %v : int16[6,2] q(1, 0) input %h : int16[1,6] q(1, 0) "
     "%y = batch_matmul(%h, %v) {fixed=[5, 30, 0]} : int16[1,2] q(1, 0)",
     "y beside fixed is int16[1,2] q(1, 0), must be int8"},
    {"%y = sum(%x) {axes=[1], fixed=[5, 40, 0]} : int8[1,4,8] q(0.5, 0)",
     "fixed must hold a multiplier, a shift, 2..62, and 1 to round twice, or a shift to 31"},
    {"const %v : int8[4,3,3,8] q([1, 1, 1, 1], 0, axis=0) fixed([5, 30]) = splat 1 "
     "%y = conv2d(%x, %v) : int8[1,2,2,4] q(1, 0)",
     "has 4 scales and 1 fixed ones, expected as many"},
    {"input %v : int32[2] input %k : int32[2] %y = mul_shift(%v, %k) {shift=64} : int32[2]",
     "shift is 64, must be 1..63"},
};

TEST(IntegerRefusals, each_is_named) {
  for (const Line& line : kLines) {
    EXPECT_THAT(refusal_of(line.graph), testing::HasSubstr(line.text)) << line.graph;
  }
}

TEST(FixedScales, are_in_the_text) {
  const std::string text = std::string(kHead) +
                           "const %v : int8[4,3,3,8] q([1, 1, 1, 1], 0, axis=0) fixed([5, 30], "
                           "[6, 31], [7, 32], [8, 33]) twice = splat 1 "
                           "%y = conv2d(%x, %v) : int8[1,2,2,4] q(1, 0)\n}";
  const Graph graph = parse(text);
  verify(graph);
  EXPECT_EQ(parse(print(graph)), graph);
  EXPECT_NE(print(graph).find("fixed([5, 30], [6, 31], [7, 32], [8, 33]) twice"),
            std::string::npos);
}

}  // namespace
}  // namespace presil::ir
