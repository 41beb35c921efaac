#include "models/sync/sync_unit.h"

#include <algorithm>

#include "models/sync/sync_timing.h"

namespace presil::sync {

namespace {

constexpr unsigned kNoWaitPort = ~0u;

/// Place of a queue's wait port among the registers; barriers of DMA channels have none.
unsigned wait_port_index(unsigned queue, unsigned port) {
  if (queue == PRESIL_QUEUE_DLA) return port;
  if (queue == PRESIL_QUEUE_DSP) return 4 + port;
  if (queue >= PRESIL_QUEUE_DMA0 && port < 2) return 8 + 2 * (queue - PRESIL_QUEUE_DMA0) + port;
  return kNoWaitPort;
}

Engine engine_of(uint8_t queue) {
  if (queue == PRESIL_QUEUE_DLA) return Engine::kDla;
  if (queue == PRESIL_QUEUE_DSP) return Engine::kDsp;
  if (queue == PRESIL_QUEUE_HOST) return Engine::kHost;
  return Engine::kDma;
}

}  // namespace

class SyncUnit::Port : public CounterPort {
 public:
  Port(SyncUnit& unit, uint8_t queue) : m_unit(unit), m_queue(queue) {}
  bool met(uint8_t id, uint32_t value) const override { return m_unit.m_counters.met(id, value); }
  void when_met(uint8_t queue, uint8_t port, uint8_t id, uint32_t value,
                std::function<void(Cycle)> then) override {
    m_unit.ask(queue, port, id, value, std::move(then));
  }
  void withdraw(uint8_t queue, uint8_t port) override { m_unit.withdraw(queue, port); }
  void signal(Cycle when, uint8_t id, uint16_t add) override {
    m_unit.signal(when, id, add, m_queue);
  }

 private:
  SyncUnit& m_unit;
  uint8_t m_queue;
};

SyncUnit::SyncUnit(const SyncConfig& config, Timeline& timeline)
    : m_timeline(timeline),
      m_counters(config.counters),
      m_slots(std::min<unsigned>(config.slots, PRESIL_SYNC_SLOT_COUNT)),
      m_waiting(config.counters),
      m_signaller(config.counters, PRESIL_QUEUE_HOST) {
  for (unsigned queue = 0; queue < PRESIL_QUEUES; ++queue) {
    m_ports.push_back(std::make_unique<Port>(*this, static_cast<uint8_t>(queue)));
  }
  m_bank.set_id_counters(static_cast<uint16_t>(config.counters));
  m_bank.set_id_slots(static_cast<uint8_t>(m_slots));
  m_bank.set_limit_last(static_cast<uint8_t>(config.counters - 1));
  attach();
}

SyncUnit::~SyncUnit() = default;

void SyncUnit::attach() {
  m_bank.on_write(PRESIL_SYNC_REG_SIGNAL, [this](uint32_t, uint32_t written) {
    signal(m_timeline.now(), static_cast<uint8_t>(written), written >> 16, PRESIL_QUEUE_HOST);
  });
  m_bank.on_write(PRESIL_SYNC_REG_LIMIT,
                  [this](uint32_t, uint32_t) { m_counters.set_limit(m_bank.limit_last()); });
  m_bank.on_write(PRESIL_SYNC_REG_IRQ_STATUS, [this](uint32_t, uint32_t) { update_line(); });
  m_bank.on_write(PRESIL_SYNC_REG_IRQ_ENABLE, [this](uint32_t, uint32_t) { update_line(); });
  for (unsigned i = 0; i < PRESIL_SYNC_COUNT_COUNT; ++i) {
    const uint8_t id = static_cast<uint8_t>(i);
    m_bank.on_write(PRESIL_SYNC_REG_COUNT(i), [this, id](uint32_t before, uint32_t written) {
      if (!m_bank.control_set_enable() || m_counters.set(id, written) != Added::kDone) {
        m_bank.set_count(id, before);
        refuse(id, PRESIL_QUEUE_HOST);
        return;
      }
      m_signaller[id] = PRESIL_QUEUE_HOST;
      changed(id);
    });
  }
  for (unsigned j = 0; j < PRESIL_SYNC_SLOT_COUNT; ++j) {
    m_bank.on_write(PRESIL_SYNC_REG_SLOT(j) + PRESIL_SYNC_SLOT_REG_CONTROL,
                    [this, j](uint32_t, uint32_t) {
                      ++m_slot_life[j];
                      look_at_slot(j);
                    });
  }
  for (unsigned queue = 0; queue < PRESIL_QUEUES; ++queue) {
    for (unsigned port = 0; port < kPortsPerQueue; ++port) {
      const unsigned index = wait_port_index(queue, port);
      if (index >= PRESIL_SYNC_WAIT_PORT_COUNT) continue;
      const unsigned base = PRESIL_SYNC_REG_WAIT_PORT(index);
      const unsigned asks = queue * kPortsPerQueue + port;
      auto show = [this, index, asks] { show_wait_port(index, m_asks[asks]); };
      m_bank.on_read(base + PRESIL_SYNC_WAIT_PORT_REG_VALUE, show);
      m_bank.on_read(base + PRESIL_SYNC_WAIT_PORT_REG_STATE, show);
    }
  }
}

void SyncUnit::show_wait_port(unsigned index, const Ask& ask) {
  WaitPortView view = m_bank.wait_port(index);
  view.set_value(ask.value);
  view.set_state_id(ask.id);
  view.set_state_waiting(ask.waiting);
  view.set_state_met(m_counters.met(ask.id, ask.value));
  view.set_state_signaller(ask.id < m_signaller.size() ? engine_of(m_signaller[ask.id])
                                                       : Engine::kHost);
}

void SyncUnit::ask(uint8_t queue, uint8_t port, uint8_t id, uint32_t value,
                   std::function<void(Cycle)> then) {
  withdraw(queue, port);
  const unsigned index = queue * kPortsPerQueue + port;
  Ask& ask = m_asks[index];
  ask.id = id;
  ask.value = value;
  if (m_counters.met(id, value)) {
    then(m_timeline.now());
    return;
  }
  ask.waiting = true;
  ask.since = m_timeline.now();
  ask.then = std::move(then);
  // An id that does not exist is never met; engines refuse it before they ask.
  if (id < m_waiting.size()) m_waiting[id].push_back(static_cast<uint8_t>(index));
}

void SyncUnit::withdraw(uint8_t queue, uint8_t port) {
  const unsigned index = queue * kPortsPerQueue + port;
  Ask& ask = m_asks[index];
  if (!ask.waiting) return;
  ask.waiting = false;
  ask.then = nullptr;
  if (ask.id >= m_waiting.size()) return;
  auto& list = m_waiting[ask.id];
  list.erase(std::remove(list.begin(), list.end(), static_cast<uint8_t>(index)), list.end());
}

void SyncUnit::signal(Cycle when, uint8_t id, uint32_t add, uint8_t queue) {
  m_timeline.at(when + cycles_complete_to_met, Phase::kCounters,
                [this, id, add, queue] { apply(id, add, queue); });
}

void SyncUnit::apply(uint8_t id, uint32_t add, uint8_t queue) {
  const uint32_t before = m_counters.value(id);
  if (m_counters.add(id, add) != Added::kDone) {
    refuse(id, queue);
    return;
  }
  ++s_signals;
  m_signaller[id] = queue;
  m_bank.set_count(id, before + add);
  watch_overflow(id, before, before + add);
  changed(id);
}

// Who waits for this counter is told in the order of asking; what they do now may ask again.
void SyncUnit::changed(uint8_t id) {
  for (unsigned slot = 0; slot < m_slots; ++slot) {
    if (m_bank.slot(slot).control_id() == id) look_at_slot(slot);
  }
  const std::vector<uint8_t> waiting = m_waiting[id];
  for (const uint8_t index : waiting) {
    Ask& ask = m_asks[index];
    if (!ask.waiting || ask.id != id || !m_counters.met(id, ask.value)) continue;
    auto& list = m_waiting[id];
    list.erase(std::remove(list.begin(), list.end(), index), list.end());
    ask.waiting = false;
    const auto then = std::move(ask.then);
    ask.then = nullptr;
    then(m_timeline.now());
  }
}

// A condition that a port or slot watches held and no longer holds: the counter is 2^31 past it.
void SyncUnit::watch_overflow(uint8_t id, uint32_t before, uint32_t after) {
  bool overflow = false;
  for (const Ask& ask : m_asks) {
    overflow |= ask.id == id && Counters::reached(before, ask.value) &&
                !Counters::reached(after, ask.value);
  }
  if (!overflow) return;
  if (!m_bank.irq_status_overflow()) m_bank.set_overflow_id(id);
  raise(PRESIL_SYNC_IRQ_STATUS_OVERFLOW_MASK);
}

void SyncUnit::look_at_slot(unsigned slot) {
  const SlotView view = m_bank.slot(slot);
  if (slot >= m_slots || !view.control_enable() || view.control_id() == 0 ||
      !m_counters.met(view.control_id(), view.value())) {
    return;
  }
  const uint32_t life = ++m_slot_life[slot];
  m_timeline.at(m_timeline.now() + cycles_met_to_interrupt, Phase::kCounters, [this, slot, life] {
    if (life != m_slot_life[slot]) return;
    m_bank.slot(slot).set_control_enable(false);
    raise(1u << (PRESIL_SYNC_IRQ_STATUS_SLOT_SHIFT + slot));
  });
}

void SyncUnit::refuse(uint8_t id, uint8_t queue) {
  if (!m_bank.irq_status_refused()) {
    m_bank.set_refused_id(id);
    m_bank.set_refused_engine(engine_of(queue));
  }
  raise(PRESIL_SYNC_IRQ_STATUS_REFUSED_MASK);
}

void SyncUnit::raise(uint32_t irq_bits) {
  m_bank.set(PRESIL_SYNC_REG_IRQ_STATUS, m_bank.get(PRESIL_SYNC_REG_IRQ_STATUS) | irq_bits);
  update_line();
}

void SyncUnit::update_line() {
  const bool level =
      (m_bank.get(PRESIL_SYNC_REG_IRQ_STATUS) & m_bank.get(PRESIL_SYNC_REG_IRQ_ENABLE)) != 0;
  if (level == m_line) return;
  m_line = level;
  if (m_interrupt) m_interrupt(level);
}

std::vector<PendingWait> SyncUnit::pending() const {
  std::vector<PendingWait> waits;
  for (unsigned i = 0; i < m_asks.size(); ++i) {
    const Ask& ask = m_asks[i];
    if (!ask.waiting) continue;
    waits.push_back({static_cast<uint8_t>(i / kPortsPerQueue),
                     static_cast<uint8_t>(i % kPortsPerQueue), ask.id, ask.value,
                     m_counters.value(ask.id), ask.since});
  }
  for (unsigned slot = 0; slot < m_slots; ++slot) {
    const uint32_t control = m_bank.get(PRESIL_SYNC_REG_SLOT(slot) + PRESIL_SYNC_SLOT_REG_CONTROL);
    const uint32_t value = m_bank.get(PRESIL_SYNC_REG_SLOT(slot) + PRESIL_SYNC_SLOT_REG_VALUE);
    const uint8_t id = static_cast<uint8_t>(control);
    if (!(control & PRESIL_SYNC_SLOT_CONTROL_ENABLE_MASK) || m_counters.met(id, value)) continue;
    waits.push_back(
        {PRESIL_QUEUE_HOST, static_cast<uint8_t>(slot), id, value, m_counters.value(id), 0});
  }
  return waits;
}

}  // namespace presil::sync
