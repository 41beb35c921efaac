// Which tile buffer holds what, while the tiles of a layer are put in order.
#pragma once

#include <array>
#include <vector>

#include "compiler_bridge/plan/plan.h"

namespace presil::plan {

/// What lies in an entry of a ring: a window of the input, a range of blocks.
using RingKey = std::array<int, 6>;

/// Of computing commands that follow each other: [begin, end).
struct Slots {
  int begin = 0, end = 0;
};

/// Follows a ring through the tiles of a layer: which entry holds what, and from which slot on an
/// entry may be written again.
class RingState {
 public:
  RingState(const Ring& ring, int from_slot) : m_ring(ring), m_entries(ring.buffers.size()) {
    for (Entry& e : m_entries) e.free_from = from_slot;
  }

  struct Turn {
    int buffer = kNone;
    bool fresh = false;  ///< the entry does not hold `key` yet
    int slot = 0;        ///< it may be filled before this slot
  };
  /// @param slots  of the commands that use the entry: [begin, end)
  Turn take(const RingKey& key, const Slots& slots) {
    for (size_t i = 0; i < m_entries.size(); ++i) {
      if (!m_entries[i].filled || m_entries[i].key != key) continue;
      m_entries[i].free_from = slots.end;
      return {m_ring.buffers[i], false, slots.begin};
    }
    const size_t i = m_next++ % m_entries.size();
    const Turn turn{m_ring.buffers[i], true, m_entries[i].free_from};
    m_entries[i] = {key, true, slots.end};
    return turn;
  }

  bool used() const { return m_ring.used(); }

 private:
  struct Entry {
    RingKey key{};
    bool filled = false;
    int free_from = 0;
  };
  const Ring& m_ring;
  std::vector<Entry> m_entries;
  size_t m_next = 0;
};

}  // namespace presil::plan
