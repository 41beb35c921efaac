// TFLite_Detection_PostProcess: its options, and what is refused.
#include <flatbuffers/flexbuffers.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler_bridge/import/tflite.h"
#include "models/base/refusal.h"
#include "tests/import/detection_file.h"

namespace presil::import {
namespace {

using testing::HasSubstr;

std::string refusal(const TfliteFile& f) {
  try {
    import_tflite(f.bytes(), "net");
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}
std::string refusal_with(const DetectionOptions& options) {
  return refusal(detection_file(options));
}

TEST(TfliteDetection, options_become_attributes_and_results_get_their_shapes) {
  const ir::Graph graph = import_tflite(detection_file({}).bytes(), "net");
  ASSERT_EQ(graph.ops.size(), 3u);  // between two quantizes of uint8
  const ir::Op& op = graph.ops[2];
  EXPECT_EQ(op.kind, ir::OpKind::kDetectionPostProcess);
  const auto& a = op.as<ir::DetectionPostProcess>();
  EXPECT_EQ(a.max, 3);
  EXPECT_EQ(a.classes, 2);
  EXPECT_EQ(a.classes_per_box, 1);
  EXPECT_EQ(a.boxes_per_class, 100);
  EXPECT_FALSE(a.regular);
  EXPECT_EQ(a.score, 0.25f);
  EXPECT_EQ(a.iou, 0.5f);
  EXPECT_EQ(a.y_scale, 10.0f);
  EXPECT_EQ(a.w_scale, 5.0f);
  EXPECT_EQ(graph.tensor(op.outputs[0]).shape, (std::vector<int64_t>{1, 3, 4}));
  EXPECT_EQ(graph.tensor(op.outputs[3]).shape, (std::vector<int64_t>{1}));
  EXPECT_EQ(graph.tensor(op.input(2)).quantization.zero_point(), -128);
}

TEST(TfliteDetection, bytes_that_a_file_makes_floats_of_are_read_as_they_are) {
  TfliteFile f;
  const int boxes = f.add_tensor("encoded", {1, 2, 4}, file::TensorType_Int8);
  const int scores = f.add_tensor("predictions", {1, 2, 3}, file::TensorType_Int8);
  const int real_boxes = f.add_tensor("real_boxes", {1, 2, 4}, file::TensorType_Float32);
  const int real_scores = f.add_tensor("real_scores", {1, 2, 3}, file::TensorType_Float32);
  f.add_op(file::Builtin_DEQUANTIZE, {boxes}, {real_boxes});
  f.add_op(file::Builtin_DEQUANTIZE, {scores}, {real_scores});
  const int anchors = f.add_constant("anchors", {2, 4}, file::TensorType_Float32,
                                     std::vector<float>{0.5f, 0.5f, 1, 1, 0.5f, 0.5f, 1, 1});
  f.graph().inputs = {boxes, scores};
  f.graph().outputs = add_detection(f, real_boxes, real_scores, anchors, {}).outputs;
  const ir::Graph graph = import_tflite(f.bytes(), "net");
  const ir::Op& op = graph.ops.back();
  ASSERT_EQ(op.kind, ir::OpKind::kDetectionPostProcess);
  EXPECT_EQ(op.input(0), graph.inputs[0]);
  EXPECT_EQ(op.input(1), graph.inputs[1]);
  EXPECT_EQ(graph.tensor(op.input(2)).dtype, ir::DType::kFloat32);
}

TEST(TfliteDetection, regular_suppression_is_an_option) {
  DetectionOptions options;
  options.regular = true, options.per_class = 7;
  const ir::Graph graph = import_tflite(detection_file(options).bytes(), "net");
  EXPECT_TRUE(graph.ops[2].as<ir::DetectionPostProcess>().regular);
  EXPECT_EQ(graph.ops[2].as<ir::DetectionPostProcess>().boxes_per_class, 7);
}

TEST(TfliteDetection, options_that_cannot_be_are_refused_by_name) {
  DetectionOptions o;
  o.leave_out = "num_classes";
  EXPECT_THAT(refusal_with(o),
              HasSubstr("its option num_classes is missing, must be a whole number"));
  o = {}, o.leave_out = "y_scale";
  EXPECT_THAT(refusal_with(o), HasSubstr("its option y_scale is missing, must be a number"));
  o = {}, o.max = 0;
  EXPECT_THAT(refusal_with(o), HasSubstr("its option max_detections is 0, must be 1..1048576"));
  o = {}, o.max = o.per_box = 1 << 11;
  EXPECT_THAT(refusal_with(o), HasSubstr("max_detections times max_classes_per_detection is "
                                         "4194304, must be at most 1048576"));
  o = {}, o.classes = 4;
  EXPECT_THAT(refusal_with(o), HasSubstr("must be [1,2,4], or one more for the background"));
  o = {}, o.iou = 0;
  EXPECT_THAT(refusal_with(o), HasSubstr("iou is 0.000000, must be above 0, at most 1"));
  o = {}, o.text_for = "use_regular_nms";
  EXPECT_THAT(refusal_with(o), HasSubstr("is of another type, must be true or false"));
}

TEST(TfliteDetection, options_that_are_no_map_are_refused) {
  auto f = detection_file({});
  f.op().custom_options.clear();
  EXPECT_THAT(refusal(f), HasSubstr("its options are missing; export the file again"));
  f.op().custom_options.assign(4097, 0);
  EXPECT_THAT(refusal(f), HasSubstr("its options are 4097 bytes, must be at most 4096"));
  f.op().custom_options = {1, 2, 3, 4, 5, 6};
  EXPECT_THAT(refusal(f), HasSubstr("its options are damaged: they are no FlexBuffer"));
  flexbuffers::Builder number;
  number.Int(7);
  number.Finish();
  f.op().custom_options = number.GetBuffer();
  EXPECT_THAT(refusal(f), HasSubstr("its options are no map of names and values"));
}

TEST(TfliteDetection, other_custom_operators_and_results_of_another_shape_are_refused) {
  auto f = detection_file({});
  f.tensor(f.op().outputs[1]).shape = {1, 5};
  EXPECT_THAT(refusal(f), HasSubstr("its result 1 is [1,5], its options make it [1,3]"));
  f = detection_file({});
  f.op().outputs.pop_back();
  EXPECT_THAT(refusal(f), HasSubstr("it has 3 outputs, expected 4"));
  f = detection_file({});
  f.model.operator_codes[0]->custom_code = "TFLite_Detection";
  EXPECT_THAT(refusal(f), HasSubstr("CUSTOM:TFLite_Detection \"boxes\": this operator cannot be"));
  f = detection_file({});
  f.tensor(f.op().inputs[0]).type = file::TensorType_Int8;
  EXPECT_THAT(refusal(f), HasSubstr("must be uint8 or float32"));
}

// Damage to any byte of the options is refused or leaves a graph; never more than that.
TEST(TfliteDetection, damaged_options_are_refused_or_taken) {
  const auto sound = detection_file({});
  int taken = 0;
  for (size_t i = 0; i < sound.model.subgraphs[0]->operators[0]->custom_options.size(); ++i) {
    for (const int change : {1, 4, 0x40, 0x80, 0xFF}) {
      auto f = detection_file({});
      f.op().custom_options[i] = static_cast<uint8_t>(f.op().custom_options[i] ^ change);
      if (refusal(f) == "taken") ++taken;
    }
  }
  EXPECT_GT(taken, 0);
}

}  // namespace
}  // namespace presil::import
