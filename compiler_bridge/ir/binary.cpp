#include "compiler_bridge/ir/binary.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "compiler_bridge/ir/vector_allocator.h"
#include "graph_generated.h"
#include "models/base/refusal.h"
#include "models/base/utf8.h"

namespace presil::ir {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

[[noreturn]] void refuse(const std::string& what) {
  throw Refusal("ir", "the stored graph is damaged: " + what +
                          "; compile the network again to get a sound one");
}

// ---- writing ----------------------------------------------------------------------------------

struct AttributeWriter {
  FlatBufferBuilder& builder;
  std::vector<Offset<stored::Attribute>>& list;

  void integers(const char* name, const std::vector<int64_t>& values) {
    const auto key = builder.CreateString(name);
    list.push_back(stored::CreateAttribute(builder, key, builder.CreateVector(values)));
  }
  void reals(const char* name, const std::vector<float>& values) {
    const auto key = builder.CreateString(name);
    list.push_back(stored::CreateAttribute(builder, key, 0, builder.CreateVector(values)));
  }
  void operator()(const char* name, bool value) { integers(name, {value ? 1 : 0}); }
  void operator()(const char* name, int value) { integers(name, {value}); }
  void operator()(const char* name, float value) { reals(name, {value}); }
  void operator()(const char* name, Activation value) {
    integers(name, {static_cast<int64_t>(value)});
  }
  void operator()(const char* name, const std::string& value) {
    const auto key = builder.CreateString(name);
    const auto text = builder.CreateString(value);
    list.push_back(stored::CreateAttribute(builder, key, 0, 0, text));
  }
  void operator()(const char* name, const std::vector<int64_t>& value) { integers(name, value); }
  void operator()(const char* name, const std::vector<float>& value) { reals(name, value); }
};

Offset<stored::Tensor> write(FlatBufferBuilder& builder, const Tensor& tensor) {
  Offset<stored::Quantization> quantization;
  if (tensor.quantization.present()) {
    const auto scales = builder.CreateVector(tensor.quantization.scales);
    const auto zero_points = builder.CreateVector(tensor.quantization.zero_points);
    std::vector<int32_t> multiplier;
    std::vector<int8_t> shift;
    for (const FixedScale& scale : tensor.quantization.fixed) {
      multiplier.push_back(scale.multiplier), shift.push_back(scale.shift);
    }
    const bool fixed = !multiplier.empty();
    quantization = stored::CreateQuantization(
        builder, scales, zero_points, tensor.quantization.axis,
        fixed ? builder.CreateVector(multiplier) : 0, fixed ? builder.CreateVector(shift) : 0,
        tensor.quantization.round_twice);
  }
  Offset<flatbuffers::Vector<uint8_t>> data;
  if (tensor.is_constant()) {
    builder.ForceVectorAlignment(tensor.data->size(), 1, 16);
    data = builder.CreateVector(*tensor.data);
  }
  const auto name = builder.CreateString(tensor.name);
  const auto shape = builder.CreateVector(tensor.shape);
  return stored::CreateTensor(builder, name, static_cast<stored::DType>(tensor.dtype), shape,
                              quantization, data);
}

Offset<stored::Op> write(FlatBufferBuilder& builder, const Op& op) {
  std::vector<Offset<stored::Attribute>> attributes;
  std::visit(
      [&](const auto& a) {
        std::decay_t<decltype(a)>::fields(a, AttributeWriter{builder, attributes});
      },
      op.attributes);
  const auto kind = builder.CreateString(to_string(op.kind));
  const auto name = builder.CreateString(op.name);
  const auto inputs = builder.CreateVector(op.inputs);
  const auto outputs = builder.CreateVector(op.outputs);
  const auto list = builder.CreateVector(attributes);
  const auto source_ops = builder.CreateVector(op.source_ops);
  return stored::CreateOp(builder, kind, name, inputs, outputs, list, source_ops);
}

// ---- reading ----------------------------------------------------------------------------------

/// Copied as bytes: a damaged buffer may hold its numbers at odd places.
template <class T>
std::vector<T> list_of(const flatbuffers::Vector<T>* stored) {
  if (stored == nullptr || stored->size() == 0) return {};
  std::vector<T> values(stored->size());
  std::memcpy(values.data(), stored->Data(), values.size() * sizeof(T));
  return values;
}

std::string string_of(const flatbuffers::String* stored) {
  if (stored == nullptr) return {};
  if (!is_utf8(stored->string_view())) refuse("it has a name that is not text in UTF-8");
  return stored->str();
}

struct AttributeReader {
  const stored::Op& op;

  const stored::Attribute* find(const char* name) const {
    if (op.attributes() == nullptr) return nullptr;
    for (const stored::Attribute* attribute : *op.attributes()) {
      if (attribute->name()->string_view() == name) return attribute;
    }
    return nullptr;
  }
  int64_t one(const char* name, int64_t low, int64_t high) const {
    const stored::Attribute* attribute = find(name);
    if (attribute == nullptr || attribute->integers() == nullptr ||
        attribute->integers()->size() != 1) {
      refuse(op.kind()->str() + " lacks its attribute " + name);
    }
    const int64_t value = list_of(attribute->integers())[0];
    if (value < low || value > high) {
      refuse(op.kind()->str() + " has " + name + " " + std::to_string(value) + ", must be " +
             std::to_string(low) + ".." + std::to_string(high));
    }
    return value;
  }
  void operator()(const char* name, bool& value) { value = one(name, 0, 1) != 0; }
  void operator()(const char* name, int& value) {
    value = static_cast<int>(
        one(name, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
  }
  void operator()(const char* name, Activation& value) {
    value = static_cast<Activation>(one(name, 0, 3));
  }
  void operator()(const char* name, float& value) {
    std::vector<float> values;
    (*this)(name, values);
    if (values.size() != 1) refuse(op.kind()->str() + " lacks its attribute " + name);
    value = values[0];
  }
  void operator()(const char* name, std::string& value) {
    const stored::Attribute* attribute = find(name);
    if (attribute == nullptr) refuse(op.kind()->str() + " lacks its attribute " + name);
    value = string_of(attribute->text());
  }
  void operator()(const char* name, std::vector<int64_t>& value) {
    const stored::Attribute* attribute = find(name);
    if (attribute == nullptr) refuse(op.kind()->str() + " lacks its attribute " + name);
    value = list_of(attribute->integers());
  }
  void operator()(const char* name, std::vector<float>& value) {
    const stored::Attribute* attribute = find(name);
    if (attribute == nullptr) refuse(op.kind()->str() + " lacks its attribute " + name);
    value = list_of(attribute->reals());
  }
};

Tensor read(const stored::Tensor& from) {
  Tensor tensor;
  tensor.name = string_of(from.name());
  if (from.dtype() > stored::DType_MAX) refuse("a tensor has an unknown type");
  tensor.dtype = static_cast<DType>(from.dtype());
  tensor.shape = list_of(from.shape());
  if (const stored::Quantization* q = from.quantization()) {
    tensor.quantization = {list_of(q->scales()), list_of(q->zero_points()), q->axis()};
    const std::vector<int32_t> multipliers = list_of(q->multipliers());
    const std::vector<int8_t> shifts = list_of(q->shifts());
    if (multipliers.size() != shifts.size()) refuse("a tensor has fixed scales without a shift");
    for (size_t i = 0; i < shifts.size(); ++i) {
      tensor.quantization.fixed.push_back({multipliers[i], shifts[i]});
    }
    tensor.quantization.round_twice = q->round_twice();
  }
  if (from.data() != nullptr) {
    tensor.data = std::make_shared<const Bytes>(from.data()->data(),
                                                from.data()->data() + from.data()->size());
  }
  return tensor;
}

Op read(const stored::Op& from) {
  const OpInfo* entry = find_op(from.kind()->str());
  if (entry == nullptr) refuse("it has an operator \"" + string_of(from.kind()) + "\"");
  Op op;
  op.kind = entry->kind;
  op.name = string_of(from.name());
  op.inputs = list_of(from.inputs());
  op.outputs = list_of(from.outputs());
  op.source_ops = list_of(from.source_ops());
  op.attributes = entry->defaults;
  std::visit([&](auto& a) { std::decay_t<decltype(a)>::fields(a, AttributeReader{from}); },
             op.attributes);
  return op;
}

}  // namespace

constexpr size_t kRoom = 512;  // beside constants, for a tensor or an op: about what they take

Bytes to_bytes(const Graph& graph) {
  size_t constants = 0;
  for (const Tensor& tensor : graph.tensors) {
    if (tensor.is_constant()) constants += tensor.data->size();
  }
  VectorAllocator allocator;
  FlatBufferBuilder builder(constants + kRoom * (1 + graph.tensors.size() + graph.ops.size()),
                            &allocator);
  std::vector<Offset<stored::Tensor>> tensors;
  for (const Tensor& tensor : graph.tensors) tensors.push_back(write(builder, tensor));
  std::vector<Offset<stored::Op>> ops;
  for (const Op& op : graph.ops) ops.push_back(write(builder, op));
  const auto name = builder.CreateString(graph.name);
  const auto all_tensors = builder.CreateVector(tensors);
  const auto all_ops = builder.CreateVector(ops);
  const auto inputs = builder.CreateVector(graph.inputs);
  const auto outputs = builder.CreateVector(graph.outputs);
  std::vector<Offset<stored::State>> states;
  for (const State& s : graph.states) {
    states.push_back(stored::CreateState(builder, s.before, s.after));
  }
  const auto all_states = builder.CreateVector(states);
  stored::FinishGraphBuffer(
      builder, stored::CreateGraph(builder, name, static_cast<stored::Numerics>(graph.numerics),
                                   all_tensors, all_ops, inputs, outputs, all_states));
  return allocator.take(builder);
}

Graph from_bytes(const uint8_t* bytes, size_t size) {
  if (reinterpret_cast<uintptr_t>(bytes) % alignof(int64_t) != 0) {  // fields are read in place
    return from_bytes(Bytes(bytes, bytes + size));
  }
  flatbuffers::Verifier verifier(bytes, size, 64, 10'000'000);
  if (!stored::VerifyGraphBuffer(verifier)) {
    refuse("its " + std::to_string(size) + " bytes are no graph");
  }
  const stored::Graph& from = *stored::GetGraph(bytes);
  Graph graph;
  graph.name = string_of(from.name());
  if (from.numerics() > stored::Numerics_MAX) refuse("its numerics are unknown");
  graph.numerics = static_cast<Numerics>(from.numerics());
  if (from.tensors() != nullptr) {
    for (const stored::Tensor* tensor : *from.tensors()) graph.tensors.push_back(read(*tensor));
  }
  if (from.ops() != nullptr) {
    for (const stored::Op* op : *from.ops()) graph.ops.push_back(read(*op));
  }
  graph.inputs = list_of(from.inputs());
  graph.outputs = list_of(from.outputs());
  if (from.states() != nullptr) {
    for (const stored::State* s : *from.states()) graph.states.push_back({s->before(), s->after()});
  }
  verify(graph);
  return graph;
}

}  // namespace presil::ir
