#include "sim/rtl/dma_rtl.h"

#include <algorithm>
#include <stdexcept>

#include "models/dma/dma_timing.h"
#include "rtl/dma/dma.h"
#include "rtl/soc/address_map.h"
#include "rtl/sync/sync.h"
#include "sim/rtl/built_as.h"

namespace presil::rtl {
namespace {

uint8_t queue_of(unsigned channel) {
  return static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + channel);
}

/// The signaller of a counter, as the block's counters know it.
uint8_t engine_of(uint8_t id) {
  return static_cast<uint8_t>(JobContext::signaller_of(id));
}

}  // namespace

DmaRtl::DmaRtl(const char* name, const platform::DmaPlace& place, const RtlOptions& options)
    : registers(name, [this](bool write, uint16_t offset,
                             uint32_t& value) { return access(write, offset, value); }),
      m_timekeeper(place.timekeeper),
      m_crossbar(place.crossbar),
      m_top(make_dma_top(place.sram.bytes_at(0, place.config.sram.bytes), place.config.sram.bytes,
                         options.seed)),
      m_clock(place.timekeeper.timeline(), *this, options.batch),
      m_fetches(
          place.system,
          [this](uint8_t channel, const BurstTimes& times) { answered(true, channel, times); },
          [this](uint8_t channel, uint64_t address, const uint8_t* bytes, unsigned count) {
            m_channels[channel].fetched.fetched(address, bytes, count);
          }),
      m_reads(place.system,
              [this](uint8_t channel, const BurstTimes& times) { answered(false, channel, times); },
              {}),
      m_writes(place.config.noc, place.crossbar, place.system,
               [this](uint8_t channel, bool error) { granted(channel, error); }) {
  const auto wake = [this] { m_clock.wake(); };
  for (unsigned c = 0; c < kChannels; ++c) {
    Channel& channel = m_channels[c];
    channel.counters = &place.counters_of(queue_of(c));
    for (uint8_t port = 0; port < channel.waits.size(); ++port) {
      channel.waits[port] = std::make_unique<WaitLink>(*channel.counters, queue_of(c), port, wake);
    }
    channel.barrier =
        std::make_unique<BarrierLink>(*channel.counters, queue_of(c), kBarrierPort, wake);
  }
  check_built_as(place.config);
  m_clock.rewind();
  record(m_clock, *m_top, options.trace, "dma", m_timekeeper.period_ps());
}
DmaRtl::~DmaRtl() = default;

void DmaRtl::tap(DmaTap* tap) {
  m_tap = tap;
  m_top->on_write = [this](unsigned channel, uint32_t address, const uint8_t* bytes,
                           uint16_t strobes) {
    m_tap->written(true, static_cast<uint8_t>(channel), address, bytes, strobes, m_clock.cycle());
  };
}

// ---------------------------------------------------------------------------------------- cycles

bool DmaRtl::settle(Cycle cycle) {
  show_answers(cycle);
  m_top->settle();
  return heard_outside();
}

void DmaRtl::show_answers(Cycle cycle) {
  DmaPins::In& in = m_top->pins.in;
  in.fetch = m_fetches.beat(cycle);
  in.read = m_reads.beat(cycle);
  in.aw_ready = m_writes.address_ready(cycle);
  in.w_ready = m_writes.data_ready(cycle);
  const WriteBridge::Answer* answer = m_writes.answer(cycle);
  in.b_valid = answer != nullptr;
  if (answer != nullptr) {
    in.b_id = answer->id;
    in.b_error = answer->error;
  }
}

// Levels that a question of this cycle finds met go to the block in the same cycle; what that makes
// of the outputs is looked at again.
bool DmaRtl::heard_outside() {
  DmaPins& pins = m_top->pins;
  bool heard = false;
  for (bool again = true; again;) {
    see_offers();
    const DmaPins::Out& out = pins.out;
    uint32_t met = 0, barrier_met = 0;
    bool changed = false;
    for (unsigned c = 0; c < kChannels; ++c) {
      Channel& channel = m_channels[c];
      for (unsigned w = 0; w < 2; ++w) {
        const unsigned port = 2 * c + w;
        const bool asks = out.wait >> port & 1;
        WaitLink& link = *channel.waits[w];
        heard |= link.look(asks, out.wait_id[port], out.wait_value[port]);
        met |= static_cast<uint32_t>(link.met()) << port;
        if (!asks) continue;
        const uint8_t engine =
            engine_of(static_cast<uint8_t>(out.wait_id[port] - channel.sync_base));
        changed |= pins.in.signaller[port] != engine;
        pins.in.signaller[port] = engine;
      }
      heard |= channel.barrier->look(out.barrier >> c & 1, out.barrier_first[c],
                                     out.barrier_count[c], out.barrier_value[c]);
      barrier_met |= static_cast<uint32_t>(channel.barrier->met()) << c;
    }
    again = changed || met != pins.in.met || barrier_met != pins.in.barrier_met;
    pins.in.met = met;
    pins.in.barrier_met = barrier_met;
    if (again) m_top->settle();
  }
  const DmaPins::Out& out = pins.out;
  const bool last = pins.in.w_ready && out.w_valid && out.w_last;
  return heard || out.fetch.valid || out.read.valid || (out.write.valid && !m_writes.asked()) ||
         last || out.signal != 0 || out.done != 0 || out.irq != m_line;
}

void DmaRtl::act(Cycle now) {
  m_acted = {};
  const DmaPins& pins = m_top->pins;
  do {
    const DmaPins::Out& out = pins.out;
    if (out.done != 0) m_top->write_word();
    for (uint8_t c = 0; c < kChannels; ++c) {
      if ((out.done & ~m_acted.done) >> c & 1) end(c, now);
    }
    m_acted.done |= out.done;
    if (out.irq != m_line) {
      m_line = out.irq;
      if (m_tap != nullptr) m_tap->interrupt(m_line, now);
      if (m_interrupt) m_interrupt(m_line);
    }
    for (uint8_t c = 0; c < kChannels; ++c) {
      if (((out.signal & ~m_acted.signal) >> c & 1) == 0) continue;
      if (m_tap != nullptr) m_tap->signalled(c, out.signal_id[c], out.signal_add[c], now);
      m_channels[c].counters->signal(now, out.signal_id[c], out.signal_add[c]);
    }
    m_acted.signal |= out.signal;
    if (out.fetch.valid && !m_acted.fetch) {
      m_acted.fetch = true;
      ask_read(true, out.fetch, now);
    }
    if (out.read.valid && !m_acted.read) {
      m_acted.read = true;
      ask_read(false, out.read, now);
    }
    if (out.write.valid && !m_writes.asked()) {
      const uint8_t c = out.write.id;
      const Burst burst{now, out.write.address, out.write.bytes, true, queue_of(c), 0};
      if (m_tap != nullptr) m_tap->write_asked(c, burst);
      m_writes.ask(c, burst);
    }
    if (pins.in.w_ready && out.w_valid && out.w_last && !m_acted.w_last) {
      m_acted.w_last = true;
      m_writes.last_beat(now);
    }
    for (Channel& channel : m_channels) {
      for (auto& wait : channel.waits) wait->ask();
      channel.barrier->ask();
    }
  } while (heard_outside() && new_to_act());
}

bool DmaRtl::new_to_act() const {
  const DmaPins::Out& out = m_top->pins.out;
  return (out.fetch.valid && !m_acted.fetch) || (out.read.valid && !m_acted.read) ||
         (out.signal & ~m_acted.signal) != 0 || (out.done & ~m_acted.done) != 0;
}

void DmaRtl::ask_read(bool fetch, const AddressPins& pins, Cycle now) {
  const uint8_t queue = queue_of(pins.id), channel = pins.id;
  ReadChannels& reads = fetch ? m_fetches : m_reads;
  const uint64_t number = reads.asked(channel, pins.address, pins.beats);
  const Burst burst{now, pins.address, pins.bytes, false, queue, 0};
  if (m_tap != nullptr) m_tap->read_asked(fetch, channel, burst);
  m_crossbar.read(fetch ? queue : noc::Fabric::kDmaData, burst,
                  [&reads, channel, number](const BurstTimes& times) {
                    reads.answered(channel, number, times);
                  });
}

void DmaRtl::answered(bool fetch, uint8_t channel, const BurstTimes& times) {
  if (!fetch) m_channels[channel].memory.answered(times);
  if (m_tap != nullptr) m_tap->read_answered(fetch, channel, times);
  m_clock.wake();
}

// After act(), before the edge: the block sees it in this cycle.
void DmaRtl::granted(uint8_t channel, bool error) {
  if (m_tap != nullptr) m_tap->write_granted(channel, error);
  m_top->pins.in.aw_ready = m_writes.address_ready(m_clock.cycle());
  m_top->settle();
}

bool DmaRtl::edge() {
  DmaPins& pins = m_top->pins;
  const Cycle now = m_clock.cycle();
  look_inside();
  const bool address = pins.out.write.valid && pins.in.aw_ready;
  const bool data = pins.out.w_valid && pins.in.w_ready;
  if (data) {
    const uint8_t channel = m_writes.id();
    const uint64_t at = m_writes.beat(pins.out.w_bytes, pins.out.w_strobes);
    if (m_tap != nullptr) {
      m_tap->written(false, channel, at, pins.out.w_bytes, pins.out.w_strobes, now);
    }
  }
  const bool worked = m_top->edge();
  if (pins.in.fetch != nullptr) m_fetches.taken();
  if (pins.in.read != nullptr) {
    if (pins.out.read_ready) {
      m_reads.taken();
    } else {  // what is booked follows as it can, what is not comes after it
      m_crossbar.hold_dma_sink(m_reads.free_after(now));
    }
  }
  if (address) m_writes.address_taken();
  if (pins.in.b_valid) m_writes.answer_taken();
  pins.in.fetch = pins.in.read = nullptr;
  pins.in.aw_ready = pins.in.w_ready = pins.in.b_valid = false;
  m_acted = {};
  if (m_top->failed()) {
    m_clock.halt();
    if (m_failure) m_failure(now);
  }
  if (m_tap != nullptr) m_tap->over();
  return worked || data || m_fetches.outstanding() + m_reads.outstanding() > 0 ||
         m_writes.outstanding() > 0;
}

// --------------------------------------------------------------------------------------- records

void DmaRtl::see_offers() {
  const uint32_t offered = m_top->probe().offered;
  for (uint8_t c = 0; c < kChannels; ++c) {
    Channel& channel = m_channels[c];
    const bool offers = offered >> c & 1;
    if (offers == channel.offers) continue;
    channel.offers = offers;
    if (!offers) continue;  // withdrawn by an abort
    InFlight& offer = channel.offer = {};
    offer.index = m_top->offer_index(c);
    offer.offered = m_clock.cycle();
    const auto fetched = channel.fetched.offered(offer.index);
    if (fetched) {
      const dma::Command command = dma::Command::decode(fetched->words.data());
      const uint64_t source = dma::source_of(command, 0).bytes();
      const uint64_t destination = dma::destination_of(command, 0).bytes();
      const bool copy = command.op == dma::Op::kCopy, fill = command.op == dma::Op::kFill;
      const bool from_sram = command.src_space == dma::Space::kSram;
      const bool to_sram = command.dst_space == dma::Space::kSram;
      if (copy) (from_sram ? offer.sram_read : offer.read) = source;
      if (copy || fill) (to_sram ? offer.sram_written : offer.written) = destination;
      offer.job = fetched->job.tag;
      channel.sync_base = fetched->job.sync_base;
    }
    if (m_tap != nullptr) m_tap->offered(c, fetched, m_clock.cycle());
  }
}

// When commands begin, and where cycles go: once in every cycle, when its outputs have settled.
void DmaRtl::look_inside() {
  const DmaProbe probe = m_top->probe();
  const Cycle now = m_clock.cycle();
  const uint32_t causes = m_top->causes();
  const uint32_t changed = causes ^ m_causes;
  m_causes = causes;
  if ((changed | probe.taken | probe.reset) == 0) return;
  for (uint8_t c = 0; c < kChannels; ++c) {
    Channel& channel = m_channels[c];
    if (changed >> DmaTop::kCauseBits * c & ((1u << DmaTop::kCauseBits) - 1)) {
      channel.memory.append(channel.line, {channel.since, now, channel.cause});
      channel.since = now;
      channel.cause = DmaTop::cause_in(causes, c);
    }
    if (probe.reset >> c & 1) {
      channel.flights.clear();
      if (m_tap != nullptr) m_tap->dropped(c);
    }
    if (probe.taken >> c & 1) {
      channel.flights.push_back(channel.offer);
      channel.flights.back().start = now;
      channel.offers = false;
      if (m_tap != nullptr) m_tap->begun(c, now);
    }
  }
}

void DmaRtl::end(uint8_t c, Cycle now) {
  Channel& channel = m_channels[c];
  if (channel.flights.empty()) {
    throw std::logic_error("dma rtl: a command ended that had not begun");
  }
  const InFlight flight = channel.flights.front();
  channel.flights.pop_front();
  const DmaPins::Out& out = m_top->pins.out;
  CommandRecord record;
  record.queue = queue_of(c);
  record.tag = out.done_tag[c];
  record.job = flight.job;
  record.index = out.done_index[c];
  record.offered = record.doorbell = flight.offered;
  record.start = flight.start;
  record.end = now;
  // From the end of the command before, or from the offer; the cycle of the end is the next one's.
  channel.memory.append(channel.line, {channel.since, now, channel.cause});
  channel.since = now;
  const Cycle from = std::max(channel.last_end, flight.offered);
  for (const Segment& segment : channel.line) {
    const Cycle begin = std::max(segment.begin, from);
    if (begin >= segment.end || segment.cause == Cause::kCount) continue;
    // A store runs at the pace of the engine, whatever was loaded before it.
    const bool paced = segment.dram_paced && (segment.cause != Cause::kRun || flight.read > 0);
    record.segments.push_back({begin, segment.end, segment.cause, paced});
    record.cycles.add(segment.cause, segment.end - begin);
    if (paced) record.dram_paced.add(segment.cause, segment.end - begin);
  }
  channel.line.clear();
  channel.last_end = now;
  record.sram_read_bytes = flight.sram_read;
  record.sram_written_bytes = flight.sram_written;
  record.dram_read_bytes = flight.read;
  record.dram_written_bytes = flight.written;
  if (m_tap != nullptr) m_tap->ended(record);
  if (m_observer) m_observer(record);
}

// ------------------------------------------------------------------------------------- registers

bool DmaRtl::access(bool write, uint16_t offset, uint32_t& value) {
  const Cycle now = m_timekeeper.timeline().now();
  if (m_clock.halted()) return false;
  if (write) see_start(offset, value);
  const RegisterAccess acts = lite_access(m_clock, *m_top, now, write, offset, value, [] {});
  if (!write) value = acts.error ? 0 : acts.data;
  if (m_tap != nullptr) m_tap->accessed(write, offset, value, acts.error, now);
  return !acts.error;
}

// A queue that goes on after an error or an abort fetches again what it had fetched.
void DmaRtl::see_start(uint16_t offset, uint32_t value) {
  if ((value & PRESIL_QUEUE_CONTROL_START_MASK) == 0) return;
  for (unsigned c = 0; c < kChannels; ++c) {
    if (offset != PRESIL_DMA_REG_CHANNEL(c) + PRESIL_QUEUE_REG_CONTROL) continue;
    const uint8_t state = m_top->queue_state(c);
    if (state == PRESIL_QUEUE_STATE_STOPPED || state == PRESIL_QUEUE_STATE_ERROR) {
      m_channels[c].fetched.restarted();
    }
  }
}

void DmaRtl::check_built_as(const SocConfig& config) {
  const auto read = [this](uint16_t offset) {
    uint32_t value = 0;
    access(false, offset, value);
    return value;
  };
  const uint32_t id = read(PRESIL_DMA_REG_ID), bursts = read(PRESIL_DMA_REG_BURSTS);
  rtl::check_built_as(
      "dma",
      {
          {"dma.channels", config.dma.channels, id >> 8 & 0xff},
          {"dma.prefetch", config.dma.prefetch, id >> 24},
          {"dma.bursts_per_channel", config.dma.bursts_per_channel, bursts >> 16 & 0xff},
          {"dma.bursts_total", config.dma.bursts_total, bursts >> 24},
          {"noc.data_bytes", config.noc.data_bytes, read(PRESIL_DMA_REG_WIDTH) & 0xffff},
          {"sram.bytes", config.sram.bytes, read(PRESIL_DMA_REG_SRAM)},
      },
      "the DMA and SRAM of `edge`");
}

}  // namespace presil::rtl
