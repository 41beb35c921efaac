// Tensors whose NHWC bytes lie inside each other's.
#pragma once

#include <cstdint>
#include <vector>

namespace presil::plan {

/// Sets of tensors; in each, one span of bytes holds all others.
class Spans {
 public:
  explicit Spans(size_t count = 0) { reach(static_cast<int>(count)); }
  /// Tensors below `count` exist, each alone so far.
  void reach(int count) {
    for (int t = static_cast<int>(m_parent.size()); t < count; ++t) m_parent.push_back(t);
    m_at.resize(m_parent.size(), 0);
  }
  /// The tensor whose bytes hold all of the set.
  int of(int tensor) const {
    while (!holds_itself(tensor)) tensor = m_parent[size_t(tensor)];
    return tensor;
  }
  /// Of the tensor's first byte, in that one.
  uint64_t at(int tensor) const {
    uint64_t at = 0;
    for (int t = tensor; !holds_itself(t); t = m_parent[size_t(t)]) at += m_at[size_t(t)];
    return at;
  }
  /// All that lies in `part`'s bytes lies in `whole`'s from byte `at` on.
  /// @pre `part` holds its set: at(part) is 0 and its bytes are those of of(part)
  void put(int part, int whole, uint64_t at) {
    const int root = of(whole);
    m_at[size_t(of(part))] = this->at(whole) + at;
    m_parent[size_t(of(part))] = root;
  }

 private:
  bool holds_itself(int tensor) const {
    return size_t(tensor) >= m_parent.size() || m_parent[size_t(tensor)] == tensor;
  }

  std::vector<int> m_parent;
  std::vector<uint64_t> m_at;
};

}  // namespace presil::plan
