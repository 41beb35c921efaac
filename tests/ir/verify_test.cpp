// What a graph must not be, and how it is said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler_bridge/ir/text.h"
#include "models/base/refusal.h"

namespace presil::ir {
namespace {

using testing::HasSubstr;

std::string refused_with(const Graph& graph) {
  try {
    verify(graph);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "sound";
}

/// A graph of one input x, then lines.
Graph graph_of(const std::string& lines, const std::string& x = "int8[1,4,4,8] q(0.5, 0)") {
  return parse("graph \"g\" tflite { input %x : " + x + "\n" + lines + "\noutput %y }");
}

const char* kConv =
    "const %w : int8[4,3,3,8] q(0.1, 0) = splat 1 const %b : int32[4] = splat 0 "
    "%y = conv2d(%x, %w, %b) : int8[1,2,2,4] q(1, 0)";

TEST(Verify, a_sound_graph_passes) {
  EXPECT_EQ(refused_with(graph_of(kConv)), "sound");
}

TEST(Verify, a_result_of_another_shape_is_refused_with_the_right_one) {
  Graph graph = graph_of(kConv);
  graph.tensors.back().shape = {1, 4, 4, 4};
  EXPECT_THAT(refused_with(graph),
              HasSubstr("op 0, conv2d \"y\": y is [1,4,4,4], must be [1,2,2,4]"));
}

TEST(Verify, weights_for_other_channels_are_refused) {
  EXPECT_THAT(refused_with(graph_of(kConv, "int8[1,4,4,7] q(0.5, 0)")),
              HasSubstr("x has 7 channels"));
}

TEST(Verify, a_kernel_larger_than_its_image_is_refused) {
  EXPECT_THAT(refused_with(graph_of(kConv, "int8[1,2,4,8] q(0.5, 0)")),
              HasSubstr("does not fit into"));
}

TEST(Verify, padding_is_less_than_the_kernel_reaches) {
  // The gate from both sides: reach is 3.
  const auto with = [](int top) {
    return refused_with(parse(
        "graph \"g\" tflite { input %x : int8[1,4,4,8] q(0.5, 0) const %w : int8[4,3,3,8] q(0.1, "
        "0) = splat 1 %y = conv2d(%x, %w) {pad_top=" +
        std::to_string(top) + "} : int8[1," + std::to_string(2 + top) +
        ",2,4] q(1, 0) output %y }"));
  };
  EXPECT_EQ(with(2), "sound");
  EXPECT_THAT(with(3), HasSubstr("pad_top is 3"));
}

TEST(Verify, ids_out_of_range_are_refused) {
  Graph graph = graph_of(kConv);
  graph.ops[0].inputs[0] = 77;
  EXPECT_THAT(refused_with(graph), HasSubstr("name tensor 77, must be 0..3"));
  graph = graph_of(kConv);
  graph.outputs = {-3};
  EXPECT_THAT(refused_with(graph), HasSubstr("the graph's outputs name tensor -3"));
}

TEST(Verify, an_op_that_reads_what_comes_later_is_refused_so_cycles_cannot_be) {
  const Graph graph =
      graph_of("%y = add(%x, %z) : int8[1,4,4,8] q(1, 0) %z = relu(%y) : int8[1,4,4,8] q(1, 0)");
  EXPECT_THAT(refused_with(graph), HasSubstr("which no earlier op makes"));
}

TEST(Verify, a_tensor_is_made_once) {
  Graph graph = graph_of(kConv);
  graph.ops.push_back(graph.ops[0]);
  EXPECT_THAT(refused_with(graph), HasSubstr("which is there already"));
}

TEST(Verify, an_output_that_nobody_makes_is_refused) {
  EXPECT_THAT(refused_with(graph_of("tensor %y : int8[1]")), HasSubstr("no op makes it"));
}

TEST(Verify, missing_quantisation_is_refused) {
  EXPECT_THAT(refused_with(graph_of("%y = relu(%x) : int8[1,4,4,8]")),
              HasSubstr("y is int8[1,4,4,8], must have one scale and zero point"));
}

TEST(Verify, types_that_an_operator_is_not_defined_for_are_refused) {
  EXPECT_THAT(refused_with(graph_of("%y = relu6(%x) : int16[1,4,4,8]", "int16[1,4,4,8]")),
              HasSubstr("x is int16[1,4,4,8], must be int8"));
}

TEST(Verify, scales_must_be_above_zero_and_zero_points_inside_the_type) {
  Graph graph = graph_of(kConv);
  graph.tensors[0].quantization.scales = {0.0f};
  EXPECT_THAT(refused_with(graph), HasSubstr("has scale 0, must be a normal number above 0"));
  graph = graph_of(kConv);
  graph.tensors[0].quantization.zero_points = {128};
  EXPECT_THAT(refused_with(graph), HasSubstr("zero point 128"));
  graph.tensors[0].quantization.zero_points = {127};
  EXPECT_EQ(refused_with(graph), "sound");
}

TEST(Verify, scales_along_an_axis_are_one_per_index) {
  Graph graph = graph_of(kConv);
  graph.tensors[1].quantization = {{1, 2, 3}, {0, 0, 0}, 0};
  EXPECT_THAT(refused_with(graph), HasSubstr("3 scales along axis 0 of [4,3,3,8]"));
  graph.tensors[1].quantization = {{1, 2, 3, 4}, {0, 0, 0, 0}, 0};
  EXPECT_EQ(refused_with(graph), "sound");
  graph.tensors[1].quantization.zero_points[2] = 1;
  EXPECT_THAT(refused_with(graph),
              HasSubstr("weights have zero point 1, with scales per channel they must be 0"));
}

TEST(Verify, one_zero_point_of_all_weights_is_an_int8) {
  Graph graph = graph_of(kConv);
  for (const int zero : {-128, 127}) {
    graph.tensors[1].quantization = {{0.5f}, {zero}, -1};
    EXPECT_EQ(refused_with(graph), "sound");
  }
  graph.tensors[1].quantization.zero_points = {128};
  EXPECT_THAT(refused_with(graph), HasSubstr("has zero point 128, must be a value of int8"));
}

TEST(Verify, a_constant_has_the_bytes_of_its_shape) {
  Graph graph = graph_of(kConv);
  graph.tensors[2].data = std::make_shared<const Bytes>(15);
  EXPECT_THAT(refused_with(graph), HasSubstr("holds 15 bytes, its type int32[4] requires 16"));
}

TEST(Verify, extents_are_at_least_one_and_their_product_stays_countable) {
  Graph graph = graph_of(kConv);
  graph.tensors[0].shape = {1, 0, 4, 8};
  EXPECT_THAT(refused_with(graph), HasSubstr("[1,0,4,8]"));
  graph.tensors[0].shape = {int64_t{1} << 40, int64_t{1} << 40};
  EXPECT_THAT(refused_with(graph), HasSubstr("2^40"));
}

TEST(Verify, arity_and_attributes_fit_the_kind) {
  Graph graph = graph_of(kConv);
  graph.ops[0].inputs.resize(1);
  EXPECT_THAT(refused_with(graph), HasSubstr("has 1 inputs, expected 2..3"));
  graph = graph_of(kConv);
  graph.ops[0].inputs[1] = kAbsent;
  EXPECT_THAT(refused_with(graph), HasSubstr("name tensor -1"));
  graph = graph_of(kConv);
  graph.ops[0].inputs[2] = kAbsent;
  EXPECT_EQ(refused_with(graph), "sound");
  graph.ops[0].attributes = Softmax{};
  EXPECT_THAT(refused_with(graph), HasSubstr("attributes of another kind"));
}

TEST(Verify, moving_operators_keep_type_and_quantisation) {
  EXPECT_THAT(refused_with(graph_of("%y = reshape(%x) : int8[128] q(0.25, 0)")),
              HasSubstr("the operator moves values"));
  EXPECT_THAT(refused_with(graph_of("%y = reshape(%x) : int8[127] q(0.5, 0)")),
              HasSubstr("as many elements"));
}

TEST(Verify, a_slice_stays_inside_its_axis) {
  const auto with = [](const std::string& begin) {
    return refused_with(
        graph_of("%y = strided_slice(%x) {begin=[0," + begin +
                 ",0,0], size=[1,2,4,8], step=[1,2,1,1]} : int8[1,2,4,8] q(0.5, 0)"));
  };
  EXPECT_EQ(with("1"), "sound");  // rows 1 and 3 of 4
  EXPECT_THAT(with("2"), HasSubstr("must remain within 0..3"));
}

TEST(Verify, a_yolo_head_has_the_channels_of_its_anchors) {
  const std::string tables =
      "const %s : float32[256] = splat 0 const %e : float32[256] = splat 0 "
      "%y = yolo_decode(%x, %s, %e) {stride=8, classes=3, anchors=[4,5]} : float32[16,7]";
  EXPECT_EQ(refused_with(graph_of(tables)), "sound");  // 8 = 1 * (5 + 3)
  EXPECT_THAT(refused_with(graph_of(tables, "int8[1,4,4,9] q(0.5, 0)")),
              HasSubstr("must be [1,h,w,8]"));
}

}  // namespace
}  // namespace presil::ir
