// Tensors that share bytes, while the layout is made.
#pragma once

#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "compiler_bridge/plan/forms.h"
#include "compiler_bridge/plan/spans.h"
#include "models/soc/soc_config.h"

namespace presil::plan {

/// Disjoint sets of tensors.
class Classes {
 public:
  explicit Classes(size_t count) : m_parent(count) {
    std::iota(m_parent.begin(), m_parent.end(), 0);
  }
  int of(int i) const {
    while (m_parent[size_t(i)] != i) i = m_parent[size_t(i)];
    return i;
  }
  void unite(int a, int b) { m_parent[size_t(of(b))] = of(a); }

 private:
  std::vector<int> m_parent;
};

/// Tensors that are the same bytes as C16: views with as many channels.
Classes blocked_classes(const ir::Graph& graph, const Layers& layers);

/// What the DLA, and the DSP where its operands are stored, have to do with one class of tensors
/// that share bytes as C16.
struct Share {
  Extent extent;
  bool used = false;
  bool made = false;
  bool odd_rows = false;
  int blocks_at_once = 1;
  bool packable = true;        ///< every reader is a convolution that takes dense rows
  TensorId whole = kNoTensor;  ///< the concatenation it is a part of
  int channel = 0;             ///< in it
  int parent = kNone;          ///< class of `whole`, if it is written in place
  int block = 0;               ///< in the parent
  Lattice lattice;             ///< in the parent
  Lanes lanes;
  TensorId lanes_from = kNoTensor;  ///< the concatenation that left padding between its channels
};

/// All tensors of a partition: which of them share bytes, in the SRAM and as NHWC, and in which
/// lanes their channels lie.
class Sharing {
 public:
  /// Refuses layers that see a tensor in ways that do not fit each other.
  Sharing(const ir::Graph& graph, const Layers& layers, const DlaConfig& config);

  /// The tensor whose NHWC bytes hold this one's, and from which byte on.
  int linear_class(TensorId tensor) const { return m_linear.of(tensor); }
  uint64_t linear_at(TensorId tensor) const { return m_linear.at(tensor); }
  int blocked_class(TensorId tensor) const { return m_storage.of(tensor); }
  const std::map<int, Share>& shares() const { return m_shares; }  ///< by storage class
  Share& of(TensorId tensor);
  const Lanes& lanes_of(TensorId tensor);
  /// The class of the outermost concatenation of a class, and the first block in it.
  std::pair<int, int> root(int id) const;
  /// BlockedBuffer classes whose rows are seen in two ways.
  const std::set<int>& cut_differently() const { return m_cut_differently; }
  /// Is the concatenation not written in place?
  bool goes_through_memory(TensorId concat) const { return m_through_memory.count(concat) != 0; }
  /// A layer of the DSP with operands whose channels do not lie in the same lanes, which is seen
  /// only when all lanes are given: it has to be among those of dense operands. kNone: there is
  /// none; else nothing else here is of use.
  int lanes_differ() const { return m_lanes_differ; }

 private:
  void unite_views();
  void stack(const layer::InPlaceLayer& parts);
  void see(const Layer& layer);
  void see(const Operand& operand, const Layer& layer);
  /// All layers must agree on channels and number of pixels; rows may be cut differently as long as
  /// nothing requires space between them.
  void see(TensorId tensor, const Extent& extent, const Layer& layer);
  /// The inputs are made by DLA layers that came before, each for this concatenation only. In
  /// place: they are written where the concatenation lies. Through memory: they are stored into its
  /// flat.
  void see_concat(const layer::InPlaceLayer& concat, const Layer& layer);
  void see_interleave(const layer::InPlaceLayer& interleave, const Layer& layer);
  /// @return false: a concatenation more has to go through memory
  bool give_lanes();
  /// @return as above
  bool give_lanes(const Operands& operands, const Layer& layer);
  /// Lanes that do not fit: of the operand, or of the results. @return as above
  bool refuse_lanes(const Operand& operand, const Share& results, const Layer& layer);
  void give_lanes_of_concat(const layer::InPlaceLayer& concat);
  /// All parts have their channels in the same lanes.
  bool give_lanes_of_interleave(const layer::InPlaceLayer& interleave);

  const ir::Graph& m_graph;
  const Layers& m_layers;
  const DlaConfig& m_config;
  Spans m_linear;
  Classes m_storage;
  std::map<int, Share> m_shares;
  std::set<int> m_cut_differently;
  std::set<TensorId> m_through_memory;
  int m_lanes_differ = kNone;
};

}  // namespace presil::plan
