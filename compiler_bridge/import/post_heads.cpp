// Raw heads: a yolo_decode each. What a network's numbers mean is a matter of three functions,
// which go into the graph as tables of the head's 256 values.
#include <cmath>
#include <cstring>

#include "compiler_bridge/import/post_parts.h"

namespace presil::import::post {
namespace {

constexpr int kOneClass = 1;

double sigmoid(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

/// What becomes of a box's numbers: of its centre within the cell, in cells; of its sides, in
/// anchors; of objectness and classes.
struct Functions {
  std::function<double(double)> centre, side, score;
};

/// f(scale * (q - zero_point)) for each stored value q, at index q as uint8, one function after
/// another; computed in double and rounded once, so that the graph carries the values and nothing
/// later calls the function.
ir::Tensor table(const std::string& name, const ir::Tensor& head,
                 const std::vector<std::function<double(double)>>& functions) {
  std::vector<float> entries(256 * functions.size());
  const ir::Quantization& q = head.quantization;
  for (size_t k = 0; k < functions.size(); ++k) {
    for (int value = -128; value <= 127; ++value) {
      const double x = static_cast<double>(q.scale()) * (value - q.zero_point());
      const float entry = static_cast<float>(functions[k](x));
      if (!std::isfinite(entry)) {
        refuse("the head " + ir::type_of(head) + " reaches " + std::to_string(x) +
               ", whose exponential no float32 holds; is it the right output?");
      }
      entries[256 * k + static_cast<uint8_t>(value)] = entry;
    }
  }
  ir::Tensor tensor;
  tensor.name = name;
  tensor.dtype = ir::DType::kFloat32;
  tensor.shape = {256};
  if (functions.size() > 1) tensor.shape.insert(tensor.shape.begin(), functions.size());
  ir::Bytes bytes(entries.size() * sizeof(float));
  std::memcpy(bytes.data(), entries.data(), bytes.size());
  tensor.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return tensor;
}

struct Head {
  ir::TensorId tensor;
  ir::YoloDecode decode;
  Functions functions;
  bool one = false;  ///< centres and scores have the same function
};

ir::TensorId append_decode(ir::Graph& graph, const Head& head, const std::string& name) {
  const ir::Tensor from = graph.tensor(head.tensor);
  std::vector<std::function<double(double)>> functions = {head.functions.score};
  if (!head.one) functions.push_back(head.functions.centre);
  const ir::TensorId scores = graph.add(table(name + "/sigmoid", from, functions));
  const ir::TensorId sides = graph.add(table(name + "/exp", from, {head.functions.side}));
  ir::Tensor rows;
  rows.name = name;
  rows.dtype = ir::DType::kFloat32;
  const int64_t anchors = static_cast<int64_t>(head.decode.anchors.size() / 2);
  rows.shape = {from.shape[1] * from.shape[2] * anchors, 4 + head.decode.classes};
  const ir::TensorId made = graph.add(rows);
  graph.add(
      ir::Op{ir::OpKind::kYoloDecode, name, {head.tensor, scores, sides}, {made}, head.decode, {}});
  return made;
}

std::vector<float> read_anchors(const YAML::Node& node, const std::string& where) {
  return pairs(node, where, "anchors", "an anchor");
}

/// One entry of `heads` into what stands in all types: its output, stride and anchors.
using Read = Head(const YAML::Node& node, const std::string& where);

Head yolov3(const YAML::Node& node, const std::string& where) {
  only(node, where, {"output", "stride", "anchors", "scale_x_y"});
  const double scale =
      node["scale_x_y"] ? double{real(node["scale_x_y"], where + ": scale_x_y", 1, 3)} : 1.0;
  Head head;
  head.decode.anchors = read_anchors(node, where);
  head.functions = {[scale](double x) { return scale * sigmoid(x) - (scale - 1) / 2; },
                    [](double x) { return std::exp(x); }, sigmoid};
  head.one = scale == 1.0;
  return head;
}

Head yolov5(const YAML::Node& node, const std::string& where) {
  only(node, where, {"output", "stride", "anchors"});
  Head head;
  head.decode.anchors = read_anchors(node, where);
  head.functions = {[](double x) { return 2 * sigmoid(x) - 0.5; },
                    [](double x) { return 4 * sigmoid(x) * sigmoid(x); }, sigmoid};
  return head;
}

Head yolox(const YAML::Node& node, const std::string& where) {
  only(node, where, {"output", "stride"});
  Head head;
  head.functions = {[](double x) { return x; }, [](double x) { return std::exp(x); }, sigmoid};
  return head;
}

Head complete(const ir::Graph& graph, const YAML::Node& node, const std::string& where, int classes,
              Head head) {
  head.tensor = head_of(graph, node, where);
  head.decode.classes = classes;
  head.decode.stride = whole(need(node, where, "stride"), where + ": stride", 1, 4096);
  if (head.decode.anchors.empty()) {  // sides are in strides
    head.decode.anchors.assign(2, static_cast<float>(head.decode.stride));
  }
  const ir::Tensor& tensor = graph.tensor(head.tensor);
  const int64_t expected = static_cast<int64_t>(head.decode.anchors.size() / 2) * (5 + classes);
  if (tensor.dtype != ir::DType::kInt8 || !tensor.quantization.per_tensor() ||
      tensor.shape.size() != 4 || tensor.shape[0] != 1 || tensor.shape[3] != expected) {
    refuse(where + ": output " + node["output"].as<std::string>() + " is " + ir::type_of(tensor) +
           ", must be int8[1,h,w," + std::to_string(expected) +
           "]: " + std::to_string(head.decode.anchors.size() / 2) + " anchors of 5 + " +
           std::to_string(classes) + " classes");
  }
  return head;
}

std::vector<ir::TensorId> append_heads(ir::Graph& graph, const YAML::Node& decode, int classes,
                                       Read* read) {
  const YAML::Node list = need(decode, "decode", "heads");
  if (!list.IsSequence() || list.size() == 0) refuse("decode: heads must be a list");
  std::vector<Head> heads;
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string where = "head " + std::to_string(i);
    heads.push_back(complete(graph, list[i], where, classes, read(list[i], where)));
  }
  std::vector<ir::TensorId> rows;
  for (size_t i = 0; i < heads.size(); ++i) {
    rows.push_back(append_decode(graph, heads[i], "decode" + std::to_string(i)));
  }
  return rows;
}

/// A tensor that `op` makes of others, and its type but for the shape.
ir::TensorId append(ir::Graph& graph, ir::OpKind kind, const std::string& name,
                    std::vector<ir::TensorId> from, std::vector<int64_t> shape,
                    ir::Attributes how) {
  ir::Tensor made = graph.tensor(from.front());
  made.name = name;
  made.shape = std::move(shape);
  made.data = nullptr;
  const ir::TensorId id = graph.add(made);
  graph.add(ir::Op{kind, name, std::move(from), {id}, std::move(how), {}});
  return id;
}

ir::TensorId slice(ir::Graph& graph, const std::string& name, ir::TensorId from,
                   std::vector<int64_t> begin, const std::vector<int64_t>& size) {
  const std::vector<int64_t> step(size.size(), 1);
  return append(graph, ir::OpKind::kStridedSlice, name, {from}, size,
                ir::StridedSlice{std::move(begin), size, step});
}

/// YOLOX's export: the heads' cells one after another, boxes raw, scores made. So that a box does
/// not drag the scores of all classes along, a box_decode says its best one, and yolo_decode gets
/// the box with one class, of which nothing is used.
std::vector<ir::TensorId> append_strides(ir::Graph& graph, const YAML::Node& decode, int classes) {
  const ir::TensorId output = output_of(graph, decode, "decode");
  const ir::Tensor x = graph.tensor(output);
  const std::vector<int64_t> image = image_of(graph, "cells are parts of the image");
  const YAML::Node list = need(decode, "decode", "strides");
  if (!list.IsSequence() || list.size() == 0) refuse("decode: strides must be a list of numbers");
  std::vector<int64_t> strides;
  int64_t cells = 0;
  for (const YAML::Node& entry : list) {
    strides.push_back(whole(entry, "decode: a stride", 1, 4096));
    if (image[1] % strides.back() != 0 || image[2] % strides.back() != 0) {
      refuse("decode: a stride is " + std::to_string(strides.back()) + ", of an image of " +
             std::to_string(image[1]) + " rows and " + std::to_string(image[2]) +
             " columns, which it does not divide");
    }
    cells += (image[1] / strides.back()) * (image[2] / strides.back());
  }
  if (x.dtype != ir::DType::kInt8 || !x.quantization.per_tensor() ||
      x.shape != std::vector<int64_t>{1, cells, 5 + classes}) {
    refuse("decode: output " + decode["output"].as<std::string>() + " is " + ir::type_of(x) +
           ", must be int8[1," + std::to_string(cells) + "," + std::to_string(5 + classes) +
           "]: of each cell under these strides a box, objectness, " + std::to_string(classes) +
           " classes");
  }
  const auto as_it_is = [](double value) { return value; };
  std::vector<ir::TensorId> tables;
  int64_t first = 0;
  for (size_t i = 0; i < strides.size(); ++i) {
    const std::string name = "decode" + std::to_string(i);
    const int64_t height = image[1] / strides[i], width = image[2] / strides[i];
    const ir::TensorId rows =
        slice(graph, name + "/rows", output, {0, first, 0}, {1, height * width, 5 + kOneClass});
    Head head;
    head.tensor = append(graph, ir::OpKind::kReshape, name + "/cells", {rows},
                         {1, height, width, 5 + kOneClass}, ir::None{});
    head.decode.stride = static_cast<int>(strides[i]);
    head.decode.classes = kOneClass;
    head.decode.anchors.assign(2, static_cast<float>(strides[i]));
    head.functions = {as_it_is, [](double value) { return std::exp(value); }, as_it_is};
    head.one = true;
    tables.push_back(append_decode(graph, head, name));
    first += height * width;
  }
  const ir::TensorId rows = tables.size() == 1
                                ? tables.front()
                                : append(graph, ir::OpKind::kConcat, "decode/rows", tables,
                                         {cells, 4 + kOneClass}, ir::Concat{0});
  const ir::TensorId corners = slice(graph, "decode/corners", rows, {0, 0}, {cells, 4});
  ir::BoxDecode best;
  best.classes = classes;
  best.objectness = true;
  best.channels_last = true;
  ir::Tensor scored = graph.tensor(rows);
  scored.name = "decode/best";
  scored.shape = {cells, 6};
  const ir::TensorId bests = graph.add(scored);
  graph.add(ir::Op{ir::OpKind::kBoxDecode, scored.name, {output}, {bests}, best, {}});
  const ir::TensorId labels = slice(graph, "decode/scores", bests, {0, 4}, {cells, 2});
  return {
      append(graph, ir::OpKind::kConcat, "decode", {corners, labels}, {cells, 6}, ir::Concat{1})};
}

}  // namespace

std::vector<Decoder> head_decoders() {
  using namespace std::placeholders;
  return {{"yolov3", "heads", {}, false, std::bind(append_heads, _1, _2, _3, yolov3)},
          {"yolov5", "heads", {}, false, std::bind(append_heads, _1, _2, _3, yolov5)},
          {"yolox", "heads", {}, false, std::bind(append_heads, _1, _2, _3, yolox)},
          {"yolox", "strides", {"output"}, true, append_strides}};
}

}  // namespace presil::import::post
