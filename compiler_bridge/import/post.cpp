// post.yaml: decode and nms become operators; README.md shows the file.
#include "compiler_bridge/import/post.h"

#include <yaml-cpp/yaml.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <set>

#include "compiler_bridge/ir/shape.h"
#include "rtl/soc/refusal.h"

namespace presil::import {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Refusal("import", "post: " + what);
}

/// One key of a mapping, which `only` has looked at; whoever asks names the place for the message.
YAML::Node need(const YAML::Node& node, const std::string& where, const std::string& key) {
  const YAML::Node value = node[key];
  if (!value) refuse(where + " lacks \"" + key + "\"");
  return value;
}

template <class T>
T scalar(const YAML::Node& node, const std::string& where, const std::string& wanted) {
  try {
    return node.as<T>();
  } catch (const YAML::Exception&) {
    refuse(where + " wants " + wanted);
  }
}

int whole(const YAML::Node& node, const std::string& where, int low, int high) {
  const std::string wanted = "a whole number " + std::to_string(low) + ".." + std::to_string(high);
  const int value = scalar<int>(node, where, wanted);
  if (value < low || value > high) {
    refuse(where + " is " + std::to_string(value) + ", wants " + wanted);
  }
  return value;
}

float real(const YAML::Node& node, const std::string& where, float low, float high) {
  const std::string wanted = "a number " + std::to_string(low) + ".." + std::to_string(high);
  const float value = scalar<float>(node, where, wanted);
  if (!(value >= low && value <= high)) {
    refuse(where + " is " + std::to_string(value) + ", wants " + wanted);
  }
  return value;
}

/// A misspelt key must not pass for a default.
void only(const YAML::Node& node, const std::string& where, const std::set<std::string>& keys) {
  if (!node.IsMap()) refuse(where + " wants keys and values");
  for (const auto& entry : node) {
    const auto key = entry.first.as<std::string>("");
    if (keys.count(key) != 0) continue;
    std::string known;
    for (const std::string& name : keys) known += (known.empty() ? "" : ", ") + name;
    refuse(where + " has an unknown key \"" + key + "\", wants " + known);
  }
}

/// f(scale * (q - zero_point)) for each stored value q, at index q as uint8; computed in double and
/// rounded once, so that the graph carries the values and nothing later calls the function.
template <class Function>
ir::Tensor table(const std::string& name, const ir::Tensor& head, Function f) {
  std::vector<float> entries(256);
  const ir::Quantization& q = head.quantization;
  for (int value = -128; value <= 127; ++value) {
    const double x = static_cast<double>(q.scale()) * (value - q.zero_point());
    const float entry = static_cast<float>(f(x));
    if (!std::isfinite(entry)) {
      refuse("the head " + ir::type_of(head) + " reaches " + std::to_string(x) +
             ", whose exponential no float32 holds; is it the right output?");
    }
    entries[static_cast<uint8_t>(value)] = entry;
  }
  ir::Tensor tensor;
  tensor.name = name;
  tensor.dtype = ir::DType::kFloat32;
  tensor.shape = {256};
  ir::Bytes bytes(256 * sizeof(float));
  std::memcpy(bytes.data(), entries.data(), bytes.size());
  tensor.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return tensor;
}

ir::TensorId output_of(const ir::Graph& graph, const YAML::Node& node, const std::string& where) {
  const int last = static_cast<int>(graph.outputs.size()) - 1;
  const int output = whole(need(node, where, "output"), where + ": output", 0, last);
  return graph.outputs[static_cast<size_t>(output)];
}

struct Head {
  ir::TensorId tensor;
  ir::YoloDecode decode;
};

Head read_head(const ir::Graph& graph, const YAML::Node& node, const std::string& where,
               int classes) {
  only(node, where, {"output", "stride", "anchors"});
  Head head{output_of(graph, node, where), {}};
  head.decode.classes = classes;
  head.decode.stride = whole(need(node, where, "stride"), where + ": stride", 1, 4096);
  const YAML::Node anchors = need(node, where, "anchors");
  if (!anchors.IsSequence() || anchors.size() == 0) {
    refuse(where + ": anchors want a list of [width, height]");
  }
  for (const YAML::Node& anchor : anchors) {
    if (!anchor.IsSequence() || anchor.size() != 2) {
      refuse(where + ": an anchor wants two numbers, [width, height]");
    }
    for (size_t i = 0; i < 2; ++i) {
      head.decode.anchors.push_back(real(anchor[i], where + ": an anchor's side", 1e-3f, 1e6f));
    }
  }
  const ir::Tensor& tensor = graph.tensor(head.tensor);
  const int64_t wanted = static_cast<int64_t>(head.decode.anchors.size() / 2) * (5 + classes);
  if (tensor.dtype != ir::DType::kInt8 || !tensor.quantization.per_tensor() ||
      tensor.shape.size() != 4 || tensor.shape[0] != 1 || tensor.shape[3] != wanted) {
    refuse(where + ": output " + node["output"].as<std::string>() + " is " + ir::type_of(tensor) +
           ", wants int8[1,h,w," + std::to_string(wanted) +
           "]: " + std::to_string(head.decode.anchors.size() / 2) + " anchors of 5 + " +
           std::to_string(classes) + " classes");
  }
  return head;
}

ir::TensorId append_decode(ir::Graph& graph, const Head& head, const std::string& name) {
  const ir::Tensor from = graph.tensor(head.tensor);
  const ir::TensorId sigmoid = graph.add(
      table(name + "/sigmoid", from, [](double x) { return 1.0 / (1.0 + std::exp(-x)); }));
  const ir::TensorId exponential =
      graph.add(table(name + "/exp", from, [](double x) { return std::exp(x); }));
  ir::Tensor rows;
  rows.name = name;
  rows.dtype = ir::DType::kFloat32;
  const int64_t anchors = static_cast<int64_t>(head.decode.anchors.size() / 2);
  rows.shape = {from.shape[1] * from.shape[2] * anchors, 4 + head.decode.classes};
  const ir::TensorId made = graph.add(rows);
  graph.add(ir::Op{
      ir::OpKind::kYoloDecode, name, {head.tensor, sigmoid, exponential}, {made}, head.decode, {}});
  return made;
}

/// One yolo_decode per head.
std::vector<ir::TensorId> append_heads(ir::Graph& graph, const YAML::Node& decode, int classes) {
  const YAML::Node list = need(decode, "decode", "heads");
  if (!list.IsSequence() || list.size() == 0) refuse("decode: heads want a list");
  std::vector<Head> heads;
  for (size_t i = 0; i < list.size(); ++i) {
    heads.push_back(read_head(graph, list[i], "head " + std::to_string(i), classes));
  }
  std::vector<ir::TensorId> rows;
  for (size_t i = 0; i < heads.size(); ++i) {
    rows.push_back(append_decode(graph, heads[i], "decode" + std::to_string(i)));
  }
  return rows;
}

/// One box_decode of an output that holds boxes and scores already.
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
           ", wants int8[1," + many + ",n] or int8[1,n," + many + "]: a box, " +
           (objectness ? "objectness, " : "") + std::to_string(classes) + " classes");
  }
  boxes.channels_last = x.shape[1] != channels;
  const auto unit = scalar<std::string>(need(decode, "decode", "unit"), "decode: unit", "a word");
  if (unit == "image") {
    const ir::Tensor& image = graph.tensor(graph.inputs.at(0));
    if (image.shape.size() != 4) {
      refuse("decode: unit is image, but the network's input is " + ir::type_of(image) +
             ", wants [1,h,w,c]; or unit pixel");
    }
    boxes.height = static_cast<float>(image.shape[1]);
    boxes.width = static_cast<float>(image.shape[2]);
  } else if (unit != "pixel") {
    refuse("decode: unit is \"" + unit + "\", wants image or pixel");
  }
  ir::Tensor rows;
  rows.name = "decode";
  rows.dtype = ir::DType::kFloat32;
  rows.shape = {x.shape[boxes.channels_last ? 1 : 2], 6};
  const ir::TensorId made = graph.add(rows);
  graph.add(ir::Op{ir::OpKind::kBoxDecode, "decode", {output}, {made}, boxes, {}});
  return {made};
}

/// What `type` may say.
struct Decoder {
  const char* type;
  std::set<std::string> keys;  ///< of its own
  bool labelled;               ///< its rows hold a box's best class
  std::function<std::vector<ir::TensorId>(ir::Graph&, const YAML::Node&, int classes)> append;
};

const Decoder& decoder_of(const YAML::Node& decode) {
  using namespace std::placeholders;
  static const std::vector<Decoder> all = {
      {"yolov3", {"heads"}, false, append_heads},
      {"yolov5", {"output", "unit"}, true, std::bind(append_boxes, _1, _2, _3, true)},
      {"yolov8", {"output", "unit"}, true, std::bind(append_boxes, _1, _2, _3, false)},
  };
  if (!decode.IsMap()) refuse("decode wants keys and values");
  const auto type = scalar<std::string>(need(decode, "decode", "type"), "decode: type", "a word");
  std::string known;
  for (const Decoder& decoder : all) {
    if (type == decoder.type) return decoder;
    known += (known.empty()             ? ""
              : &decoder == &all.back() ? " or "
                                        : ", ") +
             std::string(decoder.type);
  }
  refuse("decode: type is \"" + type + "\", wants " + known);
}

void append_nms(ir::Graph& graph, const std::vector<ir::TensorId>& rows, const ir::Nms& nms) {
  ir::Tensor detections;
  detections.name = "detections";
  detections.dtype = ir::DType::kFloat32;
  detections.shape = {nms.max, 6};
  ir::Tensor count;
  count.name = "count";
  count.dtype = ir::DType::kInt32;
  count.shape = {1};
  const ir::TensorId first = graph.add(detections);
  const ir::TensorId second = graph.add(count);
  graph.add(ir::Op{ir::OpKind::kNms, "nms", rows, {first, second}, nms, {}});
  graph.outputs.push_back(first);
  graph.outputs.push_back(second);
}

}  // namespace

std::vector<std::string> attach_post(ir::Graph& graph, const std::string& yaml) {
  YAML::Node file;
  try {
    file = YAML::Load(yaml);
  } catch (const YAML::Exception& error) {
    refuse(std::string("the file is no YAML: ") + error.what());
  }
  only(file, "the file", {"decode", "nms"});
  const YAML::Node decode = need(file, "the file", "decode");
  const Decoder& decoder = decoder_of(decode);
  std::set<std::string> keys = decoder.keys;
  keys.insert({"type", "classes"});
  only(decode, "decode", keys);

  std::vector<std::string> classes;
  const YAML::Node names = need(decode, "decode", "classes");
  if (!names.IsSequence() || names.size() == 0) refuse("decode: classes want a list of names");
  for (const YAML::Node& name : names) {
    classes.push_back(scalar<std::string>(name, "decode: a class", "a name"));
  }

  const YAML::Node limits = need(file, "the file", "nms");
  only(limits, "nms", {"score", "iou", "max"});
  ir::Nms nms;
  nms.score = real(need(limits, "nms", "score"), "nms: score", 0, 1);
  nms.iou = real(need(limits, "nms", "iou"), "nms: iou", 0, 1);
  nms.max = whole(need(limits, "nms", "max"), "nms: max", 1, 65536);

  nms.labelled = decoder.labelled;
  // A file that is refused leaves the graph as it is.
  ir::Graph extended = graph;
  append_nms(extended, decoder.append(extended, decode, static_cast<int>(classes.size())), nms);
  ir::verify(extended);
  graph = std::move(extended);
  return classes;
}

}  // namespace presil::import
