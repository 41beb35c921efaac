#include "compiler_bridge/partition/shared_bytes.h"

#include <algorithm>

#include "rtl/host/host_task.h"

namespace presil::partition {

SharedBytes::SharedBytes(const ir::Graph& graph, const ir::Uses& uses,
                         const std::vector<rules::Engine>& engine)
    : m_graph(graph), m_uses(uses), m_engine(engine) {}

// A quantize that no engine was asked for may still turn out to be the host's.
bool SharedBytes::host_touches(ir::TensorId tensor) const {
  if (static_cast<size_t>(tensor) >= m_uses.producer.size()) return false;
  const auto may_be_host = [&](int op) {
    const rules::Engine engine = m_engine[static_cast<size_t>(op)];
    const bool bit_flip = m_graph.ops[static_cast<size_t>(op)].kind == ir::OpKind::kQuantize;
    return engine == rules::Engine::kHost || (engine == rules::Engine::kNone && bit_flip);
  };
  const int producer = m_uses.producer[static_cast<size_t>(tensor)];
  const std::vector<int>& readers = m_uses.consumers[static_cast<size_t>(tensor)];
  return (producer >= 0 && may_be_host(producer)) ||
         std::any_of(readers.begin(), readers.end(), may_be_host);
}

std::vector<int> SharedBytes::members(ir::TensorId holder) const {
  std::vector<int> all;
  if (static_cast<size_t>(holder) < m_members.size()) all = m_members[static_cast<size_t>(holder)];
  all.push_back(holder);
  return all;
}

bool SharedBytes::may_lie_in(ir::TensorId part, ir::TensorId whole, uint64_t at) const {
  const ir::TensorId root = holder(part);
  if (root == holder(whole) || m_graph.tensor(root).bytes() != m_graph.tensor(part).bytes()) {
    return false;
  }
  const uint64_t begin = m_spans.at(whole) + at;
  const std::vector<int> all = members(root);
  return std::none_of(all.begin(), all.end(), [&](ir::TensorId t) {
    const bool callers = std::count(m_graph.inputs.begin(), m_graph.inputs.end(), t) != 0 ||
                         m_graph.is_output(t) || m_graph.tensor(t).is_constant();
    const bool aligned = (begin + m_spans.at(t)) % PRESIL_HOST_TENSOR_DATA_ALIGN == 0;
    return callers || (!aligned && host_touches(t));
  });
}

void SharedBytes::put(ir::TensorId part, ir::TensorId whole, uint64_t at) {
  m_spans.reach(static_cast<int>(m_graph.tensors.size()));
  m_members.resize(m_graph.tensors.size());
  const ir::TensorId root = holder(part);
  std::vector<int> moved = members(root);
  m_spans.put(part, whole, at);
  std::vector<int>& of = m_members[static_cast<size_t>(holder(whole))];
  of.insert(of.end(), moved.begin(), moved.end());
  m_members[static_cast<size_t>(root)].clear();
}

}  // namespace presil::partition
