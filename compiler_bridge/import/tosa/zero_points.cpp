#include "compiler_bridge/import/tosa/zero_points.h"

namespace presil::import::tosa {

ir::TensorId ZeroPoints::root(ir::TensorId id) const {
  for (auto at = m_parent.find(id); at != m_parent.end(); at = m_parent.find(id)) id = at->second;
  return id;
}

void ZeroPoints::state(ir::TensorId id, int zero_point) {
  m_stated.emplace(root(id), zero_point);
}

void ZeroPoints::alike(ir::TensorId a, ir::TensorId b) {
  const ir::TensorId first = root(a), second = root(b);
  if (first == second) return;
  m_parent[second] = first;
  const auto known = m_stated.find(second);
  if (known != m_stated.end()) m_stated.emplace(first, known->second);
}

void ZeroPoints::write(ir::Graph& graph) const {
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    ir::Tensor& tensor = graph.tensors[i];
    const bool bytes = tensor.dtype == ir::DType::kInt8;
    if (!bytes && tensor.dtype != ir::DType::kInt16) continue;
    const auto known = m_stated.find(root(static_cast<ir::TensorId>(i)));
    const bool fits =
        bytes && known != m_stated.end() && known->second >= -128 && known->second <= 127;
    tensor.quantization = {{1.0f}, {fits ? known->second : 0}, -1};
  }
}

void write_unsigned_edges(ir::Graph& graph) {
  const ir::Uses uses = ir::uses(graph);
  const auto make = [&](ir::TensorId id, int zero_point) {
    graph.tensor(id).dtype = ir::DType::kUint8;
    graph.tensor(id).quantization = {{1.0f}, {zero_point}, -1};
  };
  for (const ir::TensorId id : graph.inputs) {
    const auto& readers = uses.consumers[static_cast<size_t>(id)];
    if (graph.tensor(id).dtype != ir::DType::kInt8 || readers.size() != 1) continue;
    const ir::Op& op = graph.ops[static_cast<size_t>(readers[0])];
    const auto* r = std::get_if<ir::Rescale>(&op.attributes);
    if (r != nullptr && r->in_unsigned && !graph.is_output(id)) make(id, r->in_zero);
  }
  for (const ir::TensorId id : graph.outputs) {
    const int maker = uses.producer[static_cast<size_t>(id)];
    if (graph.tensor(id).dtype != ir::DType::kInt8 || maker < 0) continue;
    if (!uses.consumers[static_cast<size_t>(id)].empty()) continue;
    const auto* r = std::get_if<ir::Rescale>(&graph.ops[static_cast<size_t>(maker)].attributes);
    if (r != nullptr && r->out_unsigned) make(id, r->out_zero);
  }
}

}  // namespace presil::import::tosa
