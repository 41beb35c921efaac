#include "sim/rtl/read_bridge.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/rtl/axi_response.h"

namespace presil::rtl {

ReadBridge::ReadBridge(BurstPort& port, BytePort& memory, uint8_t master,
                       std::function<void()> wake, ReadObserver read)
    : m_port(port),
      m_memory(memory),
      m_master(master),
      m_wake(std::move(wake)),
      m_read(std::move(read)) {}

void ReadBridge::request(Cycle now, uint64_t address, unsigned beats) {
  const uint64_t number = m_first + m_bursts.size();
  m_bursts.push_back({address, beats, 0, false, {}});
  const presil::Burst burst{now, address, beats * kBeatBytes, false, m_master, 0};
  m_port.request(burst, [this, number](const BurstTimes& times) {
    Burst& asked = m_bursts[number - m_first];
    asked.times = times;
    asked.answered = true;
    m_wake();
  });
}

bool ReadBridge::beat(Cycle cycle, ReadBeat& beat) {
  if (m_bursts.empty() || !m_bursts.front().answered) return false;
  const Burst& burst = m_bursts.front();
  beat.last = burst.done + 1 == burst.beats;
  const Cycle latest = burst.times.last - (burst.beats - 1 - burst.done);
  const Cycle at = beat.last ? latest : std::min(burst.times.first + burst.done, latest);
  if (cycle < at) return false;
  const uint64_t address = burst.address + uint64_t{burst.done} * kBeatBytes;
  const uint8_t* bytes = m_memory.bytes_at(address, kBeatBytes);
  beat.resp = axi_response(bytes != nullptr, burst.times.error);
  if (bytes != nullptr) std::memcpy(beat.data, bytes, kBeatBytes);
  return true;
}

void ReadBridge::taken() {
  Burst& burst = m_bursts.front();
  if (++burst.done < burst.beats) return;
  const unsigned count = burst.beats * kBeatBytes;
  const uint8_t* bytes = m_memory.bytes_at(burst.address, count);
  if (m_read && bytes != nullptr && !burst.times.error) m_read(burst.address, bytes, count);
  m_bursts.pop_front();
  ++m_first;
}

}  // namespace presil::rtl
