#include "sim/rtl/queue_block.h"

#include <algorithm>
#include <array>
#include <vector>

#include "rtl/common/queue.h"
#include "sim/rtl/register_match.h"

namespace presil::rtl {

void QueueBlock::begin(std::unique_ptr<QueueRtl> rtl, std::unique_ptr<Model> model) {
  m_rtl = std::move(rtl);
  m_model = std::move(model);
  m_rtl->on_failure([this](Cycle cycle) { report(Divergence::assertion(m_name, cycle)); });
  if (m_model == nullptr) return;
  m_model->shadow->on_interrupt([this](bool level) { m_model_line = level; });
  m_rtl->tap(this);
}

void QueueBlock::observe_model(CommandObserver observer) {
  if (m_model) m_model->shadow->observe(std::move(observer));
}

void QueueBlock::stuck() {
  if (m_model) m_model->shadow->report_unmatched();
}

// Only the first counts: what comes after may be its consequence.
void QueueBlock::report(const Divergence& divergence) {
  m_rtl->halt();
  if (!m_divergence) m_divergence = divergence;
}

// ------------------------------------------------------------------------------------- one cycle

// A job entry or a command.
void QueueBlock::fetched(uint64_t address, const uint8_t* bytes, unsigned count) {
  m_cycle.add(EngineEvent::kFetched,
              [this, address, all = std::vector<uint8_t>(bytes, bytes + count)] {
                m_model->reference->fetched(address, all.data(), static_cast<unsigned>(all.size()));
              });
}

void QueueBlock::dropped() {
  m_cycle.add(EngineEvent::kDropped, [this] {
    m_in_flight = 0;
    m_model->reference->dropped();
    m_model->shadow->dropped();
  });
}

void QueueBlock::offered(uint32_t index, Cycle cycle) {
  m_cycle.add(EngineEvent::kOffered, [this, index, cycle] {
    ++m_in_flight;
    m_model->reference->offered(index, cycle);
  });
}

void QueueBlock::started(unsigned place) {
  m_cycle.add(EngineEvent::kStarted, [this, place] { m_model->reference->started(place); });
}

void QueueBlock::written(uint32_t address, const uint8_t* bytes, Cycle cycle) {
  std::array<uint8_t, 16> word;
  std::copy_n(bytes, word.size(), word.begin());
  m_cycle.add(EngineEvent::kWritten, [this, address, word, cycle] {
    m_model->reference->written(address, word.data(), cycle);
  });
}

void QueueBlock::ended(const CommandRecord& record) {
  m_cycle.add(EngineEvent::kEnded, [this, record] {
    --m_in_flight;
    m_model->reference->ended(record.index, record.tag, record.end);
    m_model->shadow->ended(record);
  });
}

void QueueBlock::interrupt(bool level, Cycle) {
  m_cycle.add(EngineEvent::kInterrupt, [this, level] { m_line = level; });
}

void QueueBlock::signalled(uint8_t id, uint16_t add, Cycle cycle) {
  m_cycle.add(EngineEvent::kSignalled,
              [this, id, add, cycle] { m_model->shadow->signalled(id, add, cycle); });
}

// ------------------------------------------------------------------------------------- registers

bool QueueBlock::quiet() {
  return m_in_flight == 0 && !works(m_model->shadow->state());
}

// The model sees the same access in the same cycle.
void QueueBlock::accessed(bool write, uint16_t offset, uint32_t value, bool error, Cycle cycle) {
  const queue::State state = m_model->shadow->state();
  if (write && offset == m_registers.queue + PRESIL_QUEUE_REG_CONTROL &&
      (value & PRESIL_QUEUE_CONTROL_START_MASK) != 0 &&
      (state == queue::State::kError || state == queue::State::kStopped ||
       state == queue::State::kDraining)) {
    m_model->reference->restarted();
  }
  RegisterBank& bank = m_model->shadow->bank();
  uint32_t model = value;
  const Access access = write ? bank.write(offset, value) : bank.read(offset, model);
  const bool counters = offset >= m_registers.counters && offset < m_registers.counters_end;
  const bool comparable = !counters && (quiet() || !follows_time(offset - m_registers.queue));
  Divergence d;
  d.block = m_name;
  d.address = offset;
  d.model_cycle = d.rtl_cycle = cycle;
  if (answers_differ({write, access != Access::kOk, error, model, value, comparable}, d) ||
      (!write && quiet() && lines_differ(m_model_line, m_line, d))) {
    report(d);
  }
}

}  // namespace presil::rtl
