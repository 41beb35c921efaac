// A file with TFLite_Detection_PostProcess alone, whose options are FlexBuffers.
#pragma once

#include <flatbuffers/flexbuffers.h>

#include "tests/import/tflite_file.h"

namespace presil::import {

struct DetectionOptions {
  int64_t max = 3, classes = 2, per_box = 1, per_class = 0;  ///< 0: left out
  bool regular = false;
  float iou = 0.5f;
  std::string leave_out;  ///< an option that is not there
  std::string text_for;   ///< an option that is a text
};

inline std::vector<uint8_t> detection_options(const DetectionOptions& o) {
  flexbuffers::Builder builder;
  builder.Map([&] {
    const auto add = [&](const char* name, auto value) {
      if (o.leave_out == name) return;
      builder.Key(name);
      if (o.text_for == name) {
        builder.String("text");
      } else {
        builder.Add(value);
      }
    };
    add("_output_quantized", true);
    add("max_detections", o.max);
    add("num_classes", o.classes);
    add("max_classes_per_detection", o.per_box);
    if (o.per_class != 0) add("detections_per_class", o.per_class);
    add("use_regular_nms", o.regular);
    add("nms_score_threshold", 0.25f);
    add("nms_iou_threshold", o.iou);
    for (const char* name : {"y_scale", "x_scale"}) add(name, 10.0f);
    for (const char* name : {"h_scale", "w_scale"}) add(name, 5.0f);
  });
  builder.Finish();
  return builder.GetBuffer();
}

/// Makes `boxes`, which has no shape in the file, as its three fellows.
inline file::OperatorT& add_detection(TfliteFile& f, int boxes, int scores, int anchors,
                                      const DetectionOptions& options) {
  std::vector<int32_t> results;
  for (const char* name : {"boxes", "classes", "scores", "count"}) {
    results.push_back(f.add_tensor(name, {}, file::TensorType_Float32));
  }
  file::OperatorT& op = f.add_op(file::Builtin_CUSTOM, {boxes, scores, anchors}, results);
  f.model.operator_codes.back()->custom_code = "TFLite_Detection_PostProcess";
  op.custom_options = detection_options(options);
  return op;
}

/// Two boxes of uint8, with a background.
inline TfliteFile detection_file(const DetectionOptions& options) {
  TfliteFile f;
  const int boxes = f.add_tensor("encoded", {1, 2, 4}, file::TensorType_Uint8);
  const int scores = f.add_tensor("predictions", {1, 2, 3}, file::TensorType_Uint8);
  const int anchors = f.add_constant("anchors", {2, 4}, file::TensorType_Uint8,
                                     std::vector<uint8_t>{10, 20, 30, 40, 50, 60, 70, 80});
  f.graph().inputs = {boxes, scores};
  f.graph().outputs = add_detection(f, boxes, scores, anchors, options).outputs;
  return f;
}

}  // namespace presil::import
