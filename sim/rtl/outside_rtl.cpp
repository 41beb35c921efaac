#include "sim/rtl/outside_rtl.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace presil::rtl {
namespace {

constexpr unsigned kWordBytes = 16, kCounterBytes = 8;

}  // namespace

OutsideRtl::OutsideRtl(const presil_engine_description& engine, const std::string& name,
                       uint8_t queue, std::unique_ptr<EngineTop> top, Timekeeper& timekeeper,
                       BurstPort& fetch, BytePort& system, const Memory& memory,
                       CounterPort& counters, const RtlOptions& options)
    : QueueRtl({name, queue, engine.waits, engine.format()->pitch_bytes}, timekeeper, fetch, system,
               counters, std::move(top), options),
      m_top(static_cast<EngineTop&>(QueueRtl::top())),
      m_queue(queue),
      m_memory(memory) {
  for (uint32_t i = 0; i < engine.counter_count; ++i) {
    const presil_counter_description& c = engine.counters[i];
    const size_t place = c.offset / kCounterBytes;
    if (place >= m_causes.size()) m_causes.resize(place + 1, Cause::kCount);
    // Cycles between commands are in no command's record.
    const Cause cause = c.cause == nullptr ? Cause::kCount : cause_of(c.cause);
    if (cause == Cause::kCount || cause == Cause::kFetch) continue;
    m_causes[place] = cause;
    m_counts = true;
  }
  begin(options.trace);
}

// ---------------------------------------------------------------------------------------- memory

// A master without a model of its own at the banks is granted as its model would be, by shares.
bool OutsideRtl::answer() {
  if (m_granted || !m_top.engine.out.sram_request) return false;
  m_granted = true;
  const bool grant = m_memory.banks == nullptr || m_memory.banks->lost(cycle(), 1, m_owed) == 0;
  m_top.engine.in.sram_grant = grant;
  return !grant;
}

uint8_t* OutsideRtl::word_at(uint32_t address) const {
  return m_memory.sram + address % m_memory.bytes / kWordBytes * kWordBytes;
}

// A word that is written in this cycle is in the SRAM when its end is heard.
void OutsideRtl::move_word() {
  const EnginePins& pins = m_top.engine;
  if (m_moved || !pins.out.sram_request || !pins.in.sram_grant) return;
  m_moved = true;
  uint8_t* word = word_at(pins.out.sram_address);
  if (!pins.out.sram_write) {
    ++m_words.read;
    return;
  }
  ++m_words.written;
  std::memcpy(word, pins.out.sram_word, kWordBytes);
  if (m_tap != nullptr) m_tap->written(static_cast<uint32_t>(word - m_memory.sram), word, cycle());
}

bool OutsideRtl::rise() {
  EnginePins& pins = m_top.engine;
  const bool requested = pins.out.sram_request;
  move_word();
  uint32_t read[4] = {};
  const bool reads = requested && pins.in.sram_grant && !pins.out.sram_write;
  if (reads) std::memcpy(read, word_at(pins.out.sram_address), sizeof read);
  const Cause cause = cause_now();
  if (cause != Cause::kCount) m_cycles.add(cause, 1);
  m_top.edge();
  if (reads) std::copy(std::begin(read), std::end(read), pins.in.sram_word);
  pins.in.sram_grant = true;
  m_granted = m_moved = false;
  return requested;
}

// --------------------------------------------------------------------------------------- records

Cause OutsideRtl::cause_now() const {
  const unsigned place = m_top.engine.out.counter / kCounterBytes;
  return place < m_causes.size() ? m_causes[place] : Cause::kCount;
}

// Once in every cycle, when its outputs have settled.
void OutsideRtl::look_inside() {
  const EnginePins::Out& out = m_top.engine.out;
  const Cycle now = cycle();
  if (out.aborted) {
    m_flights.clear();
    m_words = {};
    if (m_tap != nullptr) m_tap->dropped();
    return;
  }
  bool open = !m_flights.empty() && m_flights.back().start < 0;
  if (open && !out.offered) {  // withdrawn: an error of the command before
    m_flights.pop_back();
    open = false;
  }
  if (out.offered && !open) {
    m_flights.push_back({out.index, now});
    if (m_tap != nullptr) m_tap->offered(out.index, now);
  }
  if (!out.taken || m_flights.empty()) return;
  m_flights.back().start = now;
  if (m_tap != nullptr) m_tap->started(static_cast<unsigned>(m_flights.size()) - 1);
}

// From the end of the command before, that cycle included, or from the offer.
Attribution OutsideRtl::cycles_of(Cycle offered, Cycle start, Cycle now) {
  Attribution cycles;
  if (m_counts) {
    cycles = m_cycles - m_end_cycles;
    if (offered > m_last_end && m_end_cause != Cause::kCount) cycles.add(m_end_cause, -1);
  } else {
    cycles.add(Cause::kStart, start - std::max(offered, m_last_end));
    cycles.add(Cause::kRun, now - start);
  }
  return cycles;
}

void OutsideRtl::end(Cycle now) {
  move_word();
  look_inside();
  if (m_flights.empty() || m_flights.front().start < 0) {
    throw std::logic_error("rtl: a command of an engine ended that was not taken");
  }
  const InFlight flight = m_flights.front();
  m_flights.pop_front();
  const QueuePins::Out& out = m_top.pins.out;
  CommandRecord record;
  record.queue = m_queue;
  record.tag = out.done_tag;
  record.index = out.done_index;
  record.offered = record.doorbell = flight.offered;
  record.start = flight.start;
  record.end = now;
  record.cycles = cycles_of(flight.offered, flight.start, now);
  record.sram_read_bytes = kWordBytes * m_words.read;
  record.sram_written_bytes = kWordBytes * m_words.written;
  m_words = {};
  m_end_cycles = m_cycles;
  m_end_cause = cause_now();
  m_last_end = now;
  ended(record);
}

}  // namespace presil::rtl
