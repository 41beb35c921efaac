// Graph to text; README.md has the grammar.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "compiler_bridge/ir/lexer.h"
#include "compiler_bridge/ir/number.h"
#include "compiler_bridge/ir/text.h"

namespace presil::ir {
namespace {

constexpr int64_t kInlineElements = 16;

std::string list(const std::vector<int>& values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i) {
    text += (i > 0 ? "," : "") + std::to_string(values[i]);
  }
  return text + "]";
}

struct AttributeText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(int value) const { return std::to_string(value); }
  std::string operator()(float value) const { return number(value); }
  std::string operator()(Activation value) const { return to_string(value); }
  std::string operator()(const std::string& value) const { return quoted(value); }
  std::string operator()(const std::vector<int64_t>& values) const {
    std::string text;
    for (int64_t value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
    return "[" + text + "]";
  }
  std::string operator()(const std::vector<float>& values) const {
    std::string text;
    for (float value : values) text += (text.empty() ? "" : ",") + number(value);
    return "[" + text + "]";
  }
};

/// {stride_h=2, act=relu}: the fields that differ from their default.
std::string attributes_of(const Op& op) {
  std::string text;
  std::visit(
      [&](const auto& a) {
        using Struct = std::decay_t<decltype(a)>;
        std::vector<std::string> defaults;
        const Struct initial{};
        Struct::fields(initial, [&](const char*, const auto& value) {
          defaults.push_back(AttributeText{}(value));
        });
        size_t i = 0;
        Struct::fields(a, [&](const char* name, const auto& value) {
          const std::string shown = AttributeText{}(value);
          if (shown != defaults[i++]) text += (text.empty() ? "" : ", ") + (name + ("=" + shown));
        });
      },
      op.attributes);
  return text.empty() ? "" : " {" + text + "}";
}

template <class T>
std::string elements_text(const Tensor& tensor) {
  std::string text;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    T value;
    std::memcpy(&value, tensor.data->data() + static_cast<size_t>(i) * sizeof(T), sizeof(T));
    if (i > 0) text += ", ";
    if constexpr (std::is_same_v<T, float>) {
      text += number(value);
    } else {
      text += std::to_string(value);
    }
  }
  return "[" + text + "]";
}

bool all_finite(const Tensor& tensor) {
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    float value;
    std::memcpy(&value, tensor.data->data() + static_cast<size_t>(i) * 4, 4);
    if (!std::isfinite(value)) return false;
  }
  return true;
}

std::string hex(const Bytes& bytes) {
  static const char* digits = "0123456789abcdef";
  std::string text = "hex \"";
  for (uint8_t byte : bytes) text += {digits[byte >> 4], digits[byte & 15]};
  return text + "\"";
}

/// FNV-1a, 64 bits: tells contents apart in text for people; nothing relies on it.
uint64_t fingerprint(const Bytes& bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

std::string payload(const Tensor& tensor, const PrintOptions& options) {
  const bool sound = tensor.data->size() == tensor.bytes() && !tensor.data->empty();
  const bool inline_form = sound &&
                           tensor.data->size() <= static_cast<size_t>(kInlineElements) * 8 &&
                           tensor.elements() <= kInlineElements &&
                           (tensor.dtype != DType::kFloat32 || all_finite(tensor));
  if (inline_form) {
    switch (tensor.dtype) {
      case DType::kInt8:
        return elements_text<int8_t>(tensor);
      case DType::kUint8:
      case DType::kBool:
        return elements_text<uint8_t>(tensor);
      case DType::kInt16:
        return elements_text<int16_t>(tensor);
      case DType::kInt32:
        return elements_text<int32_t>(tensor);
      case DType::kInt64:
        return elements_text<int64_t>(tensor);
      case DType::kFloat32:
        return elements_text<float>(tensor);
    }
  }
  if (options.payload) return hex(*tensor.data);
  char text[64];
  std::snprintf(text, sizeof text, "bytes %zu 0x%016llx", tensor.data->size(),
                static_cast<unsigned long long>(fingerprint(*tensor.data)));
  return text;
}

class Printer {
 public:
  Printer(const Graph& graph, const PrintOptions& options)
      : m_graph(graph), m_options(options), m_printed(graph.tensors.size(), false) {}

  std::string print() {
    m_text = "graph " + quoted(m_graph.name) + " " + to_string(m_graph.numerics) + " {\n";
    for (TensorId id : m_graph.inputs) {
      mark(id);
      m_text += "  input " + reference(id) + name_of(id) + " : " + type(id) + "\n";
    }
    for (const Op& op : m_graph.ops) print(op);
    for (size_t i = 0; i < m_printed.size(); ++i) declare(static_cast<TensorId>(i));
    for (const State& s : m_graph.states) {
      m_text += "  state " + reference(s.before) + " = " + reference(s.after) + "\n";
    }
    m_text += "  output ";
    for (size_t i = 0; i < m_graph.outputs.size(); ++i) {
      m_text += (i > 0 ? ", " : "") + reference(m_graph.outputs[i]);
    }
    return m_text + "\n}\n";
  }

 private:
  static std::string reference(TensorId id) {
    return id == kAbsent ? "_" : "%" + std::to_string(id);
  }
  bool known(TensorId id) const {
    return id >= 0 && static_cast<size_t>(id) < m_graph.tensors.size();
  }
  void mark(TensorId id) {
    if (known(id)) m_printed[static_cast<size_t>(id)] = true;
  }
  std::string name_of(TensorId id) const {
    if (!known(id)) return "";
    const std::string& name = m_options.names.empty() ? m_graph.tensor(id).name
                                                      : m_options.names.at(static_cast<size_t>(id));
    return name.empty() ? "" : " " + quoted(name);
  }
  std::string type(TensorId id) const {
    if (!known(id)) return "?";
    return m_options.payload ? exact_type_of(m_graph.tensor(id)) : type_of(m_graph.tensor(id));
  }

  /// A line for a tensor that no op and no input line introduces.
  void declare(TensorId id) {
    if (!known(id) || m_printed[static_cast<size_t>(id)]) return;
    mark(id);
    const Tensor& tensor = m_graph.tensor(id);
    m_text += tensor.is_constant() ? "  const " : "  tensor ";
    m_text += reference(id) + name_of(id) + " : " + type(id);
    if (tensor.is_constant()) m_text += " = " + payload(tensor, m_options);
    m_text += "\n";
  }

  void print(const Op& op) {
    for (TensorId id : op.inputs) {
      if (known(id) && m_graph.tensor(id).is_constant()) declare(id);
    }
    std::string made, inputs, types;
    for (TensorId id : op.outputs) {
      mark(id);
      made += (made.empty() ? "" : ", ") + reference(id) + name_of(id);
      types += (types.empty() ? "" : ", ") + type(id);
    }
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      inputs += (i > 0 ? ", " : "") + reference(op.inputs[i]);
    }
    m_text += "  " + made + " = " + to_string(op.kind);
    const bool named_as_result = !op.outputs.empty() && known(op.outputs[0]) &&
                                 m_graph.tensor(op.outputs[0]).name == op.name;
    if (!named_as_result && m_options.names.empty()) m_text += " " + quoted(op.name);
    m_text += "(" + inputs + ")" + attributes_of(op);
    if (!op.source_ops.empty()) m_text += " from " + list(op.source_ops);
    m_text += " : " + types + "\n";
  }

  const Graph& m_graph;
  const PrintOptions& m_options;
  std::vector<bool> m_printed;
  std::string m_text;
};

}  // namespace

std::string print(const Graph& graph, const PrintOptions& options) {
  return Printer(graph, options).print();
}

}  // namespace presil::ir
