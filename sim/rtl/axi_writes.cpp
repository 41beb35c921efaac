#include "sim/rtl/axi_writes.h"

#include <algorithm>
#include <utility>

#include "sim/rtl/axi_response.h"

namespace presil::rtl {

AxiWrites::AxiWrites(BurstPort& port, BytePort& memory, uint8_t master, Cycle way,
                     std::function<void()> wake)
    : m_port(port), m_memory(memory), m_master(master), m_way(way), m_wake(std::move(wake)) {}

// A BurstPort is asked for the last beat: AW goes now, and a beat follows in each cycle.
void AxiWrites::ask(Cycle now, uint64_t address, unsigned beats) {
  m_offered = Burst{address, beats};
  const Cycle last = now + static_cast<Cycle>(beats);
  const presil::Burst burst{last, address, beats * kBeatBytes, true, m_master, 0};
  m_port.request(burst, [this](const BurstTimes& times) {
    Burst& asked = *m_offered;
    asked.granted = true;
    asked.b = times.last;
    asked.first = times.last - m_way - static_cast<Cycle>(asked.beats) + 1;
    const bool memory = m_memory.bytes_at(asked.address, asked.beats * kBeatBytes) != nullptr;
    asked.resp = axi_response(memory, times.error);
    m_wake();
  });
}

void AxiWrites::address_taken() {
  m_bursts.push_back(*m_offered);
  m_offered.reset();
}

void AxiWrites::beat(Cycle cycle, const uint8_t* bytes, uint16_t strobes) {
  Burst& burst = m_bursts.front();
  const uint64_t address = burst.address + uint64_t{burst.done} * kBeatBytes;
  uint8_t* word = burst.resp == 0 ? m_memory.bytes_at(address, kBeatBytes) : nullptr;
  for (unsigned i = 0; word != nullptr && i < kBeatBytes; ++i) {
    if (strobes >> i & 1) word[i] = bytes[i];
  }
  if (++burst.done < burst.beats) return;
  m_answers.push_back({std::max(burst.b, cycle + m_way), burst.resp});
  m_bursts.pop_front();
}

}  // namespace presil::rtl
