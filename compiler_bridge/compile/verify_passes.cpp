#include "compiler_bridge/compile/verify_passes.h"

#include <algorithm>
#include <cstring>

#include "compiler_bridge/ir/number.h"
#include "compiler_bridge/ir/shape.h"
#include "models/base/refusal.h"

namespace presil::compile {
namespace {

using reference::TensorValue;

template <class T>
T element(const TensorValue& value, size_t i) {
  T x;
  std::memcpy(&x, value.data.data() + i * sizeof x, sizeof x);
  return x;
}

std::string text_of(const TensorValue& value, size_t i) {
  switch (value.dtype) {
    case ir::DType::kInt8:
      return std::to_string(element<int8_t>(value, i));
    case ir::DType::kUint8:
    case ir::DType::kBool:
      return std::to_string(element<uint8_t>(value, i));
    case ir::DType::kInt16:
      return std::to_string(element<int16_t>(value, i));
    case ir::DType::kInt32:
      return std::to_string(element<int32_t>(value, i));
    case ir::DType::kInt64:
      return std::to_string(element<int64_t>(value, i));
    case ir::DType::kFloat32:
      return ir::number(element<float>(value, i));
  }
  return "?";
}

std::vector<int64_t> index_of(const std::vector<int64_t>& shape, size_t element) {
  std::vector<int64_t> index(shape.size());
  auto rest = static_cast<int64_t>(element);
  for (size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = rest % shape[axis];
    rest /= shape[axis];
  }
  return index;
}

class Bracket {
 public:
  Bracket(const ir::Graph& imported, const std::vector<TensorValue>& inputs,
          const reference::CustomOperator& custom)
      : m_inputs(inputs),
        m_custom(custom),
        m_values(reference::run_all(imported, inputs, custom)) {}

  size_t compared() const { return m_compared; }

  /// After a run of a pass. @return whether it has kept its promises
  bool check(const passes::Pass& pass, const ir::Graph& before, const ir::Graph& after) {
    m_last.pass = pass.name;
    ++m_last.run;
    m_last.sentence = wrong_with(before, after);
    return m_last.sentence.empty();
  }

  /// Whether what a pass has left is being interpreted.
  bool interprets() const { return m_interprets; }
  /// The interpreter does not take it.
  void refused(const std::string& why) {
    m_last.sentence = "leaves a graph that does not hold together: " + why;
  }

  /// The last one checked, if it has not kept them.
  std::optional<BrokenPass> broken() const {
    if (m_last.sentence.empty()) return std::nullopt;
    return m_last;
  }

 private:
  /// A sentence; "": nothing.
  std::string wrong_with(const ir::Graph& before, const ir::Graph& after) {
    m_interprets = true;
    std::vector<TensorValue> values = reference::run_all(after, m_inputs, m_custom);
    m_interprets = false;
    if (before.outputs != after.outputs || before.inputs != after.inputs) {
      return "changes which tensors are the network's inputs and outputs";
    }
    if (after.tensors.size() < before.tensors.size()) {
      return "takes tensors away, which would give the others new ids";
    }
    for (size_t i = 0; i < m_values.size(); ++i) {
      const std::string wrong = compare(after, i, values[i]);
      if (!wrong.empty()) return wrong;
    }
    m_values = std::move(values);
    return "";
  }

  /// A tensor that nothing makes any more has no data. @return as wrong_with
  std::string compare(const ir::Graph& graph, size_t id, const TensorValue& after) {
    const TensorValue& before = m_values[id];
    if (before.data.empty() || after.data.empty()) return "";
    ++m_compared;
    if (before == after) return "";
    m_last.tensor = static_cast<ir::TensorId>(id);
    m_last.name = graph.tensors[id].name;
    const std::string subject = "tensor '" + m_last.name + "'";
    if (before.dtype != after.dtype || before.shape != after.shape) {
      return "changes the type of " + subject + ": " + ir::to_string(before.dtype) +
             ir::to_string(before.shape) + " before, " + ir::to_string(after.dtype) +
             ir::to_string(after.shape) + " after";
    }
    const auto first = std::mismatch(before.data.begin(), before.data.end(), after.data.begin());
    const size_t at =
        static_cast<size_t>(first.first - before.data.begin()) / ir::size_of(before.dtype);
    m_last.index = index_of(before.shape, at);
    m_last.before = text_of(before, at);
    m_last.after = text_of(after, at);
    return "changes " + subject + " at " + ir::to_string(m_last.index) + ": " + m_last.before +
           " before, " + m_last.after + " after";
  }

  const std::vector<TensorValue>& m_inputs;
  const reference::CustomOperator& m_custom;
  std::vector<TensorValue> m_values;
  BrokenPass m_last;
  size_t m_compared = 0;
  bool m_interprets = false;
};

}  // namespace

VerifiedPasses verify_passes(const ir::Graph& imported, const std::vector<TensorValue>& inputs,
                             const std::vector<passes::Pass>& passes,
                             const reference::CustomOperator& custom) {
  Bracket bracket(imported, inputs, custom);
  VerifiedPasses result;
  ir::Graph graph = imported;
  try {
    result.applied = passes::run_passes(
        graph,
        [&](const passes::Pass& pass, const ir::Graph& before, const ir::Graph& after) {
          return bracket.check(pass, before, after);
        },
        passes);
  } catch (const Refusal& refusal) {
    if (!bracket.interprets()) throw;
    bracket.refused(refusal.what());
  }
  result.broken = bracket.broken();
  if (result.broken) result.applied.clear();
  result.compared = bracket.compared();
  return result;
}

}  // namespace presil::compile
