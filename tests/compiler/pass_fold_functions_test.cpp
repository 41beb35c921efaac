// What is computed of one byte tensor, through any types, becomes one table: of the values that the
// reference interpreter's operators give one after another.
#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

/// The table's entry for a stored value.
int entry(const ir::Graph& graph, const ir::Op& lut, int stored) {
  return graph.tensor(lut.input(1)).values<int8_t>()[static_cast<uint8_t>(stored)];
}

// Of x in halves around 0, y in quarters: relu6(x) / 2 is 0 below 0, one step for each of x up to
// 6, then 12.
TEST(FoldFunctions, a_float_island_becomes_a_table) {
  const ir::Graph g = rewritten(fold_functions, R"(graph "g" tflite {
    input %x : int8[1,4,4,2] q(0.5, 0)
    const %half : float32[] = [0.5]
    %f = dequantize(%x) from [0] : float32[1,4,4,2]
    %r = relu6(%f) from [1] : float32[1,4,4,2]
    %h = mul(%r, %half) from [2] : float32[1,4,4,2]
    %y = quantize(%h) from [3] : int8[1,4,4,2] q(0.25, 0)
    output %y
  })",
                                1);
  EXPECT_THAT(op_lines(g), ElementsAre("y = lut(x, y/table)"));
  EXPECT_THAT(g.ops[0].source_ops, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(entry(g, g.ops[0], -128), 0);
  EXPECT_EQ(entry(g, g.ops[0], 0), 0);
  EXPECT_EQ(entry(g, g.ops[0], 7), 7);    // 3.5 / 2 = 1.75
  EXPECT_EQ(entry(g, g.ops[0], 12), 12);  // 6 / 2 = 3
  EXPECT_EQ(entry(g, g.ops[0], 127), 12);
}

// (x - 128) of a pixel 0..255, in steps of 1.
TEST(FoldFunctions, pixels_of_uint8_through_casts_are_a_table_by_the_stored_byte) {
  const ir::Graph g = rewritten(fold_functions, R"(graph "g" tflite {
    input %x : uint8[1,4,4,3]
    const %middle : float32[1] = [128]
    %f = cast(%x) : float32[1,4,4,3]
    %d = sub(%f, %middle) : float32[1,4,4,3]
    %y = quantize(%d) : int8[1,4,4,3] q(1, 0)
    output %y
  })",
                                1);
  EXPECT_THAT(op_lines(g), ElementsAre("y = lut(x, y/table)"));
  EXPECT_EQ(entry(g, g.ops[0], 0), -128);
  EXPECT_EQ(entry(g, g.ops[0], 128), 0);
  EXPECT_EQ(entry(g, g.ops[0], 255), 127);
}

TEST(FoldFunctions, a_result_of_uint8_is_a_table_too) {
  const ir::Graph g = rewritten(fold_functions, R"(graph "g" tflite {
    input %x : int8[8] q(1, 0)
    %f = dequantize(%x) : float32[8]
    %a = abs(%f) : float32[8]
    %y = quantize(%a) : uint8[8] q(1, 0)
    output %y
  })",
                                1);
  EXPECT_EQ(static_cast<uint8_t>(entry(g, g.ops[0], -128)), 128);
  EXPECT_EQ(entry(g, g.ops[0], -3), 3);
}

// Hard swish written out in floats, a choice by a comparison, integers between.
TEST(FoldFunctions, graphs_of_one_source_become_one_table) {
  rewritten(fold_functions, R"(graph "g" tflite {
    input %x : int8[1,5,7] q(0.07, -4)
    const %three : float32[1,1,1] = [3]
    const %sixth : float32[] = [0.16666667]
    %f = dequantize(%x) : float32[1,5,7]
    %a = add(%f, %three) {act=relu6} : float32[1,5,7]
    %m = mul(%f, %a) : float32[1,5,7]
    %s = mul(%m, %sixth) : float32[1,5,7]
    %y = quantize(%s) : int8[1,5,7] q(0.06, -20)
    output %y
  })",
            1);
  rewritten(fold_functions, R"(graph "g" tflite {
    input %x : int8[40] q(0.07, -4)
    const %limit : float32[1] = [0.5]
    const %seven : int32[40] = [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
                                7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7]
    %f = dequantize(%x) : float32[40]
    %e = exp(%f) : float32[40]
    %l = log(%e) : float32[40]
    %c = greater(%f, %limit) : bool[40]
    %p = select(%c, %l, %e) : float32[40]
    %i = cast(%p) : int32[40]
    %j = mul(%i, %seven) : int32[40]
    %k = cast(%j) : float32[40]
    %y = quantize(%k) : int8[40] q(0.5, 3)
    output %y
  })",
            1);
}

// Two functions of one dequantize; of the first the float is an output and stays.
TEST(FoldFunctions, what_others_read_stays) {
  const ir::Graph g = rewritten(fold_functions, R"(graph "g" tflite {
    input %x : int8[8] q(0.1, 0)
    %f = dequantize(%x) : float32[8]
    %e = elu(%f) : float32[8]
    %y = quantize(%e) : int8[8] q(0.1, 0)
    %n = exp(%f) : float32[8]
    %z = quantize(%n) : int8[8] q(0.1, 0)
    output %e, %y, %z
  })",
                                2);
  EXPECT_THAT(op_lines(g), ElementsAre("f = dequantize(x)", "e = elu(f)", "y = lut(x, y/table)",
                                       "z = lut(x, z/table)"));
}

// m is read by the pool: z is a table of m, m one of x.
TEST(FoldFunctions, bytes_that_others_read_are_where_the_next_table_begins) {
  const ir::Graph g = rewritten(fold_functions, R"(graph "g" tflite {
    input %x : int8[1,5,5,2] q(0.5, -3)
    %f = dequantize(%x) : float32[1,5,5,2]
    %e = elu(%f) : float32[1,5,5,2]
    %m = quantize(%e) : int8[1,5,5,2] q(0.25, 0)
    %p = max_pool2d(%m) {kernel_h=2, kernel_w=2} : int8[1,4,4,2] q(0.25, 0)
    %g = dequantize(%m) : float32[1,5,5,2]
    %h = square(%g) : float32[1,5,5,2]
    %z = quantize(%h) : int8[1,5,5,2] q(2, -128)
    output %p, %z
  })",
                                2);
  EXPECT_THAT(op_lines(g),
              ElementsAre("m = lut(x, m/table)", "p = max_pool2d(m)", "z = lut(m, z/table)"));
}

TEST(FoldFunctions, a_chain_of_bytes_and_floats_is_one_table_of_its_first) {
  const ir::Graph g = rewritten(fold_functions, R"(graph "g" tflite {
    input %x : int8[1,3,3,2] q(0.5, -3)
    %a = tanh(%x) : int8[1,3,3,2] q(0.0078125, 0)
    %f = dequantize(%a) : float32[1,3,3,2]
    %s = rsqrt(%f) : float32[1,3,3,2]
    %y = quantize(%s) : int8[1,3,3,2] q(0.25, 0)
    output %y
  })",
                                1);
  EXPECT_THAT(op_lines(g), ElementsAre("y = lut(x, y/table)"));
}

TEST(FoldFunctions, two_sources_constants_by_channel_and_broadcasts_are_no_table) {
  rewritten(fold_functions, R"(graph "g" tflite {
    input %x : int8[4,2] q(0.5, -3)
    input %z : int8[4,2] q(0.5, -3)
    input %w : int8[1,2] q(0.5, -3)
    const %c : float32[2] = [1, 2]
    %f = dequantize(%x) : float32[4,2]
    %g = dequantize(%z) : float32[4,2]
    %h = dequantize(%w) : float32[1,2]
    %a = add(%f, %g) : float32[4,2]
    %p = quantize(%a) : int8[4,2] q(0.5, 0)
    %b = mul(%f, %c) : float32[4,2]
    %q = quantize(%b) : int8[4,2] q(0.5, 0)
    %d = sub(%f, %h) : float32[4,2]
    %r = quantize(%d) : int8[4,2] q(0.5, 0)
    output %p, %q, %r
  })",
            0);
}

// A sum of two sources may be one of what follows: the table begins there, not before.
TEST(FoldFunctions, a_function_of_a_sum_of_two_is_a_table_of_the_sum) {
  const ir::Graph g = rewritten(fold_functions, R"(graph "g" tflite {
    input %x : int8[6] q(0.5, -3)
    input %z : int8[6] q(0.5, -3)
    %s = add(%x, %z) : int8[6] q(1, 0)
    %f = dequantize(%s) : float32[6]
    %e = gelu(%f) {approximate=true} : float32[6]
    %y = quantize(%e) : int8[6] q(0.5, 0)
    output %y
  })",
                                1);
  EXPECT_THAT(op_lines(g), ElementsAre("s = add(x, z)", "y = lut(s, y/table)"));
}

// What needs no engine, a table alone, and values of 16 bits.
TEST(FoldFunctions, flipped_signs_single_tables_and_int16_stay) {
  rewritten(fold_functions, R"(graph "g" tflite {
    input %x : uint8[6] q(0.5, 125)
    const %t : int8[256] = random 8
    %a = quantize(%x) : int8[6] q(0.5, -3)
    %b = lut(%a, %t) : int8[6] q(1, 0)
    %y = quantize(%b) : uint8[6] q(1, 128)
    output %y
  })",
            0);
  ir::Graph wide = ir::parse(R"(graph "g" tflite {
    input %x : int16[6] q(0.5, 0)
    %f = dequantize(%x) : float32[6]
    %y = quantize(%f) : int8[6] q(1, 0)
    output %y
  })");
  EXPECT_EQ(fold_functions(wide), 0);
}

}  // namespace
}  // namespace presil::passes
