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

  /// After a run of a pass; throws BrokenPass.
  void check(const passes::Pass& pass, const ir::Graph& before, const ir::Graph& after) {
    m_broken.pass = pass.name;
    ++m_broken.run;
    std::vector<TensorValue> values;
    try {
      values = reference::run_all(after, m_inputs, m_custom);
    } catch (const Refusal& refusal) {
      broken(std::string("leaves a graph that does not hold together: ") + refusal.what());
    }
    if (before.outputs != after.outputs || before.inputs != after.inputs) {
      broken("changes which tensors are the network's inputs and outputs");
    }
    if (after.tensors.size() < before.tensors.size()) {
      broken("takes tensors away, which would give the others new ids");
    }
    for (size_t i = 0; i < m_values.size(); ++i) compare(after, i, values[i]);
    m_values = std::move(values);
  }

 private:
  [[noreturn]] void broken(const std::string& sentence) {
    m_broken.sentence = sentence;
    throw BrokenPass(m_broken);
  }

  /// A tensor that nothing makes any more has no data.
  void compare(const ir::Graph& graph, size_t id, const TensorValue& after) {
    const TensorValue& before = m_values[id];
    if (before.data.empty() || after.data.empty()) return;
    ++m_compared;
    if (before == after) return;
    m_broken.tensor = static_cast<ir::TensorId>(id);
    m_broken.name = graph.tensors[id].name;
    const std::string subject = "tensor '" + m_broken.name + "'";
    if (before.dtype != after.dtype || before.shape != after.shape) {
      broken("changes the type of " + subject + ": " + ir::to_string(before.dtype) +
             ir::to_string(before.shape) + " before, " + ir::to_string(after.dtype) +
             ir::to_string(after.shape) + " after");
    }
    const auto first = std::mismatch(before.data.begin(), before.data.end(), after.data.begin());
    const size_t at =
        static_cast<size_t>(first.first - before.data.begin()) / ir::size_of(before.dtype);
    m_broken.index = index_of(before.shape, at);
    m_broken.before = text_of(before, at);
    m_broken.after = text_of(after, at);
    broken("changes " + subject + " at " + ir::to_string(m_broken.index) + ": " + m_broken.before +
           " before, " + m_broken.after + " after");
  }

  const std::vector<TensorValue>& m_inputs;
  const reference::CustomOperator& m_custom;
  std::vector<TensorValue> m_values;
  BrokenPass m_broken;
  size_t m_compared = 0;
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
          bracket.check(pass, before, after);
        },
        passes);
  } catch (const BrokenPass& broken) {
    result.broken = broken;
  }
  result.compared = bracket.compared();
  return result;
}

}  // namespace presil::compile
