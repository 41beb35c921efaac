#include "models/sync/sync_unit.h"

#include <algorithm>

#include "models/sync/sync_timing.h"

namespace presil::sync {

namespace {

constexpr unsigned kNoWaitPort = ~0u;

/// Index of a queue's wait port among the registers; barriers of DMA channels and queues of
/// further instances have none.
unsigned wait_port_index(unsigned queue, unsigned port) {
  if (queue == PRESIL_QUEUE_DLA) return port;
  if (queue == PRESIL_QUEUE_DSP) return 4 + port;
  if (presil_kind_of_queue(queue) != PRESIL_ENGINE_DMA || port > 1) return kNoWaitPort;
  return 8 + 2 * presil_channel_of_queue(queue) + port;
}

/// An engine outside has a number that no enumerator has.
Engine engine_of(uint8_t queue) {
  return static_cast<Engine>(presil_kind_of_queue(queue));
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
  m_bank.on_write(PRESIL_SYNC_REG_LIMIT, [this](uint32_t, uint32_t) {
    // Signals that land in this cycle were checked in the one before.
    m_timeline.at(m_timeline.now(), Phase::kGrant,
                  [this] { m_counters.set_limit(m_bank.limit_last()); });
  });
  m_bank.on_write(PRESIL_SYNC_REG_IRQ_STATUS, [this](uint32_t, uint32_t) {
    flag_overflow(first_overflow());  // what still is too far ahead stays flagged
    update_line();
  });
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
                      m_slot_firing[j] = false;
                      look_at_slot(j);
                    });
    m_bank.on_write(PRESIL_SYNC_REG_SLOT(j) + PRESIL_SYNC_SLOT_REG_VALUE,
                    [this, j](uint32_t, uint32_t) { look_at_slot(j); });
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

void SyncUnit::reset() {
  m_counters = Counters(m_counters.count());
  for (unsigned i = 0; i < PRESIL_SYNC_COUNT_COUNT; ++i) m_bank.set_count(i, 0);
  for (unsigned slot = 0; slot < PRESIL_SYNC_SLOT_COUNT; ++slot) {
    m_bank.set(PRESIL_SYNC_REG_SLOT(slot) + PRESIL_SYNC_SLOT_REG_CONTROL, 0);
    m_bank.set(PRESIL_SYNC_REG_SLOT(slot) + PRESIL_SYNC_SLOT_REG_VALUE, 0);
    ++m_slot_life[slot];
    m_slot_firing[slot] = false;
  }
  for (const uint32_t offset :
       {PRESIL_SYNC_REG_CONTROL, PRESIL_SYNC_REG_IRQ_STATUS, PRESIL_SYNC_REG_IRQ_ENABLE,
        PRESIL_SYNC_REG_REFUSED, PRESIL_SYNC_REG_OVERFLOW})
    m_bank.set(offset, 0);
  m_bank.set_limit_last(static_cast<uint8_t>(m_counters.count() - 1));
  m_landing.clear();
  m_overflow_id = 0;
  for (auto& waiting : m_waiting) waiting.clear();
  for (Ask& ask : m_asks) ask = {};
  std::fill(m_signaller.begin(), m_signaller.end(), PRESIL_QUEUE_HOST);
  update_line();
}

Engine SyncUnit::signaller(uint8_t id) const {
  return id < m_signaller.size() ? engine_of(m_signaller[id]) : Engine::kHost;
}

// A port that waits for nothing shows id 0, which is always met.
void SyncUnit::show_wait_port(unsigned index, const Ask& ask) {
  WaitPortView view = m_bank.wait_port(index);
  view.set_value(ask.waiting ? ask.value : 0);
  view.set_state_id(ask.waiting ? ask.id : 0);
  view.set_state_waiting(ask.waiting);
  view.set_state_met(!ask.waiting);
  view.set_state_signaller(ask.waiting ? signaller(ask.id) : Engine::kHost);
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
  if (port != kBarrierPort && far(id, value)) look_for_overflow();
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
  const Cycle at = when + cycles_complete_to_met;
  const bool first = std::none_of(m_landing.begin(), m_landing.end(),
                                  [at](const Signal& other) { return other.at == at; });
  m_landing.push_back({at, queue, id, add});
  if (first) m_timeline.at(at, Phase::kCounters, [this] { land(); });
}

// All signals of a cycle at once; where their order shows, it is that of the queues.
void SyncUnit::land() {
  const Cycle now = m_timeline.now();
  const auto later = std::stable_partition(m_landing.begin(), m_landing.end(),
                                           [now](const Signal& s) { return s.at == now; });
  std::vector<Signal> signals(m_landing.begin(), later);
  m_landing.erase(m_landing.begin(), later);
  std::stable_sort(signals.begin(), signals.end(),
                   [](const Signal& a, const Signal& b) { return a.queue < b.queue; });
  for (const Signal& signal : signals) apply(signal);
}

void SyncUnit::apply(const Signal& signal) {
  if (m_counters.add(signal.id, signal.add) != Added::kDone) {
    refuse(signal.id, signal.queue);
    return;
  }
  ++s_signals;
  m_signaller[signal.id] = signal.queue;
  m_bank.set_count(signal.id, m_counters.value(signal.id));
  changed(signal.id);
}

// Waiters of this counter are told in the order of asking; what they do now may ask again.
void SyncUnit::changed(uint8_t id) {
  for (unsigned slot = 0; slot < m_slots; ++slot) {
    if (m_bank.slot(slot).control_id() == id) look_at_slot(slot);
  }
  const std::vector<uint8_t> waiting = m_waiting[id];
  for (const uint8_t index : waiting) {
    Ask& ask = m_asks[index];
    if (!ask.waiting || ask.id != id) continue;
    if (!m_counters.met(id, ask.value)) {
      if (index % kPortsPerQueue != kBarrierPort && far(id, ask.value)) look_for_overflow();
      continue;
    }
    auto& list = m_waiting[id];
    list.erase(std::remove(list.begin(), list.end(), index), list.end());
    ask.waiting = false;
    const auto then = std::move(ask.then);
    ask.then = nullptr;
    then(m_timeline.now());
  }
  for (const auto& watcher : m_watchers) watcher(id);
}

// No job waits for a value so far ahead (256 jobs of 2^20): it lies more than 2^31 back, where
// it cannot be told from one ahead, or was never right.
bool SyncUnit::far(uint8_t id, uint32_t value) const {
  return id != 0 && (m_counters.value(id) - value) >> 30 == 2;
}

bool SyncUnit::far(unsigned slot) {
  const SlotView view = m_bank.slot(slot);
  return slot < m_slots && view.control_enable() && far(view.control_id(), view.value());
}

// The wait ports and slots of this cycle are looked at when it ends; the flag shows in the next.
void SyncUnit::look_for_overflow() {
  const Cycle now = m_timeline.now();
  m_timeline.at(now, Phase::kGrant, [this] { m_overflow_id = first_overflow(); });
  if (m_overflow_looked == now) return;
  m_overflow_looked = now;
  m_timeline.at(now + 1, Phase::kCounters, [this] { flag_overflow(m_overflow_id); });
}

void SyncUnit::flag_overflow(uint8_t id) {
  if (id == 0) return;
  if (!m_bank.irq_status_overflow()) m_bank.set_overflow_id(id);
  raise(PRESIL_SYNC_IRQ_STATUS_OVERFLOW_MASK);
}

uint8_t SyncUnit::first_overflow() {
  for (unsigned i = 0; i < m_asks.size(); ++i) {
    const Ask& ask = m_asks[i];
    if (i % kPortsPerQueue == kBarrierPort || !ask.waiting) continue;
    if (far(ask.id, ask.value)) return ask.id;
  }
  for (unsigned slot = 0; slot < m_slots; ++slot) {
    if (far(slot)) return m_bank.slot(slot).control_id();
  }
  return 0;
}

// Compare registered, then the status bit; what is under way is not begun anew.
void SyncUnit::look_at_slot(unsigned slot) {
  const SlotView view = m_bank.slot(slot);
  if (far(slot)) look_for_overflow();
  if (slot >= m_slots || m_slot_firing[slot] || !view.control_enable() || view.control_id() == 0 ||
      !m_counters.met(view.control_id(), view.value())) {
    return;
  }
  m_slot_firing[slot] = true;
  m_timeline.at(m_timeline.now() + cycles_met_to_interrupt, Phase::kCounters,
                [this, slot, life = m_slot_life[slot]] {
                  if (life != m_slot_life[slot]) return;
                  m_slot_firing[slot] = false;
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
