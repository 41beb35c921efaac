#include "compiler_bridge/ir/graph.h"

#include <algorithm>
#include <cstdio>
#include <functional>

namespace presil::ir {

Graph::Graph() = default;
Graph::Graph(const Graph&) = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(const Graph&) = default;
Graph& Graph::operator=(Graph&&) noexcept = default;
Graph::~Graph() = default;

size_t size_of(DType dtype) {
  switch (dtype) {
    case DType::kInt8:
    case DType::kUint8:
    case DType::kBool:
      return 1;
    case DType::kInt16:
      return 2;
    case DType::kInt32:
    case DType::kFloat32:
      return 4;
    case DType::kInt64:
      return 8;
  }
  return 0;
}

const char* to_string(DType dtype) {
  switch (dtype) {
    case DType::kInt8:
      return "int8";
    case DType::kUint8:
      return "uint8";
    case DType::kInt16:
      return "int16";
    case DType::kInt32:
      return "int32";
    case DType::kInt64:
      return "int64";
    case DType::kFloat32:
      return "float32";
    case DType::kBool:
      return "bool";
  }
  return "?";
}

const char* to_string(Numerics numerics) {
  switch (numerics) {
    case Numerics::kTflite:
      return "tflite";
    case Numerics::kXnnpack:
      return "xnnpack";
    case Numerics::kTosa:
      return "tosa";
    case Numerics::kOnnx:
      return "onnx";
  }
  return "?";
}

const char* to_string(Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return "none";
    case Activation::kRelu:
      return "relu";
    case Activation::kRelu6:
      return "relu6";
    case Activation::kReluN1To1:
      return "relu_n1_to_1";
  }
  return "?";
}

bool Quantization::operator==(const Quantization& other) const {
  return scales == other.scales && zero_points == other.zero_points && axis == other.axis &&
         fixed == other.fixed && round_twice == other.round_twice;
}

int64_t Tensor::elements() const {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

bool Tensor::operator==(const Tensor& other) const {
  const bool same_data =
      data == other.data || (data != nullptr && other.data != nullptr && *data == *other.data);
  return name == other.name && dtype == other.dtype && shape == other.shape &&
         quantization == other.quantization && same_data;
}

TensorId Graph::add(Tensor tensor) {
  tensors.push_back(std::move(tensor));
  return static_cast<TensorId>(tensors.size() - 1);
}

Op& Graph::add(Op op) {
  ops.push_back(std::move(op));
  return ops.back();
}

int Graph::producer(TensorId id) const {
  for (size_t i = 0; i < ops.size(); ++i) {
    const auto& made = ops[i].outputs;
    if (std::find(made.begin(), made.end(), id) != made.end()) return static_cast<int>(i);
  }
  return -1;
}

std::vector<int> Graph::consumers(TensorId id) const {
  std::vector<int> found;
  for (size_t i = 0; i < ops.size(); ++i) {
    const auto& read = ops[i].inputs;
    if (std::find(read.begin(), read.end(), id) != read.end()) found.push_back(static_cast<int>(i));
  }
  return found;
}

bool Graph::is_output(TensorId id) const {
  return std::find(outputs.begin(), outputs.end(), id) != outputs.end();
}

bool Graph::operator==(const Graph& other) const {
  return name == other.name && numerics == other.numerics && tensors == other.tensors &&
         ops == other.ops && inputs == other.inputs && outputs == other.outputs &&
         states == other.states;
}

Uses uses(const Graph& graph) {
  Uses result;
  result.producer.assign(graph.tensors.size(), -1);
  result.consumers.resize(graph.tensors.size());
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    const int index = static_cast<int>(i);
    for (TensorId id : graph.ops[i].outputs) result.producer.at(static_cast<size_t>(id)) = index;
    for (TensorId id : graph.ops[i].inputs) {
      if (id == kAbsent) continue;
      auto& readers = result.consumers.at(static_cast<size_t>(id));
      if (readers.empty() || readers.back() != index) readers.push_back(index);
    }
  }
  return result;
}

std::string describe(const Graph& graph, const Op& op) {
  std::string text;
  const Op* first = graph.ops.data();
  const bool inside = !std::less<>()(&op, first) && std::less<>()(&op, first + graph.ops.size());
  if (inside) text = "op " + std::to_string(&op - first) + ", ";
  text += to_string(op.kind);
  if (!op.name.empty()) text += " \"" + op.name + "\"";
  return text;
}

void drop_unused_tensors(Graph& graph) {
  std::vector<TensorId> renumbered(graph.tensors.size(), kAbsent);
  const auto keep = [&](const std::vector<TensorId>& ids) {
    for (TensorId id : ids) {
      if (id != kAbsent) renumbered.at(static_cast<size_t>(id)) = 0;
    }
  };
  keep(graph.inputs);
  keep(graph.outputs);
  for (const Op& op : graph.ops) keep(op.inputs), keep(op.outputs);

  std::vector<Tensor> kept;
  for (size_t i = 0; i < renumbered.size(); ++i) {
    if (renumbered[i] == kAbsent) continue;
    renumbered[i] = static_cast<TensorId>(kept.size());
    kept.push_back(std::move(graph.tensors[i]));
  }
  graph.tensors = std::move(kept);

  const auto rename = [&](std::vector<TensorId>& ids) {
    for (TensorId& id : ids) {
      if (id != kAbsent) id = renumbered[static_cast<size_t>(id)];
    }
  };
  rename(graph.inputs);
  rename(graph.outputs);
  for (State& state : graph.states) {  // inputs and outputs, which stay
    state.before = renumbered[static_cast<size_t>(state.before)];
    state.after = renumbered[static_cast<size_t>(state.after)];
  }
  for (Op& op : graph.ops) rename(op.inputs), rename(op.outputs);
}

}  // namespace presil::ir
