#include "compiler_bridge/replay/data_flow.h"

#include <algorithm>
#include <map>

#include "compiler_bridge/ir/binary.h"

namespace presil::replay {
namespace {

class Feeds {
 public:
  explicit Feeds(const loadable::Loadable& l)
      : m_graph(ir::from_bytes(l.graph()->data(), l.graph()->size())),
        m_producer(ir::uses(m_graph).producer),
        m_works(l.layers()->size(), false) {
    for (const auto* command : *l.commands()) {
      if (command->layer() >= 0) m_works[static_cast<size_t>(command->layer())] = true;
    }
    std::map<int, std::set<int>> of_source;
    for (size_t i = 0; i < m_graph.ops.size(); ++i) {
      for (const int source : m_graph.ops[i].source_ops) of_source[source].insert(int(i));
    }
    for (uint32_t k = 0; k < l.layers()->size(); ++k) {
      const loadable::Layer& layer = *l.layers()->Get(k);
      std::set<int> ops;
      if (layer.source_ops() != nullptr) {
        for (const int source : *layer.source_ops()) {
          ops.insert(of_source[source].begin(), of_source[source].end());
        }
      }
      if (layer.outputs() != nullptr) {
        for (const int tensor : *layer.outputs()) {
          const loadable::Tensor& made = *l.tensors()->Get(uint32_t(tensor));
          const int id = made.graph_tensor() >= 0 ? made.graph_tensor() : made.part_of();
          const bool known = id >= 0 && static_cast<size_t>(id) < m_producer.size();
          if (known && m_producer[size_t(id)] >= 0) ops.insert(m_producer[size_t(id)]);
        }
      }
      for (const int op : ops) m_layers[op].insert(static_cast<int>(k));
      m_ops.push_back(std::move(ops));
    }
  }

  std::vector<std::set<int>> all() {
    std::set<int> unknown, every;
    for (size_t k = 0; k < m_ops.size(); ++k) {
      every.insert(static_cast<int>(k));
      if (m_ops[k].empty()) unknown.insert(static_cast<int>(k));
    }
    std::vector<std::set<int>> feeds(m_ops.size(), unknown);
    for (size_t k = 0; k < m_ops.size(); ++k) {
      m_found = &feeds[k];
      m_seen.clear();
      if (m_ops[k].empty()) feeds[k] = every;
      m_found->insert(static_cast<int>(k));
      for (const int op : m_ops[k]) {
        m_found->insert(m_layers[op].begin(), m_layers[op].end());
        before(op);
      }
    }
    return feeds;
  }

 private:
  /// Whether some of what the op makes may be what it reads, where that lies: a view, or parts
  /// written in place. Others are made by commands of their own.
  bool passes_on(int op) const {
    const ir::OpKind kind = m_graph.ops[static_cast<size_t>(op)].kind;
    if (kind == ir::OpKind::kConcat || kind == ir::OpKind::kInterleave) return true;
    const auto layers = m_layers.find(op);
    if (layers == m_layers.end()) return true;
    return std::none_of(layers->second.begin(), layers->second.end(),
                        [&](int layer) { return m_works[static_cast<size_t>(layer)]; });
  }

  /// Layers that make what the op reads.
  void before(int op) {
    for (const ir::TensorId id : m_graph.ops[static_cast<size_t>(op)].inputs) {
      const int maker = id == ir::kAbsent ? -1 : m_producer[static_cast<size_t>(id)];
      if (maker < 0 || !m_seen.insert(maker).second) continue;
      m_found->insert(m_layers[maker].begin(), m_layers[maker].end());
      if (passes_on(maker)) before(maker);
    }
  }

  const ir::Graph m_graph;
  const std::vector<int> m_producer;
  std::vector<bool> m_works;              ///< by layer: it has commands
  std::vector<std::set<int>> m_ops;       ///< by layer: the ops of the graph that it stands for
  std::map<int, std::set<int>> m_layers;  ///< by op of the graph
  std::set<int>* m_found = nullptr;
  std::set<int> m_seen;
};

}  // namespace

std::vector<std::set<int>> feeds(const loadable::Loadable& l) {
  if (l.graph() == nullptr) return {};
  return Feeds(l).all();
}

}  // namespace presil::replay
