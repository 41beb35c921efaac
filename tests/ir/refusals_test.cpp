// Every refusal of the graph's rules, by its text: one graph each, a table of one operator a line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "compiler_bridge/ir/binary.h"
#include "compiler_bridge/ir/text.h"
#include "graph_generated.h"
#include "rtl/soc/refusal.h"

namespace presil::ir {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

template <class Read>
std::string refusal(Read read) {
  try {
    read();
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}

const char* const kHead = R"(graph "g" tflite {
  input %x : int8[1,4,4,8] q(0.5, 0)
  input %row : int8[1,6] q(0.5, 0)
  input %f : float32[5,6]
  const %w : int8[4,3,3,8] q(0.1, 0) = splat 1
  const %d : int8[1,3,3,8] q(0.1, 0) = splat 1
  const %m : int8[4,7] q(0.1, 0) = splat 1
  const %b : int32[3] = [1, 2, 3]
  const %s : float32[256] = splat 0.5
  const %t : int8[7] = splat 1
  input %u : int8[1,4,4,7] q(0.5, 0)
  input %box : int8[1,6,9] q(0.5, 0)
)";

std::string refusal_of(const std::string& line) {
  return refusal([&] { verify(parse(kHead + line + "\n}")); });
}

struct Line {
  const char* graph;
  const char* text;
};

// Every line is wrong in one thing; %y's own shape does not matter where the inputs are refused.
const Line kShapes[] = {
    {"%y = conv2d(%row, %w) : int8[1] q(1, 0)", "x is [1,6], wants rank 4"},
    {"%y = conv2d(%x, %w) {stride_h=0} : int8[1] q(1, 0)", "strides are 0 and 1, want at least 1"},
    {"%y = conv2d(%x, %w) {dilation_w=0} : int8[1] q(1, 0)",
     "dilations are 1 and 0, want at least 1"},
    {"%y = max_pool2d(%x) {kernel_h=0} : int8[1] q(0.5, 0)", "kernel is 0x1, wants at least 1x1"},
    {"%y = conv2d(%x, %w) {pad_bottom=3} : int8[1] q(1, 0)",
     "and pad_bottom is 3, want 0..2: less than the kernel's reach"},
    {"%y = conv2d(%x, %w) {pad_left=-1} : int8[1] q(1, 0)",
     "pad_left is -1 and pad_right is 0, want 0..2: less than the kernel's reach"},
    {"%y = conv2d(%x, %w, %b) : int8[1] q(1, 0)", "bias is [3], wants [4], one per output"},
    {"%y = conv2d(%x, %w) {groups=3} : int8[1] q(1, 0)",
     "groups is 3, wants a divisor of the 4 output channels"},
    {"%y = conv2d(%x, %w) {groups=2} : int8[1] q(1, 0)", "in 2 groups, x has 8 channels, wants 16"},
    {"%y = depthwise_conv2d(%x, %d) {multiplier=2} : int8[1] q(1, 0)",
     "weights are [1,3,3,8], want [1,h,w,8 channels * multiplier 2]"},
    {"%y = transpose_conv2d(%u, %w) : int8[1] q(1, 0)",
     "weights are [4,3,3,8], x has 7 channels, wants 8"},
    {"%y = transpose_conv2d(%x, %w) {stride_w=0} : int8[1] q(1, 0)",
     "columns have stride 0 and kernel 3, want at least 1"},
    {"%y = transpose_conv2d(%x, %w) {pad_top=3} : int8[1] q(1, 0)",
     "rows are padded by 3 and 0, want 0..2 before and 0..2 behind"},
    {"%y = transpose_conv2d(%x, %w) {stride_h=5, pad_bottom=-3} : int8[1] q(1, 0)",
     "rows are padded by 0 and -3, want 0..2 before and -2..2 behind"},
    {"input %o : int8[1,1,1,8] q(0.5, 0) %y = transpose_conv2d(%o, %w) {pad_top=2, pad_bottom=1} : "
     "int8[1] q(1, 0)",
     "no rows are left of y after padding"},
    {"%y = interleave(%x, %x) {stride_h=3} : int8[1] q(0.5, 0)",
     "strides are 3 and 1, want a product of 2, the number of inputs"},
    {"%y = interleave(%row, %x) {stride_h=2} : int8[1] q(0.5, 0)",
     "input 0 is [1,6], wants rank 4"},
    {"%y = interleave(%x, %u) {stride_h=2} : int8[1] q(0.5, 0)",
     "input 1 is [1,4,4,7], wants [1,4,4,8], its pixels of y [1,8,4,8]"},
    {"%y = fully_connected(%row, %m) : int8[1] q(1, 0)",
     "x is [1,6], wants rows of 7 values as weights [4,7] say"},
    {"%y = fully_connected(%u, %m) : int8[16,5] q(1, 0)", "y is [16,5], wants 16 rows of 4"},
    {"input %v : int8[6] q(1, 0) %y = batch_matmul(%row, %v) : int8[1] q(1, 0)",
     "a is [1,6], b is [6], want matrices: at least 2 axes"},
    {"input %v : int8[6,5] q(1, 0) %y = batch_matmul(%row, %v) {transpose_b=true} : int8[1] q(1, "
     "0)",
     "a is [1,6], b is [6,5] transposed: rows of a have 6 values, columns of b 5, want as many"},
    {"input %v : int8[3,8,2] q(1, 0) %y = batch_matmul(%x, %v) : int8[1] q(1, 0)",
     "a is [1,4,4,8], b is [3,8,2], want extents that are equal or 1"},
    {"%y = add(%x, %u) : int8[1] q(1, 0)", "want extents that are equal or 1"},
    {"%y = neg(%x) : int8[1,4,4,8] q(0.25, 0)",
     "want one scale and zero points of opposite sign: stored values are negated"},
    {"%y = prelu(%m, %u) : int8[4,7] q(0.1, 0)",
     "x is [4,7], alpha is [1,4,4,7], want extents of alpha that are 1 or x's"},
    {"input %v : uint8[5,6] q(1, 0) %y = maximum(%x, %v) : int8[1,4,4,8] q(0.5, 0)",
     "b is uint8[5,6] q(1, 0), wants int8, int16, float32, or int32 or int64 without a scale"},
    {"%y, %i = top_k(%row) : int8[1,7] q(0.5, 0), int32[1,7]",
     "x is [1,6], y is [1,7], want as many axes, the last one 1 up to x's"},
    {"%y = reduce_max(%x) {axes=[1]} : int8[1,4,8] q(0.25, 0)",
     "want the same type and quantisation: stored values are compared"},
    {"%y = arg_max(%row) {axis=2} : int32[1]", "axis is 2, wants an axis of x [1,6]"},
    {"%y = arg_max(%row) {axis=1} : int8[1] q(1, 0)", "y is int8[1] q(1, 0), wants int32 or int64"},
    {"%y = mean(%x) {axes=[2,1]} : int8[1] q(1, 0)",
     "axes are [2,1], want ascending axes of x [1,4,4,8]"},
    {"input %c : int8[] q(1, 0) %y = softmax(%c) : int8[] q(1, 0)",
     "x is a scalar, wants at least one axis"},
    {"%y = lut(%x, %t) : int8[1,4,4,8]", "table is [7], wants [256], one entry per value of x"},
    {"%y = reshape(%x) : int8[5] q(0.5, 0)", "y is [5], wants as many elements as x [1,4,4,8]"},
    {"%y = concat(%x, %x) {axis=4} : int8[1] q(0.5, 0)", "axis is 4, wants an axis of [1,4,4,8]"},
    {"%y = concat(%x, %row) {axis=1} : int8[1] q(0.5, 0)", "and [1,6], want the same rank"},
    {"%y = concat(%x, %u) {axis=1} : int8[1] q(0.5, 0)", "want equal extents but for axis 1"},
    {"%y = pad(%x) {before=[1], after=[1]} : int8[1] q(0.5, 0)",
     "after is [1], want one entry per axis of x [1,4,4,8]"},
    {"%y = pad(%row) {before=[0,-1], after=[0,0]} : int8[1] q(0.5, 0)",
     "padding is [0,-1] and [0,0], wants 0 or more"},
    {"%y = transpose(%row) {perm=[1,1]} : int8[1] q(0.5, 0)",
     "perm is [1,1], wants every axis of x [1,6] once"},
    {"%y = strided_slice(%row) {begin=[0], size=[1], step=[1]} : int8[1] q(0.5, 0)",
     "begin, size and step want one entry per axis of x [1,6]"},
    {"%y = strided_slice(%row) {begin=[0,2], size=[1,5], step=[1,1]} : int8[1] q(0.5, 0)",
     "axis 1 takes 5 from 2 by 1, wants to stay in 0..5"},
    {"%y = strided_slice(%row) {begin=[0,2], size=[1,2], step=[1,1]} : int8[3] q(0.5, 0)",
     "y is [3], wants size [1,2] but for axes of 1"},
    {"%y = space_to_depth(%x) {block=0} : int8[1] q(0.5, 0)", "block is 0, wants 1..32768"},
    {"%y = space_to_depth(%x) {block=3} : int8[1] q(0.5, 0)",
     "x is [1,4,4,8], wants rows and columns in blocks of 3"},
    {"%y = depth_to_space(%x) {block=3} : int8[1] q(0.5, 0)",
     "x is [1,4,4,8], wants a multiple of 9 channels for blocks of 3"},
    {"%y = space_to_batch(%x) {block=[2], before=[0,1], after=[0]} : int8[1] q(0.5, 0)",
     "block is [2], before [0,1], after [0], want as many entries each, for axes of x [1,4,4,8]"},
    {"%y = space_to_batch(%x) {block=[0], before=[0], after=[0]} : int8[1] q(0.5, 0)",
     "axis 0 has blocks of 0, 0 before and 0 behind, wants blocks of 1 or more"},
    {"%y = space_to_batch(%x) {block=[3], before=[0], after=[0]} : int8[1] q(0.5, 0)",
     "axis 1 is 4 with its padding, wants a multiple of the block 3"},
    {"%y = space_to_batch(%x) {block=[16777216,16777216], before=[0,0], "
     "after=[16777212,16777212]} : int8[1] q(0.5, 0)",
     "the batch grows by blocks [16777216,16777216] beyond 2^40"},
    {"%y = batch_to_space(%x) {block=[3], before=[0], after=[0]} : int8[1] q(0.5, 0)",
     "x is [1,4,4,8], wants a batch that is a multiple of the blocks [3]"},
    {"%y = batch_to_space(%x) {block=[1], before=[2], after=[2]} : int8[1] q(0.5, 0)",
     "axis 1 loses 2 and 2 of its elements, nothing is left"},
    {"%y = tile(%row) {multiples=[2]} : int8[1] q(0.5, 0)",
     "multiples are [2], want one per axis of x [1,6]"},
    {"%y = tile(%row) {multiples=[2,0]} : int8[1] q(0.5, 0)",
     "multiples are [2,0], want 1 or more each"},
    {"%y = mirror_pad(%row) {before=[0], after=[0,0]} : int8[1] q(0.5, 0)",
     "before is [0], after is [0,0], want an entry for each axis of x [1,6]"},
    {"%y = mirror_pad(%row) {before=[0,6], after=[0,0]} : int8[1] q(0.5, 0)",
     "axis 1 grows by 6 and 0, a mirror shows 0..5 of it"},
    {"%y = gather(%row, %b) {axis=2} : int8[1] q(0.5, 0)",
     "want an axis of x and no more batch axes than lie before it"},
    {"%y = gather(%row, %b) {axis=1, batch_dims=1} : int8[1] q(0.5, 0)",
     "x is [1,6], indices are [3], want their first 1 axes equal"},
    {"%y = gather(%row, %b) : int8[1] q(0.5, 0)", "index 0 is 1, wants 0..0 of x [1,6]"},
    {"%y = gather_nd(%row, %b) : int8[1] q(0.5, 0)",
     "indices are [3], want a last axis of at most 2, the axes of x"},
    {"input %c : bool[5] %y = select(%c, %row, %row) : int8[1] q(0.5, 0)",
     "condition is [5], a is [1,6], b is [1,6], want extents that are alike or 1"},
    {"%y = one_hot(%b, %b, %b) : int32[3]",
     "axis is 0, wants one axis more than indices there, and one value on and off"},
    {"%y = resize_nearest(%x) : int8[1,8,8,9] q(0.5, 0)",
     "y is [1,8,8,9], wants batch and channels of x [1,4,4,8]"},
    {"%y = yolo_decode(%u, %s, %s) {stride=0, classes=2, anchors=[1, 2]} : float32[16,6]",
     "stride and classes want at least 1"},
    {"%y = yolo_decode(%u, %s, %s) {stride=8, classes=2, anchors=[1]} : float32[16,6]",
     "anchors hold 1 numbers, want width and height of each"},
    {"%y = yolo_decode(%u, %s, %s) {stride=8, classes=3, anchors=[1, 2]} : float32[16,7]",
     "head is [1,4,4,7], wants [1,h,w,8]: 1 anchors of 5 + 3 classes"},
    {"const %k : float32[4] = splat 1 %y = yolo_decode(%u, %s, %k) {stride=8, classes=2, "
     "anchors=[1, 2]} : float32[16,6]",
     "tables want [256], sigmoid_table may be [2,256]"},
    {"%y, %n = nms(%f) {max=0} : float32[1,6], int32[1]", "max is 0, wants at least 1"},
    {"input %g : float32[5,7] %y, %n = nms(%f, %g) {max=1} : float32[1,6], int32[1]",
     "rows are [5,7], want [n, 4 + classes], equal for all heads"},
    {"input %g : float32[5,7] %y, %n = nms(%g) {max=1, labelled=true} : float32[1,6], int32[1]",
     "labelled rows are [5,7], want [n, 6]"},
    {"%y = box_decode(%box) {classes=0} : float32[9,6]", "classes are 0, want 1..65535"},
    {"%y = box_decode(%box) {width=0} : float32[9,6]", "width is 0.000000, wants a number above 0"},
    {"%y = box_decode(%box) {classes=3} : float32[9,6]", "wants [1,7,n]: a box, 3 classes"},
    {"%y = box_decode(%box) {classes=5, objectness=true, channels_last=true} : float32[6,6]",
     "x is [1,6,9], wants [1,n,10]: a box, objectness, 5 classes"},
    {"%y = relu(%x) : int8[1,4] q(0.5, 0)", "wants [1,4,4,8], which follows from its inputs"},
};

const Line kTypes[] = {
    {"%y = concat(%x, %x) {axis=3, in_float=true} : int8[1,4,4,16] q(1.2e-38, 0)",
     "want scales whose ratio is a float32"},
    {"input %v : int8[4,3,3,8] q(0.1, 0) %y = conv2d(%x, %v) : int8[1,2,2,4] q(1, 0)",
     "weights are computed by the graph, want a constant"},
    {"input %v : int8[4,7] q([1, 2, 3, 4], 0, axis=0) %y = fully_connected(%u, %v) : int8[16,4] "
     "q(1, 0)",
     "weights are int8[4,7] q([1, 2, 3, 4], 0, axis=0), computed ones want one scale and zero "
     "point"},
    {"input %v : int16[2,7] q(1, 0) input %k : int8[4,7] q(0.1, 0) %y = fully_connected(%v, %k) : "
     "int16[2,4] q(1, 0)",
     "weights are computed by the graph, want a constant"},
    {"input %v : int16[6,2] q(1, 0) %y = batch_matmul(%row, %v) : int8[1,2] q(1, 0)",
     "b is int16[6,2] q(1, 0), y is int8[1,2] q(1, 0), want the same type"},
    {"input %v : int16[2,2] q(1, 0) %y = batch_matmul(%v, %v) : int16[2,2] q(0.001953125, 0)",
     "a product of the scales of a and b is 512.000000 of y's, wants less than 127 with int16"},
    {"const %v : int8[4,3,3,8] = splat 1 %y = conv2d(%x, %v) : int8[1,2,2,4] q(1, 0)",
     "weights are int8[4,3,3,8], want a scale"},
    {"const %v : int8[4,3,3,8] q([1, 1, 1], 0, axis=1) = splat 1 %y = conv2d(%x, %v) : "
     "int8[1,2,2,4] q(1, 0)",
     "weights have scales along axis 1, want them along axis 0, the output channels"},
    {"input %v : int32[4] %y = conv2d(%x, %w, %v) : int8[1,2,2,4] q(1, 0)",
     "bias is computed by the graph, wants a constant"},
    {"input %g : float32[5,6] const %k : int8[4,6] = splat 1 %y = fully_connected(%g, %k) : "
     "float32[5,4]",
     "weights beside float32 are int8[4,6], of int8 they want to be constants with one scale"},
    {"input %g : float32[1,4,4,8] const %k : int8[1,3,3,8] q(1, 0) = splat 1 %y = "
     "depthwise_conv2d(%g, %k) : float32[1,2,2,8]",
     "weights beside float32 is int8[1,3,3,8] q(1, 0), wants float32"},
    {"const %k : float32[4,6] = splat 1 const %c : int32[4] = splat 1 %y = fully_connected(%f, %k, "
     "%c) : float32[5,4]",
     "bias beside float32 is int32[4], wants float32"},
    {"%y = concat(%f, %f) {act=relu} : float32[10,6]",
     "it has an activation, of float32 it wants none: an operator of its own behind it"},
    {"%y = square(%x) : float32[1,4,4,8]",
     "x is int8[1,4,4,8] q(0.5, 0), the operator takes float32 alone"},
    {"%y = softmax(%x) : float32[1,4,4,8]",
     "x is int8[1,4,4,8] q(0.5, 0), y is float32[1,4,4,8], want the same type"},
    {"%y = reshape(%x) : int8[128] q(0.25, 0)",
     "want the same type and quantisation: the operator"},
    {"%y = gather(%row, %f) : int8[5,6,6] q(0.5, 0)",
     "indices are float32[5,6], want int32 or int64"},
    {"%y = select(%b, %b, %b) : int32[3]", "condition is int32[3], wants bool"},
    {"input %c : bool[1] %y = select(%c, %row, %f) : int8[1] q(0.5, 0)",
     "want the same type and quantisation: one of both is taken as it is"},
    {"%y = one_hot(%b, %f, %b) : int32[3,2]",
     "on is float32[5,6], y is int32[3,2], want the same type"},
    {"input %v : int32[4] %y = quantize(%v) : int8[4] q(1, 0)",
     "x is int32[4], wants one scale and zero point"},
    {"%y = quantize(%f) : int64[5,6]", "y is int64[5,6], wants int8, uint8, int16 or int32"},
    {"%y = dequantize(%f) : float32[5,6]", "x is float32[5,6], wants int8, uint8 or int16"},
    {"input %v : int16[4] q(1, 3) %y = leaky_relu(%v) : int16[4] q(1, 0)",
     "x is int16[4] q(1, 3), int16 wants a zero point of 0"},
    {"%y = leaky_relu(%x) : int16[1,4,4,8] q(1, 0)",
     "x is int8[1,4,4,8] q(0.5, 0), y is int16[1,4,4,8] q(1, 0), want the same type"},
    {"input %v : int16[1,4,4,8] q(1, 0) const %k : int32[8] = splat 1 %y = depthwise_conv2d(%v, "
     "%d, %k) : int16[1,2,2,8] q(1, 0)",
     "bias beside int16 is int32[8], wants int64"},
    {"input %v : int16[1,4,4,8] q(1, 0) %y = conv2d(%v, %w) : int16[1,2,2,4] q(0.0001, 0)",
     "a product of the scales of x and weights is 1000.000040 of y's, wants less than 127"},
    {"input %v : int16[2,7] q(1, 0) const %k : int8[4,7] q(0.1, 2) = splat 1 %y = "
     "fully_connected(%v, %k) : int16[2,4] q(1, 0)",
     "weights have zero point 2, with int16 x they want 0"},
    {"input %v : int32[4] q(1, 0) %y = quantize(%v) : uint8[4] q(1, 0)",
     "x is int32[4] q(1, 0), y is uint8[4] q(1, 0), no rule leads from one to the other"},
    {"input %v : int8[256] %y = lut(%x, %v) : int8[1,4,4,8]",
     "table is computed by the graph, wants a constant"},
    {"%y = yolo_decode(%u, %t, %s) {stride=8, classes=2, anchors=[1, 2]} : float32[16,6]",
     "sigmoid_table is int8[7], wants float32"},
    {"input %v : float32[256] %y = yolo_decode(%u, %v, %s) {stride=8, classes=2, anchors=[1, 2]} "
     ": float32[16,6]",
     "tables want to be constants"},
};

/// One part of a sound detector's end that is replaced, and what that is refused with.
struct Detection {
  const char *part, *instead, *text;
};

const Detection kDetections[] = {
    {"attributes", "classes=2", "taken"},
    {"attributes", "classes=0", "classes is 0, wants 1..1048576"},
    {"attributes", "classes=2, max=2000, classes_per_box=2000",
     "max times classes_per_box is 4000000, wants at most 1048576"},
    {"attributes", "classes=2, h_scale=0", "h_scale is 0.000000, wants a number above 0"},
    {"attributes", "classes=2, iou=1.5", "iou is 1.500000, wants above 0, at most 1"},
    {"attributes", "classes=2, score=inf", "score is inf, wants a number"},
    {"boxes", "float32[1,2,3]", "boxes are [1,2,3], want [1, n, 4 or more]"},
    {"anchors", "float32[1,4] = splat 1", "anchors are [1,4], want [2,4]: one for each box"},
    {"scores", "float32[1,2,4]",
     "scores are [1,2,4], want [1,2,2], or one more for the background"},
    {"scores", "int16[1,2,3]", "scores are int16[1,2,3], want int8 or float32"},
    {"boxes", "int8[1,2,4] q(1, 0)", "taken"},  // anchors in floats
    {"anchors", "float32[2,4] = [1, 1, 1, 1, 1, 1, 0, -1]",
     "anchor 1 has -1.000000 as its side, wants 0 or more"},
    {"anchors", "float32[2,4] = [1, inf, 1, 1, 1, 1, 0, 1]",
     "anchor 0 has inf as its centre, wants a number"},
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
              HasSubstr("anchors are computed by the graph, want constants"));
}

TEST(IrRefusals, shapes_that_do_not_fit_are_refused_by_operator_and_field) {
  for (const Line& line : kShapes) {
    EXPECT_THAT(refusal_of(line.graph), AllOf(StartsWith("ir: "), HasSubstr(line.text)))
        << line.graph;
  }
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
              HasSubstr("w_input is [3,4], wants [3,2]: 3 units, x [1,5,2]"));
  EXPECT_THAT(lstm("const %b : int32[3] = splat 1", "input %b : int32[3]"),
              HasSubstr("b_input is computed, wants a constant"));
  EXPECT_THAT(lstm("q(0.2, 0)", "q(0.2, 4)"),
              HasSubstr("r_input is int8[3,3] q(0.2, 4), a gate's weights want zero point 0"));
  EXPECT_THAT(lstm("int8[1,5,3] q(0.01, 0)", "int8[1,5,3] q(0.02, 0)"),
              HasSubstr("y is int8[1,5,3] q(0.02, 0), want one quantisation: the state is what "
                        "comes out"));
  EXPECT_THAT(lstm("q(0.00048828125, 0)", "q(0.0005, 0)"),
              HasSubstr("c_last is int16[1,3] q(0.0005, 0), its scale wants to be one of 2^-15 to "
                        "2^-9"));
  EXPECT_THAT(lstm("%h : int8[1,3] q(0.01, 0)", "%h : int8[1,3] q(0.02, 0)"),
              HasSubstr("h is int8[1,3] q(0.02, 0), wants the type of the state behind, "
                        "int8[1,3] q(0.01, 0)"));
  EXPECT_THAT(lstm("tflite", "xnnpack"), HasSubstr("under tflite numerics only"));
}

TEST(IrRefusals, int16_is_refused_under_rules_that_have_none) {
  const std::string text =
      "graph \"g\" xnnpack { input %x : int16[4] q(1, 0)\n%y = leaky_relu(%x) : int16[4] q(1, 0) }";
  EXPECT_THAT(refusal([&] { verify(parse(text)); }),
              HasSubstr("x is int16[4] q(1, 0), which the operator takes under tflite numerics "
                        "only: XNNPACK has none for it"));
}

TEST(IrRefusals, text_is_refused_with_what_was_wanted) {
  const Line lines[] = {
      {"output 3", "wanted a tensor such as %3"},
      {"const %c : int8[1] = hex 3", "wanted a string in quotes"},
      {"const %c : int8[1] = hex \"0G\"", "text: hex wants the digits 0-9 and a-f"},
      {"const %c : int8[1] = hex \"0\"", "text: hex wants two digits per byte"},
      {"input %c : int8[1.5]", "wanted a whole number "},
      {"input %c : int9[1]", "\"int9\" is no element type"},
      {"%y = conv9() : int8[1]", "text: \"conv9\" is no operator"},
      {"input %x : int8[1]", "is there already; give this one another name"},
  };
  for (const Line& line : lines) EXPECT_THAT(refusal_of(line.graph), HasSubstr(line.text));
}

/// The graph `x -> relu -> y`, to be made wrong in ways that no text can say.
Graph sound() {
  return parse(std::string(kHead) + "%y = relu(%x) : int8[1,4,4,8] q(0.5, 0) output %y }");
}

std::string refusal_after(const std::function<void(Graph&)>& change) {
  Graph graph = sound();
  change(graph);
  return refusal([&] { verify(graph); });
}

TEST(IrRefusals, graphs_that_no_text_can_say_are_refused) {
  EXPECT_EQ(refusal_after([](Graph&) {}), "taken");
  const struct {
    std::function<void(Graph&)> change;
    const char* text;
  } cases[] = {
      {[](Graph& g) { g.tensors[0].quantization.zero_points.clear(); },
       "has 1 scales and 0 zero points, wants as many"},
      {[](Graph& g) {
         g.tensors[0].quantization = {{1, 2}, {0, 0}, -1};
       },
       "has 2 scales and no axis, wants one scale or an axis"},
      {[](Graph& g) {
         g.tensors[0].quantization = {{1, 2}, {0, 0}, 3};
       },
       "of [1,4,4,8], wants one scale per index of that axis"},
      {[](Graph& g) { g.tensors[0].dtype = static_cast<DType>(99); }, "\"x\" has an unknown type"},
      {[](Graph& g) {
         g.tensors[0].shape = {1 << 30, 1 << 30};
       },
       "wants extents of at least 1 and at most 2^40 elements together"},
      {[](Graph& g) { g.ops[0].kind = static_cast<OpKind>(99); }, "an op has an unknown kind"},
      {[](Graph& g) { g.ops[0].attributes = Conv2d(); }, "carries attributes of another kind"},
      {[](Graph& g) { g.numerics = static_cast<Numerics>(9); }, "the graph's numerics are unknown"},
  };
  for (const auto& c : cases) EXPECT_THAT(refusal_after(c.change), HasSubstr(c.text));
}

TEST(IrRefusals, a_constant_is_no_input) {
  EXPECT_THAT(refusal_after([](Graph& g) {
                for (size_t t = 0; t < g.tensors.size(); ++t) {
                  if (g.tensors[t].is_constant()) return g.inputs.push_back(static_cast<int>(t));
                }
              }),
              HasSubstr("\"w\" is input and constant"));
}

/// The stored graph with bytes of it replaced by as many others.
std::string stored(const std::string& from, const std::string& to) {
  const Bytes bytes = to_bytes(parse(
      "graph \"g\" tflite { input %x : int8[1,4,4,8] q(0.5, 0) %a = leaky_relu(%x) {alpha=0.1}"
      " : int8[1,4,4,8] q(0.5, 0) %y = max_pool2d(%a) : int8[1,4,4,8] q(0.5, 0) "
      "%z = transpose(%y) {perm=[0,1,2,3]} : int8[1,4,4,8] q(0.5, 0) output %z }"));
  std::string text(bytes.begin(), bytes.end());
  for (size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
  return refusal([&] { from_bytes(Bytes(text.begin(), text.end())); });
}

TEST(IrRefusals, a_stored_graph_that_is_damaged_is_refused_with_what_to_do) {
  EXPECT_THAT(stored("max_pool2d", "max_fool2d"),
              AllOf(HasSubstr("the stored graph is damaged: it has an operator \"max_fool2d\""),
                    HasSubstr("; compile the network again to get a sound one")));
  EXPECT_THAT(stored("max_pool2d",
                     "max_\xff\xff\xff\xff"
                     "2d"),
              HasSubstr("damaged: it has a name that is not text in UTF-8; compile"));
  EXPECT_THAT(stored("stride_h", "stride_x"), HasSubstr("max_pool2d lacks its attribute stride_h"));
  EXPECT_THAT(stored("alpha", "alphX"), HasSubstr("leaky_relu lacks its attribute alpha"));
  EXPECT_THAT(stored("perm", "porm"), HasSubstr("transpose lacks its attribute perm"));
  EXPECT_THAT(refusal([] { from_bytes(Bytes(40, 1)); }), HasSubstr("its 40 bytes are no graph"));
}

/// The stored graph with one number changed where it lies.
template <class Find>
std::string patched(Find find, uint8_t value, const Graph& graph = sound()) {
  Bytes bytes = to_bytes(graph);
  const uint8_t* at = find(*stored::GetGraph(bytes.data()));
  EXPECT_NE(at, nullptr);
  if (at != nullptr) bytes[static_cast<size_t>(at - bytes.data())] = value;
  return refusal([&] { from_bytes(bytes); });
}

TEST(IrRefusals, unknown_numbers_in_a_stored_graph_are_refused) {
  Graph graph = sound();
  EXPECT_THAT(patched(
                  [](const stored::Graph& g) {
                    for (const auto* tensor : *g.tensors()) {
                      const uint8_t* at =
                          reinterpret_cast<const flatbuffers::Table*>(tensor)->GetAddressOf(
                              stored::Tensor::VT_DTYPE);
                      if (at != nullptr) return at;
                    }
                    return static_cast<const uint8_t*>(nullptr);
                  },
                  99),
              HasSubstr("damaged: a tensor has an unknown type"));
  graph.numerics = Numerics::kXnnpack;
  EXPECT_THAT(patched(
                  [](const stored::Graph& g) {
                    return reinterpret_cast<const flatbuffers::Table&>(g).GetAddressOf(
                        stored::Graph::VT_NUMERICS);
                  },
                  2, graph),
              HasSubstr("damaged: its numerics are unknown; compile the network again"));
  EXPECT_THAT(
      patched(
          [](const stored::Graph& g) {
            for (const auto* attribute : *g.ops()->Get(0)->attributes()) {
              if (attribute->name()->string_view() == "act") return attribute->integers()->Data();
            }
            return static_cast<const uint8_t*>(nullptr);
          },
          4, parse(std::string(kHead) + "%y = conv2d(%x, %w) : int8[1,2,2,4] q(1, 0) output %y }")),
      HasSubstr("damaged: conv2d has act 4, wants 0..3; compile the network again"));
}

}  // namespace
}  // namespace presil::ir
