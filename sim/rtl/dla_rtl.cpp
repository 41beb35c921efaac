#include "sim/rtl/dla_rtl.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "rtl/common/job_entry.h"
#include "rtl/dla/dla.h"
#include "rtl/soc/address_map.h"
#include "sim/rtl/built_as.h"
#include "sim/rtl/lite_access.h"

namespace presil::rtl {
namespace {

constexpr uint32_t kCounterLines = 4;  // jobs whose counters are remembered

}  // namespace

DlaRtl::DlaRtl(const char* name, const SocConfig& config, Timekeeper& timekeeper, BurstPort& fetch,
               BytePort& system, BytePort& sram, CounterPort& counters, const RtlOptions& options)
    : registers(name, [this](bool write, uint16_t offset,
                             uint32_t& value) { return access(write, offset, value); }),
      m_timekeeper(timekeeper),
      m_counters(counters),
      m_top(make_dla_top(config, sram.bytes_at(0, config.sram.bytes), options.seed)),
      m_clock(timekeeper.timeline(), *this, options.batch),
      m_fetch(
          fetch, system, PRESIL_QUEUE_DLA, [this] { m_clock.wake(); },
          [this](uint64_t address, const uint8_t* bytes, unsigned count) {
            fetched(address, bytes, count);
          }),
      m_barrier(counters, PRESIL_QUEUE_DLA, kBarrierPort, [this] { m_clock.wake(); }) {
  for (uint8_t port = 0; port < DlaPins::kWaits; ++port) {
    m_waits[port] =
        std::make_unique<WaitLink>(counters, PRESIL_QUEUE_DLA, port, [this] { m_clock.wake(); });
  }
  check_built_as(config);
  m_clock.rewind();
  record(m_clock, *m_top, options.trace, "dla", timekeeper.period_ps());
}
DlaRtl::~DlaRtl() = default;

void DlaRtl::tap(DlaTap* tap) {
  m_tap = tap;
  m_top->on_write = [this](uint32_t address, const uint8_t* bytes) {
    m_tap->written(address, bytes, m_clock.cycle());
  };
}

// ---------------------------------------------------------------------------------------- cycles

bool DlaRtl::settle(Cycle cycle) {
  DlaPins::In& in = m_top->pins.in;
  in.r_valid = m_fetch.beat(cycle, in.r);
  for (unsigned i = 0; i < DlaPins::kWaits; ++i) in.met[i] = m_waits[i]->met();
  in.barrier_met = m_barrier.met();
  m_top->settle();
  return heard_outside();
}

// Levels that a question of this cycle finds met go to the block in the same cycle; what that makes
// of the outputs is looked at again.
bool DlaRtl::heard_outside() {
  DlaPins& pins = m_top->pins;
  bool heard = false;
  for (bool again = true; again;) {
    again = false;
    const DlaPins::Out& out = pins.out;
    for (unsigned i = 0; i < DlaPins::kWaits; ++i) {
      heard |= m_waits[i]->look(out.wait[i], out.wait_id[i], out.wait_value[i]);
      again |= pins.in.met[i] != m_waits[i]->met();
      pins.in.met[i] = m_waits[i]->met();
      if (!out.wait[i]) continue;
      const uint8_t signaller = signaller_of(out.wait_id[i]);
      again |= pins.in.signaller[i] != signaller;
      pins.in.signaller[i] = signaller;
    }
    heard |= m_barrier.look(out.barrier, out.barrier_first, out.barrier_count, out.barrier_value);
    again |= pins.in.barrier_met != m_barrier.met();
    pins.in.barrier_met = m_barrier.met();
    if (again) m_top->settle();
  }
  const DlaPins::Out& out = pins.out;
  return heard || out.ar_valid || out.signal || out.done || out.irq != m_line;
}

void DlaRtl::act(Cycle now) {
  m_asked_burst = m_signalled = m_ended = false;
  do {
    const DlaPins::Out& out = m_top->pins.out;
    if (out.done && !m_ended) {
      m_ended = true;
      m_top->write_words();
      look_inside();
      end(now);
    }
    if (out.irq != m_line) {
      m_line = out.irq;
      if (m_tap != nullptr) m_tap->interrupt(m_line, now);
      if (m_interrupt) m_interrupt(m_line);
    }
    if (out.signal && !m_signalled) {
      m_signalled = true;
      if (m_tap != nullptr) m_tap->signalled(out.signal_id, out.signal_add, now);
      m_counters.signal(now, out.signal_id, out.signal_add);
    }
    if (out.ar_valid && !m_asked_burst) {
      m_asked_burst = true;
      m_fetch.request(now, out.ar_address, out.ar_beats);
    }
    for (auto& wait : m_waits) wait->ask();
    m_barrier.ask();
  } while (heard_outside() &&
           ((m_top->pins.out.ar_valid && !m_asked_burst) ||
            (m_top->pins.out.signal && !m_signalled) || (m_top->pins.out.done && !m_ended)));
}

bool DlaRtl::edge() {
  if (!m_ended) look_inside();
  m_ended = false;
  const DlaPins& pins = m_top->pins;
  const bool beat = pins.in.r_valid && pins.out.r_ready;
  const bool worked = m_top->edge();
  if (beat) m_fetch.taken();
  if (m_top->failed()) {
    m_clock.halt();
    if (m_failure) m_failure(m_clock.cycle());
  }
  if (m_tap != nullptr) m_tap->over();
  return worked || m_fetch.outstanding() > 0;
}

bool DlaRtl::idle() {
  switch (m_top->queue_state()) {
    case PRESIL_QUEUE_STATE_IDLE:
    case PRESIL_QUEUE_STATE_STOPPED:
    case PRESIL_QUEUE_STATE_ERROR:
      return true;
    default:
      return false;
  }
}

// --------------------------------------------------------------------------------------- records

// When commands begin: once in every cycle, when its outputs have settled.
void DlaRtl::look_inside() {
  const DlaProbe probe = m_top->probe();
  const Cycle now = m_clock.cycle();
  if (probe.reset) {
    m_flights.clear();
    m_front_slot = 0;
    if (m_tap != nullptr) m_tap->dropped();
  }
  if (probe.offered) {
    m_flights.push_back({probe.index, now});
    if (m_tap != nullptr) m_tap->offered(probe.index, now);
  }
  const auto in_slot = [&](unsigned slot) -> InFlight* {
    const size_t place = (slot - m_front_slot) & 1;
    return place < m_flights.size() ? &m_flights[place] : nullptr;
  };
  if (probe.loader) {
    if (InFlight* flight = in_slot(probe.loader_slot)) flight->loader = now;
  }
  if (probe.sequencer) {
    if (InFlight* flight = in_slot(probe.sequencer_slot)) flight->sequencer = now;
  }
  if (m_tap == nullptr) return;
  for (unsigned place = 0; place < m_flights.size(); ++place) {
    const InFlight& flight = m_flights[place];
    if (std::min(flight.loader, flight.sequencer) >= 0 &&
        std::max(flight.loader, flight.sequencer) == now) {
      m_tap->started(place);
    }
  }
}

void DlaRtl::end(Cycle now) {
  if (m_flights.empty()) throw std::logic_error("dla rtl: a command ended that was not offered");
  const InFlight flight = m_flights.front();
  m_flights.pop_front();
  m_front_slot ^= 1;
  const DlaPins::Out& out = m_top->pins.out;
  DlaCauses causes = m_top->causes();
  causes.before += m_cleared;
  causes.with += m_cleared;
  CommandRecord record;
  record.queue = PRESIL_QUEUE_DLA;
  record.tag = out.done_tag;
  record.index = out.done_index;
  record.offered = record.doorbell = flight.offered;
  record.start = std::max(flight.loader, flight.sequencer);
  record.end = now;
  // From the end of the command before, that cycle included, or from the offer.
  const bool gap = flight.offered > m_last_end;
  record.cycles = causes.before - (gap ? m_causes.with : m_causes.before);
  record.sram_read_bytes = 16 * (m_top->words.read - m_words.read);
  record.sram_written_bytes = 16 * (m_top->words.written - m_words.written);
  m_words = m_top->words;
  m_causes = causes;
  m_last_end = now;
  if (m_tap != nullptr) m_tap->ended(record);
  if (m_observer) m_observer(record);
}

// Counters of a job are known once its entry was read.
void DlaRtl::fetched(uint64_t address, const uint8_t* bytes, unsigned count) {
  if (m_tap != nullptr) m_tap->fetched(address, bytes, count);
  if (count != JobEntry::kBytes) return;
  uint32_t words[JobEntry::kWords];
  std::memcpy(words, bytes, sizeof words);
  const JobEntry entry = JobEntry::decode(words);
  m_jobs.push_back({entry.sync_base, entry.sync_count});
  if (m_jobs.size() > kCounterLines) m_jobs.pop_front();
}

uint8_t DlaRtl::signaller_of(uint8_t counter) const {
  for (const Counters& job : m_jobs) {
    const unsigned id = counter - job.base;
    if (counter > job.base && id <= job.count) {
      return static_cast<uint8_t>(JobContext::signaller_of(static_cast<uint8_t>(id)));
    }
  }
  return static_cast<uint8_t>(Signaller::kHost);
}

// ------------------------------------------------------------------------------------- registers

bool DlaRtl::access(bool write, uint16_t offset, uint32_t& value) {
  const Cycle now = m_timekeeper.timeline().now();
  if (m_clock.halted()) return false;
  const bool clears = write && offset == PRESIL_DLA_REG_COUNTERS_CONTROL &&
                      (value & PRESIL_DLA_COUNTERS_CONTROL_CLEAR_MASK) != 0;
  const RegisterAccess acts = lite_access(m_clock, *m_top, now, write, offset, value, [&] {
    if (clears) m_cleared += m_top->causes().with;
  });
  if (!write) value = acts.error ? 0 : acts.data;
  if (m_tap != nullptr) m_tap->accessed(write, offset, value, acts.error, now);
  return !acts.error;
}

void DlaRtl::check_built_as(const SocConfig& config) {
  const DlaConfig& d = config.dla;
  const auto read = [this](uint16_t offset) {
    uint32_t value = 0;
    access(false, offset, value);
    return value;
  };
  const uint32_t array = read(PRESIL_DLA_REG_ARRAY), ports = read(PRESIL_DLA_REG_PORTS),
                 lanes = read(PRESIL_DLA_REG_LANES);
  rtl::check_built_as("dla",
                      {
                          {"dla.macs_k", d.macs_k, array & 0xffff},
                          {"dla.macs_c", d.macs_c, array >> 16},
                          {"dla.feat_ports", d.feat_ports, ports & 0xff},
                          {"dla.weight_ports", d.weight_ports, ports >> 8 & 0xff},
                          {"dla.acc_depth", d.acc_depth, read(PRESIL_DLA_REG_ACC) & 0xffff},
                          {"dla.post_lanes", d.post_lanes, lanes & 0xffff},
                          {"dla.ew_lanes", d.ew_lanes, lanes >> 16},
                          {"dla.prefetch", d.prefetch, read(PRESIL_DLA_REG_ID) >> 24},
                          {"sram.bytes", config.sram.bytes, read(PRESIL_DLA_REG_SRAM)},
                      },
                      "DLA and SRAM of one of the sizes "
                      "that there are in RTL: those of `edge`, of `edge` with --set dla.macs_k=32 "
                      "--set dla.macs_c=32, of `big`");
}

}  // namespace presil::rtl
