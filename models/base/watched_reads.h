// Loads that a debugger is to be told of: parts of an address space, and which one of them has been
// loaded from. Costs a memory nothing where nothing is watched but the question whether.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace presil {

class WatchedReads {
 public:
  struct Extent {
    uint64_t address = 0, bytes = 0;
  };

  /// Instead of those before.
  void watch(std::vector<Extent> extents) { m_extents = std::move(extents); }
  bool any() const { return !m_extents.empty(); }

  /// A program loads from here.
  void loads(uint64_t address, uint64_t bytes) const {
    for (const Extent& e : m_extents) {
      if (m_seen || address >= e.address + e.bytes || e.address >= address + bytes) continue;
      m_seen = true;
      m_at = e.address;
    }
  }
  /// Has it loaded since the last question? @param address where the extent begins
  bool take(uint64_t& address) {
    address = m_at;
    return std::exchange(m_seen, false);
  }

 private:
  std::vector<Extent> m_extents;
  mutable bool m_seen = false;
  mutable uint64_t m_at = 0;
};

}  // namespace presil
