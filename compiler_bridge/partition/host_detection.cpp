#include "compiler_bridge/partition/host_lowering.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/host/kernels.h"

namespace presil::partition {
namespace {

ir::TensorId scratch(ir::Graph& graph, const ir::Op& op, ir::DType dtype,
                     std::vector<int64_t> shape) {
  ir::Tensor tensor;
  tensor.name = graph.tensor(op.output()).name + "/scratch";
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  return graph.add(std::move(tensor));
}

layer::HostLayer yolo_decode(ir::Graph&, const ir::Op& op) {
  const auto& y = op.as<ir::YoloDecode>();
  presil_yolo_decode_attributes a{};
  a.stride = static_cast<uint32_t>(y.stride), a.classes = static_cast<uint32_t>(y.classes);
  a.anchors = static_cast<uint32_t>(y.anchors.size() / 2);
  for (size_t i = 0; i + 1 < y.anchors.size(); i += 2) {
    a.anchor_size[i / 2][0] = y.anchors[i];
    a.anchor_size[i / 2][1] = y.anchors[i + 1];
  }
  return {PRESIL_KERNEL_YOLO_DECODE, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer nms(ir::Graph& graph, const ir::Op& op) {
  const auto& n = op.as<ir::Nms>();
  int64_t rows = 0;
  for (const ir::TensorId id : op.inputs) rows += graph.tensor(id).shape.at(0);
  const int64_t classes = n.labelled ? 1 : graph.tensor(op.input(0)).shape.at(1) - 4;
  const presil_nms_attributes a{n.score, n.iou, static_cast<uint32_t>(n.max),
                                static_cast<uint32_t>(classes), n.labelled};
  return {PRESIL_KERNEL_NMS,
          op.inputs,
          {scratch(graph, op, ir::DType::kInt32, {rows * classes})},
          bytes_of(a)};
}

layer::HostLayer box_decode(ir::Graph& graph, const ir::Op& op) {
  const auto& b = op.as<ir::BoxDecode>();
  const ir::Quantization& q = graph.tensor(op.input(0)).quantization;
  const presil_box_decode_attributes a{static_cast<uint32_t>(b.classes),
                                       b.objectness,
                                       b.channels_last,
                                       b.width,
                                       b.height,
                                       q.scale(),
                                       static_cast<int32_t>(q.zero_point())};
  return {PRESIL_KERNEL_BOX_DECODE, op.inputs, {}, bytes_of(a)};
}

layer::HostLayer detection_post_process(ir::Graph& graph, const ir::Op& op) {
  const auto& d = op.as<ir::DetectionPostProcess>();
  presil_detection_attributes a{};
  a.max = static_cast<uint32_t>(d.max), a.classes = static_cast<uint32_t>(d.classes);
  a.classes_per_box = static_cast<uint32_t>(d.classes_per_box);
  a.boxes_per_class = static_cast<uint32_t>(d.boxes_per_class);
  a.regular = d.regular;
  a.score = d.score, a.iou = d.iou;
  a.y_scale = d.y_scale, a.x_scale = d.x_scale, a.h_scale = d.h_scale, a.w_scale = d.w_scale;
  const auto meaning = [&](size_t input, float& scale, int32_t& zero) {
    const ir::Quantization& q = graph.tensor(op.input(input)).quantization;
    if (q.present()) scale = q.scale(), zero = q.zero_point();
  };
  meaning(0, a.box_scale, a.box_zero);
  meaning(1, a.score_scale, a.score_zero);
  meaning(2, a.anchor_scale, a.anchor_zero);
  const int64_t n = graph.tensor(op.input(0)).shape.at(1);
  const ir::TensorId decoded = scratch(graph, op, ir::DType::kFloat32, {n, 4});
  const ir::TensorId best = scratch(graph, op, ir::DType::kFloat32, {n});
  const ir::TensorId order = scratch(graph, op, ir::DType::kInt32, {n});
  return {PRESIL_KERNEL_DETECTION_POST_PROCESS, op.inputs, {decoded, best, order}, bytes_of(a)};
}

}  // namespace

std::vector<Lowering> detection_lowerings() {
  return {
      {ir::OpKind::kYoloDecode, yolo_decode},
      {ir::OpKind::kNms, nms},
      {ir::OpKind::kDetectionPostProcess, detection_post_process},
      {ir::OpKind::kBoxDecode, box_decode},
  };
}

}  // namespace presil::partition
