// What follows an operator and is taken with it: a constant row that is added, limits, and the
// QuantizeLinear that its result goes to.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "compiler_bridge/import/onnx/importer.h"

namespace presil::import::onnx {
namespace {

// What limits to real values are to stored ones; nothing where an operator has no such limits.
std::optional<ir::Activation> activation_of(float low, float high, const ir::Quantization& q,
                                            ir::DType dtype) {
  constexpr float kMost = std::numeric_limits<float>::max();
  if (low == 0 && high == kMost) return ir::Activation::kRelu;
  if (low == 0 && high == 6) return ir::Activation::kRelu6;
  if (low == -1 && high == 1) return ir::Activation::kReluN1To1;
  const double least = dtype == ir::DType::kInt16 ? -32768 : -128, most = -least - 1;
  const auto zero = static_cast<double>(q.zero_point());
  const bool holds = (least - zero) * double{q.scale()} >= double{low} &&
                     (most - zero) * double{q.scale()} <= double{high};
  if (holds) return ir::Activation::kNone;
  const bool above = (most - zero) * double{q.scale()} <= double{high};
  return low == 0 && above ? std::optional(ir::Activation::kRelu) : std::nullopt;
}

}  // namespace

const Node* Importer::only_reader(const std::string& name, size_t& index) const {
  const auto readers = m_readers.find(name);
  if (readers == m_readers.end() || readers->second.size() != 1) return nullptr;
  if (m_output_uses.count(name) != 0) return nullptr;
  if (readers->second[0] <= index) return nullptr;  // it is in a cycle
  index = readers->second[0];
  return &m_file.nodes[index];
}

const std::string& Importer::result() const {
  static const std::string none;
  return m_node->outputs.empty() ? none : m_node->outputs[0];
}

std::optional<Sum> Importer::sum_with_row(int64_t width) {
  Sum sum;
  sum.node = m_index;
  const Node* reader = only_reader(result(), sum.node);
  if (reader == nullptr || reader->op != "Add" || reader->inputs.size() != 2) return {};
  if (reader->outputs.size() != 1 || reader->inputs[0] == reader->inputs[1]) return {};
  const std::string& other = reader->inputs[reader->inputs[0] == result() ? 1 : 0];
  const auto known = m_values.find(other);
  const auto constant = m_file.constants.find(other);
  if (known != m_values.end()) {
    sum.row = known->second;
  } else if (constant != m_file.constants.end()) {
    const Value value{m_graph.add(constant->second), constant->second.shape, false, false};
    sum.row = m_values[other] = value;
  } else {
    return {};
  }
  // Stored values of it must be those of a bias: int32 in steps of both operands'.
  const ir::DType dtype = tensor(sum.row).dtype;
  if (!is_constant(sum.row) || sum.row.shape.empty() || sum.row.shape.back() != width) return {};
  if (tensor(sum.row).elements() != width) return {};
  if (sum.row.quantized ? dtype != ir::DType::kInt32 : dtype != ir::DType::kFloat32) return {};
  sum.output = reader->outputs[0];
  return sum;
}

void Importer::give(const Value& value, const Sum& sum) {
  m_done[sum.node] = true;
  m_values[sum.output] = value;
}

std::optional<Quantizer> Importer::quantizer(bool relus, const std::optional<Sum>& after) {
  Quantizer found;
  if (after) found.nodes.push_back(after->node);
  float low = -std::numeric_limits<float>::max(), high = std::numeric_limits<float>::max();
  std::string name = after ? after->output : result();
  size_t index = after ? after->node : m_index;
  for (;;) {
    const Node* reader = only_reader(name, index);
    if (reader == nullptr || reader->outputs.size() != 1 || reader->inputs.empty()) return {};
    found.nodes.push_back(index);
    if (reader->op == "QuantizeLinear" && reader->inputs[0] == name) {
      const auto quantization_of = quantization(*reader, &found.dtype);
      if (!quantization_of || !quantization_of->per_tensor()) return {};
      found.quantization = *quantization_of;
      found.output = reader->outputs[0];
      const auto act = activation_of(low, high, found.quantization, found.dtype);
      if (!act) return {};
      found.act = *act;
      return found;
    }
    if (!relus || reader->inputs[0] != name) return {};
    if (reader->op == "Clip") {
      const auto [least, greatest] = limits(*reader);
      low = std::max(low, least), high = std::min(high, greatest);
    } else if (reader->op == "Relu") {
      low = std::max(low, 0.0f);
    } else {
      return {};
    }
    name = reader->outputs[0];
  }
}

std::pair<float, float> Importer::limits(const Node& of) const {
  constexpr float kMost = std::numeric_limits<float>::max();
  const auto said = [&](const char* name, size_t input, float otherwise) {
    const auto attribute = of.attributes.find(name);
    if (opset() < 11) return attribute == of.attributes.end() ? otherwise : attribute->second.f;
    if (of.inputs.size() <= input || of.inputs[input].empty()) return otherwise;
    const ir::Tensor* value = constant_of(of, input);
    require(value != nullptr && value->dtype == ir::DType::kFloat32 && value->elements() == 1,
            [] { return "a limit must be a constant: one number of float32"; });
    return *value->values<float>();
  };
  return {said("min", 1, -kMost), said("max", 2, kMost)};
}

const ir::Tensor* Importer::constant_of(const Node& of, size_t input) const {
  if (of.inputs.size() <= input || of.inputs[input].empty()) return nullptr;
  const auto found = m_file.constants.find(of.inputs[input]);
  if (found != m_file.constants.end()) return &found->second;
  const auto known = m_values.find(of.inputs[input]);
  if (known == m_values.end() || !is_constant(known->second)) return nullptr;
  return &tensor(known->second);
}

bool Importer::gives_unsigned(const Node& of) const {
  if (of.inputs.size() < 3 || of.inputs[2].empty()) return true;
  const auto found = m_file.constants.find(of.inputs[2]);
  if (found != m_file.constants.end()) return found->second.dtype == ir::DType::kUint8;
  const auto known = m_values.find(of.inputs[2]);
  return known != m_values.end() && tensor(known->second).dtype == ir::DType::kUint8;
}

std::optional<ir::Quantization> Importer::quantization(const Node& of, ir::DType* dtype) {
  const ir::Tensor* scale = constant_of(of, 1);
  if (scale == nullptr || scale->dtype != ir::DType::kFloat32 || scale->elements() < 1) return {};
  const bool has_zero = of.inputs.size() > 2 && !of.inputs[2].empty();
  const ir::Tensor* zero = constant_of(of, 2);
  if (has_zero && (zero == nullptr || zero->elements() != scale->elements())) return {};
  ir::Quantization q;
  q.scales.assign(scale->values<float>(), scale->values<float>() + scale->elements());
  for (const float s : q.scales) {
    if (!(s > 0) || !std::isfinite(s)) return {};
  }
  ir::DType type = has_zero ? zero->dtype : ir::DType::kUint8;
  const size_t count = q.scales.size();
  q.zero_points.assign(count, 0);
  for (size_t i = 0; has_zero && i < count; ++i) {
    switch (type) {
      case ir::DType::kInt8:
        q.zero_points[i] = zero->values<int8_t>()[i];
        break;
      case ir::DType::kUint8:
        q.zero_points[i] = zero->values<uint8_t>()[i];
        break;
      case ir::DType::kInt16:
        q.zero_points[i] = zero->values<int16_t>()[i];
        break;
      case ir::DType::kInt32:
        q.zero_points[i] = zero->values<int32_t>()[i];
        break;
      default:
        return {};
    }
  }
  if (type == ir::DType::kUint8) {  // the same numbers, 128 less
    for (int64_t& z : q.zero_points) z -= 128;
    type = ir::DType::kInt8;
  }
  const auto axis = of.attributes.find("axis");
  if (count > 1) q.axis = axis == of.attributes.end() ? 1 : static_cast<int>(axis->second.i);
  if (dtype != nullptr) *dtype = type;
  return q;
}

}  // namespace presil::import::onnx
