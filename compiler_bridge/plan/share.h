// Tensors that share bytes, while the layout is made.
#pragma once

#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "compiler_bridge/plan/layout.h"

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

/// What the DLA has to do with one class of tensors that share bytes as C16.
struct Share {
  Extent extent;
  bool used = false;  ///< by the DLA
  bool made = false;  ///< by the DLA
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

/// Why tensors that share bytes as NHWC need them.
struct FlatNeeds {
  bool wanted = false;  ///< by the host or the network's edge
  bool input = false, constant = false;
  std::set<TensorId> outputs;
  std::set<int> storages;  ///< classes that the DLA uses
};

inline std::string text_of(const Extent& e) {
  return std::to_string(e.h) + "x" + std::to_string(e.w) + "x" + std::to_string(e.c);
}

}  // namespace presil::plan
