// Outputs with offsets from priors, and scores: TFLite's own end of a detector, with the priors as
// its anchors.
#include <cstring>

#include "compiler_bridge/import/post_parts.h"

namespace presil::import::post {
namespace {

ir::TensorId constant(ir::Graph& graph, const std::string& name, ir::DType dtype,
                      std::vector<int64_t> shape, const void* values, size_t size) {
  ir::Tensor tensor;
  tensor.name = name;
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  ir::Bytes bytes(size);
  std::memcpy(bytes.data(), values, size);
  tensor.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return graph.add(tensor);
}

/// Priors of one entry: of each cell as many as there are sizes.
struct Level {
  int64_t stride, rows, columns;
  std::vector<float> sizes;  ///< width, height in pixels
  int64_t priors() const { return rows * columns * static_cast<int64_t>(sizes.size() / 2); }
};

/// A cell that begins inside the image counts.
std::vector<Level> read_levels(const YAML::Node& list, int64_t height, int64_t width) {
  if (!list.IsSequence() || list.size() == 0) refuse("decode: priors must be a list");
  std::vector<Level> levels;
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string where = "prior " + std::to_string(i);
    only(list[i], where, {"stride", "sizes"});
    const int64_t stride = whole(need(list[i], where, "stride"), where + ": stride", 1, 4096);
    levels.push_back({stride, (height + stride - 1) / stride, (width + stride - 1) / stride,
                      pairs(list[i], where, "sizes", "a size")});
  }
  return levels;
}

/// y, x, height, width in parts of the image: by level, row, column, size.
std::vector<float> priors_of(const std::vector<Level>& levels, int64_t height, int64_t width) {
  const auto part = [](double pixels, int64_t of) {
    return static_cast<float>(pixels / static_cast<double>(of));
  };
  std::vector<float> priors;
  for (const Level& level : levels) {
    const auto middle = [&](int64_t cell) {
      return (static_cast<double>(cell) + 0.5) * static_cast<double>(level.stride);
    };
    for (int64_t y = 0; y < level.rows; ++y) {
      for (int64_t x = 0; x < level.columns; ++x) {
        for (size_t k = 0; k < level.sizes.size(); k += 2) {
          priors.insert(priors.end(), {part(middle(y), height), part(middle(x), width),
                                       part(double{level.sizes[k + 1]}, height),
                                       part(double{level.sizes[k]}, width)});
        }
      }
    }
  }
  return priors;
}

void append_priors(ir::Graph& graph, const YAML::Node& decode, int classes, const ir::Nms& nms) {
  ir::TensorId boxes = output_of(graph, decode, "decode", "boxes");
  const ir::TensorId scores = output_of(graph, decode, "decode", "scores");
  const std::vector<int64_t> image = image_of(graph, "priors are in pixels");
  const std::vector<Level> levels =
      read_levels(need(decode, "decode", "priors"), image[1], image[2]);
  int64_t n = 0;
  for (const Level& level : levels) n += level.priors();
  const ir::Tensor b = graph.tensor(boxes), s = graph.tensor(scores);
  const auto fits = [](const ir::Tensor& t) {
    return t.dtype == ir::DType::kFloat32 ||
           (t.dtype == ir::DType::kInt8 && t.quantization.per_tensor());
  };
  const std::string many = std::to_string(n);
  if (!fits(b) || b.shape != std::vector<int64_t>{1, n, 4}) {
    refuse("decode: boxes are " + ir::type_of(b) + ", must be int8[1," + many +
           ",4]: one for each of these priors");
  }
  if (!fits(s) || s.shape.size() != 3 || s.shape[0] != 1 || s.shape[1] != n ||
      (s.shape[2] != classes && s.shape[2] != classes + 1)) {
    refuse("decode: scores are " + ir::type_of(s) + ", must be int8[1," + many + "," +
           std::to_string(classes) + "], or one more for the background, which is in front");
  }
  const YAML::Node variances = need(decode, "decode", "variances");
  if (!variances.IsSequence() || variances.size() != 2) {
    refuse("decode: variances must be two numbers, of the centre and of the size");
  }
  const float centre = real(variances[0], "decode: a variance", 1e-3f, 1e3f);
  const float size = real(variances[1], "decode: a variance", 1e-3f, 1e3f);
  const std::string order = word(need(decode, "decode", "order"), "decode: order", "a word");
  if (order == "xywh") {
    const int32_t swapped[] = {1, 0, 3, 2};
    const ir::TensorId indices =
        constant(graph, "decode/order", ir::DType::kInt32, {4}, swapped, sizeof swapped);
    ir::Tensor turned = b;
    turned.name = "decode/boxes";
    const ir::TensorId made = graph.add(turned);
    graph.add(
        ir::Op{ir::OpKind::kGather, turned.name, {boxes, indices}, {made}, ir::Gather{2, 0}, {}});
    boxes = made;
  } else if (order != "yxhw") {
    refuse("decode: order is \"" + order + "\", must be xywh or yxhw");
  }
  ir::DetectionPostProcess d;
  d.max = nms.max;
  d.classes = classes;
  d.classes_per_box = 1;
  d.boxes_per_class = nms.max;
  d.regular = classes > 1;
  d.score = nms.score;
  d.iou = nms.iou;
  d.y_scale = d.x_scale = 1.0f / centre;
  d.h_scale = d.w_scale = 1.0f / size;
  const std::vector<float> priors = priors_of(levels, image[1], image[2]);
  const ir::TensorId anchors = constant(graph, "decode/priors", ir::DType::kFloat32, {n, 4},
                                        priors.data(), priors.size() * sizeof(float));
  std::vector<ir::TensorId> results;
  const std::pair<const char*, std::vector<int64_t>> made[] = {
      {"boxes", {1, d.max, 4}}, {"classes", {1, d.max}}, {"scores", {1, d.max}}, {"count", {1}}};
  for (const auto& [name, shape] : made) {
    ir::Tensor result;
    result.name = name;
    result.dtype = ir::DType::kFloat32;
    result.shape = shape;
    results.push_back(graph.add(result));
  }
  graph.add(ir::Op{
      ir::OpKind::kDetectionPostProcess, "detections", {boxes, scores, anchors}, results, d, {}});
  graph.outputs.insert(graph.outputs.end(), results.begin(), results.end());
}

}  // namespace

std::vector<Decoder> prior_decoders() {
  return {{"ssd", "priors", {"boxes", "scores", "variances", "order"}, false, {}, append_priors}};
}

}  // namespace presil::import::post
