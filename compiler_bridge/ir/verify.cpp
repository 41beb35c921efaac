// Does a graph hold together? Structure first, then tensors, then each operator.
#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/ir/number.h"
#include "compiler_bridge/ir/shape.h"
#include "compiler_bridge/ir/type_rules.h"
#include "models/base/refusal.h"

namespace presil::ir {
namespace {

constexpr int64_t kMaxElements = int64_t{1} << 40;  // sizes in bytes stay far from overflow

[[noreturn]] void refuse(const std::string& what) {
  throw Refusal("ir", what);
}

std::string label(const Graph& graph, TensorId id) {
  const std::string& name = graph.tensor(id).name;
  return "tensor %" + std::to_string(id) + (name.empty() ? "" : " \"" + name + "\"");
}

/// No operator reads the scale of what is added to sums, which may be as small as a float32 can be.
bool sound(float scale, DType dtype) {
  const bool added = dtype == DType::kInt32 || dtype == DType::kInt64;
  return scale > 0 && (added ? std::isfinite(scale) : std::isnormal(scale));
}

void check_quantization(const std::string& subject, const Tensor& tensor) {
  const Quantization& q = tensor.quantization;
  if (q.scales.size() != q.zero_points.size()) {
    refuse(subject + " has " + std::to_string(q.scales.size()) + " scales and " +
           std::to_string(q.zero_points.size()) + " zero points, expected as many");
  }
  if (!q.fixed.empty() && q.fixed.size() != q.scales.size()) {
    refuse(subject + " has " + std::to_string(q.scales.size()) + " scales and " +
           std::to_string(q.fixed.size()) + " fixed ones, expected as many");
  }
  for (const FixedScale& scale : q.fixed) {
    if (scale.multiplier >= 0 && scale.shift >= 2 && scale.shift <= 62) continue;
    refuse(subject + " has a fixed scale of " + std::to_string(scale.multiplier) + " >> " +
           std::to_string(scale.shift) + ", must be 0 or more, shifted by 2..62");
  }
  if (q.axis < 0 && q.scales.size() > 1) {
    refuse(subject + " has " + std::to_string(q.scales.size()) +
           " scales and no axis, expected one scale or an axis");
  }
  if (q.axis >= 0 &&
      (static_cast<size_t>(q.axis) >= tensor.shape.size() ||
       tensor.shape[static_cast<size_t>(q.axis)] != static_cast<int64_t>(q.scales.size()))) {
    refuse(subject + " has " + std::to_string(q.scales.size()) + " scales along axis " +
           std::to_string(q.axis) + " of " + to_string(tensor.shape) +
           ", expected one scale per index of that axis");
  }
  for (float scale : q.scales) {
    if (!sound(scale, tensor.dtype)) {
      refuse(subject + " has scale " + number(scale) + ", must be a normal number above 0");
    }
  }
  int64_t low = std::numeric_limits<int32_t>::min(), high = std::numeric_limits<int32_t>::max();
  if (tensor.dtype == DType::kInt8) low = -128, high = 127;
  if (tensor.dtype == DType::kUint8) low = 0, high = 255;
  if (tensor.dtype == DType::kInt16) low = -32768, high = 32767;
  for (int64_t zero_point : q.zero_points) {
    if (zero_point < low || zero_point > high) {
      refuse(subject + " has zero point " + std::to_string(zero_point) + ", must be a value of " +
             to_string(tensor.dtype));
    }
  }
}

void check_tensor(const Graph& graph, TensorId id) {
  const Tensor& tensor = graph.tensor(id);
  const std::string subject = label(graph, id);
  if (tensor.dtype > DType::kBool) refuse(subject + " has an unknown type");
  int64_t count = 1;
  for (int64_t extent : tensor.shape) {
    if (extent < 1 || extent > kMaxElements / count) {
      refuse(subject + " has shape " + to_string(tensor.shape) +
             ", must have extents of at least 1 and at most 2^40 elements together");
    }
    count *= extent;
  }
  check_quantization(subject, tensor);
  if (tensor.is_constant() && tensor.data->size() != tensor.bytes()) {
    refuse(subject + " holds " + std::to_string(tensor.data->size()) + " bytes, its type " +
           type_of(tensor) + " requires " + std::to_string(tensor.bytes()));
  }
}

class Structure {
 public:
  explicit Structure(const Graph& graph) : m_graph(graph), m_defined(graph.tensors.size(), false) {}

  void check() {
    for (TensorId id : m_graph.inputs) {
      in_range(id, "the graph's inputs");
      if (m_graph.tensor(id).is_constant()) refuse(label(m_graph, id) + " is input and constant");
      define(id, "the graph's inputs");
    }
    for (size_t i = 0; i < m_graph.tensors.size(); ++i) {
      if (m_graph.tensors[i].is_constant()) m_defined[i] = true;
    }
    for (const Op& op : m_graph.ops) check(op);
    for (TensorId id : m_graph.outputs) {
      in_range(id, "the graph's outputs");
      if (!m_defined[static_cast<size_t>(id)]) {
        refuse(label(m_graph, id) + " is an output of the graph, but no op makes it");
      }
    }
  }

 private:
  void in_range(TensorId id, const std::string& where) const {
    if (id < 0 || static_cast<size_t>(id) >= m_graph.tensors.size()) {
      refuse(where + " name tensor " + std::to_string(id) + ", must be 0.." +
             std::to_string(static_cast<int64_t>(m_graph.tensors.size()) - 1));
    }
  }
  void define(TensorId id, const std::string& where) {
    if (m_defined[static_cast<size_t>(id)]) {
      refuse(where + " make " + label(m_graph, id) + ", which is there already");
    }
    m_defined[static_cast<size_t>(id)] = true;
  }

  /// Of what is read too early: a circle, a wrong order, or nothing.
  std::string maker(TensorId id) const {
    for (const Op& op : m_graph.ops) {
      if (std::count(op.outputs.begin(), op.outputs.end(), id) == 0) continue;
      return describe(m_graph, op) + " does; ops must come after what they read, without a cycle";
    }
    return "it is no constant, for it has no bytes, no input of the graph, and no op's result";
  }

  void check(const Op& op) {
    if (static_cast<size_t>(op.kind) >= op_table().size()) refuse("an op has an unknown kind");
    const std::string subject = describe(m_graph, op);
    const OpInfo& entry = info(op.kind);
    if (op.attributes.index() != entry.defaults.index()) {
      refuse(subject + " carries attributes of another kind");
    }
    const bool too_many = !entry.variadic && op.inputs.size() > entry.inputs.size();
    if (op.inputs.size() < entry.min_inputs || too_many) {
      refuse(subject + " has " + std::to_string(op.inputs.size()) + " inputs, expected " +
             std::to_string(entry.min_inputs) +
             (entry.variadic ? " or more" : ".." + std::to_string(entry.inputs.size())));
    }
    const bool right =
        entry.variadic_outputs ? !op.outputs.empty() : op.outputs.size() == entry.outputs.size();
    if (!right) {
      refuse(subject + " has " + std::to_string(op.outputs.size()) + " outputs, expected " +
             std::to_string(entry.outputs.size()) + (entry.variadic_outputs ? " or more" : ""));
    }
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      const TensorId id = op.inputs[i];
      if (id == kAbsent && i >= entry.min_inputs && !entry.variadic) continue;
      in_range(id, subject + ": its inputs");
      if (!m_defined[static_cast<size_t>(id)]) {
        refuse(subject + " reads " + label(m_graph, id) +
               ", which no earlier op makes: " + maker(id));
      }
    }
    for (TensorId id : op.outputs) {
      in_range(id, subject + ": its outputs");
      define(id, subject + ": its outputs");
    }
  }

  const Graph& m_graph;
  std::vector<bool> m_defined;
};

void check_shapes(const Graph& graph, const Op& op) {
  const std::vector<Shape> expected = infer_shapes(graph, op);
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    const Shape& got = graph.tensor(op.outputs[i]).shape;
    if (got != expected[i]) {
      refuse(describe(graph, op) + ": " + info(op.kind).output_name(i) + " is " + to_string(got) +
             ", must be " + to_string(expected[i]) + ", which follows from its inputs");
    }
  }
}

}  // namespace

namespace {

void check_states(const Graph& graph) {
  for (const State& s : graph.states) {
    const bool input = std::count(graph.inputs.begin(), graph.inputs.end(), s.before) == 1;
    if (!input || !graph.is_output(s.after)) {
      refuse("state %" + std::to_string(s.before) + " = %" + std::to_string(s.after) +
             " must be of an input and an output of the graph");
    }
    const Tensor &before = graph.tensor(s.before), &after = graph.tensor(s.after);
    if (before.dtype != after.dtype || before.shape != after.shape ||
        before.quantization != after.quantization) {
      refuse(label(graph, s.before) + " is " + type_of(before) + ", as the state that " +
             label(graph, s.after) + " leaves it must be " + type_of(after));
    }
  }
}

}  // namespace

void verify(const Graph& graph) {
  if (graph.numerics > Numerics::kOnnx) refuse("the graph's numerics are unknown");
  for (size_t i = 0; i < graph.tensors.size(); ++i) check_tensor(graph, static_cast<TensorId>(i));
  Structure(graph).check();
  check_states(graph);
  for (const Op& op : graph.ops) {
    check_types(graph, op);
    check_shapes(graph, op);
  }
}

}  // namespace presil::ir
