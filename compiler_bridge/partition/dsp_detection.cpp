// What follows a detector's network: boxes out of its heads, and the best of them.
#include <algorithm>
#include <array>
#include <cmath>

#include "compiler_bridge/partition/dsp_lowering.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/dsp/params.h"

namespace presil::partition {
namespace {

// Each cell is a row of the head and A rows of the result.
layer::DspLayer yolo_decode(ir::Graph& graph, const ir::Op& op) {
  const auto& y = op.as<ir::YoloDecode>();
  presil_dsp_yolo_decode params{};
  params.stride = static_cast<uint32_t>(y.stride);
  params.classes = static_cast<uint32_t>(y.classes);
  params.anchors = static_cast<uint32_t>(y.anchors.size() / 2);
  for (size_t i = 0; i + 1 < y.anchors.size(); i += 2) {
    params.anchor_size[i / 2][0] = y.anchors[i];
    params.anchor_size[i / 2][1] = y.anchors[i + 1];
  }
  const ir::Tensor& rows = graph.tensor(op.output());
  layer::DspLayer layer;
  layer.kernel = "yolo_decode";
  for (const ir::TensorId id : op.inputs) layer.inputs.push_back(whole(graph, id));
  layer.outputs = {whole(graph, op.output())};
  layer.params = bytes_of(params);
  layer.cost = {"yolo_decode", {rows.shape[0], y.classes}};
  layer.host_kernel = "yolo_decode";
  layer.host_elements = static_cast<uint64_t>(rows.elements());
  return layer;
}

layer::DspLayer nms(ir::Graph& graph, const ir::Op& op) {
  const auto& n = op.as<ir::Nms>();
  const int64_t classes = n.labelled ? 1 : graph.tensor(op.input(0)).shape.at(1) - 4;
  int64_t rows = 0;
  layer::DspLayer layer;
  layer.kernel = "nms";
  for (const ir::TensorId id : op.inputs) {
    layer.inputs.push_back(whole(graph, id));
    rows += graph.tensor(id).shape.at(0);
  }
  for (const ir::TensorId id : op.outputs) layer.outputs.push_back(whole(graph, id));
  const presil_dsp_nms params{n.score, n.iou, static_cast<uint32_t>(n.max),
                              static_cast<uint32_t>(classes), n.labelled};
  layer.params = bytes_of(params);
  // What the shape alone decides: the host's figure has no more in it, and candidates cost either.
  layer.cost = {"nms", {rows, classes, 0, 0}};
  layer.longest = {"nms_in_turns", {rows, classes, rows * classes, n.max}};  // all are candidates
  layer.host_kernel = "nms";
  layer.host_elements = static_cast<uint64_t>(rows * classes);
  return layer;
}

layer::DspLayer box_decode(ir::Graph& graph, const ir::Op& op) {
  const auto& b = op.as<ir::BoxDecode>();
  const ir::Quantization& q = graph.tensor(op.input(0)).quantization;
  const presil_dsp_box_decode params{static_cast<uint32_t>(b.classes),
                                     b.objectness,
                                     b.channels_last,
                                     b.width,
                                     b.height,
                                     q.scale(),
                                     static_cast<int32_t>(q.zero_point())};
  const ir::Tensor& rows = graph.tensor(op.output());
  const uint64_t boxes = static_cast<uint64_t>(rows.shape.at(0));
  layer::DspLayer layer;
  layer.kernel = "box_decode";
  layer.inputs = {whole(graph, op.input(0))};
  layer.outputs = {whole(graph, op.output())};
  layer.params = bytes_of(params);
  layer.cost = {"box_decode", {rows.shape.at(0), b.classes, b.channels_last ? 1 : 0}};
  layer.host_kernel = "box_decode";
  layer.host_elements = boxes * static_cast<uint64_t>(b.classes);
  return layer;
}

// In double, as the operator is defined (reference/operators/detection_post_process.cpp).
double exponential(double v) {
  constexpr double kLimit = 700.0, kLn2High = 0.693147180369123816490,
                   kLn2Low = 1.90821492927058770002e-10, kPerLn2 = 1.4426950408889634;
  constexpr int kTerms = 13;
  const double x = std::isnan(v) ? -kLimit : std::clamp(v, -kLimit, kLimit);
  const double twos = std::nearbyint(x * kPerLn2);
  const double rest = (x - twos * kLn2High) - twos * kLn2Low;
  double sum = 1.0;
  for (int k = kTerms; k > 0; --k) sum = 1.0 + sum * rest / k;
  return std::ldexp(sum, static_cast<int>(twos));
}

/// What of a box depends on its stored value alone: centres by height and width of the anchor,
/// half sides; by the value as uint8, the bits of doubles.
std::vector<int64_t> box_tables(const ir::Quantization& q, const ir::DetectionPostProcess& d) {
  constexpr size_t kValues = 256;
  std::vector<int64_t> tables(4 * kValues);
  for (int value = -128; value < 128; ++value) {
    const double v = static_cast<float>(value - static_cast<int32_t>(q.zero_point())) * q.scale();
    const std::array<double, 4> entries = {v / static_cast<double>(d.y_scale),
                                           v / static_cast<double>(d.x_scale),
                                           0.5 * exponential(v / static_cast<double>(d.h_scale)),
                                           0.5 * exponential(v / static_cast<double>(d.w_scale))};
    for (size_t k = 0; k < entries.size(); ++k) {
      std::memcpy(&tables[kValues * k + static_cast<uint8_t>(value)], &entries[k],
                  sizeof entries[k]);
    }
  }
  return tables;
}

std::vector<float> real_values(const ir::Tensor& tensor) {
  const auto n = static_cast<size_t>(tensor.elements());
  if (tensor.dtype == ir::DType::kFloat32) {
    return {tensor.values<float>(), tensor.values<float>() + n};
  }
  std::vector<float> values;
  const auto zero = static_cast<int32_t>(tensor.quantization.zero_point());
  for (size_t i = 0; i < n; ++i) {
    values.push_back(static_cast<float>(tensor.values<int8_t>()[i] - zero) *
                     tensor.quantization.scale());
  }
  return values;
}

/// How many boxes come into question depends on the image: this many for each that is asked for.
constexpr int64_t kCandidates = 4;

layer::DspLayer detection_post_process(ir::Graph& graph, const ir::Op& op) {
  const auto& d = op.as<ir::DetectionPostProcess>();
  presil_dsp_detection params{};
  params.max = static_cast<uint32_t>(d.max);
  params.classes = static_cast<uint32_t>(d.classes);
  params.classes_per_box = static_cast<uint32_t>(d.classes_per_box);
  params.boxes_per_class = static_cast<uint32_t>(d.boxes_per_class);
  params.regular = d.regular ? 1 : 0;
  params.score = d.score;
  params.iou = d.iou;
  const ir::Quantization scores = graph.tensor(op.input(1)).quantization;
  params.score_scale = scores.scale();
  params.score_zero = static_cast<int32_t>(scores.zero_point());

  const std::string name = graph.tensor(op.output()).name;
  const int64_t boxes = graph.tensor(op.input(2)).shape.at(0);
  const ir::TensorId anchors = add_constant(graph, name + "/anchors", ir::DType::kFloat32,
                                            {boxes, 4}, real_values(graph.tensor(op.input(2))));
  const ir::TensorId tables = add_constant(graph, name + "/tables", ir::DType::kInt64, {4, 256},
                                           box_tables(graph.tensor(op.input(0)).quantization, d));
  layer::DspLayer layer;
  layer.kernel = "detection_post_process";
  for (const ir::TensorId id : {op.input(0), op.input(1), anchors, tables}) {
    layer.inputs.push_back(whole(graph, id));
  }
  for (const ir::TensorId id : op.outputs) layer.outputs.push_back(whole(graph, id));
  layer.params = bytes_of(params);
  const int64_t found = std::min(boxes, kCandidates * d.max);
  layer.cost = {"detection_post_process", {boxes, d.classes, found, found}};
  const int64_t all = boxes * (d.regular ? d.classes : 1);
  layer.longest = {"detection_post_process_in_turns", {boxes, d.classes, all, all}};
  layer.host_kernel = "detection_post_process";
  layer.host_elements = static_cast<uint64_t>(graph.tensor(op.input(1)).elements());
  return layer;
}

}  // namespace

std::vector<DspLowering> dsp_detection_lowerings() {
  using K = ir::OpKind;
  return {
      {K::kYoloDecode, yolo_decode},
      {K::kNms, nms},
      {K::kDetectionPostProcess, detection_post_process},
      {K::kBoxDecode, box_decode},
  };
}

}  // namespace presil::partition
