// Outputs that hold boxes and scores: one box_decode.
#include "compiler_bridge/import/post_parts.h"

namespace presil::import::post {
namespace {

std::vector<ir::TensorId> append_boxes(ir::Graph& graph, const YAML::Node& decode, int classes,
                                       bool objectness) {
  const ir::TensorId output = output_of(graph, decode, "decode");
  const ir::Tensor x = graph.tensor(output);
  ir::BoxDecode boxes;
  boxes.classes = classes;
  boxes.objectness = objectness;
  const int64_t channels = boxes.channels();
  const bool fits = x.dtype == ir::DType::kInt8 && x.quantization.per_tensor() &&
                    x.shape.size() == 3 && x.shape[0] == 1;
  if (!fits || (x.shape[1] != channels && x.shape[2] != channels)) {
    const std::string many = std::to_string(channels);
    refuse("decode: output " + decode["output"].as<std::string>() + " is " + ir::type_of(x) +
           ", must be int8[1," + many + ",n] or int8[1,n," + many + "]: a box, " +
           (objectness ? "objectness, " : "") + std::to_string(classes) + " classes");
  }
  boxes.channels_last = x.shape[1] != channels;
  const std::string unit = word(need(decode, "decode", "unit"), "decode: unit", "a word");
  if (unit == "image") {
    const std::vector<int64_t>& image = image_of(graph, "unit is image");
    boxes.height = static_cast<float>(image[1]);
    boxes.width = static_cast<float>(image[2]);
  } else if (unit != "pixel") {
    refuse("decode: unit is \"" + unit + "\", must be image or pixel");
  }
  ir::Tensor rows;
  rows.name = "decode";
  rows.dtype = ir::DType::kFloat32;
  rows.shape = {x.shape[boxes.channels_last ? 1 : 2], 6};
  const ir::TensorId made = graph.add(rows);
  graph.add(ir::Op{ir::OpKind::kBoxDecode, "decode", {output}, {made}, boxes, {}});
  return {made};
}

}  // namespace

std::vector<Decoder> box_decoders() {
  using namespace std::placeholders;
  const std::set<std::string> keys = {"output"};
  return {{"yolov5", "unit", keys, true, std::bind(append_boxes, _1, _2, _3, true)},
          {"yolov8", "unit", keys, true, std::bind(append_boxes, _1, _2, _3, false)},
          {"yolox", "unit", keys, true, std::bind(append_boxes, _1, _2, _3, true)}};
}

}  // namespace presil::import::post
