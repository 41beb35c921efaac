// Whose turn it is: reads go first, writes wait in their queue until it is worth to turn the bus.
// A value: what follows from the queues is tried on a copy, which counts when a burst has ended.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/soc/soc_config.h"

namespace presil::memory {

class WriteDrain {
 public:
  enum class Turn : uint8_t { kRead, kWrite, kNobody };
  static constexpr unsigned kLeastAtoms = 64;  ///< of reads between two drains, while reads wait
  static constexpr unsigned kEntryAtoms = 4;   ///< of an entry, at most
  static constexpr unsigned kPatienceAtoms = 1024;  ///< of reads, that pass a waiting write

  /// @param places  entries of the write queue of this channel
  WriteDrain(const DramConfig& config, unsigned places)
      : m_most(places * kEntryAtoms),
        m_high(std::max(1u, places * config.write_high / 100)),
        m_low(std::min(places * config.write_low / 100, m_high - 1)),
        m_least(config.write_least),
        m_idle(int64_t{config.write_idle} * config.clock_ps) {}

  /// @param reads, writes  that wait; not both 0
  Turn turn(int64_t now, unsigned reads, unsigned writes) {
    if (writes == 0) {
      m_draining = m_overdue = false;
      m_served = kLeastAtoms;  // no read was kept waiting
      return Turn::kRead;
    }
    if (reads == 0) {
      if (!m_draining && writes < m_high && now < wakes_at()) return Turn::kNobody;
      if (!m_draining) begin(false);
      return Turn::kWrite;
    }
    if (m_draining) {
      const bool low = writes <= (m_overdue ? 0 : m_low) && m_served >= m_least;
      if (low || m_served >= m_most) {
        m_draining = false;
        m_served = 0;
      }
    } else if (m_served >= kPatienceAtoms) {
      begin(true);
    } else if (writes >= m_high && m_served >= kLeastAtoms) {
      begin(false);
    }
    return m_draining ? Turn::kWrite : Turn::kRead;
  }
  /// With kNobody: when a drain begins if no read comes.
  int64_t wakes_at() const { return m_last_read + m_idle; }

  void read(int64_t at, unsigned atoms) {
    m_served += atoms;
    m_last_read = at;
  }
  void written(unsigned atoms) { m_served += atoms; }

 private:
  void begin(bool overdue) {
    m_draining = true;
    m_overdue = overdue;
    m_served = 0;
  }

  unsigned m_most, m_high, m_low, m_least;
  int64_t m_idle, m_last_read = 0;
  bool m_draining = false;
  bool m_overdue = false;           // this drain goes down to the last write
  unsigned m_served = kLeastAtoms;  // atoms since the turn began
};

}  // namespace presil::memory
