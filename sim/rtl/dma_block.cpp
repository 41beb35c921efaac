#include "sim/rtl/dma_block.h"

#include <algorithm>

#include "rtl/dma/dma.h"
#include "sim/rtl/register_match.h"

namespace presil::rtl {
namespace {

constexpr uint32_t kQueues = PRESIL_DMA_REG_CHANNEL(0);
constexpr uint32_t kQueuesEnd = PRESIL_DMA_REG_CHANNEL(PRESIL_DMA_CHANNEL_COUNT);

}  // namespace

DmaBlock::Model::Model(const platform::DmaPlace& place,
                       const std::function<void(const Divergence&)>& report)
    : reference(place.config, place.sram, place.system, report),
      shadow(place.config, place.timekeeper.period_ps(), place.timekeeper.timeline(), place.system,
             place.counters_of, place.watch, report) {}

DmaBlock::DmaBlock(const platform::DmaPlace& place) {
  if (place.kinds.dma == platform::BlockKind::kLockstep) {
    m_model = std::make_unique<Model>(place, [this](const Divergence& d) { report(d); });
    m_model->shadow.unit().on_interrupt([this](bool level) { m_model_line = level; });
  }
  m_dma = std::make_unique<DmaRtl>("dma", place, options_of(place.kinds));
  if (m_model) m_dma->tap(this);
  m_dma->on_failure([this](Cycle cycle) { report(Divergence::assertion("dma", cycle)); });
}

void DmaBlock::observe_model(CommandObserver observer) {
  if (m_model) m_model->shadow.observe(observer);
}

void DmaBlock::stuck() {
  if (m_model) m_model->shadow.report_unmatched();
}

// Only the first counts: what comes after may be its consequence.
void DmaBlock::report(const Divergence& divergence) {
  m_dma->halt();
  if (!m_divergence) m_divergence = divergence;
}

// ------------------------------------------------------------------------------------- one cycle

// Bursts and answers go to the shadow at once: its time is made of them, and of a burst the
// question comes before the answer whatever the moment. All else waits for its turn.

void DmaBlock::read_asked(bool fetch, uint8_t channel, const Burst& burst) {
  m_model->shadow.read_asked(fetch, channel, burst);
  if (fetch) return;
  m_cycle.add(DmaEvent::kAsked, [this, channel, burst] {
    m_model->reference.read_asked(channel, burst.address, burst.bytes, burst.at);
  });
}

void DmaBlock::read_answered(bool fetch, uint8_t channel, const BurstTimes& times) {
  m_model->shadow.read_answered(fetch, channel, times);
  if (!fetch && times.error) failed(channel);
}

void DmaBlock::write_asked(uint8_t channel, const Burst& burst) {
  m_model->shadow.write_asked(channel, burst);
  m_cycle.add(DmaEvent::kAsked, [this, channel, burst] {
    m_model->reference.write_asked(channel, burst.address, burst.bytes, burst.at);
  });
}

void DmaBlock::write_granted(uint8_t channel, bool error) {
  m_model->shadow.write_granted(channel, error);
  if (error) failed(channel);
}

void DmaBlock::failed(uint8_t channel) {
  m_cycle.add(DmaEvent::kFailed, [this, channel] { m_model->reference.failed(channel); });
}

void DmaBlock::offered(uint8_t channel, const std::optional<FetchedCommand>& command, Cycle cycle) {
  m_cycle.add(DmaEvent::kOffered, [this, channel, command, cycle] {
    m_model->reference.offered(channel, command, cycle);
  });
}

void DmaBlock::begun(uint8_t channel, Cycle cycle) {
  m_cycle.add(DmaEvent::kBegun, [this, channel, cycle] {
    ++m_in_flight;
    ++m_flights[channel];
    m_model->reference.begun(channel, cycle);
  });
}

void DmaBlock::dropped(uint8_t channel) {
  m_cycle.add(DmaEvent::kDropped, [this, channel] {
    m_in_flight -= m_flights[channel];
    m_flights[channel] = 0;
    m_model->reference.dropped(channel);
    m_model->shadow.dropped(channel);
  });
}

void DmaBlock::written(bool sram, uint8_t channel, uint64_t address, const uint8_t* bytes,
                       uint16_t strobes, Cycle cycle) {
  std::array<uint8_t, WriteBridge::kBeatBytes> word;
  std::copy_n(bytes, word.size(), word.begin());
  m_cycle.add(DmaEvent::kWritten, [this, sram, channel, address, word, strobes, cycle] {
    m_model->reference.written(sram, channel, address, word.data(), strobes, cycle);
  });
}

void DmaBlock::ended(const CommandRecord& record) {
  m_cycle.add(DmaEvent::kEnded, [this, record] {
    const auto channel = static_cast<uint8_t>(record.queue - PRESIL_QUEUE_DMA0);
    --m_in_flight;
    --m_flights[channel];
    m_model->reference.ended(channel, record.index, record.tag, record.end);
    m_model->shadow.ended(record);
  });
}

void DmaBlock::interrupt(bool level, Cycle) {
  m_cycle.add(DmaEvent::kInterrupt, [this, level] { m_line = level; });
}

void DmaBlock::signalled(uint8_t channel, uint8_t id, uint16_t add, Cycle cycle) {
  m_cycle.add(DmaEvent::kSignalled, [this, channel, id, add, cycle] {
    m_model->shadow.signalled(channel, id, add, cycle);
  });
}

// ------------------------------------------------------------------------------------- registers

// The model sees the same access in the same cycle.
void DmaBlock::accessed(bool write, uint16_t offset, uint32_t value, bool error, Cycle cycle) {
  DmaShadow& shadow = m_model->shadow;
  const bool in_queue = offset >= kQueues && offset < kQueuesEnd;
  const uint32_t place = (offset - kQueues) % PRESIL_QUEUE_SIZE;
  if (write && !error && in_queue && place == PRESIL_QUEUE_REG_CONTROL) {
    shadow.controlled(static_cast<uint8_t>((offset - kQueues) / PRESIL_QUEUE_SIZE), value);
  }
  dma::Bank& bank = shadow.unit().bank();
  uint32_t model = value;
  const Access access = write ? bank.write(offset, value) : bank.read(offset, model);
  const bool counters = offset >= PRESIL_DMA_REG_COUNTERS(0);  // compared as causes of commands
  const bool comparable = !counters && (!in_queue || !follows_time(place) || quiet());
  Divergence d;
  d.block = "dma";
  d.address = offset;
  d.model_cycle = d.rtl_cycle = cycle;
  if (answers_differ({write, access != Access::kOk, error, model, value, comparable}, d) ||
      (!write && quiet() && lines_differ(m_model_line, m_line, d))) {
    report(d);
  }
}

}  // namespace presil::rtl
