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
    c.want(std::isfinite(value) && (i % 4 < 2 || value >= 0), [&] {
      return "anchor " + std::to_string(i / 4) + " has " + std::to_string(value) + " as its " +
             (i % 4 < 2 ? "centre, wants a number" : "side, wants 0 or more");
    });
  }
}

}  // namespace

void yolo_decode(const Case& c) {
  c.want_int8(c.in(0), "head");
  c.want_type(c.in(1), "sigmoid_table", DType::kFloat32);
  c.want_type(c.in(2), "exp_table", DType::kFloat32);
  c.want(c.in(1).is_constant() && c.in(2).is_constant(), "tables want to be constants");
  c.want_type(c.out(), "rows", DType::kFloat32);
}

void box_decode(const Case& c) {
  c.want_int8(c.in(0), "x");
  c.want_type(c.out(), "rows", DType::kFloat32);
}

void nms(const Case& c) {
  for (size_t i = 0; i < c.op.inputs.size(); ++i) c.want_type(c.in(i), "rows", DType::kFloat32);
  c.want_type(c.out(0), "detections", DType::kFloat32);
  c.want_type(c.out(1), "count", DType::kInt32);
}

void detection_post_process(const Case& c) {
  for (const auto& [i, who] : {std::pair{size_t{0}, "boxes"}, {1, "scores"}, {2, "anchors"}}) {
    const Tensor& tensor = c.in(i);
    c.want(tensor.dtype == DType::kInt8 || tensor.dtype == DType::kFloat32, [&, w = who] {
      return std::string(w) + " are " + type_of(tensor) + ", want int8 or float32";
    });
    if (tensor.dtype == DType::kInt8) c.want_int8(tensor, who);
  }
  c.want(c.in(2).is_constant(), "anchors are computed by the graph, want constants");
  check_sides(c, c.in(2));
  for (const auto& [i, who] :
       {std::pair{size_t{0}, "y"}, {1, "y_classes"}, {2, "y_scores"}, {3, "count"}}) {
    c.want_type(c.out(i), who, DType::kFloat32);
  }
}

}  // namespace presil::ir::types
