#include "models/noc/dma_sink.h"

#include <algorithm>

namespace presil::noc {

void DmaSink::begin(unsigned beats, unsigned words, unsigned tail) {
  m_beats = static_cast<Cycle>(beats);
  m_words = static_cast<Cycle>(words);
  m_tail = static_cast<Cycle>(std::max(tail, 1u));
  m_beat = 0;
}

Cycle DmaSink::beat(Cycle ready) {
  Cycle at = std::max(ready, m_port_free);
  Cycle& place = m_entered[m_count++ % kBeats];  // of the beat 8 before
  if (m_words > 0) at = std::max(at, place + 1);
  m_port_free = at + 1;
  if (m_beat == 0) {
    m_entry = std::max(at, m_stream_free);
    if (m_words > 0) m_entry = std::max(m_entry, m_write_free);  // of a copy system to system: not
    place = m_entry;
  } else {
    // Two words of bytes may be in the stream: more are taken as words leave.
    const Cycle words = m_words > m_beats ? ((m_beat - 1) * m_words + m_beats - 1) / m_beats : 0;
    place = std::max({at, m_entry + m_beat, m_entry + words});
  }
  ++m_beat;
  return at;
}

Cycle DmaSink::end(Cycle now) {
  const Cycle last = m_entered[(m_count - 1) % kBeats];
  m_stream_free = std::max(last + m_tail, m_entry + std::max(m_words, m_beats));
  if (m_words == 0) return m_stream_free;
  m_write_free = m_stream_free;
  while (!m_bursts.empty() && m_bursts.front().last + cycles_load_to_local <= now) {
    m_bursts.pop_front();
  }
  m_bursts.push_back({m_entry, m_stream_free - 1});
  ++m_number;
  return m_stream_free;
}

Cycle DmaSink::gone(uint32_t number, Cycle otherwise) const {
  const uint32_t after = m_number - number;
  if (after >= m_bursts.size()) return otherwise;
  return m_bursts[m_bursts.size() - 1 - after].last + 1;
}

// Before the first burst that leaves a gap, else after all. Loads that are over have not rested
// before they have for a while.
Cycle DmaSink::turn(Cycle earliest) const {
  Cycle rests = earliest;     // the loads before have rested for long enough
  Cycle boundary = earliest;  // the last of them is over
  const auto turn = [&] {
    const Cycle waited = std::max(boundary, earliest + cycles_local_patience);
    return std::max(earliest, std::min(rests, waited));
  };
  for (const Booked& burst : m_bursts) {
    if (turn() <= burst.first) return turn();
    boundary = burst.last + 1;
    rests = burst.last + cycles_load_to_local;
  }
  return std::max(turn(), m_held);
}

Cycle DmaSink::reserve(Cycle earliest, unsigned cycles, unsigned next) {
  // The loads have rested since the piece before, or still do.
  const bool kept = earliest == m_turn_kept || earliest < m_piece_end;
  const Cycle first = kept ? std::max(earliest, m_piece_end) : turn(earliest);
  const Cycle rest = kept ? m_piece_end : first;
  m_turn_kept = first > earliest && next > 0 ? first + static_cast<Cycle>(next) : -1;
  Cycle free = m_piece_end = first + cycles;
  for (Booked& burst : m_bursts) {
    if (burst.first < rest) continue;
    const Cycle later = std::max<Cycle>(free - burst.first, 0);
    burst.first += later;
    burst.last += later;
    free = burst.last + 1;
  }
  m_write_free = std::max(m_write_free, free);
  if (!m_bursts.empty()) m_stream_free = std::max(m_stream_free, m_bursts.back().last + 1);
  return first;
}

void DmaSink::hold(Cycle until) {
  m_port_free = std::max(m_port_free, until);
  m_stream_free = std::max(m_stream_free, until);
  m_write_free = std::max(m_write_free, until);
  m_held = std::max(m_held, until);
}

}  // namespace presil::noc
