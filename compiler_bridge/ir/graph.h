// The graph that everything of the compiler speaks: tensors, operators in topological order,
// quantisation. Plain values: copying a graph is cheap (constants are shared and immutable) and
// two graphs are equal when all they say is equal.
//
// Layouts: activations NHWC; weights as each struct of attributes.h says. A quantised value q means
// scale * (q - zero_point).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler_bridge/ir/attributes.h"
#include "compiler_bridge/ir/op_kinds.h"

namespace presil::ir {

using TensorId = int32_t;
inline constexpr TensorId kAbsent = -1;  ///< an optional input that is not there

enum class DType : uint8_t { kInt8, kUint8, kInt16, kInt32, kInt64, kFloat32, kBool };

/// @return bytes of one element
size_t size_of(DType dtype);
const char* to_string(DType dtype);

/// Which integer rules an operator's result is defined by; compiler_bridge/reference/README.md.
enum class Numerics : uint8_t { kTflite, kXnnpack, kTosa, kOnnx };
const char* to_string(Numerics numerics);
/// TFLite's fixed-point rules, which hold under kTosa too where the network states no integers.
constexpr bool by_fixed_point(Numerics numerics) {
  return numerics == Numerics::kTflite || numerics == Numerics::kTosa;
}
const char* to_string(Activation activation);

/// (x * multiplier + half) >> shift: the scale of a sum as integers (TOSA's RESCALE).
struct FixedScale {
  int32_t multiplier = 0;
  int8_t shift = 0;  ///< 2..62
  bool operator==(const FixedScale& other) const {
    return multiplier == other.multiplier && shift == other.shift;
  }
};

/// No scales: not quantised. One scale: per tensor. More: one per index of `axis`.
struct Quantization {
  std::vector<float> scales;
  std::vector<int64_t> zero_points;  ///< as many as scales
  int axis = -1;                     ///< -1: per tensor
  /// Of weights: how their sums become the result, where integers say it, as many as scales; those
  /// are then near them and count for nothing. round_twice: as ir::Rescale.
  std::vector<FixedScale> fixed = {};
  bool round_twice = false;

  bool present() const { return !scales.empty(); }
  bool per_tensor() const { return scales.size() == 1 && axis < 0; }
  float scale() const { return scales.at(0); }
  int32_t zero_point() const { return static_cast<int32_t>(zero_points.at(0)); }
  bool operator==(const Quantization& other) const;
  bool operator!=(const Quantization& other) const { return !(*this == other); }
};

using Bytes = std::vector<uint8_t>;

struct Tensor {
  std::string name;
  DType dtype = DType::kInt8;
  std::vector<int64_t> shape;  ///< empty: a scalar
  Quantization quantization;
  std::shared_ptr<const Bytes> data;  ///< little-endian, dense; null: not a constant

  bool is_constant() const { return data != nullptr; }
  int64_t elements() const;
  size_t bytes() const { return static_cast<size_t>(elements()) * size_of(dtype); }
  /// The constant's elements as T. @pre is_constant() and sizeof(T) == size_of(dtype)
  template <class T>
  const T* values() const {
    return reinterpret_cast<const T*>(data->data());
  }
  bool operator==(const Tensor& other) const;  ///< constants by content
};

/// "int8[1,32,32,3] q(0.5, -128)"; of many scales range and number, where exact_type_of has all.
std::string type_of(const Tensor& tensor);

enum class OpKind : uint8_t {
#define X(Name, spelling, Attributes, inputs, outputs, shape, types) k##Name,
  PRESIL_OP_KINDS(X)
#undef X
};

/// What the list in op_kinds.h says of one kind.
struct OpInfo {
  OpKind kind;
  const char* name;                  ///< spelling in text
  std::vector<std::string> inputs;   ///< names, in order
  std::vector<std::string> outputs;  ///< names, in order
  size_t min_inputs;                 ///< before the optional ones
  bool variadic;                     ///< the last input may repeat
  bool variadic_outputs;             ///< the only result may
  Attributes defaults;               ///< the right alternative, default values
  const char* types;                 ///< that it is defined for, in words: "int8, float32"

  std::string output_name(size_t i) const;
};
const std::vector<OpInfo>& op_table();  ///< in the order of OpKind
const OpInfo& info(OpKind kind);
const OpInfo* find_op(std::string_view name);  ///< null: no such kind
inline const char* to_string(OpKind kind) {
  return info(kind).name;
}

struct Op {
  OpKind kind = OpKind::kReshape;
  std::string name;
  std::vector<TensorId> inputs;  ///< kAbsent where an optional input is not there
  std::vector<TensorId> outputs;
  Attributes attributes;        ///< the alternative that op_kinds.h names for the kind
  std::vector<int> source_ops;  ///< indices of operators in the imported file

  /// Input i, kAbsent when it is left out.
  TensorId input(size_t i) const { return i < inputs.size() ? inputs[i] : kAbsent; }
  TensorId output(size_t i = 0) const { return outputs.at(i); }
  template <class T>
  const T& as() const {
    return std::get<T>(attributes);
  }
  template <class T>
  T& as() {
    return std::get<T>(attributes);
  }
  bool operator==(const Op& other) const;
};

/// What a tensor that a pass has made is of one of the imported graph: its elements from `first`
/// on.
struct Part {
  TensorId of = kAbsent;
  int64_t first = 0;
};

/// A value that one run leaves to the next: what `before` is, an input, `after` was, an output of
/// the same type. Before the first run it is 0, the zero point where it has one.
struct State {
  TensorId before = kAbsent, after = kAbsent;
  bool operator==(const State& other) const {
    return before == other.before && after == other.after;
  }
};

struct Graph {
  Graph();
  Graph(const Graph&);
  Graph(Graph&&) noexcept;
  Graph& operator=(const Graph&);
  Graph& operator=(Graph&&) noexcept;
  ~Graph();

  std::string name;
  Numerics numerics = Numerics::kTflite;
  std::vector<Tensor> tensors;
  std::vector<Op> ops;  ///< topological order: producers before consumers
  std::vector<TensorId> inputs, outputs;
  std::vector<State> states;       ///< of its inputs and outputs; with_states.h makes them
  std::map<TensorId, Part> parts;  ///< neither in the text nor in the binary form

  const Tensor& tensor(TensorId id) const { return tensors.at(static_cast<size_t>(id)); }
  Tensor& tensor(TensorId id) { return tensors.at(static_cast<size_t>(id)); }
  TensorId add(Tensor tensor);
  Op& add(Op op);

  /// Index of the op that makes the tensor; -1: an input or a constant. Walks all ops.
  int producer(TensorId id) const;
  /// Indices of the ops that read the tensor, ascending. Walks all ops.
  std::vector<int> consumers(TensorId id) const;
  bool is_output(TensorId id) const;

  bool operator==(const Graph& other) const;
  bool operator!=(const Graph& other) const { return !(*this == other); }
};

/// Producer and consumers of every tensor at once, for callers that ask often.
struct Uses {
  std::vector<int> producer;                ///< by tensor: op index or -1
  std::vector<std::vector<int>> consumers;  ///< by tensor: op indices, ascending
};
Uses uses(const Graph& graph);

/// Refuses (presil::Refusal) a graph that does not hold together: ids out of range, a tensor read
/// before it is made or made twice, wrong arity, attributes of another kind, shapes that do not
/// follow from the inputs, types an operator is not defined for, missing quantisation, constants
/// whose size is not their shape's.
void verify(const Graph& graph);

/// `op 3, conv2d "stem/conv"`, for messages. @p op need not be one of graph.ops.
std::string describe(const Graph& graph, const Op& op);

/// Drops tensors that no op reads or makes and that are no input or output; ids are renumbered.
void drop_unused_tensors(Graph& graph);

}  // namespace presil::ir
