// Types of numbers as such, and of functions of 16 bits, that do not fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler_bridge/ir/text.h"
#include "models/base/refusal.h"

namespace presil::ir {
namespace {

using testing::HasSubstr;

struct NumberLine {
  const char *op, *text;
};

const NumberLine kLines[] = {
    {"input %v : int32[3] q(1, 0) %y = add(%b, %v) : int32[3]",
     "b is int32[3] q(1, 0), y is int32[3], must have no scale"},
    {"%y = mul(%b, %b) {act=relu} : int32[3]",
     "y is int32[3] and has an activation, must have none"},
    {"%y = floor_div(%x, %x) : int8[4] q(0.5, 0)",
     "a is int8[4] q(0.5, 0), must be int32 or int64 without a scale, or float32"},
    {"%y = equal(%x, %f) : bool[1]",
     "a is int8[4] q(0.5, 0), b is float32[4], must have the same type"},
    {"input %v : int16[3] q(1, 0) %y = less(%v, %v) : bool[3]",
     "a is int16[3] q(1, 0), must be int8, float32, bool, or int32 or int64 without a scale"},
    {"input %v : int8[3] q(1.5, 0) %y = less(%v, %v) : bool[3]",
     "a is int8[3] q(1.5, 0), must have a scale below 1"},
    {"%y = greater(%b, %b) : int32[3]", "y is int32[3], must be bool"},
    {"%y = logical_not(%b) : bool[3]", "x is int32[3], must be bool"},
    {"%y, %i = top_k(%x) : int8[2] q(0.5, 0), int64[2]", "indices is int64[2], must be int32"},
    {"input %v : int16[4] q(1, 0) %y = tanh(%v) : int16[4] q(1, 0)",
     "y is int16[4] q(1, 0), must be q(2^-15, 0)"},
    {"input %v : int16[4] q(4, 0) %y = logistic(%v) : int16[4] q(0.000030517578125, 0)",
     "x is int16[4] q(4, 0), must have a scale below 4"},
    {"input %g : float32[3] %y = layer_norm(%f, %g, %f) : float32[4]",
     "gamma is [3], must be [4], the last axis of x"},
    {"%y = layer_norm(%f, %f, %x) : float32[4]",
     "beta is int8[4] q(0.5, 0), the operator takes float32 alone"},
    {"input %s : float32[] %y = layer_norm(%s, %f, %f) : float32[]",
     "x is a scalar, must have at least one axis"},
};

TEST(IrNumbers, types_that_do_not_fit_are_refused_by_operator_and_field) {
  for (const NumberLine& line : kLines) {
    const std::string graph =
        std::string("graph \"g\" tflite { input %x : int8[4] q(0.5, 0) input %f : float32[4] ") +
        "input %b : int32[3] " + line.op + " output %y }";
    try {
      verify(parse(graph));
      ADD_FAILURE() << "taken: " << line.op;
    } catch (const Refusal& refusal) {
      EXPECT_THAT(refusal.what(), HasSubstr(line.text)) << line.op;
    }
  }
}

}  // namespace
}  // namespace presil::ir
