#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

TEST(LiftQuantize, floats_that_are_joined_are_quantised_first) {
  const ir::Graph g = rewritten(lift_quantize, R"(graph "g" tflite {
  input %a : float32[1,2,3,4]
  input %b : float32[1,2,3,5]
  %c = concat(%a, %b) {axis=3} from [0] : float32[1,2,3,9]
  %y = quantize(%c) from [1] : int8[1,2,3,9] q(0.25, 3)
  output %y
})",
                                1);
  ir::Graph left = g;
  remove_dead(left);
  EXPECT_THAT(op_lines(left), ElementsAre("a/int8 = quantize(a)", "b/int8 = quantize(b)",
                                          "y = concat(a/int8, b/int8)"));
}

/// The largest of what `function` makes of integers.
std::string pooled(const std::string& function) {
  return R"(graph "g" xnnpack {
  input %x : int8[1,4,4,2] q(0.5, -3)
  %f = dequantize(%x) from [0] : float32[1,4,4,2]
  %e = )" +
         function +
         R"((%f) from [1] : float32[1,4,4,2]
  %p = max_pool2d(%e) {kernel_h=2, kernel_w=2, stride_h=2, stride_w=2} from [2] : float32[1,2,2,2]
  %y = quantize(%p) from [3] : int8[1,2,2,2] q(0.25, 3)
  output %y
})";
}

TEST(LiftQuantize, the_largest_of_numbers_is_quantised_first) {
  ir::Graph g = rewritten(lift_quantize, pooled("elu"), 1);
  remove_dead(g);
  EXPECT_THAT(op_lines(g), ElementsAre("f = dequantize(x)", "e = elu(f)", "e/int8 = quantize(e)",
                                       "y = max_pool2d(e/int8)"));
}

// The logarithm of what is below zero is no number.
TEST(LiftQuantize, what_may_be_no_number_or_is_computed_stays) {
  rewritten(lift_quantize, pooled("log"), 0);
  rewritten(lift_quantize, R"(graph "g" tflite {
  input %a : float32[1,2,3,4]
  input %b : float32[1,2,3,4]
  %c = add(%a, %b) from [0] : float32[1,2,3,4]
  %y = quantize(%c) from [1] : int8[1,2,3,4] q(0.25, 3)
  output %y
})",
            0);
}

TEST(LiftQuantize, what_others_read_as_floats_stays) {
  rewritten(lift_quantize, R"(graph "g" tflite {
  input %a : float32[2,6]
  %c = reshape(%a) from [0] : float32[3,4]
  %y = quantize(%c) from [1] : int8[3,4] q(0.25, 3)
  output %y, %c
})",
            0);
}

}  // namespace
}  // namespace presil::passes
