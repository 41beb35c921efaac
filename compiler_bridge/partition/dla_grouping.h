// Ops of the DLA: those that begin a command, and those that join what a command computes, in the
// order of its post-processing.
#pragma once

#include <set>

#include "compiler_bridge/layer/dla_layer.h"
#include "compiler_bridge/partition/group_builder.h"
#include "compiler_bridge/partition/movement.h"

namespace presil::partition {

class DlaGrouping {
 public:
  /// @param not_fused  element-wise ops that get a command of their own
  DlaGrouping(GroupBuilder& groups, Movement& movement, const std::set<int>& not_fused)
      : m_groups(groups), m_graph(groups.graph()), m_movement(movement), m_not_fused(not_fused) {}

  void start_accumulating(int i);
  void place_table(int i);
  /// With two operands that are computed.
  void place_elementwise(int i);
  /// Nearest-neighbour upsampling by 2.
  void place_upsampling(int i);

 private:
  void start_dense(int i);
  void start_product(int i);
  void start_byte_product(int i);
  /// The DLA group whose result is the tensor and can still be changed by op i; -1: none.
  int open_group(ir::TensorId id, int i) const;
  layer::DlaLayer& layer_of(int group);
  bool has_elementwise(int group);

  GroupBuilder& m_groups;
  ir::Graph& m_graph;
  Movement& m_movement;
  const std::set<int>& m_not_fused;
};

}  // namespace presil::partition
