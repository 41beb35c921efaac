// Types of the ends of detectors.
#include <cmath>

#include "compiler_bridge/ir/type_case.h"

namespace presil::ir::types {
namespace {

/// A box must not be inside out, whatever the network computes: only the anchors' sides decide
/// that.
void check_sides(const Case& c, const Tensor& anchors) {
  for (int64_t i = 0; i < anchors.elements(); ++i) {
    const auto at = static_cast<size_t>(i);
    const float value =
        anchors.dtype == DType::kFloat32
            ? anchors.values<float>()[at]
            : static_cast<float>(anchors.values<int8_t>()[at] - anchors.quantization.zero_point()) *
                  anchors.quantization.scale();
    c.require(std::isfinite(value) && (i % 4 < 2 || value >= 0), [&] {
      return "anchor " + std::to_string(i / 4) + " has " + std::to_string(value) + " as its " +
             (i % 4 < 2 ? "centre, must be a number" : "side, must be 0 or more");
    });
  }
}

}  // namespace

const char* const words::yolo_decode = "int8 to float32";
void yolo_decode(const Case& c) {
  c.require_int8(c.in(0), "head");
  c.require_type(c.in(1), "sigmoid_table", DType::kFloat32);
  c.require_type(c.in(2), "exp_table", DType::kFloat32);
  c.require(c.in(1).is_constant() && c.in(2).is_constant(), "tables must be constants");
  c.require_type(c.out(), "rows", DType::kFloat32);
}

const char* const words::box_decode = "int8 to float32";
void box_decode(const Case& c) {
  c.require_int8(c.in(0), "x");
  c.require_type(c.out(), "rows", DType::kFloat32);
}

const char* const words::nms = "float32";
void nms(const Case& c) {
  for (size_t i = 0; i < c.op.inputs.size(); ++i) c.require_type(c.in(i), "rows", DType::kFloat32);
  c.require_type(c.out(0), "detections", DType::kFloat32);
  c.require_type(c.out(1), "count", DType::kInt32);
}

const char* const words::detection_post_process = "int8 or float32 to float32";
void detection_post_process(const Case& c) {
  for (const auto& [i, subject] : {std::pair{size_t{0}, "boxes"}, {1, "scores"}, {2, "anchors"}}) {
    const Tensor& tensor = c.in(i);
    c.require(tensor.dtype == DType::kInt8 || tensor.dtype == DType::kFloat32, [&, w = subject] {
      return std::string(w) + " are " + type_of(tensor) + ", must be int8 or float32";
    });
    if (tensor.dtype == DType::kInt8) c.require_int8(tensor, subject);
  }
  c.require(c.in(2).is_constant(), "anchors are computed by the graph, expected constants");
  check_sides(c, c.in(2));
  for (const auto& [i, subject] :
       {std::pair{size_t{0}, "y"}, {1, "y_classes"}, {2, "y_scores"}, {3, "count"}}) {
    c.require_type(c.out(i), subject, DType::kFloat32);
  }
}

}  // namespace presil::ir::types
