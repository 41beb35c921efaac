// For how long an array stands because the DMA moves data, where the two cannot do so at once: what
// a transfer shares with work that has been announced is owed, and paid by the work that is next.
#pragma once

#include <algorithm>
#include <deque>
#include <utility>

#include "models/soc/soc_config.h"

namespace presil {

class MovedTime {
 public:
  /// The array works in cycles begin .. end - 1.
  void works(Cycle begin, Cycle end) {
    if (end > begin) m_work.push_back({begin, end});
  }
  /// A transfer has ended that took cycles begin .. end - 1; transfers are told in the order of
  /// their ends, and what several share counts once.
  void moved(Cycle begin, Cycle end) {
    begin = std::max(begin, m_until);
    m_until = std::max(m_until, end);
    while (!m_work.empty() && m_work.front().second <= begin) m_work.pop_front();
    for (const auto& [from, to] : m_work)
      m_owed += std::max<Cycle>(0, std::min(to, end) - std::max(from, begin));
  }
  /// Cycles that are owed; they are paid then.
  Cycle paid() { return std::exchange(m_owed, 0); }

 private:
  std::deque<std::pair<Cycle, Cycle>> m_work;
  Cycle m_until = 0, m_owed = 0;
};

}  // namespace presil
