// Ops that only move values: views, what is written where it belongs, transpositions.
#pragma once

#include <set>
#include <vector>

#include "compiler_bridge/partition/group_builder.h"
#include "compiler_bridge/rules/image.h"

namespace presil::partition {

class Movement {
 public:
  /// @param lanes  of the DLA's array
  Movement(GroupBuilder& groups, int lanes)
      : m_groups(groups), m_graph(groups.graph()), m_bytes(groups.bytes()), m_lanes(lanes) {}

  void start_transpose(int i);
  void place_view(int i);
  void place_slice(int i);
  void place_interleave(int i);
  void place_concat(int i);
  void place_stack(int i);
  /// Memory to memory, by the DMA.
  void place_copy(int i);
  /// @param slow  why the DMA does not move the bytes for this alone; null: it does
  void place_bit_flip(int i, const rules::Verdict* slow);

  /// A view of x as rows, columns and channels, for op `reader`.
  ir::TensorId shown_as(ir::TensorId x, const rules::Image& image, int reader);
  /// The matrices of x, transposed for op `reader`.
  ir::TensorId transposed(ir::TensorId x, int reader);

 private:
  ir::TensorId add_shaped(ir::TensorId like, const rules::Image& image);
  ir::TensorId identity();
  void set_parts(int group, std::vector<ir::TensorId> parts);
  bool made_here(ir::TensorId x) const;
  bool is_interleaved(ir::TensorId x) const;
  bool only_dla_reads(ir::TensorId id) const;
  bool dla_makes(ir::TensorId id) const;
  bool written_in_place(ir::TensorId x) const;
  ir::TensorId copy_into(ir::TensorId x, int reader);

  GroupBuilder& m_groups;
  ir::Graph& m_graph;
  SharedBytes& m_bytes;
  std::vector<ir::TensorId> m_joined;  ///< written in place as parts of others
  std::set<ir::TensorId> m_shown;      ///< read as views that are no ops
  int m_lanes;
  ir::TensorId m_identity = ir::kAbsent;  ///< a constant, once something is transposed
};

}  // namespace presil::partition
