#include "sim/rtl/sync_rtl.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/rtl/built_as.h"

namespace presil::rtl {
namespace {

constexpr unsigned kNoPort = ~0u, kUnlinked = 3;  // a wait port that no queue has

/// Wait port of the block for a queue's; DMA channels have two.
unsigned wait_port_of(unsigned queue, unsigned port) {
  if (queue == PRESIL_QUEUE_DLA) return port;
  if (queue == PRESIL_QUEUE_DSP) return 4 + port;
  if (presil_kind_of_queue(queue) != PRESIL_ENGINE_DMA || port > 1) return kNoPort;
  return 8 + 2 * presil_channel_of_queue(queue) + port;
}

/// What stays at the pins when a cycle is over.
SyncPins::In standing(SyncPins::In in) {
  in.signals = {};
  in.cfg = {};
  return in;
}

}  // namespace

class SyncRtl::Port : public CounterPort {
 public:
  Port(SyncRtl& sync, uint8_t queue) : m_sync(sync), m_queue(queue) {}
  bool met(uint8_t id, uint32_t value) const override { return m_sync.met(id, value); }
  void when_met(uint8_t queue, uint8_t port, uint8_t id, uint32_t value,
                std::function<void(Cycle)> then) override {
    m_sync.ask(queue * kPortsPerQueue + port, id, value, std::move(then));
  }
  void withdraw(uint8_t queue, uint8_t port) override {
    m_sync.withdraw(queue * kPortsPerQueue + port);
  }
  void signal(Cycle when, uint8_t id, uint16_t add) override {
    m_sync.signal(when, id, add, m_queue);
  }

 private:
  SyncRtl& m_sync;
  uint8_t m_queue;
};

SyncRtl::SyncRtl(const char* name, const SyncConfig& config, Timekeeper& timekeeper,
                 std::unique_ptr<SyncTop> top)
    : registers(name, [this](bool write, uint16_t offset,
                             uint32_t& value) { return access(write, offset, value); }),
      m_timekeeper(timekeeper),
      m_timeline(timekeeper.timeline()),
      m_top(std::move(top)),
      m_counters(m_top->counters(), 0) {
  for (unsigned queue = 0; queue < PRESIL_LINKED_QUEUES; ++queue) {
    m_ports.push_back(std::make_unique<Port>(*this, static_cast<uint8_t>(queue)));
  }
  check_built_as(config);
}
SyncRtl::~SyncRtl() = default;

void SyncRtl::watch(std::function<void(uint8_t id)> watcher) {
  m_watchers.push_back(std::move(watcher));
}

// ---------------------------------------------------------------------------------------- cycles

// To the present cycle: what is asked and signalled now belongs to it.
void SyncRtl::enter() {
  const Cycle now = m_timeline.now();
  if (m_left == 0) {
    m_cycle = now;
  } else if (m_cycle < now) {
    edge();
  }
  if (m_cycle != now) throw std::logic_error("sync rtl: a cycle was left out");
}

// An input is new in this cycle.
void SyncRtl::changed() {
  m_left = kDepth;
  m_settled = false;
  if (m_tick != m_cycle) schedule(m_cycle + 1);
}

void SyncRtl::schedule(Cycle when) {
  if (m_tick == when) return;
  m_tick = when;
  m_timeline.at(when, Phase::kCounters, [this, when] {
    if (m_tick == when) tick();
  });
}

void SyncRtl::tick() {
  m_tick = -1;
  if (m_halted) return;
  if (m_cycle < m_timeline.now()) edge();
  if (m_halted) return;
  hear();
  if (m_left > 0) schedule(m_timeline.now() + 1);
}

void SyncRtl::settle() {
  if (m_settled) return;
  m_top->settle();
  m_settled = true;
}

void SyncRtl::edge() {
  settle();
  keep_up();
  m_log.push_back({m_cycle, m_top->pins.in});
  const bool recorded = m_recorder != nullptr && m_cycle >= m_recorded;
  if (recorded) m_recorder->settled(m_cycle);
  m_top->edge();
  ++s_ticks;
  if (recorded) m_recorder->risen(m_recorded = m_cycle + 1);
  m_top->pins.in = standing(m_top->pins.in);
  m_settled = false;
  ++m_cycle;
  if (m_left > 0) --m_left;
  if (m_top->failed() && !m_halted) {
    m_halted = true;
    if (m_failure) m_failure(m_cycle - 1);
  }
}

// A register access goes back two cycles, so the state that it begins with lies some edges back.
void SyncRtl::keep_up() {
  if (m_log.size() < kLog) return;
  if (m_log.size() == 2 * kLog) {
    m_kept = std::move(m_next);
    m_rest = m_log[kLog - 1].in;
    m_log.erase(m_log.begin(), m_log.begin() + kLog);
  }
  if (m_log.size() == kLog) m_next = m_top->state();
}

// Those whose condition holds go on, in the order in which they have asked; what they do now may
// ask again.
void SyncRtl::hear() {
  settle();
  const Cycle now = m_timeline.now();
  std::vector<std::pair<uint64_t, unsigned>> met_now;
  for (unsigned place = 0; place < m_asked.size(); ++place) {
    if (m_asked[place].waiting && asked_met(place))
      met_now.push_back({m_asked[place].order, place});
  }
  std::sort(met_now.begin(), met_now.end());
  for (const auto& [order, place] : met_now) {
    Asked& asked = m_asked[place];
    if (!asked.waiting || asked.order != order) continue;
    const auto then = std::move(asked.then);
    withdraw(place);
    then(now);
  }
  if (!m_watchers.empty()) {
    for (unsigned id = 0; id < m_counters.size(); ++id) {
      if (m_counters[id] == m_top->counter(id)) continue;
      m_counters[id] = m_top->counter(id);
      for (const auto& watcher : m_watchers) watcher(static_cast<uint8_t>(id));
    }
  }
  settle();
  hear_interrupt();
  if (m_tap != nullptr) m_tap->ticked();
}

void SyncRtl::hear_interrupt() {
  if (m_top->pins.out.irq == m_line) return;
  m_line = m_top->pins.out.irq;
  if (m_interrupt) m_interrupt(m_line);
}

// ----------------------------------------------------------------------------------------- links

SyncPins::Wait& SyncRtl::link(unsigned place) {
  const unsigned queue = place / kPortsPerQueue, port = place % kPortsPerQueue;
  if (port == kBarrierPort) return m_top->pins.in.barriers[queue];
  const unsigned index = wait_port_of(queue, port);
  if (index == kNoPort) throw std::logic_error("sync rtl: the queue has no such wait port");
  return m_top->pins.in.waits[index];
}

bool SyncRtl::asked_met(unsigned place) const {
  const unsigned queue = place / kPortsPerQueue, port = place % kPortsPerQueue;
  const SyncPins::Out& out = m_top->pins.out;
  return port == kBarrierPort ? out.barrier_met[queue] : out.met[wait_port_of(queue, port)];
}

// By the comparator of a port without a link.
bool SyncRtl::met(uint8_t id, uint32_t value) {
  if (m_halted) return false;
  SyncPins::Wait& port = m_top->pins.in.waits[kUnlinked];
  if (!m_settled || port.id != id || port.value != value) {
    port = {false, id, value};
    m_settled = false;
    settle();
  }
  return m_top->pins.out.met[kUnlinked];
}

void SyncRtl::ask(unsigned place, uint8_t id, uint32_t value, std::function<void(Cycle)> then) {
  if (m_halted) return;
  enter();
  withdraw(place);
  SyncPins::Wait& wait = link(place);
  wait = {true, id, value};
  m_settled = false;
  settle();
  if (asked_met(place)) {  // the block has nothing to remember of it
    wait.valid = false;
    m_settled = false;
    then(m_timeline.now());
    return;
  }
  m_asked[place] = {true, ++m_asks, std::move(then)};
  changed();
}

void SyncRtl::withdraw(unsigned place) {
  Asked& asked = m_asked[place];
  if (m_halted || !asked.waiting) return;
  enter();
  asked = {};
  link(place).valid = false;
  changed();
}

void SyncRtl::signal(Cycle when, uint8_t id, uint16_t add, uint8_t queue) {
  if (m_halted) return;
  if (queue == PRESIL_QUEUE_HOST) throw std::logic_error("sync rtl: the host signals by register");
  if (when > m_timeline.now()) {
    m_timeline.at(when, Phase::kEngine,
                  [this, when, id, add, queue] { signal(when, id, add, queue); });
    return;
  }
  enter();
  SyncPins::Signal& link = m_top->pins.in.signals[queue];
  if (link.valid) throw std::logic_error("sync rtl: a queue signals twice in one cycle");
  link = {true, id, add};
  changed();
}

std::vector<SyncRtl::Ask> SyncRtl::waiting() const {
  std::vector<Ask> all;
  for (unsigned place = 0; place < m_asked.size(); ++place) {
    if (!m_asked[place].waiting) continue;
    const auto queue = static_cast<uint8_t>(place / kPortsPerQueue);
    const auto port = static_cast<uint8_t>(place % kPortsPerQueue);
    const SyncPins& pins = m_top->pins;
    if (port == kBarrierPort) {
      const SyncPins::Wait& barrier = pins.in.barriers[queue];
      all.push_back({queue, port, barrier.id, barrier.value, true, 0});
      continue;
    }
    const unsigned index = wait_port_of(queue, port);
    const SyncPins::Wait& wait = pins.in.waits[index];
    all.push_back({queue, port, wait.id, wait.value, false, pins.out.signaller[index]});
  }
  return all;
}

// ------------------------------------------------------------------------------------- registers

// An access of the platform at `now` comes before what happens in that cycle: a write shows from
// `now` on, a read sees what was before. The block takes it at its port in now - 2, it acts in
// now - 1 and is answered in now. So the block goes back to now - 2: to the state that was kept,
// and again through the edges since.
bool SyncRtl::transact(bool write, uint16_t offset, uint32_t& value) {
  const Cycle now = m_timeline.now();
  SyncPins::In& in = m_top->pins.in;
  const SyncPins::In present = in;  // of now - 1, where the edge of that is still to come
  const auto back = std::find_if(m_log.begin(), m_log.end(),
                                 [now](const Edge& edge) { return edge.cycle >= now - 2; });
  const std::vector<Edge> undone(back, m_log.end());
  if (!undone.empty()) {
    m_log.erase(back, m_log.end());
    m_top->set_state(m_kept);
    for (const Edge& edge : m_log) {
      in = edge.in;
      m_top->settle();
      m_top->edge();
    }
  }
  const SyncPins::In rest = standing(m_log.empty() ? m_rest : m_log.back().in);
  const auto in_of = [&](Cycle cycle, const SyncPins::In& otherwise) {
    for (const Edge& edge : undone) {
      if (edge.cycle == cycle) return edge.in;
    }
    return otherwise;
  };
  const SyncPins::In before = in_of(now - 1, m_cycle < now ? present : rest);

  in = in_of(now - 2, rest);
  if (in.cfg.write || in.cfg.read) throw std::logic_error("sync rtl: two accesses in one cycle");
  in.cfg.ask(write, offset, value);
  m_top->settle();
  if (!in.cfg.taken()) {
    throw std::logic_error("sync rtl: its register port does not take an access");
  }
  const Cycle cycle = m_cycle;
  m_settled = true;
  m_cycle = now - 2;
  edge();
  in = before;
  edge();
  in = cycle < now ? standing(before) : present;
  settle();
  const LiteAnswer& answer = m_top->pins.out.answer;
  if (!answer.valid) throw std::logic_error("sync rtl: its register port does not answer");
  if (!write) value = answer.error ? 0 : answer.data;
  return !answer.error;
}

bool SyncRtl::access(bool write, uint16_t offset, uint32_t& value) {
  const Cycle now = m_timekeeper.timeline().now();
  if (m_halted) return false;
  const bool done = transact(write, offset, value);
  m_left = kDepth;
  if (m_tick != now) schedule(now);
  hear_interrupt();
  if (m_tap != nullptr) m_tap->accessed(write, offset, value, !done, now);
  return done;
}

void SyncRtl::check_built_as(const SyncConfig& config) {
  uint32_t id = 0;
  transact(false, PRESIL_SYNC_REG_ID, id);
  for (unsigned i = 0; i < kDepth; ++i) edge();
  m_left = 0;
  m_cycle = m_timeline.now();
  m_log.clear();
  m_kept = m_top->state();
  rtl::check_built_as(
      "sync",
      {
          {"sync.counters", config.counters, id & 0x1ff},
          {"sync.slots", std::min<uint32_t>(config.slots, PRESIL_SYNC_SLOT_COUNT), id >> 16 & 0xff},
      },
      "the sync of `edge`");
}

}  // namespace presil::rtl
