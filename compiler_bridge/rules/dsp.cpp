// What the vector DSP computes with driver/kernels/dsp: operators that are no product and no
// window, where the SoC has one. Limits are those that driver/kernels/dsp/params.h states. Which of
// DSP and host is faster is a question of cost, asked by `../compile`.
#include <cmath>

#include "compiler_bridge/rules/rule.h"
#include "driver/kernels/dsp/params.h"

namespace presil::rules {
namespace {

Rule boxes_and_scores() {
  return {"boxes and scores int8",
          [](const Subject& s) -> std::optional<Finding> {
            for (const size_t i : {size_t{0}, size_t{1}}) {
              if (s.in(i).dtype == ir::DType::kInt8) continue;
              return Finding{"input " + std::to_string(i), ir::type_of(s.in(i)), "int8"};
            }
            return std::nullopt;
          },
          "quantise it"};
}

Rule heads() {
  constexpr int64_t kMost = 14;
  return within("tables of rows", 1, kMost, "join some of them first",
                [](const Subject& s) { return static_cast<int64_t>(s.op.inputs.size()); });
}

// A candidate is a row and a class in 32 bits.
Rule candidates() {
  return {"rows times classes, rounded up to a power of two, at most 2^32",
          [](const Subject& s) -> std::optional<Finding> {
            const bool labelled = s.op.as<ir::Nms>().labelled;
            int64_t rows = 0, classes = labelled ? 1 : s.in(0).shape.at(1) - 4, room = 1;
            for (size_t i = 0; i < s.op.inputs.size(); ++i) rows += s.in(i).shape.at(0);
            while (room < classes) room *= 2;
            if (classes <= 65535 && rows * room < int64_t{1} << 32) return std::nullopt;
            return Finding{"rows times classes",
                           std::to_string(rows) + " x " + std::to_string(classes),
                           "numbers of 32 bits"};
          },
          "suppress class by class"};
}

Rule most_boxes(std::function<int64_t(const Subject&)> value) {
  return within("boxes", 1, PRESIL_DSP_NMS_MAX, "ask for fewer boxes", std::move(value));
}

Rule overlap_not_negative() {
  return {"iou 0 or more",
          [](const Subject& s) -> std::optional<Finding> {
            const float iou = s.op.as<ir::Nms>().iou;
            if (iou >= 0.0f) return std::nullopt;
            return Finding{"iou", std::to_string(iou), "0 or more"};
          },
          "give iou a number from 0 on"};
}

Rule anchors() {
  return within("anchors", 1, PRESIL_DSP_MAX_ANCHORS, "decode the anchors in several heads",
                [](const Subject& s) {
                  return static_cast<int64_t>(s.op.as<ir::YoloDecode>().anchors.size() / 2);
                });
}

Rule classes_of_detections() {
  return within(
      "classes", 1, PRESIL_DSP_DETECTION_CLASSES, "leave out classes",
      [](const Subject& s) -> int64_t { return s.op.as<ir::DetectionPostProcess>().classes; });
}

Rule classes_in_a_byte() {
  return within("classes", 1, PRESIL_DSP_BOX_CLASSES, "leave out classes", [](const Subject& s) {
    return static_cast<int64_t>(s.op.as<ir::BoxDecode>().classes);
  });
}

Rule boxes_in_20_bits() {
  return within("boxes to look at", 1, (1 << 20) - 1, "take fewer anchors",
                [](const Subject& s) { return s.in(0).shape.at(1); });
}

Rule finite_anchors() {
  return {"anchors finite",
          [](const Subject& s) -> std::optional<Finding> {
            const ir::Tensor& anchors = s.in(2);
            if (anchors.dtype == ir::DType::kInt8) return std::nullopt;
            const auto* first = anchors.values<float>();
            const bool finite = std::all_of(first, first + anchors.elements(),
                                            [](float v) { return std::isfinite(v); });
            if (finite) return std::nullopt;
            return Finding{"an anchor", "infinite or no number", "finite"};
          },
          "give the anchors as numbers"};
}

}  // namespace

std::vector<Entry> dsp_entries() {
  using K = ir::OpKind;
  const auto nms_max = [](const Subject& s) -> int64_t { return s.op.as<ir::Nms>().max; };
  const auto detections = [](const Subject& s) -> int64_t {
    return s.op.as<ir::DetectionPostProcess>().max;
  };
  return {
      {K::kSoftmax,
       "int8, float32",
       {of_types("x", {ir::DType::kInt8, ir::DType::kFloat32},
                 [](const Subject& s) -> const ir::Tensor& { return s.in(0); }),
        row_length(), steep_enough(), probabilities()},
       {"softmax_i8", "softmax_table_i8", "softmax_f32"}},
      {K::kLayerNorm, "float32", {at_most_6_axes()}, {"layer_norm_f32"}},
      {K::kYoloDecode, "int8 to float32", {anchors()}, {"yolo_decode"}},
      {K::kNms,
       "float32",
       {heads(), candidates(), most_boxes(nms_max), overlap_not_negative()},
       {"nms"}},
      {K::kDetectionPostProcess,
       "int8 to float32",
       {boxes_and_scores(), finite_anchors(), boxes_in_20_bits(), most_boxes(detections),
        classes_of_detections()},
       {"detection_post_process"}},
      {K::kBoxDecode, "int8 to float32", {classes_in_a_byte()}, {"box_decode"}},
  };
}

}  // namespace presil::rules
