// What all that place ops share: the graph, who makes and reads what, and the groups so far.
#pragma once

#include <utility>

#include "compiler_bridge/ir/count.h"
#include "compiler_bridge/partition/grouping.h"
#include "compiler_bridge/partition/shared_bytes.h"

namespace presil::partition {

class GroupBuilder {
 protected:
  explicit GroupBuilder(ir::Graph& graph)
      : m_graph(graph), m_uses(ir::uses(graph)), m_bytes(graph, m_uses, m.engine) {
    m.group_of.assign(graph.ops.size(), -1);
  }

  const ir::Op& op(int i) const { return m_graph.ops[static_cast<size_t>(i)]; }
  bool runs_on(int i, rules::Engine engine) const {
    return m.engine[static_cast<size_t>(i)] == engine;
  }

  int start(int i, layer::Work work) {
    const auto macs = static_cast<uint64_t>(ir::macs(m_graph, op(i)));
    m.groups.push_back({{i}, macs, std::move(work)});
    return m.group_of[static_cast<size_t>(i)] = static_cast<int>(m.groups.size()) - 1;
  }

  /// What op `reader` wants besides its own.
  void add(int reader, layer::Work work) {
    Group group;
    group.ops = {reader};
    group.work = std::move(work);
    m.groups.push_back(std::move(group));
  }

  void join(int i, int group) {
    m.groups[static_cast<size_t>(group)].ops.push_back(i);
    m.groups[static_cast<size_t>(group)].macs += static_cast<uint64_t>(ir::macs(m_graph, op(i)));
    m.group_of[static_cast<size_t>(i)] = group;
  }

  /// The op that alone reads the tensor; -1: several, none, or it is an output.
  int only_reader(ir::TensorId id) const {
    if (m_graph.is_output(id)) return -1;
    const std::vector<int>& readers = m_uses.consumers[static_cast<size_t>(id)];
    return readers.size() == 1 ? readers.front() : -1;
  }

  /// The op that makes the tensor; -1: none of the graph as it came.
  int producer(ir::TensorId id) const {
    const auto i = static_cast<size_t>(id);
    return i < m_uses.producer.size() ? m_uses.producer[i] : -1;
  }
  /// Added while ops were placed: a layer of the DLA makes it, or it is a constant or a view.
  bool is_appended(ir::TensorId id) const {
    return static_cast<size_t>(id) >= m_uses.producer.size();
  }
  int group_that_makes(ir::TensorId id) const {
    const int op = producer(id);
    return op < 0 ? -1 : m.group_of[static_cast<size_t>(op)];
  }

  ir::Graph& m_graph;
  ir::Uses m_uses;  ///< of the graph as it came: appended tensors are the grouper's own
  Grouping m;
  SharedBytes m_bytes;
};

}  // namespace presil::partition
