#include "sim/rtl/dma_shadow.h"

#include <algorithm>
#include <utility>

#include "models/noc/dma_sink.h"
#include "sim/rtl/register_match.h"

namespace presil::rtl {

struct DmaShadow::Channel : BurstPort {
  QueueEvents events;
  ShadowCounters counters;
  BurstMatch fetches, reads, writes;

  Channel(Timeline& timeline, CounterPort& links, const Report& report)
      : events("dma", timeline, report),
        counters(timeline, links, events),
        fetches("dma", "fetch", timeline, report),
        reads("dma", "read", timeline, report),
        writes("dma", "write", timeline, report) {}
  /// Of the model's queue.
  void request(const Burst& burst, std::function<void(const BurstTimes&)> done) override {
    fetches.model_asked(burst, std::move(done));
  }
};

/// The model's crossbar: its ports have their own time, as those of the tile's.
class DmaShadow::Fabric : public noc::Fabric {
 public:
  Fabric(const NocConfig& config, Timeline& timeline,
         std::vector<std::unique_ptr<Channel>>& channels)
      : m_config(config), m_timeline(timeline), m_channels(channels) {}

  BurstPort& port(unsigned input) override { return *m_channels[input - PRESIL_QUEUE_DMA0]; }
  void read(unsigned, const Burst& burst, ReadDone done) override {
    const unsigned words = burst.cycles, tail = burst.tail, beats = beats_of(burst);
    channel_of(burst).reads.model_asked(
        burst, [this, words, tail, beats, done = std::move(done)](const BurstTimes& rtl) {
          BurstTimes times = rtl;
          m_sink.begin(beats, words, tail);
          times.first = m_sink.beat(rtl.first);
          times.last = times.first;
          for (unsigned i = 1; i < beats; ++i) {
            times.last = m_sink.beat(std::max(rtl.last - (beats - 1 - i), times.last + 1));
          }
          times.gone = static_cast<int32_t>(m_sink.end(m_timeline.now()) - times.last);
          times.booking = m_sink.number();
          done(times);
        });
  }
  void write(unsigned, const noc::WriteBurst& write, WriteDone done) override {
    channel_of(write.burst)
        .writes.model_asked(write.burst,
                            [this, write, done = std::move(done)](const BurstTimes& rtl) {
                              done(times_of(write, rtl.error));
                            });
  }
  Cycle reserve_dma_sink(Cycle earliest, unsigned cycles, unsigned next) override {
    return m_sink.reserve(earliest, cycles, next);
  }
  Cycle gone(uint32_t booking, Cycle otherwise) const override {
    return m_sink.gone(booking, otherwise);
  }

 private:
  unsigned beats_of(const Burst& burst) const {
    const uint64_t from = burst.address, last = from + burst.bytes - 1;
    return static_cast<unsigned>(last / m_config.data_bytes - from / m_config.data_bytes + 1);
  }
  Channel& channel_of(const Burst& burst) { return *m_channels[burst.master - PRESIL_QUEUE_DMA0]; }
  noc::WriteTimes times_of(const noc::WriteBurst& write, bool error) {
    const unsigned beats = beats_of(write.burst);
    noc::WriteTimes times;
    times.error = error;
    times.aw = std::max(write.burst.at, m_timeline.now());
    times.w_first = std::max({write.data_first, times.aw + 1, m_w_free});
    times.w_last = times.w_first + std::max(beats, write.data_cycles) - 1;
    times.b = times.w_last + m_config.cycles_request + m_config.cycles_response;
    m_w_free = times.w_last + 1;
    return times;
  }

  NocConfig m_config;
  Timeline& m_timeline;
  std::vector<std::unique_ptr<Channel>>& m_channels;
  noc::DmaSink m_sink;
  Cycle m_w_free = 0;
};

DmaShadow::DmaShadow(const SocConfig& config, Cycle period_ps, Timeline& timeline, BytePort& system,
                     const std::function<CounterPort&(uint8_t queue)>& counters_of,
                     const std::function<void(std::function<void(uint8_t id)>)>& watch,
                     Report report) {
  for (unsigned c = 0; c < config.dma.channels; ++c) {
    CounterPort& links = counters_of(static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + c));
    m_channels.push_back(std::make_unique<Channel>(timeline, links, report));
  }
  m_fabric = std::make_unique<Fabric>(config.noc, timeline, m_channels);
  m_unit = std::make_unique<dma::DmaUnit>(config, period_ps, timeline, *m_fabric, m_sram, system,
                                          [this](uint8_t queue) -> CounterPort& {
                                            return m_channels[queue - PRESIL_QUEUE_DMA0]->counters;
                                          });
  m_unit->leave_values();
  m_unit->on_command([this](const CommandRecord& record) {
    m_channels[record.queue - PRESIL_QUEUE_DMA0]->events.model_ended(record);
  });
  watch([this](uint8_t id) {
    for (auto& channel : m_channels) channel->counters.changed(id);
  });
}
DmaShadow::~DmaShadow() = default;

void DmaShadow::observe(const CommandObserver& observer) {
  for (auto& channel : m_channels) channel->events.observe(observer);
}

bool DmaShadow::quiet() const {
  for (unsigned c = 0; c < m_unit->channels(); ++c) {
    if (works(m_unit->channel(c).frontend().state())) return false;
  }
  return true;
}

void DmaShadow::read_asked(bool fetch, uint8_t channel, const Burst& burst) {
  Channel& c = *m_channels[channel];
  (fetch ? c.fetches : c.reads).rtl_asked(burst);
}

void DmaShadow::read_answered(bool fetch, uint8_t channel, const BurstTimes& times) {
  Channel& c = *m_channels[channel];
  (fetch ? c.fetches : c.reads).rtl_answered(times);
}

void DmaShadow::write_asked(uint8_t channel, const Burst& burst) {
  m_channels[channel]->writes.rtl_asked(burst);
}

void DmaShadow::write_granted(uint8_t channel, bool error) {
  BurstTimes times;
  times.error = error;
  m_channels[channel]->writes.rtl_answered(times);
}

void DmaShadow::ended(const CommandRecord& record) {
  m_channels[record.queue - PRESIL_QUEUE_DMA0]->events.rtl_ended(record);
}

void DmaShadow::signalled(uint8_t channel, uint8_t id, uint16_t add, Cycle cycle) {
  m_channels[channel]->events.rtl_signalled(id, add, cycle);
}

void DmaShadow::dropped(uint8_t channel) {
  Channel& c = *m_channels[channel];
  c.events.dropped();
  c.reads.dropped();
  c.writes.dropped();
}

// After an abort the stream is fetched no further, after a start from its beginning.
void DmaShadow::controlled(uint8_t channel, uint32_t value) {
  Channel& c = *m_channels[channel];
  const queue::State state = m_unit->channel(channel).frontend().state();
  const bool halted = state == queue::State::kStopped || state == queue::State::kError;
  if ((value & PRESIL_QUEUE_CONTROL_ABORT_MASK) != 0) {
    c.fetches.dropped();
  } else if (halted && (value & PRESIL_QUEUE_CONTROL_START_MASK) != 0) {
    for (BurstMatch* bursts : {&c.fetches, &c.reads, &c.writes}) bursts->renewed();
  }
}

void DmaShadow::report_unmatched() {
  for (auto& channel : m_channels) channel->events.report_unmatched();
}

}  // namespace presil::rtl
