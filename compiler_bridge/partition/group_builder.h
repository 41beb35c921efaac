// The groups so far, producers and readers of tensors: what all grouping files share.
#pragma once

#include <utility>
#include <vector>

#include "compiler_bridge/ir/count.h"
#include "compiler_bridge/partition/grouping.h"
#include "compiler_bridge/partition/shared_bytes.h"

namespace presil::partition {

class GroupBuilder {
 public:
  explicit GroupBuilder(ir::Graph& graph)
      : m_graph(graph), m_uses(ir::uses(graph)), m_bytes(graph, m_uses, m_made.engine) {
    m_made.group_of.assign(graph.ops.size(), -1);
  }

  ir::Graph& graph() { return m_graph; }
  SharedBytes& bytes() { return m_bytes; }
  int op_count() const { return static_cast<int>(m_graph.ops.size()); }
  const ir::Op& op(int i) const { return m_graph.ops[static_cast<size_t>(i)]; }

  // ---- engines

  /// To the next op, in the graph's order. @param told  by those asked before
  void give_next(rules::Engine engine, std::vector<rules::Verdict> told) {
    m_made.engine.push_back(engine);
    m_made.verdicts.push_back(std::move(told));
  }
  void give(int i, rules::Engine engine) { m_made.engine[static_cast<size_t>(i)] = engine; }
  std::vector<rules::Verdict>& verdicts(int i) { return m_made.verdicts[static_cast<size_t>(i)]; }
  rules::Engine engine(int i) const { return m_made.engine[static_cast<size_t>(i)]; }
  bool runs_on(int i, rules::Engine engine) const { return this->engine(i) == engine; }

  // ---- groups

  /// A group of op i. @param does  as of Group
  int start(int i, layer::Work work, const std::string& does = "") {
    const auto macs = static_cast<uint64_t>(ir::macs(m_graph, op(i)));
    m_made.groups.push_back({{i}, macs, std::move(work), does});
    return m_made.group_of[static_cast<size_t>(i)] = static_cast<int>(m_made.groups.size()) - 1;
  }
  /// What op `reader` requires besides its own.
  void add(int reader, layer::Work work, const std::string& does = "") {
    m_made.groups.push_back({{reader}, 0, std::move(work), does});
  }
  void join(int i, int group) {
    of(group).ops.push_back(i);
    of(group).macs += static_cast<uint64_t>(ir::macs(m_graph, op(i)));
    m_made.group_of[static_cast<size_t>(i)] = group;
  }
  /// Of an op; -1: none yet.
  int group_of(int i) const { return m_made.group_of[static_cast<size_t>(i)]; }
  Group& of(int group) { return m_made.groups[static_cast<size_t>(group)]; }
  const Group& of(int group) const { return m_made.groups[static_cast<size_t>(group)]; }
  layer::Work& work_of(int group) { return of(group).work; }
  const layer::Work& work_of(int group) const { return of(group).work; }
  Grouping take() { return std::move(m_made); }

  // ---- tensors of the graph as it came

  const std::vector<int>& readers(ir::TensorId id) const {
    return m_uses.consumers[static_cast<size_t>(id)];
  }
  /// The op that alone reads the tensor; -1: several, none, or it is an output.
  int only_reader(ir::TensorId id) const {
    return m_graph.is_output(id) || readers(id).size() != 1 ? -1 : readers(id).front();
  }
  /// The op that makes the tensor; -1: none of the graph as it came.
  int producer(ir::TensorId id) const {
    return is_appended(id) ? -1 : m_uses.producer[static_cast<size_t>(id)];
  }
  /// Added while ops were placed: a layer of the DLA makes it, or it is a constant or a view.
  bool is_appended(ir::TensorId id) const {
    return static_cast<size_t>(id) >= m_uses.producer.size();
  }
  int group_that_makes(ir::TensorId id) const {
    const int op = producer(id);
    return op < 0 ? -1 : group_of(op);
  }

 private:
  ir::Graph& m_graph;
  ir::Uses m_uses;
  Grouping m_made;
  SharedBytes m_bytes;
};

}  // namespace presil::partition
