// Text to graph; README.md has the grammar.
#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

#include "compiler_bridge/ir/lexer.h"
#include "compiler_bridge/ir/text.h"
#include "models/base/refusal.h"

namespace presil::ir {
namespace {

constexpr int64_t kMaxElements = int64_t{1} << 31;  // what a person may write; real files are less

/// The values that `random SEED` stands for: splitmix64, one step per element.
class Random {
 public:
  explicit Random(uint64_t seed) : m_state(seed) {}
  uint64_t next() {
    uint64_t z = (m_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  uint64_t m_state;
};

template <class T>
void append(Bytes& bytes, T value) {
  uint8_t raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  bytes.insert(bytes.end(), raw, raw + sizeof(T));
}

struct AttributeParser {
  Lexer& lexer;
  const std::string& sought;
  bool& found;

  template <class T>
  void operator()(const char* name, T& value) {
    if (found || sought != name) return;
    found = true;
    read(value);
  }

 private:
  void read(bool& value) {
    if (lexer.accept("true")) {
      value = true;
    } else {
      lexer.expect("false");
      value = false;
    }
  }
  void read(int& value) {
    value = static_cast<int>(
        lexer.integer(std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
  }
  void read(float& value) { value = lexer.real(); }
  void read(Activation& value) {
    for (int i = 0; i < 4; ++i) {
      value = static_cast<Activation>(i);
      if (lexer.accept(to_string(value))) return;
    }
    lexer.refuse("none, relu, relu6 or relu_n1_to_1");
  }
  void read(std::string& value) { value = lexer.string(); }
  void read(std::vector<int64_t>& values) {
    values.clear();
    lexer.expect("[");
    while (!lexer.accept("]")) {
      if (!values.empty()) lexer.expect(",");
      values.push_back(
          lexer.integer(std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()));
    }
  }
  void read(std::vector<float>& values) {
    values.clear();
    lexer.expect("[");
    while (!lexer.accept("]")) {
      if (!values.empty()) lexer.expect(",");
      values.push_back(lexer.real());
    }
  }
};

class Parser {
 public:
  explicit Parser(const std::string& text) : m_lexer(text) {}

  Graph parse() {
    m_lexer.expect("graph");
    m_graph.name = m_lexer.string();
    if (m_lexer.accept("xnnpack")) {
      m_graph.numerics = Numerics::kXnnpack;
    } else if (m_lexer.accept("tosa")) {
      m_graph.numerics = Numerics::kTosa;
    } else if (m_lexer.accept("onnx")) {
      m_graph.numerics = Numerics::kOnnx;
    } else {
      m_lexer.expect("tflite");
    }
    m_lexer.expect("{");
    while (!m_lexer.accept("}")) statement();
    if (m_lexer.peek().kind != Lexer::Kind::kEnd) m_lexer.refuse("the end");
    number_as_labelled();
    return std::move(m_graph);
  }

 private:
  void statement() {
    if (m_lexer.accept("input")) {
      const TensorId id = definition();
      m_lexer.expect(":");
      type(m_graph.tensor(id));
      m_graph.inputs.push_back(id);
    } else if (m_lexer.accept("const")) {
      const TensorId id = definition();
      m_lexer.expect(":");
      type(m_graph.tensor(id));
      m_lexer.expect("=");
      m_graph.tensor(id).data = std::make_shared<const Bytes>(payload(m_graph.tensor(id)));
    } else if (m_lexer.accept("tensor")) {
      const TensorId id = definition();
      m_lexer.expect(":");
      type(m_graph.tensor(id));
    } else if (m_lexer.accept("state")) {
      State state;
      state.before = reference();
      m_lexer.expect("=");
      state.after = reference();
      m_graph.states.push_back(state);
    } else if (m_lexer.accept("output")) {
      while (m_lexer.peek().kind == Lexer::Kind::kReference) {
        m_graph.outputs.push_back(reference());
        if (!m_lexer.accept(",")) break;
      }
    } else {
      operation();
    }
  }

  /// %label "name": a tensor that this line introduces.
  TensorId definition() {
    const Lexer::Token token = m_lexer.peek();
    const TensorId id = reference();
    if (m_defined[static_cast<size_t>(id)]) {
      throw Refusal("ir", "text line " + std::to_string(token.line) + ": %" + token.text +
                              " is there already; give this one another name");
    }
    m_defined[static_cast<size_t>(id)] = true;
    if (m_lexer.peek().kind == Lexer::Kind::kString) {
      m_graph.tensor(id).name = m_lexer.string();
    } else if (!is_number(token.text)) {
      m_graph.tensor(id).name = token.text;
    }
    return id;
  }

  /// %label, a new tensor when it was not seen yet.
  TensorId reference() {
    if (m_lexer.peek().kind != Lexer::Kind::kReference) m_lexer.refuse("a tensor such as %3");
    const std::string label = m_lexer.next().text;
    const auto [entry, is_new] = m_ids.emplace(label, static_cast<TensorId>(m_labels.size()));
    if (is_new) {
      m_labels.push_back(label);
      m_defined.push_back(false);
      m_graph.add(Tensor{});
    }
    return entry->second;
  }

  static bool is_number(const std::string& label) {
    return std::all_of(label.begin(), label.end(), [](char c) { return c >= '0' && c <= '9'; });
  }

  void type(Tensor& tensor) {
    const std::string name = m_lexer.word("a type such as int8[1,8,8,16]");
    bool found = false;
    for (int i = 0; i <= static_cast<int>(DType::kBool); ++i) {
      if (name != to_string(static_cast<DType>(i))) continue;
      tensor.dtype = static_cast<DType>(i);
      found = true;
    }
    if (!found) throw Refusal("ir", "text: \"" + name + "\" is no element type");
    m_lexer.expect("[");
    int64_t count = 1;
    while (!m_lexer.accept("]")) {
      if (!tensor.shape.empty()) m_lexer.expect(",");
      tensor.shape.push_back(m_lexer.integer(0, kMaxElements / std::max<int64_t>(count, 1)));
      count *= tensor.shape.back();
    }
    if (m_lexer.accept("q")) quantization(tensor.quantization);
    if (m_lexer.accept("fixed")) fixed(tensor.quantization);
  }

  void fixed(Quantization& q) {
    m_lexer.expect("(");
    while (!m_lexer.accept(")")) {
      if (!q.fixed.empty()) m_lexer.expect(",");
      m_lexer.expect("[");
      FixedScale scale;
      scale.multiplier =
          static_cast<int32_t>(m_lexer.integer(0, std::numeric_limits<int32_t>::max()));
      m_lexer.expect(",");
      scale.shift = static_cast<int8_t>(m_lexer.integer(2, 62));
      m_lexer.expect("]");
      q.fixed.push_back(scale);
    }
    q.round_twice = m_lexer.accept("twice");
  }

  void quantization(Quantization& q) {
    const int64_t low = std::numeric_limits<int64_t>::min();
    const int64_t high = std::numeric_limits<int64_t>::max();
    m_lexer.expect("(");
    if (!m_lexer.accept("[")) {
      q.scales = {m_lexer.real()};
      m_lexer.expect(",");
      q.zero_points = {m_lexer.integer(low, high)};
      return m_lexer.expect(")");
    }
    while (!m_lexer.accept("]")) {
      if (!q.scales.empty()) m_lexer.expect(",");
      q.scales.push_back(m_lexer.real());
    }
    m_lexer.expect(",");
    if (m_lexer.accept("[")) {
      while (!m_lexer.accept("]")) {
        if (!q.zero_points.empty()) m_lexer.expect(",");
        q.zero_points.push_back(m_lexer.integer(low, high));
      }
    } else {
      q.zero_points.assign(q.scales.size(), m_lexer.integer(low, high));
    }
    m_lexer.expect(",");
    m_lexer.expect("axis");
    m_lexer.expect("=");
    q.axis = static_cast<int>(m_lexer.integer(-1, 64));
    m_lexer.expect(")");
  }

  /// One element, read from the text, appended to the bytes.
  void element(DType dtype, Bytes& bytes) {
    const auto whole = [&](int64_t low, int64_t high) { return m_lexer.integer(low, high); };
    switch (dtype) {
      case DType::kInt8:
        return append(bytes, static_cast<int8_t>(whole(-128, 127)));
      case DType::kUint8:
        return append(bytes, static_cast<uint8_t>(whole(0, 255)));
      case DType::kBool:
        return append(bytes, static_cast<uint8_t>(whole(0, 1)));
      case DType::kInt16:
        return append(bytes, static_cast<int16_t>(whole(-32768, 32767)));
      case DType::kInt32:
        return append(bytes, static_cast<int32_t>(whole(std::numeric_limits<int32_t>::min(),
                                                        std::numeric_limits<int32_t>::max())));
      case DType::kInt64:
        return append(
            bytes, whole(std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()));
      case DType::kFloat32:
        return append(bytes, m_lexer.real());
    }
  }

  Bytes payload(const Tensor& tensor) {
    Bytes bytes;
    if (m_lexer.accept("splat")) {
      Bytes one;
      element(tensor.dtype, one);
      for (int64_t i = 0; i < tensor.elements(); ++i) {
        bytes.insert(bytes.end(), one.begin(), one.end());
      }
    } else if (m_lexer.accept("random")) {
      Random random(static_cast<uint64_t>(m_lexer.integer(0, std::numeric_limits<int64_t>::max())));
      for (int64_t i = 0; i < tensor.elements(); ++i) random_element(tensor.dtype, random, bytes);
    } else if (m_lexer.accept("hex")) {
      bytes = hex(m_lexer.string());
    } else if (m_lexer.accept("bytes")) {
      throw Refusal("ir", "text line " + std::to_string(m_lexer.peek().line) +
                              ": the constant's bytes were left out when this text was printed; "
                              "print it with payload to read it back");
    } else {
      m_lexer.expect("[");
      for (bool first = true; !m_lexer.accept("]"); first = false) {
        if (!first) m_lexer.expect(",");
        element(tensor.dtype, bytes);
      }
    }
    return bytes;
  }

  /// All values of a byte; +-4095 for wider integers; -1 to 1 in steps of 2^-12 for floats.
  static void random_element(DType dtype, Random& random, Bytes& bytes) {
    const uint64_t bits = random.next() >> 32;
    const int64_t wide = static_cast<int64_t>(bits % 8191) - 4095;
    switch (dtype) {
      case DType::kInt8:
      case DType::kUint8:
        return append(bytes, static_cast<uint8_t>(bits));
      case DType::kBool:
        return append(bytes, static_cast<uint8_t>(bits & 1));
      case DType::kInt16:
        return append(bytes, static_cast<int16_t>(wide));
      case DType::kInt32:
        return append(bytes, static_cast<int32_t>(wide));
      case DType::kInt64:
        return append(bytes, wide);
      case DType::kFloat32:
        return append(bytes, static_cast<float>(wide) / 4096.0f);
    }
  }

  Bytes hex(const std::string& digits) {
    const auto value = [&](char c) {
      if (c >= '0' && c <= '9') return c - '0';
      if (c >= 'a' && c <= 'f') return c - 'a' + 10;
      throw Refusal("ir", "text: hex must be the digits 0-9 and a-f");
    };
    if (digits.size() % 2 != 0) throw Refusal("ir", "text: hex must have two digits per byte");
    Bytes bytes(digits.size() / 2);
    for (size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<uint8_t>(value(digits[2 * i]) * 16 + value(digits[2 * i + 1]));
    }
    return bytes;
  }

  void operation() {
    Op op;
    do {
      op.outputs.push_back(definition());
    } while (m_lexer.accept(","));
    m_lexer.expect("=");
    const std::string kind = m_lexer.word("an operator");
    const OpInfo* entry = find_op(kind);
    if (entry == nullptr) throw Refusal("ir", "text: \"" + kind + "\" is no operator");
    op.kind = entry->kind;
    op.attributes = entry->defaults;
    op.name = m_graph.tensor(op.outputs[0]).name;
    if (m_lexer.peek().kind == Lexer::Kind::kString) op.name = m_lexer.string();
    m_lexer.expect("(");
    while (!m_lexer.accept(")")) {
      if (!op.inputs.empty()) m_lexer.expect(",");
      op.inputs.push_back(m_lexer.accept("_") ? kAbsent : reference());
    }
    if (m_lexer.accept("{")) attributes(op);
    if (m_lexer.accept("from")) {
      m_lexer.expect("[");
      while (!m_lexer.accept("]")) {
        if (!op.source_ops.empty()) m_lexer.expect(",");
        op.source_ops.push_back(
            static_cast<int>(m_lexer.integer(0, std::numeric_limits<int>::max())));
      }
    }
    m_lexer.expect(":");
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      if (i > 0) m_lexer.expect(",");
      type(m_graph.tensor(op.outputs[i]));
    }
    m_graph.add(std::move(op));
  }

  void attributes(Op& op) {
    for (bool first = true; !m_lexer.accept("}"); first = false) {
      if (!first) m_lexer.expect(",");
      const Lexer::Token token = m_lexer.peek();
      const std::string name = m_lexer.word("an attribute");
      m_lexer.expect("=");
      bool found = false;
      std::visit(
          [&](auto& a) {
            std::decay_t<decltype(a)>::fields(a, AttributeParser{m_lexer, name, found});
          },
          op.attributes);
      if (!found) {
        throw Refusal("ir", "text line " + std::to_string(token.line) + ": " + to_string(op.kind) +
                                " has no attribute \"" + name + "\"");
      }
    }
  }

  /// Where all labels are the numbers 0..n-1 they are the ids, so that print and parse agree;
  /// else ids stay in the order in which the text mentions the tensors.
  void number_as_labelled() {
    const size_t count = m_labels.size();
    for (size_t i = 0; i < count; ++i) {
      if (!m_defined[i]) {
        throw Refusal("ir", "text: nothing introduces %" + m_labels[i] +
                                "; give it an input, const or operator line");
      }
    }
    std::vector<TensorId> renumbered(count, kAbsent);
    std::vector<bool> taken(count, false);
    for (size_t i = 0; i < count; ++i) {
      const std::string& label = m_labels[i];
      if (!is_number(label) || label.size() > 9) return;
      const size_t id = static_cast<size_t>(std::stoul(label));
      if (id >= count || taken[id]) return;
      taken[id] = true;
      renumbered[i] = static_cast<TensorId>(id);
    }
    std::vector<Tensor> tensors(count);
    for (size_t i = 0; i < count; ++i) {
      tensors[static_cast<size_t>(renumbered[i])] = std::move(m_graph.tensors[i]);
    }
    m_graph.tensors = std::move(tensors);
    const auto rename = [&](std::vector<TensorId>& ids) {
      for (TensorId& id : ids) {
        if (id != kAbsent) id = renumbered[static_cast<size_t>(id)];
      }
    };
    rename(m_graph.inputs);
    rename(m_graph.outputs);
    for (State& state : m_graph.states) {
      state.before = renumbered[static_cast<size_t>(state.before)];
      state.after = renumbered[static_cast<size_t>(state.after)];
    }
    for (Op& op : m_graph.ops) rename(op.inputs), rename(op.outputs);
  }

  Lexer m_lexer;
  Graph m_graph;
  std::map<std::string, TensorId> m_ids;
  std::vector<std::string> m_labels;
  std::vector<bool> m_defined;
};

}  // namespace

Graph parse(const std::string& text) {
  return Parser(text).parse();
}

}  // namespace presil::ir
