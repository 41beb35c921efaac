#include "sim/rtl/dla_rtl.h"

#include <algorithm>
#include <stdexcept>

#include "rtl/dla/dla.h"
#include "rtl/dla/dla_command.h"
#include "rtl/soc/address_map.h"
#include "sim/rtl/built_as.h"

namespace presil::rtl {

DlaRtl::DlaRtl(const SocConfig& config, Timekeeper& timekeeper, BurstPort& fetch, BytePort& system,
               BytePort& sram, CounterPort& counters, const RtlOptions& options)
    : QueueRtl({"dla", PRESIL_QUEUE_DLA, DlaTop::kWaits, dla::Command::kPitch}, timekeeper, fetch,
               system, counters,
               make_dla_top(config, sram.bytes_at(0, config.sram.bytes), options.seed), options),
      m_top(static_cast<DlaTop&>(top())) {
  check_built_as(config);
  begin(options.trace);
}

void DlaRtl::tap(QueueTap* tap) {
  QueueRtl::tap(tap);
  m_top.on_write = [this](uint32_t address, const uint8_t* bytes) {
    m_tap->written(address, bytes, cycle());
  };
}

bool DlaRtl::idle() {
  switch (m_top.queue_state()) {
    case PRESIL_QUEUE_STATE_IDLE:
    case PRESIL_QUEUE_STATE_STOPPED:
    case PRESIL_QUEUE_STATE_ERROR:
      return true;
    default:
      return false;
  }
}

// When commands begin: once in every cycle, when its outputs have settled.
void DlaRtl::look_inside() {
  const DlaProbe probe = m_top.probe();
  const Cycle now = cycle();
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
  m_top.write_words();
  look_inside();
  if (m_flights.empty()) throw std::logic_error("dla rtl: a command ended that was not offered");
  const InFlight flight = m_flights.front();
  m_flights.pop_front();
  m_front_slot ^= 1;
  const QueuePins::Out& out = m_top.pins.out;
  DlaCauses causes = m_top.causes();
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
  record.sram_read_bytes = 16 * (m_top.words.read - m_words.read);
  record.sram_written_bytes = 16 * (m_top.words.written - m_words.written);
  m_words = m_top.words;
  m_causes = causes;
  m_last_end = now;
  ended(record);
}

void DlaRtl::acts(bool write, uint16_t offset, uint32_t value) {
  const bool clears = write && offset == PRESIL_DLA_REG_COUNTERS_CONTROL &&
                      (value & PRESIL_DLA_COUNTERS_CONTROL_CLEAR_MASK) != 0;
  if (clears) m_cleared += m_top.causes().with;
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
                          {"sram.banks", config.sram.banks, 16},  // dla_sram_ports.sv
                      },
                      "DLA and SRAM of one of the sizes "
                      "that there are in RTL: those of `edge`, of `edge` with --set dla.macs_k=32 "
                      "--set dla.macs_c=32, of `big`");
}

}  // namespace presil::rtl
