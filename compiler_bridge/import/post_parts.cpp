#include "compiler_bridge/import/post_parts.h"

#include "models/base/refusal.h"

namespace presil::import::post {
namespace {

template <class T>
T scalar(const YAML::Node& node, const std::string& where, const std::string& expected) {
  T value{};
  if (!YAML::convert<T>::decode(node, value)) refuse(where + " must be " + expected);
  return value;
}

}  // namespace

void refuse(const std::string& what) {
  throw Refusal("import", "post: " + what);
}

YAML::Node need(const YAML::Node& node, const std::string& where, const std::string& key) {
  const YAML::Node value = node[key];
  if (!value) refuse(where + " lacks \"" + key + "\"");
  return value;
}

std::string word(const YAML::Node& node, const std::string& where, const std::string& expected) {
  if (!node.IsScalar() && !node.IsNull()) refuse(where + " must be " + expected);
  return node.as<std::string>();  // the word null too
}

int whole(const YAML::Node& node, const std::string& where, int low, int high) {
  const std::string expected =
      "a whole number " + std::to_string(low) + ".." + std::to_string(high);
  const int value = scalar<int>(node, where, expected);
  if (value < low || value > high) {
    refuse(where + " is " + std::to_string(value) + ", must be " + expected);
  }
  return value;
}

float real(const YAML::Node& node, const std::string& where, float low, float high) {
  const std::string expected = "a number " + std::to_string(low) + ".." + std::to_string(high);
  const float value = scalar<float>(node, where, expected);
  if (!(value >= low && value <= high)) {
    refuse(where + " is " + std::to_string(value) + ", must be " + expected);
  }
  return value;
}

void only(const YAML::Node& node, const std::string& where, const std::set<std::string>& keys) {
  if (!node.IsMap()) refuse(where + " must be keys and values");
  for (const auto& entry : node) {
    const auto key = entry.first.as<std::string>("");
    if (keys.count(key) != 0) continue;
    std::string known;
    for (const std::string& name : keys) known += (known.empty() ? "" : ", ") + name;
    refuse(where + " has an unknown key \"" + key + "\", known are " + known);
  }
}

std::vector<float> pairs(const YAML::Node& node, const std::string& where, const std::string& key,
                         const std::string& one) {
  const YAML::Node list = need(node, where, key);
  if (!list.IsSequence() || list.size() == 0) {
    refuse(where + ": " + key + " must be a list of [width, height]");
  }
  std::vector<float> sides;
  for (const YAML::Node& pair : list) {
    if (!pair.IsSequence() || pair.size() != 2) {
      refuse(where + ": " + one + " must be two numbers, [width, height]");
    }
    for (size_t i = 0; i < 2; ++i) {
      sides.push_back(real(pair[i], where + ": " + one + "'s side", 1e-3f, 1e6f));
    }
  }
  return sides;
}

namespace {

// What a file ends with after a head: real numbers of its stored values, channels first.
ir::TensorId stored_form(const ir::Graph& graph, const ir::TensorId output) {
  ir::TensorId tensor = output;
  for (int producer = graph.producer(tensor); producer >= 0; producer = graph.producer(tensor)) {
    const ir::Op& op = graph.ops[static_cast<size_t>(producer)];
    const bool lifted = op.kind == ir::OpKind::kDequantize;
    const bool turned = op.kind == ir::OpKind::kTranspose &&
                        op.as<ir::Transpose>().perm == std::vector<int64_t>{0, 3, 1, 2};
    if (!lifted && !turned) break;
    tensor = op.input(0);
  }
  return graph.tensor(tensor).dtype == ir::DType::kInt8 ? tensor : output;
}

}  // namespace

ir::TensorId output_of(const ir::Graph& graph, const YAML::Node& node, const std::string& where,
                       const std::string& key) {
  const int last = static_cast<int>(graph.outputs.size()) - 1;
  const int output = whole(need(node, where, key), where + ": " + key, 0, last);
  return stored_form(graph, graph.outputs[static_cast<size_t>(output)]);
}

ir::TensorId head_of(const ir::Graph& graph, const YAML::Node& node, const std::string& where) {
  const std::vector<int64_t> channels_first = {0, 3, 1, 2};
  ir::TensorId tensor = output_of(graph, node, where);
  const int producer = graph.producer(tensor);
  if (producer < 0) return tensor;
  const ir::Op& op = graph.ops[static_cast<size_t>(producer)];
  if (op.kind != ir::OpKind::kTranspose || op.as<ir::Transpose>().perm != channels_first) {
    return tensor;
  }
  tensor = op.input(0);
  const int before = graph.producer(tensor);
  if (before < 0 || graph.tensor(tensor).dtype != ir::DType::kFloat32) return tensor;
  const ir::Op& real = graph.ops[static_cast<size_t>(before)];
  return real.kind == ir::OpKind::kDequantize ? real.input(0) : tensor;
}

std::vector<int64_t> image_of(const ir::Graph& graph, const std::string& why) {
  const ir::Tensor& image = graph.tensor(graph.inputs.at(0));
  if (image.shape.size() != 4) {
    refuse("decode: " + why + ", but the network's input is " + ir::type_of(image) +
           ", must be [1,h,w,c]");
  }
  const auto colours = [](int64_t n) { return n == 1 || n == 3; };
  const std::vector<int64_t>& s = image.shape;
  if (colours(s[1]) && !colours(s[3])) return {s[0], s[2], s[3], s[1]};  // as ONNX has images
  return s;
}

}  // namespace presil::import::post
