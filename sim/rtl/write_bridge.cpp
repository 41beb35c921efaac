#include "sim/rtl/write_bridge.h"

#include <cstring>

namespace presil::rtl {

void write_strobed(uint8_t* word, const uint8_t* bytes, unsigned strobes) {
  constexpr unsigned kAll = (1u << WriteBridge::kBeatBytes) - 1;
  if (strobes == kAll) {
    std::memcpy(word, bytes, WriteBridge::kBeatBytes);
    return;
  }
  for (unsigned i = 0; i < WriteBridge::kBeatBytes; ++i) {
    if (strobes >> i & 1) word[i] = bytes[i];
  }
}

void WriteBridge::ask(uint8_t id, const Burst& burst) {
  m_offered = Written{id, burst, {}, 0};
  m_offered->times.aw = Timeline::kNever;
  noc::WriteBurst write;
  write.burst = burst;
  write.data_first = burst.at + 1;
  write.sent_later = true;
  m_crossbar.write(noc::Fabric::kDmaData, write, [this](const noc::WriteTimes& times) {
    m_offered->times = times;
    if (m_granted) m_granted(m_offered->id, times.error);
  });
}

void WriteBridge::address_taken() {
  m_written.push_back(*m_offered);
  m_offered.reset();
}

uint64_t WriteBridge::beat(const uint8_t* bytes, unsigned strobes) {
  Written& written = m_written.front();
  const uint64_t at =
      written.burst.address / kBeatBytes * kBeatBytes + uint64_t{written.sent} * kBeatBytes;
  uint8_t* word = written.times.error ? nullptr : m_memory.bytes_at(at, kBeatBytes);
  if (word != nullptr) write_strobed(word, bytes, strobes);
  ++written.sent;
  if (at + kBeatBytes >= written.burst.address + written.burst.bytes) m_written.pop_front();
  return at;
}

void WriteBridge::last_beat(Cycle now) {
  const Written& written = m_written.front();
  if (written.times.token != noc::WriteTimes::kNobody) m_crossbar.sent(written.times.token, now);
  m_answers.push_back({now + m_way, written.id, written.times.error});
}

}  // namespace presil::rtl
