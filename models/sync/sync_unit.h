// Sync of a tile as a plain object on its timeline: counters, wait ports, compare slots, registers.
// Each queue has a port of its own, so that sync knows which queue signalled last. The pages are
// rtl/sync/README.md and README.md here.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "models/common/ports.h"
#include "models/common/queue_frontend.h"
#include "models/common/timeline.h"
#include "models/sync/sync_core.h"
#include "rtl/soc/address_map.h"
#include "rtl/sync/sync_bank.h"

namespace presil::sync {

/// A condition that a port or slot waits for and that does not hold: the hang report is made from
/// these.
struct PendingWait {
  uint8_t queue = 0;     ///< enum presil_queue; PRESIL_QUEUE_HOST: a compare slot
  uint8_t port = 0;      ///< wait port of the queue, or slot number
  uint8_t id = 0;        ///< counter
  uint32_t value = 0;    ///< threshold
  uint32_t counter = 0;  ///< what it is now
  Cycle since = 0;
};

class SyncUnit {
 public:
  SyncUnit(const SyncConfig& config, Timeline& timeline);
  ~SyncUnit();
  SyncUnit(const SyncUnit&) = delete;
  SyncUnit& operator=(const SyncUnit&) = delete;

  /// The links of a queue: its signal and its wait ports.
  CounterPort& port(uint8_t queue) { return *m_ports[queue]; }
  Bank& bank() { return m_bank; }
  void on_interrupt(InterruptLine line) { m_interrupt = std::move(line); }

  /// Called when a counter has changed, after those that wait for it.
  void watch(std::function<void(uint8_t id)> watcher) { m_watchers.push_back(std::move(watcher)); }

  /// As after power-on: no counter has counted, nothing waits.
  void reset();

  uint32_t counter(uint8_t id) const { return m_counters.value(id); }
  /// The queue that signalled the counter last; the host before the first signal.
  Engine signaller(uint8_t id) const;
  /// Everything that waits now, by queue and port.
  std::vector<PendingWait> pending() const;
  uint64_t signals() const { return s_signals; }

 private:
  class Port;
  struct Ask {  // what a wait port asked for last
    uint8_t id = 0;
    uint32_t value = 0;
    bool waiting = false;
    Cycle since = 0;
    std::function<void(Cycle)> then;
  };
  struct Signal {  // on its way to the counters
    Cycle at = 0;
    uint8_t queue = 0;
    uint8_t id = 0;
    uint32_t add = 0;
  };
  static constexpr unsigned kPortsPerQueue = 4, kBarrierPort = 3;

  void attach();
  void ask(uint8_t queue, uint8_t port, uint8_t id, uint32_t value,
           std::function<void(Cycle)> then);
  void withdraw(uint8_t queue, uint8_t port);
  void signal(Cycle when, uint8_t id, uint32_t add, uint8_t queue);
  void land();
  void apply(const Signal& signal);
  void changed(uint8_t id);
  bool far(uint8_t id, uint32_t value) const;
  bool far(unsigned slot);
  void look_for_overflow();
  uint8_t first_overflow();
  void flag_overflow(uint8_t id);
  void look_at_slot(unsigned slot);
  void refuse(uint8_t id, uint8_t queue);
  void show_wait_port(unsigned index, const Ask& ask);
  void raise(uint32_t irq_bits);
  void update_line();

  Timeline& m_timeline;
  Counters m_counters;
  Bank m_bank;
  unsigned m_slots;
  InterruptLine m_interrupt;
  std::vector<std::function<void(uint8_t id)>> m_watchers;
  bool m_line = false;
  std::vector<std::unique_ptr<CounterPort>> m_ports;
  std::array<Ask, PRESIL_QUEUES * kPortsPerQueue> m_asks;
  std::vector<std::vector<uint8_t>>
      m_waiting;                     // by counter: indices of m_asks, in the order of asking
  std::vector<uint8_t> m_signaller;  // by counter: queue that signalled last
  std::vector<Signal> m_landing;
  std::array<uint32_t, PRESIL_SYNC_SLOT_COUNT>
      m_slot_life{};  // a slot written anew drops what was under way
  std::array<bool, PRESIL_SYNC_SLOT_COUNT> m_slot_firing{};
  Cycle m_overflow_looked = -1;  // in this cycle
  uint8_t m_overflow_id = 0;     // found at its end; 0: none
  uint64_t s_signals = 0;
};

}  // namespace presil::sync
