#include "compiler_bridge/passes/function_region.h"

#include <algorithm>
#include <cstring>

namespace presil::passes {

using K = ir::OpKind;

bool is_by_value(ir::OpKind kind) {
  switch (kind) {
    case K::kAdd:
    case K::kSub:
    case K::kMul:
    case K::kDiv:
    case K::kPow:
    case K::kSquaredDifference:
    case K::kMaximum:
    case K::kMinimum:
    case K::kFloorDiv:
    case K::kFloorMod:
    case K::kEqual:
    case K::kNotEqual:
    case K::kGreater:
    case K::kGreaterEqual:
    case K::kLess:
    case K::kLessEqual:
    case K::kLogicalAnd:
    case K::kLogicalOr:
    case K::kLogicalNot:
    case K::kSelect:
    case K::kRelu:
    case K::kRelu6:
    case K::kReluN1To1:
    case K::kRelu0To1:
    case K::kLeakyRelu:
    case K::kPrelu:
    case K::kHardSwish:
    case K::kLogistic:
    case K::kTanh:
    case K::kElu:
    case K::kGelu:
    case K::kExp:
    case K::kLog:
    case K::kSqrt:
    case K::kRsqrt:
    case K::kAbs:
    case K::kNeg:
    case K::kSquare:
    case K::kSin:
    case K::kCos:
    case K::kFloor:
    case K::kCeil:
    case K::kRound:
    case K::kLut:
    case K::kQuantize:
    case K::kDequantize:
    case K::kCast:
      return true;
    default:
      return false;
  }
}

bool is_uniform(const ir::Tensor& tensor) {
  if (!tensor.is_constant() || tensor.elements() == 0) return false;
  if (tensor.quantization.present() && !tensor.quantization.per_tensor()) return false;
  // Each byte equals the one an element before.
  const ir::Bytes& bytes = *tensor.data;
  const size_t element = ir::size_of(tensor.dtype);
  return std::memcmp(bytes.data(), bytes.data() + element, bytes.size() - element) == 0;
}

bool is_plain_byte(const ir::Tensor& tensor) {
  const bool byte = tensor.dtype == ir::DType::kInt8 || tensor.dtype == ir::DType::kUint8;
  return byte && (!tensor.quantization.present() || tensor.quantization.per_tensor());
}

namespace {

/// The constant that a table operator looks values up in is no operand by value.
bool is_table(const ir::Op& op, size_t input) {
  return op.kind == K::kLut && input == 1;
}

// uint8 as int8 of the same real values: no engine computes that (rules/no_work.cpp).
bool flips_sign_bit(const ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  if (op.kind != K::kQuantize || !is_plain_byte(x) || !is_plain_byte(y) || x.dtype == y.dtype) {
    return false;
  }
  const int apart = y.dtype == ir::DType::kInt8 ? -128 : 128;
  return x.quantization.scale() == y.quantization.scale() &&
         y.quantization.zero_point() - x.quantization.zero_point() == apart;
}

}  // namespace

Dominators::Dominators(const ir::Graph& graph)
    : m_nearest(graph.tensors.size(), ir::kAbsent), m_depth(graph.tensors.size(), 0) {
  for (const ir::Op& op : graph.ops) {
    if (!joins(graph, op)) continue;
    ir::TensorId nearest = ir::kAbsent;
    bool first = true;
    for (const ir::TensorId x : op.inputs) {
      if (graph.tensor(x).is_constant()) continue;
      nearest = first ? x : common(nearest, x);
      first = false;
    }
    if (nearest == ir::kAbsent) continue;
    m_nearest[static_cast<size_t>(op.output())] = nearest;
    m_depth[static_cast<size_t>(op.output())] = m_depth[static_cast<size_t>(nearest)] + 1;
  }
}

bool Dominators::joins(const ir::Graph& graph, const ir::Op& op) const {
  if (!is_by_value(op.kind) || flips_sign_bit(graph, op)) return false;
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    if (is_table(op, i)) continue;
    if (op.inputs[i] == ir::kAbsent) return false;
    const ir::Tensor& x = graph.tensor(op.inputs[i]);
    if (x.is_constant() ? !is_uniform(x) : x.shape != graph.tensor(op.output()).shape) return false;
  }
  return true;
}

ir::TensorId Dominators::common(ir::TensorId a, ir::TensorId b) const {
  const auto depth = [&](ir::TensorId id) { return m_depth[static_cast<size_t>(id)]; };
  while (a != b && a != ir::kAbsent && b != ir::kAbsent) {
    ir::TensorId& deeper = depth(a) >= depth(b) ? a : b;
    deeper = of(deeper);
  }
  return a == b ? a : ir::kAbsent;
}

std::set<int> region_between(const ir::Graph& graph, const ir::Uses& uses, ir::TensorId source,
                             int last) {
  std::set<int> region = {last};
  std::vector<int> open = {last};
  while (!open.empty()) {
    const ir::Op& op = graph.ops[static_cast<size_t>(open.back())];
    open.pop_back();
    for (const ir::TensorId x : op.inputs) {
      if (x == source || graph.tensor(x).is_constant()) continue;
      const int producer = uses.producer[static_cast<size_t>(x)];
      if (region.insert(producer).second) open.push_back(producer);
    }
  }
  return region;
}

}  // namespace presil::passes
