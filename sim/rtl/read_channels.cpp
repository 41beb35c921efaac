#include "sim/rtl/read_channels.h"

#include <algorithm>
#include <cstring>

#include "sim/rtl/axi_response.h"

namespace presil::rtl {
namespace {

constexpr unsigned kAtomBytes = 64;  // of the DRAM

}  // namespace

uint64_t ReadChannels::asked(uint8_t id, uint64_t address, unsigned beats) {
  ++m_outstanding;
  m_bursts[id].push_back({address, beats, false, {}});
  return m_first[id] + m_bursts[id].size() - 1;
}

// An answer before that of an older burst of the id waits for it.
void ReadChannels::answered(uint8_t id, uint64_t number, const BurstTimes& times) {
  auto& bursts = m_bursts[id];
  Burst& burst = bursts[number - m_first[id]];
  burst.times = times;
  burst.answered = true;
  while (!bursts.empty() && bursts.front().answered) {
    const Burst next = bursts.front();
    bursts.pop_front();
    ++m_first[id];
    play(id, next);
    m_known(id, next.times);
  }
}

// An atom's beats follow each other; atoms come evenly between the first and the last beat, which
// are there when the answer says.
void ReadChannels::play(uint8_t id, const Burst& burst) {
  const uint64_t first_beat = burst.address / kBeatBytes * kBeatBytes;
  const unsigned beats = burst.beats;
  const auto atom_of = [&](unsigned beat) {
    return static_cast<Cycle>((first_beat + kBeatBytes * beat) / kAtomBytes -
                              first_beat / kAtomBytes);
  };
  const Cycle atoms = atom_of(beats - 1);
  unsigned in_last = 1;
  while (in_last < beats && atom_of(beats - 1 - in_last) == atoms) ++in_last;
  const Cycle from = burst.times.first, last_atom = burst.times.last - (in_last - 1);
  Cycle at = from;
  for (unsigned beat = 0; beat < beats; ++beat) {
    if (atoms > 0) at = std::max(at, from + (last_atom - from) * atom_of(beat) / atoms);
    const bool last = beat + 1 == beats;
    if (last) at = std::max(at, burst.times.last);
    m_coming.push_back(
        {at++, first_beat + kBeatBytes * beat, first_beat, beats, id, last, burst.times.error});
  }
}

const ReadChannels::Beat* ReadChannels::beat(Cycle cycle) {
  if (m_coming.empty() || cycle < m_coming.front().at) return nullptr;
  if (!m_filled) {
    const Coming& coming = m_coming.front();
    const uint8_t* bytes = m_memory.bytes_at(coming.address, kBeatBytes);
    m_beat.id = coming.id;
    m_beat.last = coming.last;
    m_beat.resp = axi_response(bytes != nullptr, coming.error);
    if (bytes != nullptr) std::memcpy(m_beat.data, bytes, kBeatBytes);
    m_filled = true;
  }
  return &m_beat;
}

void ReadChannels::taken() {
  const Coming coming = m_coming.front();
  m_coming.pop_front();
  m_filled = false;
  if (!coming.last) return;
  --m_outstanding;
  const unsigned count = coming.beats * kBeatBytes;
  const uint8_t* bytes = m_memory.bytes_at(coming.burst, count);
  if (m_whole && bytes != nullptr && !coming.error) {
    m_whole(coming.id, coming.burst, bytes, count);
  }
}

Cycle ReadChannels::free_after(Cycle cycle) const {
  Cycle free = cycle + 1;
  for (const Coming& coming : m_coming) free = std::max(free, coming.at) + 1;
  return free;
}

}  // namespace presil::rtl
