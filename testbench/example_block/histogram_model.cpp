#include "testbench/example_block/histogram_model.h"

#include <algorithm>
#include <cstring>

namespace presil::example {
namespace {

constexpr unsigned kBeat = 16, kBurst = 256;
constexpr Cycle kClear = 64, kCount = 16, kCounted = 18, kEnd = 2;

uint32_t low(uint64_t value) {
  return static_cast<uint32_t>(value);
}
uint64_t with_low(uint64_t value, uint32_t word) {
  return (value & ~uint64_t{0xffffffff}) | word;
}
uint64_t with_high(uint64_t value, uint32_t word) {
  return low(value) | uint64_t{word & 0xff} << 32;
}

}  // namespace

HistogramModel::HistogramModel(const platform::UserPlace& place)
    : m_timekeeper(place.timekeeper),
      m_port(place.port),
      m_system(place.system),
      m_way(place.config.noc.cycles_request + place.config.noc.cycles_response),
      m_registers("user", [this](bool write, uint16_t offset, uint32_t& value) {
        return access(write, offset, value);
      }) {}

// ------------------------------------------------------------------------------------- registers

bool HistogramModel::access(bool is_write, uint16_t offset, uint32_t& value) {
  m_timekeeper.pass(2);
  m_timekeeper.timeline();  // now() is this cycle
  const bool taken = is_write ? write(offset, value) : read(offset, value);
  show();
  m_timekeeper.pass(1);
  return taken;
}

bool HistogramModel::read(uint16_t offset, uint32_t& value) const {
  switch (offset) {
    case HISTOGRAM_ID:
      value = HISTOGRAM_ID_VALUE;
      return true;
    case HISTOGRAM_CONTROL:
      value = 0;
      return true;
    case HISTOGRAM_STATUS:
      value = m_busy * HISTOGRAM_BUSY | m_done * HISTOGRAM_DONE | m_failed * HISTOGRAM_FAILED;
      return true;
    case HISTOGRAM_BYTES:
      value = m_bytes;
      return true;
    case HISTOGRAM_SOURCE:
      value = low(m_source);
      return true;
    case HISTOGRAM_SOURCE + 4:
      value = low(m_source >> 32);
      return true;
    case HISTOGRAM_TARGET:
      value = low(m_target);
      return true;
    case HISTOGRAM_TARGET + 4:
      value = low(m_target >> 32);
      return true;
    case HISTOGRAM_IRQ_ENABLE:
      value = m_irq_enable;
      return true;
    case HISTOGRAM_CYCLES:
      value = m_cycles;
      return true;
    default:
      value = 0;
      return false;
  }
}

bool HistogramModel::write(uint16_t offset, uint32_t value) {
  if (m_busy && offset != HISTOGRAM_STATUS) return false;
  switch (offset) {
    case HISTOGRAM_CONTROL:
      if (value & 1) start(m_timekeeper.cycle());
      return true;
    case HISTOGRAM_STATUS:
      m_done = m_failed = false;
      return true;
    case HISTOGRAM_BYTES:
      m_bytes = value & ~(kBeat - 1);
      return true;
    case HISTOGRAM_SOURCE:
      m_source = with_low(m_source, value & ~(kBeat - 1));
      return true;
    case HISTOGRAM_SOURCE + 4:
      m_source = with_high(m_source, value);
      return true;
    case HISTOGRAM_TARGET:
      m_target = with_low(m_target, value & ~(kBurst - 1));
      return true;
    case HISTOGRAM_TARGET + 4:
      m_target = with_high(m_target, value);
      return true;
    case HISTOGRAM_IRQ_ENABLE:
      m_irq_enable = value & 1;
      return true;
    default:
      return false;
  }
}

void HistogramModel::show() {
  const bool level = m_irq_enable && (m_done || m_failed);
  if (level == m_line) return;
  m_line = level;
  if (m_interrupt) m_interrupt(level);
}

// ------------------------------------------------------------------------------------------- job

void HistogramModel::at(Cycle when, void (HistogramModel::*then)(Cycle)) {
  m_timekeeper.timeline().at(when, Phase::kEngine, [this, when, then] { (this->*then)(when); });
}

void HistogramModel::start(Cycle now) {
  m_busy = true;
  m_done = m_failed = m_error = false;
  m_start = now;
  m_counts = {};
  m_read = m_source;
  m_left = m_bytes;
  m_written = 0;
  m_answers = 0;
  if (m_left != 0) {
    at(now + kClear, &HistogramModel::ask_read);
  } else {
    at(now + kClear + 1, &HistogramModel::ask_write);
  }
}

void HistogramModel::ask_read(Cycle now) {
  const uint64_t address = m_read;
  const auto bytes = static_cast<unsigned>(std::min(m_left, kBurst - address % kBurst));
  m_read += bytes;
  m_left -= bytes;
  m_port.request(
      {now, address, bytes, false, PRESIL_MASTER_USER, 0},
      [this, address, bytes](const BurstTimes& times) { take(address, bytes / kBeat, times); });
}

// A beat is there one cycle after the one before, the last one when the answer says.
void HistogramModel::take(uint64_t address, unsigned beats, const BurstTimes& times) {
  Cycle taken = times.first - kCount;
  for (unsigned beat = 0; beat < beats; ++beat) {
    const Cycle latest = times.last - (beats - 1 - beat);
    const Cycle there = beat + 1 == beats ? latest : std::min(times.first + beat, latest);
    taken = std::max(there, taken + kCount);
  }
  const uint8_t* bytes = m_system.bytes_at(address, beats * kBeat);
  m_error |= times.error || bytes == nullptr;
  if (bytes != nullptr) count(m_counts, bytes, beats * kBeat);
  if (m_left != 0) {
    at(taken + 1, &HistogramModel::ask_read);
  } else if (!m_error) {
    at(taken + kCounted, &HistogramModel::ask_write);
  } else {
    at(taken + kCounted + 1, &HistogramModel::end);
  }
}

void HistogramModel::ask_write(Cycle now) {
  const unsigned beats = kBurst / kBeat;
  const uint64_t address = m_target + kBurst * m_written;
  m_port.request({now + beats, address, kBurst, true, PRESIL_MASTER_USER, 0},
                 [this, address](const BurstTimes& times) {
                   uint8_t* bytes = m_system.bytes_at(address, kBurst);
                   m_error |= times.error || bytes == nullptr;
                   const auto* counts = reinterpret_cast<const uint8_t*>(m_counts.data());
                   if (bytes != nullptr) std::memcpy(bytes, counts + kBurst * m_written, kBurst);
                   m_answers = std::max(m_answers, times.last);
                   if (++m_written < sizeof m_counts / kBurst) {
                     at(times.last - m_way + 1, &HistogramModel::ask_write);
                   } else {
                     at(m_answers + kEnd, &HistogramModel::end);
                   }
                 });
}

void HistogramModel::end(Cycle now) {
  m_busy = false;
  m_failed = m_error;
  m_done = !m_error;
  m_cycles = static_cast<uint32_t>(now - m_start);
  show();
}

}  // namespace presil::example
