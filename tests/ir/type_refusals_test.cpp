// Types that do not fit, and operators with rules of their own.
#include "tests/ir/refusals.h"

namespace presil::ir {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const Line kTypes[] = {
    {"%y = concat(%x, %x) {axis=3, in_float=true} : int8[1,4,4,16] q(1.2e-38, 0)",
     "must have scales whose ratio is a float32"},
    {"input %v : int8[4,3,3,8] q(0.1, 0) %y = conv2d(%x, %v) : int8[1,2,2,4] q(1, 0)",
     "weights are computed by the graph, expected a constant"},
    {"input %v : int8[4,7] q([1, 2, 3, 4], 0, axis=0) %y = fully_connected(%u, %v) : int8[16,4] "
     "q(1, 0)",
     "weights are int8[4,7] q([1, 2, 3, 4], 0, axis=0), computed ones must have one scale and zero "
     "point"},
    {"input %v : int16[2,7] q(1, 0) input %k : int8[4,7] q(0.1, 0) %y = fully_connected(%v, %k) : "
     "int16[2,4] q(1, 0)",
     "weights are computed by the graph, expected a constant"},
    {"input %v : int16[6,2] q(1, 0) %y = batch_matmul(%row, %v) : int8[1,2] q(1, 0)",
     "b is int16[6,2] q(1, 0), y is int8[1,2] q(1, 0), must have the same type"},
    {"input %v : int16[2,2] q(1, 0) %y = batch_matmul(%v, %v) : int16[2,2] q(0.001953125, 0)",
     "a product of the scales of a and b is 512.000000 of y's, must be less than 127 with int16"},
    {"const %v : int8[4,3,3,8] = splat 1 %y = conv2d(%x, %v) : int8[1,2,2,4] q(1, 0)",
     "weights are int8[4,3,3,8], must have a scale"},
    {"const %v : int8[4,3,3,8] q([1, 1, 1], 0, axis=1) = splat 1 %y = conv2d(%x, %v) : "
     "int8[1,2,2,4] q(1, 0)",
     "weights have scales along axis 1, must be along axis 0, the output channels"},
    {"input %v : int32[4] %y = conv2d(%x, %w, %v) : int8[1,2,2,4] q(1, 0)",
     "bias is computed by the graph, expected a constant"},
    {"input %g : float32[5,6] const %k : int8[4,6] = splat 1 %y = fully_connected(%g, %k) : "
     "float32[5,4]",
     "weights beside float32 are int8[4,6], of int8 they must be constants with one scale"},
    {"input %g : float32[1,4,4,8] const %k : int16[1,3,3,8] q(1, 0) = splat 1 %y = "
     "depthwise_conv2d(%g, %k) : float32[1,2,2,8]",
     "weights beside float32 is int16[1,3,3,8] q(1, 0), must be float32"},
    {"input %g : float32[1,4,4,8] const %k : int8[1,3,3,8] q([1, 1, 1], 0, axis=1) = splat 1 %y = "
     "depthwise_conv2d(%g, %k) : float32[1,2,2,8]",
     "must be constants with one scale, or one along axis 3, the output channels"},
    {"const %k : float32[4,6] = splat 1 const %c : int32[4] = splat 1 %y = fully_connected(%f, %k, "
     "%c) : float32[5,4]",
     "bias beside float32 is int32[4], must be float32"},
    {"%y = concat(%f, %f) {act=relu} : float32[10,6]",
     "it has an activation, of float32 it must have none: write it as an operator of its own after "
     "this one"},
    {"%y = square(%x) : float32[1,4,4,8]",
     "x is int8[1,4,4,8] q(0.5, 0), the operator takes float32 alone"},
    {"%y = softmax(%x) : float32[1,4,4,8]",
     "x is int8[1,4,4,8] q(0.5, 0), y is float32[1,4,4,8], must have the same type"},
    {"%y = reshape(%x) : int8[128] q(0.25, 0)",
     "must have the same type and quantisation: the operator"},
    {"%y = gather(%row, %f) : int8[5,6,6] q(0.5, 0)",
     "indices are float32[5,6], must be int32 or int64"},
    {"%y = select(%b, %b, %b) : int32[3]", "condition is int32[3], must be bool"},
    {"input %c : bool[1] %y = select(%c, %row, %f) : int8[1] q(0.5, 0)",
     "must have the same type and quantisation: one of both is taken as it is"},
    {"%y = one_hot(%b, %f, %b) : int32[3,2]",
     "on is float32[5,6], y is int32[3,2], must have the same type"},
    {"input %v : int32[4] %y = quantize(%v) : int8[4] q(1, 0)",
     "x is int32[4], must have one scale and zero point"},
    {"%y = quantize(%f) : int64[5,6]", "y is int64[5,6], must be int8, uint8, int16 or int32"},
    {"%y = dequantize(%f) : float32[5,6]", "x is float32[5,6], must be int8, uint8 or int16"},
    {"input %v : int16[4] q(1, 3) %y = leaky_relu(%v) : int16[4] q(1, 0)",
     "x is int16[4] q(1, 3), int16 must have zero point 0"},
    {"%y = leaky_relu(%x) : int16[1,4,4,8] q(1, 0)",
     "x is int8[1,4,4,8] q(0.5, 0), y is int16[1,4,4,8] q(1, 0), must have the same type"},
    {"input %v : int16[1,4,4,8] q(1, 0) const %k : int32[8] = splat 1 %y = depthwise_conv2d(%v, "
     "%d, %k) : int16[1,2,2,8] q(1, 0)",
     "bias beside int16 is int32[8], must be int64"},
    {"input %v : int16[1,4,4,8] q(1, 0) %y = conv2d(%v, %w) : int16[1,2,2,4] q(0.0001, 0)",
     "a product of the scales of x and weights is 1000.000040 of y's, must be less than 127"},
    {"input %v : int16[2,7] q(1, 0) const %k : int8[4,7] q(0.1, 2) = splat 1 %y = "
     "fully_connected(%v, %k) : int16[2,4] q(1, 0)",
     "weights have zero point 2, with int16 x it must be 0"},
    {"input %v : int32[4] q(1, 0) %y = quantize(%v) : uint8[4] q(1, 0)",
     "x is int32[4] q(1, 0), y is uint8[4] q(1, 0), no rule leads from one to the other"},
    {"input %v : int8[256] %y = lut(%x, %v) : int8[1,4,4,8]",
     "table is computed by the graph, expected a constant"},
    {"%y = yolo_decode(%u, %t, %s) {stride=8, classes=2, anchors=[1, 2]} : float32[16,6]",
     "sigmoid_table is int8[7], must be float32"},
    {"input %v : float32[256] %y = yolo_decode(%u, %v, %s) {stride=8, classes=2, anchors=[1, 2]} "
     ": float32[16,6]",
     "tables must be constants"},
};

/// One part of a sound detector's end that is replaced, and what that is refused with.
struct Detection {
  const char *part, *instead, *text;
};

const Detection kDetections[] = {
    {"attributes", "classes=2", "taken"},
    {"attributes", "classes=0", "classes is 0, must be 1..1048576"},
    {"attributes", "classes=2, max=2000, classes_per_box=2000",
     "max times classes_per_box is 4000000, must be at most 1048576"},
    {"attributes", "classes=2, h_scale=0", "h_scale is 0.000000, must be a number above 0"},
    {"attributes", "classes=2, iou=1.5", "iou is 1.500000, must be above 0, at most 1"},
    {"attributes", "classes=2, score=inf", "score is inf, must be a number"},
    {"boxes", "float32[1,2,3]", "boxes are [1,2,3], must be [1, n, 4 or more]"},
    {"anchors", "float32[1,4] = splat 1", "anchors are [1,4], must be [2,4]: one for each box"},
    {"scores", "float32[1,2,4]",
     "scores are [1,2,4], must be [1,2,2], or one more for the background"},
    {"scores", "int16[1,2,3]", "scores are int16[1,2,3], must be int8 or float32"},
    {"boxes", "int8[1,2,4] q(1, 0)", "taken"},  // anchors in floats
    {"anchors", "float32[2,4] = [1, 1, 1, 1, 1, 1, 0, -1]",
     "anchor 1 has -1.000000 as its side, must be 0 or more"},
    {"anchors", "float32[2,4] = [1, inf, 1, 1, 1, 1, 0, 1]",
     "anchor 0 has inf as its centre, must be a number"},
};

TEST(IrRefusals, a_detector_s_end_that_cannot_be_is_refused_by_what_it_lacks) {
  for (const Detection& d : kDetections) {
    std::map<std::string, std::string> parts = {
        {"boxes", "float32[1,2,4]"},
        {"scores", "float32[1,2,3]"},
        {"anchors", "float32[2,4] = [1, 1, 1, 1, 1, 1, 0, 0]"},
        {"attributes", "classes=2"}};
    parts[d.part] = d.instead;
    const std::string graph =
        "graph \"g\" tflite { input %b : " + parts["boxes"] + " input %s : " + parts["scores"] +
        " const %a : " + parts["anchors"] +
        " %y, %c, %v, %n = detection_post_process(%b, %s, %a) {" + parts["attributes"] +
        "} : float32[1,1,4], float32[1,1], float32[1,1], float32[1] output %y }";
    EXPECT_THAT(refusal([&] { verify(parse(graph)); }), HasSubstr(d.text)) << graph;
  }
  EXPECT_THAT(refusal_of("%y, %c, %v, %n = detection_post_process(%f, %f, %f) : float32[1,1,4], "
                         "float32[1,1], float32[1,1], float32[1]"),
              HasSubstr("anchors are computed by the graph, expected constants"));
}

TEST(IrRefusals, types_that_do_not_fit_are_refused_by_operator_and_field) {
  for (const Line& line : kTypes) {
    EXPECT_THAT(refusal_of(line.graph), AllOf(StartsWith("ir: "), HasSubstr(line.text)))
        << line.graph;
  }
}

/// An LSTM of 3 units on x [1,5,2] with one thing changed.
std::string lstm(const std::string& from, const std::string& to) {
  std::string text =
      R"(graph "g" tflite {
    input %x : int8[1,5,2] q(0.5, 1)
    input %h : int8[1,3] q(0.01, 0)
    const %w : int8[3,2] q(0.1, 0) = splat 1
    const %r : int8[3,3] q(0.2, 0) = splat 1
    const %b : int32[3] = splat 1
    %y, %last, %c = lstm(%x, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b, %h) : )"
      "int8[1,5,3] q(0.01, 0), int8[1,3] q(0.01, 0), int16[1,3] q(0.00048828125, 0) }";
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  return refusal([&] { verify(parse(text)); });
}

TEST(IrRefusals, an_lstm_has_one_shape_and_one_kind_of_numbers) {
  EXPECT_EQ(lstm("", ""), "taken");
  EXPECT_THAT(lstm("%w : int8[3,2]", "%w : int8[3,4]"),
              HasSubstr("w_input is [3,4], must be [3,2]: 3 units, x [1,5,2]"));
  EXPECT_THAT(lstm("const %b : int32[3] = splat 1", "input %b : int32[3]"),
              HasSubstr("b_input is computed, expected a constant"));
  EXPECT_THAT(lstm("q(0.2, 0)", "q(0.2, 4)"),
              HasSubstr("r_input is int8[3,3] q(0.2, 4), a gate's weights must have zero point 0"));
  EXPECT_THAT(
      lstm("int8[1,5,3] q(0.01, 0)", "int8[1,5,3] q(0.02, 0)"),
      HasSubstr("y is int8[1,5,3] q(0.02, 0), must have one quantisation: the state is what "
                "comes out"));
  EXPECT_THAT(lstm("q(0.00048828125, 0)", "q(0.0005, 0)"),
              HasSubstr("c_last is int16[1,3] q(0.0005, 0), its scale must be one of 2^-15 to "
                        "2^-9"));
  EXPECT_THAT(lstm("%h : int8[1,3] q(0.01, 0)", "%h : int8[1,3] q(0.02, 0)"),
              HasSubstr("h is int8[1,3] q(0.02, 0), must be the type of the state after it, "
                        "int8[1,3] q(0.01, 0)"));
  EXPECT_THAT(lstm("tflite", "xnnpack"), HasSubstr("under tflite numerics only"));
}

TEST(IrRefusals, int16_is_refused_under_rules_that_have_none) {
  const std::string text =
      "graph \"g\" xnnpack { input %x : int16[4] q(1, 0)\n"
      "%y = squared_difference(%x, %x) : int16[4] q(1, 0) }";
  EXPECT_THAT(refusal([&] { verify(parse(text)); }),
              HasSubstr("y is int16[4] q(1, 0), which the operator takes under tflite numerics "
                        "only; use --numerics tflite"));
}

}  // namespace
}  // namespace presil::ir
