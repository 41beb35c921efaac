#include "models/noc/dma_sink.h"

#include <algorithm>

namespace presil::noc {

void DmaSink::book(Cycle first, Cycle last, Cycle now) {
  while (!m_bursts.empty() && m_bursts.front().last + cycles_load_to_local <= now) {
    m_bursts.pop_front();
  }
  m_bursts.push_back({first, last});
  m_free = last + 1;
}

// Before the first burst that leaves a gap, else after all.
Cycle DmaSink::turn(Cycle earliest) const {
  if (m_free <= earliest) return earliest;
  Cycle rests = earliest;     // the loads before have rested for long enough
  Cycle boundary = earliest;  // the last of them is over
  for (const Booked& burst : m_bursts) {
    const Cycle waited = std::max(boundary, earliest + cycles_local_patience);
    const Cycle turn = std::max(earliest, std::min(rests, waited));
    if (turn <= burst.first) return turn;
    boundary = burst.last + 1;
    rests = burst.last + cycles_load_to_local;
  }
  return m_free;
}

Cycle DmaSink::reserve(Cycle earliest, unsigned cycles) {
  const Cycle first = turn(earliest);
  for (Booked& burst : m_bursts) {
    if (burst.first < first) continue;
    burst.first += cycles;
    burst.last += cycles;
  }
  m_free = std::max(m_free, first) + cycles;
  return first;
}

void DmaSink::hold(Cycle until) {
  m_free = std::max(m_free, until);
}

}  // namespace presil::noc
