#include "compiler_bridge/import/post.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler_bridge/ir/text.h"
#include "models/base/refusal.h"

namespace presil::import {
namespace {

using testing::HasSubstr;

ir::Graph network() {
  return ir::parse(R"(graph "net" tflite {
    input %x : int8[1,8,8,14] q(0.1, -3)
    %a = relu(%x) : int8[1,8,8,14] q(0.1, -3)
    %b = max_pool2d(%x) {kernel_h=2, kernel_w=2, stride_h=2, stride_w=2} : int8[1,4,4,14] q(0.1, -3)
    output %a, %b
  })");
}

const char* kPost = R"(decode:
  type: yolov3
  classes: [cat, dog]
  heads:
    - {output: 0, stride: 8, anchors: [[10, 12], [20.5, 30]]}
    - {output: 1, stride: 16, anchors: [[40, 44], [80, 90]]}
nms: {score: 0.3, iou: 0.45, max: 7}
)";

std::string refusal(std::string text, const std::string& from = "", const std::string& to = "") {
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  ir::Graph graph = network();
  try {
    attach_post(graph, text);
  } catch (const Refusal& refusal) {
    EXPECT_EQ(graph, network()) << "a refused file changes nothing";
    return refusal.what();
  }
  return "taken";
}

TEST(Post, decode_and_nms_follow_the_networks_own_outputs) {
  ir::Graph graph = network();
  EXPECT_EQ(attach_post(graph, kPost), (std::vector<std::string>{"cat", "dog"}));
  ASSERT_EQ(graph.ops.size(), 5u);
  ASSERT_EQ(graph.outputs.size(), 4u);
  EXPECT_EQ(graph.outputs[0], network().outputs[0]);
  EXPECT_EQ(graph.tensor(graph.outputs[2]).shape, (std::vector<int64_t>{7, 6}));
  EXPECT_EQ(graph.tensor(graph.outputs[2]).name, "detections");
  EXPECT_EQ(graph.tensor(graph.outputs[3]).dtype, ir::DType::kInt32);
  const ir::Op& first = graph.ops[2];
  EXPECT_EQ(first.kind, ir::OpKind::kYoloDecode);
  EXPECT_EQ(first.as<ir::YoloDecode>().anchors, (std::vector<float>{10, 12, 20.5f, 30}));
  EXPECT_EQ(graph.tensor(first.output()).shape, (std::vector<int64_t>{128, 6}));  // 8*8*2, 4+2
  EXPECT_EQ(graph.ops[4].inputs.size(), 2u);
}

TEST(Post, tables_hold_the_functions_at_each_stored_value) {
  ir::Graph graph = network();
  attach_post(graph, kPost);
  const float* sigmoid = graph.tensor(graph.ops[2].input(1)).values<float>();
  const float* exponential = graph.tensor(graph.ops[2].input(2)).values<float>();
  EXPECT_EQ(sigmoid[static_cast<uint8_t>(-3)], 0.5f);  // the zero point
  EXPECT_EQ(exponential[static_cast<uint8_t>(-3)], 1.0f);
  // q = 7: x = 0.1f * 10
  const double x = static_cast<double>(0.1f) * 10;
  EXPECT_EQ(sigmoid[7], static_cast<float>(1 / (1 + std::exp(-x))));
  EXPECT_EQ(exponential[7], static_cast<float>(std::exp(x)));
  for (int q = -127; q <= 127; ++q) {
    EXPECT_GE(sigmoid[static_cast<uint8_t>(q)], sigmoid[static_cast<uint8_t>(q - 1)]);
  }
}

ir::Graph boxes_network(const std::string& shape) {
  return ir::parse("graph \"net\" tflite { input %x : int8[1,8,16,3] q(0.1, -3) input %b : int8" +
                   shape + " q(0.25, -3) %y = relu(%b) : int8" + shape +
                   " q(0.25, -3) output %y }");
}

const char* kBoxes = R"(decode: {type: yolov8, classes: [cat, dog, cow], output: 0, unit: image}
nms: {score: 0.3, iou: 0.45, max: 7}
)";

TEST(Post, an_output_of_boxes_is_decoded_whichever_way_it_lies) {
  for (const bool last : {false, true}) {
    ir::Graph graph = boxes_network(last ? "[1,20,7]" : "[1,7,20]");
    EXPECT_EQ(attach_post(graph, kBoxes).size(), 3u);
    ASSERT_EQ(graph.ops.size(), 3u);
    ASSERT_EQ(graph.outputs.size(), 3u);
    const auto& boxes = graph.ops[1].as<ir::BoxDecode>();
    EXPECT_EQ(boxes.classes, 3);
    EXPECT_EQ(boxes.channels_last, last);
    EXPECT_FALSE(boxes.objectness);
    EXPECT_EQ(boxes.width, 16.0f);
    EXPECT_EQ(boxes.height, 8.0f);
    EXPECT_EQ(graph.tensor(graph.ops[1].output()).shape, (std::vector<int64_t>{20, 6}));
    EXPECT_TRUE(graph.ops[2].as<ir::Nms>().labelled);
  }
}

TEST(Post, yolov5_has_objectness_and_pixels_are_taken_as_they_are) {
  std::string text = kBoxes;
  text.replace(text.find("yolov8"), 6, "yolov5");
  text.replace(text.find("image"), 5, "pixel");
  ir::Graph graph = boxes_network("[1,20,8]");
  attach_post(graph, text);
  const auto& boxes = graph.ops[1].as<ir::BoxDecode>();
  EXPECT_TRUE(boxes.objectness);
  EXPECT_EQ(boxes.width, 1.0f);
  EXPECT_EQ(boxes.height, 1.0f);
}

TEST(Post, outputs_that_hold_no_boxes_are_refused) {
  const auto refused = [](ir::Graph graph, const std::string& from, const std::string& to) {
    std::string text = kBoxes;
    text.replace(text.find(from), from.size(), to);
    try {
      attach_post(graph, text);
    } catch (const Refusal& refusal) {
      return std::string(refusal.what());
    }
    return std::string("taken");
  };
  const ir::Graph graph = boxes_network("[1,7,20]");
  EXPECT_THAT(refused(graph, "unit: image", "unit: feet"),
              HasSubstr("post: decode: unit is \"feet\", must be image or pixel"));
  EXPECT_THAT(refused(graph, ", unit: image", ""), HasSubstr("decode lacks \"unit\""));
  EXPECT_THAT(refused(graph, "unit: image", "unit: image, heads: []"),
              HasSubstr("decode has an unknown key \"heads\""));
  EXPECT_THAT(refused(graph, "output: 0", "output: 1"), HasSubstr("decode: output is 1, must be"));
  EXPECT_THAT(refused(graph, ", cow", ""),
              HasSubstr("decode: output 0 is int8[1,7,20] q(0.25, -3), must be int8[1,6,n] or "
                        "int8[1,n,6]: a box, 2 classes"));
  EXPECT_THAT(refused(graph, "yolov8", "yolov5"), HasSubstr("a box, objectness, 3 classes"));
  const ir::Graph flat = ir::parse(
      "graph \"net\" tflite { input %x : int8[1,7,20] q(0.1, -3) %y = relu(%x) : int8[1,7,20] "
      "q(0.1, -3) output %y }");
  EXPECT_THAT(refused(flat, "yolov8", "yolov8"),
              HasSubstr("unit is image, but the network's input is int8[1,7,20]"));
  EXPECT_EQ(refused(flat, "image", "pixel"), "taken");
}

/// A network whose output has the cells of strides 8 and 16 of an image of 16 x 32, one after the
/// other: 2 * 4 + 1 * 2, each a box, objectness, two classes.
ir::Graph cells_network(const std::string& shape = "[1,10,7]") {
  return ir::parse("graph \"net\" tflite { input %x : int8[1,16,32,3] q(0.1, -3) input %b : int8" +
                   shape + " q(0.25, -3) %y = relu(%b) : int8" + shape +
                   " q(0.25, -3) output %y }");
}

const char* kCells = R"(decode: {type: yolox, classes: [cat, dog], output: 0, strides: [8, 16]}
nms: {score: 0.3, iou: 0.45, max: 7}
)";

float at(const ir::Graph& graph, ir::TensorId id, int value, int row = 0) {
  return graph.tensor(id).values<float>()[256 * row + static_cast<uint8_t>(value)];
}

TEST(Post, yolox_of_strides_is_cut_into_heads_whose_scores_are_made) {
  ir::Graph graph = cells_network();
  attach_post(graph, kCells);
  // relu, twice a cut, its cells and their rows; all rows, corners, best classes, scores, together
  ASSERT_EQ(graph.ops.size(), 13u);
  EXPECT_EQ(graph.ops[4].as<ir::StridedSlice>().begin, (std::vector<int64_t>{0, 8, 0}));
  const ir::Op& second = graph.ops[6];
  EXPECT_EQ(graph.tensor(second.input(0)).shape, (std::vector<int64_t>{1, 1, 2, 6}));
  EXPECT_EQ(second.as<ir::YoloDecode>().stride, 16);
  EXPECT_EQ(second.as<ir::YoloDecode>().anchors, (std::vector<float>{16, 16}));
  EXPECT_EQ(graph.tensor(second.input(1)).shape, (std::vector<int64_t>{256}));
  EXPECT_EQ(at(graph, second.input(1), 5), 2.0f);  // 0.25 * (5 + 3)
  EXPECT_EQ(at(graph, second.input(2), 5), static_cast<float>(std::exp(2.0)));
  EXPECT_EQ(graph.ops[9].as<ir::BoxDecode>().classes, 2);
  EXPECT_EQ(graph.tensor(graph.ops[11].output()).shape, (std::vector<int64_t>{10, 6}));
  EXPECT_TRUE(graph.ops[12].as<ir::Nms>().labelled);
}

TEST(Post, yolox_of_boxes_in_pixels_is_as_yolov5) {
  std::string text = kBoxes;
  text.replace(text.find("yolov8"), 6, "yolox");
  ir::Graph graph = boxes_network("[1,20,8]");
  attach_post(graph, text);
  EXPECT_TRUE(graph.ops[1].as<ir::BoxDecode>().objectness);
}

/// Centre, side and score that a head says at x = 0.5 with this type.
std::vector<float> functions(const std::string& type, const std::string& keys) {
  ir::Graph graph = ir::parse(R"(graph "net" tflite {
    input %x : int8[1,8,8,7] q(0.5, 0) %a = relu(%x) : int8[1,8,8,7] q(0.5, 0) output %a
  })");
  attach_post(graph, "decode: {type: " + type + ", classes: [cat, dog], heads: [{output: 0, " +
                         "stride: 8" + keys + "}]}\nnms: {score: 0.3, iou: 0.45, max: 7}");
  const ir::Op& decode = graph.ops[1];
  const ir::TensorId scores = decode.input(1);
  const bool two = graph.tensor(scores).shape.size() == 2;
  return {at(graph, scores, 1, two ? 1 : 0), at(graph, decode.input(2), 1), at(graph, scores, 1)};
}

TEST(Post, heads_have_the_functions_of_their_type) {
  const double s = 1 / (1 + std::exp(-0.5)), e = std::exp(0.5);
  const auto floats = [](std::vector<double> values) {
    return std::vector<float>(values.begin(), values.end());
  };
  const std::string anchors = ", anchors: [[10, 12]]";
  EXPECT_EQ(functions("yolov3", anchors), floats({s, e, s}));
  EXPECT_EQ(functions("yolov3", anchors + ", scale_x_y: 1.5"), floats({1.5 * s - 0.25, e, s}));
  EXPECT_EQ(functions("yolov5", anchors), floats({2 * s - 0.5, 4 * s * s, s}));
  EXPECT_EQ(functions("yolox", ""), floats({0.5, e, s}));
}

TEST(Post, an_output_in_floats_is_decoded_as_the_bytes_before_them) {
  ir::Graph graph = ir::parse(R"(graph "net" tflite {
    input %x : int8[1,8,16,3] q(0.1, -3) input %b : int8[1,7,20] q(0.25, -3)
    %y = dequantize(%b) : float32[1,7,20] output %y
  })");
  attach_post(graph, kBoxes);
  EXPECT_EQ(graph.ops[1].kind, ir::OpKind::kBoxDecode);
  EXPECT_EQ(graph.ops[1].input(0), graph.inputs[1]);
  EXPECT_EQ(graph.tensor(graph.outputs[0]).dtype, ir::DType::kFloat32);
}

TEST(Post, cells_that_do_not_fit_the_strides_are_refused) {
  const auto refused = [](ir::Graph graph, const std::string& from = "",
                          const std::string& to = "") {
    std::string text = kCells;
    text.replace(text.find(from), from.size(), to);
    try {
      attach_post(graph, text);
    } catch (const Refusal& refusal) {
      return std::string(refusal.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(refused(cells_network()), "taken");
  EXPECT_THAT(
      refused(cells_network("[1,11,7]")),
      HasSubstr("post: decode: output 0 is int8[1,11,7] q(0.25, -3), must be int8[1,10,7]: of "
                "each cell under these strides a box, objectness, 2 classes"));
  EXPECT_THAT(refused(cells_network(), "[8, 16]", "[]"),
              HasSubstr("decode: strides must be a list of numbers"));
  EXPECT_THAT(refused(cells_network(), "[8, 16]", "[8, 12]"),
              HasSubstr("decode: a stride is 12, of an image of 16 rows and 32 columns, which it "
                        "does not divide"));
  EXPECT_THAT(refused(cells_network(), "strides: [8, 16]", "heads: [], strides: 8"),
              HasSubstr("decode has an unknown key"));
  const ir::Graph flat = ir::parse(
      "graph \"net\" tflite { input %x : int8[1,10,7] q(0.1, -3) %y = relu(%x) : int8[1,10,7] "
      "q(0.1, -3) output %y }");
  EXPECT_THAT(refused(flat), HasSubstr("cells are parts of the image, but the network's input is "
                                       "int8[1,10,7] q(0.1, -3), must be [1,h,w,c]"));
}

/// 2 x 3 cells of stride 8, the last of each row half outside, two priors each, and one of stride
/// 16 with one: 12 + 2 boxes.
ir::Graph offsets_network(const std::string& boxes = "int8[1,14,4] q(0.5, 0)",
                          const std::string& scores = "int8[1,14,3] q(0.5, 0)") {
  return ir::parse("graph \"net\" tflite { input %x : int8[1,16,20,3] q(0.1, -3) input %b : " +
                   boxes + " input %s : " + scores + " %y = relu(%b) : " + boxes +
                   " %z = relu(%s) : " + scores + " output %y, %z }");
}

const char* kPriors = R"(decode:
  type: ssd
  classes: [cat, dog]
  boxes: 0
  scores: 1
  priors:
    - {stride: 8, sizes: [[4, 8], [10, 2]]}
    - {stride: 16, sizes: [[20, 16]]}
  variances: [0.125, 0.25]
  order: yxhw
nms: {score: 0.3, iou: 0.45, max: 7}
)";

TEST(Post, priors_are_the_anchors_of_a_detector_s_end) {
  ir::Graph graph = offsets_network();
  attach_post(graph, kPriors);
  ASSERT_EQ(graph.ops.size(), 3u);
  ASSERT_EQ(graph.outputs.size(), 6u);
  const ir::Op& end = graph.ops[2];
  EXPECT_EQ(end.input(0), graph.outputs[0]);
  const auto& d = end.as<ir::DetectionPostProcess>();
  EXPECT_EQ(d.y_scale, 8.0f);
  EXPECT_EQ(d.w_scale, 4.0f);
  EXPECT_TRUE(d.regular);
  EXPECT_EQ(d.boxes_per_class, 7);
  EXPECT_EQ(graph.tensor(graph.outputs[2]).shape, (std::vector<int64_t>{1, 7, 4}));
  const float* prior = graph.tensor(end.input(2)).values<float>();
  // y, x, height, width in parts of 16 rows and 20 columns
  EXPECT_EQ(std::vector<float>(prior + 4, prior + 8),
            (std::vector<float>{0.25f, 0.2f, 0.125f, 0.5f}));
  EXPECT_EQ(std::vector<float>(prior + 20, prior + 24),
            (std::vector<float>{0.25f, 1.0f, 0.125f, 0.5f}));
  EXPECT_EQ(std::vector<float>(prior + 52, prior + 56),
            (std::vector<float>{0.5f, 1.2f, 1.0f, 1.0f}));
}

TEST(Post, offsets_that_begin_with_x_are_turned_round) {
  std::string text = kPriors;
  text.replace(text.find("yxhw"), 4, "xywh");
  ir::Graph graph = offsets_network();
  attach_post(graph, text);
  ASSERT_EQ(graph.ops.size(), 4u);
  EXPECT_EQ(graph.ops[2].kind, ir::OpKind::kGather);
  const int32_t* order = graph.tensor(graph.ops[2].input(1)).values<int32_t>();
  EXPECT_EQ(std::vector<int32_t>(order, order + 4), (std::vector<int32_t>{1, 0, 3, 2}));
  EXPECT_EQ(graph.ops[3].input(0), graph.ops[2].output());
}

TEST(Post, offsets_that_do_not_fit_the_priors_are_refused) {
  const auto refused = [](ir::Graph graph, const std::string& from = "",
                          const std::string& to = "") {
    std::string text = kPriors;
    text.replace(text.find(from), from.size(), to);
    try {
      attach_post(graph, text);
    } catch (const Refusal& refusal) {
      return std::string(refusal.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(refused(offsets_network()), "taken");
  EXPECT_THAT(
      refused(offsets_network("int8[1,13,4] q(0.5, 0)")),
      HasSubstr("post: decode: boxes are int8[1,13,4] q(0.5, 0), must be int8[1,14,4]: one for "
                "each of these priors"));
  EXPECT_THAT(
      refused(offsets_network("int8[1,14,4] q(0.5, 0)", "int8[1,14,5] q(0.5, 0)")),
      HasSubstr("post: decode: scores are int8[1,14,5] q(0.5, 0), must be int8[1,14,2], or one "
                "more for the background, which is in front"));
  EXPECT_THAT(refused(offsets_network(), "order: yxhw", "order: xyxy"),
              HasSubstr("decode: order is \"xyxy\", must be xywh or yxhw"));
  EXPECT_THAT(refused(offsets_network(), "[0.125, 0.25]", "[0.125]"),
              HasSubstr("decode: variances must be two numbers, of the centre and of the size"));
  EXPECT_THAT(refused(offsets_network(), "[0.125, 0.25]", "[0.125, 0]"),
              HasSubstr("decode: a variance is 0.0"));
  EXPECT_THAT(refused(offsets_network(), "[[20, 16]]", "[20, 16]"),
              HasSubstr("prior 1: a size must be two numbers, [width, height]"));
  EXPECT_THAT(refused(offsets_network(), "sizes: [[20, 16]]", "size: 20"),
              HasSubstr("prior 1 has an unknown key \"size\", known are sizes, stride"));
  EXPECT_THAT(refused(offsets_network(), "scores: 1", "scores: 2"),
              HasSubstr("decode: scores is 2, must be a whole number 0..1"));
  std::string none = kPriors;
  const size_t first = none.find("    - {stride: 8");
  none.replace(first - 1, none.find("  variances") - first + 1, " []\n");
  ir::Graph graph = offsets_network();
  try {
    attach_post(graph, none);
    FAIL() << "taken";
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr("post: decode: priors must be a list"));
  }
}

TEST(Post, a_value_of_another_type_is_refused_by_what_it_must_be) {
  EXPECT_EQ(refusal(kPost, "max: 7", "max: many"),
            "import: post: nms: max must be a whole number 1..65536");
  EXPECT_EQ(refusal(kPost, "max: 7", "max: 7.5"),
            "import: post: nms: max must be a whole number 1..65536");
  EXPECT_THAT(refusal(kPost, "score: 0.3", "score: [0.3]"),
              HasSubstr("post: nms: score must be a number 0."));
  EXPECT_EQ(refusal(kPost, "[cat, dog]", "[cat, [dog]]"),
            "import: post: decode: a class must be a name");
  EXPECT_EQ(refusal(kPost, "yolov3", "[yolov3]"), "import: post: decode: type must be a word");
}

TEST(Post, a_class_may_have_the_name_null) {
  ir::Graph graph = network();
  std::string text = kPost;
  text.replace(text.find("dog"), 3, "null");
  EXPECT_EQ(attach_post(graph, text), (std::vector<std::string>{"cat", "null"}));
}

TEST(Post, files_that_do_not_say_it_are_refused_and_change_nothing) {
  EXPECT_EQ(refusal(kPost), "taken");
  EXPECT_THAT(refusal(""), HasSubstr("post: "));
  EXPECT_THAT(refusal("decode: [1, 2"), HasSubstr("post: the file is no YAML: "));
  EXPECT_THAT(refusal("[decode, nms]"), HasSubstr("post: the file must be keys and values"));
  EXPECT_THAT(refusal(kPost, "nms: {score: 0.3, iou: 0.45, max: 7}", "nms: 7"),
              HasSubstr("post: nms must be keys and values"));
  EXPECT_THAT(refusal("decode: {type: yolov3, classes: [a], heads: 3}\nnms: {score: 0, iou: 0, "
                      "max: 1}"),
              HasSubstr("post: decode: heads must be a list"));
  EXPECT_THAT(refusal(kPost, "nms:", "nsm:"), HasSubstr("unknown key \"nsm\""));
  EXPECT_THAT(refusal(kPost, "nms: {score: 0.3, iou: 0.45, max: 7}", ""),
              HasSubstr("lacks \"nms\""));
  EXPECT_THAT(
      refusal(kPost, "yolov3", "yolov9"),
      HasSubstr("decode: type is \"yolov9\", must be ssd, yolov3, yolov5, yolov8 or yolox"));
  EXPECT_THAT(refusal(kPost, "[cat, dog]", "[]"),
              HasSubstr("decode: classes must be a list of names"));
  EXPECT_THAT(refusal(kPost, "[cat, dog]", "[cat]"),
              HasSubstr("output 0 is int8[1,8,8,14] q(0.1, -3), must be int8[1,h,w,12]"));
  EXPECT_THAT(refusal(kPost, "output: 1", "output: 2"), HasSubstr("output is 2, must be a whole"));
  EXPECT_THAT(refusal(kPost, "stride: 8", "stride: big"), HasSubstr("head 0: stride must be"));
  EXPECT_THAT(refusal(kPost, "[10, 12]", "[10]"), HasSubstr("an anchor must be two numbers"));
  EXPECT_THAT(refusal(kPost, "[[10, 12], [20.5, 30]]", "12"),
              HasSubstr("post: head 0: anchors must be a list of [width, height]"));
  EXPECT_THAT(refusal(kPost, "[10, 12]", "[10, -12]"), HasSubstr("an anchor's side"));
  EXPECT_THAT(refusal(kPost, "stride: 8,", "stride: 8, scale_x_y: 0.5,"),
              HasSubstr("head 0: scale_x_y is 0.5"));
  EXPECT_THAT(refusal(kPost, "yolov3", "yolox"),
              HasSubstr("head 0 has an unknown key \"anchors\", known are output, stride"));
  EXPECT_THAT(refusal(kPost, "iou: 0.45", "iou: 1.5"), HasSubstr("nms: iou is"));
  EXPECT_THAT(refusal(kPost, "iou: 0.45", "iou: .nan"), HasSubstr("nms: iou is"));
  EXPECT_THAT(refusal(kPost, "max: 7", "max: 0"), HasSubstr("nms: max is 0"));
}

}  // namespace
}  // namespace presil::import
