#include "compiler_bridge/partition/origin.h"

namespace presil::partition {

Origins::Origins(const ir::Graph& imported)
    : m_imported(imported), m_producer(ir::uses(imported).producer) {
  for (const ir::Op& op : imported.ops) {
    for (const int source : op.source_ops) m_by_source.emplace(source, &op);
  }
}

const ir::Op* Origins::maker(ir::TensorId made) const {
  if (made < 0 || static_cast<size_t>(made) >= m_producer.size()) return nullptr;
  const int index = m_producer[static_cast<size_t>(made)];
  return index < 0 ? nullptr : &m_imported.ops[static_cast<size_t>(index)];
}

const ir::Op* Origins::by_source(int source) const {
  const auto found = m_by_source.find(source);
  return found == m_by_source.end() ? nullptr : found->second;
}

const ir::Op* Origins::self(const ir::Op& op) const {
  const ir::Op* made = maker(op.output());
  if (made != nullptr && made->kind == op.kind) return made;
  for (const int source : op.source_ops) {
    const ir::Op* found = by_source(source);
    if (found != nullptr && found->kind == op.kind) return found;
  }
  return made;
}

}  // namespace presil::partition
