#include "sim/rtl/dla_block.h"

#include <algorithm>
#include <array>
#include <vector>

#include "rtl/dla/dla.h"
#include "sim/rtl/register_match.h"

namespace presil::rtl {

DlaBlock::Model::Model(const platform::DlaPlace& place,
                       const std::function<void(const Divergence&)>& report)
    : bursts(place.timekeeper.timeline(), place.fetch, report),
      reference(place.config, place.sram.bytes_at(0, place.config.sram.bytes), report),
      shadow(place.config, place.timekeeper.timeline(), bursts.model(), place.system,
             place.counters, place.watch, report) {}

DlaBlock::DlaBlock(const platform::DlaPlace& place) {
  const bool lockstep = place.kinds.dla == platform::BlockKind::kLockstep;
  if (lockstep) {
    m_model = std::make_unique<Model>(place, [this](const Divergence& d) { report(d); });
    m_model->shadow.engine().on_interrupt([this](bool level) { m_model_line = level; });
  }
  BurstPort& fetch = lockstep ? static_cast<BurstPort&>(m_model->bursts) : place.fetch;
  m_dla = std::make_unique<DlaRtl>("dla", place.config, place.timekeeper, fetch, place.system,
                                   place.sram, place.counters, options_of(place.kinds));
  if (lockstep) m_dla->tap(this);
  m_dla->on_failure([this](Cycle cycle) { report(Divergence::assertion("dla", cycle)); });
}

void DlaBlock::observe_model(CommandObserver observer) {
  if (m_model) m_model->shadow.observe(std::move(observer));
}

void DlaBlock::stuck() {
  if (m_model) m_model->shadow.report_unmatched();
}

// Only the first counts: what comes after may be its consequence.
void DlaBlock::report(const Divergence& divergence) {
  m_dla->halt();
  if (!m_divergence) m_divergence = divergence;
}

// ------------------------------------------------------------------------------------- one cycle

// A job entry or a command.
void DlaBlock::fetched(uint64_t address, const uint8_t* bytes, unsigned count) {
  m_cycle.add(DlaEvent::kFetched,
              [this, address, all = std::vector<uint8_t>(bytes, bytes + count)] {
                m_model->reference.fetched(address, all.data(), static_cast<unsigned>(all.size()));
              });
}

void DlaBlock::dropped() {
  m_cycle.add(DlaEvent::kDropped, [this] {
    m_in_flight = 0;
    m_model->reference.dropped();
    m_model->shadow.dropped();
  });
}

void DlaBlock::offered(uint32_t index, Cycle cycle) {
  m_cycle.add(DlaEvent::kOffered, [this, index, cycle] {
    ++m_in_flight;
    m_model->reference.offered(index, cycle);
  });
}

void DlaBlock::started(unsigned place) {
  m_cycle.add(DlaEvent::kStarted, [this, place] { m_model->reference.started(place); });
}

void DlaBlock::written(uint32_t address, const uint8_t* bytes, Cycle cycle) {
  std::array<uint8_t, 16> word;
  std::copy_n(bytes, word.size(), word.begin());
  m_cycle.add(DlaEvent::kWritten, [this, address, word, cycle] {
    m_model->reference.written(address, word.data(), cycle);
  });
}

void DlaBlock::ended(const CommandRecord& record) {
  m_cycle.add(DlaEvent::kEnded, [this, record] {
    --m_in_flight;
    m_model->reference.ended(record.index, record.tag, record.end);
    m_model->shadow.ended(record);
  });
}

void DlaBlock::interrupt(bool level, Cycle) {
  m_cycle.add(DlaEvent::kInterrupt, [this, level] { m_line = level; });
}

void DlaBlock::signalled(uint8_t id, uint16_t add, Cycle cycle) {
  m_cycle.add(DlaEvent::kSignalled,
              [this, id, add, cycle] { m_model->shadow.signalled(id, add, cycle); });
}

// ------------------------------------------------------------------------------------- registers

bool DlaBlock::quiet() {
  return m_in_flight == 0 && !works(m_model->shadow.engine().frontend().state());
}

// The model sees the same access in the same cycle.
void DlaBlock::accessed(bool write, uint16_t offset, uint32_t value, bool error, Cycle cycle) {
  const queue::State state = m_model->shadow.engine().frontend().state();
  if (write && offset == PRESIL_DLA_REG_QUEUE + PRESIL_QUEUE_REG_CONTROL &&
      (value & PRESIL_QUEUE_CONTROL_START_MASK) != 0 &&
      (state == queue::State::kError || state == queue::State::kStopped ||
       state == queue::State::kDraining)) {
    m_model->reference.restarted();
  }
  dla::Bank& bank = m_model->shadow.engine().bank();
  uint32_t model = value;
  const Access access = write ? bank.write(offset, value) : bank.read(offset, model);
  const bool counters = offset >= PRESIL_DLA_REG_COUNTERS;  // compared as causes of commands
  const bool comparable = !counters && (quiet() || !follows_time(offset - PRESIL_DLA_REG_QUEUE));
  Divergence d;
  d.block = "dla";
  d.address = offset;
  d.model_cycle = d.rtl_cycle = cycle;
  if (answers_differ({write, access != Access::kOk, error, model, value, comparable}, d) ||
      (!write && quiet() && lines_differ(m_model_line, m_line, d))) {
    report(d);
  }
}

}  // namespace presil::rtl
