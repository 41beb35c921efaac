// Sync in RTL as the platform sees it: what models/sync offers, computed by rtl/sync, in the
// same cycles. It is ticked at the beginning of a cycle (phase kCounters), before the engines; what
// they ask and signal in a cycle goes to it as they do it, and its rising edge comes with the next
// one.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "models/common/ports.h"
#include "models/common/queue_frontend.h"
#include "models/common/timekeeper.h"
#include "models/soc/soc_config.h"
#include "sim/platform/register_socket.h"
#include "sim/rtl/sync_tap.h"
#include "sim/rtl/sync_top.h"
#include "sim/rtl/wait_link.h"

namespace presil::rtl {

class SyncRtl {
 public:
  /// Cycles until a change of an input has come to where it ends: signal register, counter,
  /// comparison, status. After as many without a change it does nothing, and is not ticked.
  static constexpr unsigned kDepth = 4;

  /// Answered in the access.
  platform::RegisterSocket registers;

  /// @throws Refusal where the block is not built with the parameters of `config`
  SyncRtl(const char* name, const SyncConfig& config, Timekeeper& timekeeper,
          std::unique_ptr<SyncTop> top);
  ~SyncRtl();

  /// The links of a queue: its signal, its wait ports, its barrier (port 3).
  CounterPort& port(uint8_t queue) { return *m_ports[queue]; }
  /// What it does from now on is written down.
  void record(std::unique_ptr<WaveRecorder> recorder) { m_recorder = std::move(recorder); }
  SyncTop& top() { return *m_top; }
  void on_interrupt(InterruptLine line) { m_interrupt = std::move(line); }
  void watch(std::function<void(uint8_t id)> watcher);
  /// Observers of what it does.
  void tap(SyncTap* tap) { m_tap = tap; }
  /// Called when an assertion of the RTL has failed, with the cycle.
  void on_failure(std::function<void(Cycle)> failure) { m_failure = std::move(failure); }
  /// It is not ticked again: no wait is answered, register accesses answer an error.
  void halt() { m_halted = true; }

  unsigned counters() const { return m_top->counters(); }
  uint32_t counter(unsigned id) const { return m_top->counter(id); }
  bool line() const { return m_line; }
  uint64_t ticks() const { return s_ticks; }
  /// A wait port or barrier as it stands.
  struct Ask {
    uint8_t queue, port, id;
    uint32_t value;
    bool barrier;
    uint8_t signaller;  ///< of no barrier's: enum presil_engine_kind
  };
  std::vector<Ask> waiting() const;
  /// An access at the timeline's now. @return false: error response
  bool access(bool write, uint16_t offset, uint32_t& value);

 private:
  class Port;
  static constexpr unsigned kPortsPerQueue = 4;
  static constexpr size_t kLog = 64;  // edges after which the state is kept anew
  struct Asked {
    bool waiting = false;
    uint64_t order = 0;
    std::function<void(Cycle)> then;
  };
  struct Edge {  // what went in with it
    Cycle cycle;
    SyncPins::In in;
  };

  SyncPins::Wait& link(unsigned place);
  bool asked_met(unsigned place) const;
  bool met(uint8_t id, uint32_t value);
  void ask(unsigned place, uint8_t id, uint32_t value, std::function<void(Cycle)> then);
  void withdraw(unsigned place);
  void signal(Cycle when, uint8_t id, uint16_t add, uint8_t queue);

  void enter();
  void changed();
  void schedule(Cycle when);
  void tick();
  void settle();
  void edge();
  void keep_up();
  void hear();
  void hear_interrupt();
  bool transact(bool write, uint16_t offset, uint32_t& value);
  void check_built_as(const SyncConfig& config);

  Timekeeper& m_timekeeper;
  Timeline& m_timeline;
  std::unique_ptr<SyncTop> m_top;
  std::vector<std::unique_ptr<CounterPort>> m_ports;
  std::array<Asked, PRESIL_LINKED_QUEUES * kPortsPerQueue> m_asked;
  uint64_t m_asks = 0;
  std::vector<std::function<void(uint8_t id)>> m_watchers;
  std::vector<uint32_t> m_counters;  // as the watchers know them
  InterruptLine m_interrupt;
  SyncTap* m_tap = nullptr;
  std::function<void(Cycle)> m_failure;
  std::unique_ptr<WaveRecorder> m_recorder;
  Cycle m_recorded = -1;  // the next cycle that it writes down, or a later one

  Cycle m_cycle = 0;    // the cycle whose edge is next
  unsigned m_left = 0;  // edges until it sleeps
  Cycle m_tick = -1;    // the next one is asked for in this cycle
  bool m_line = false, m_halted = false, m_settled = false;
  std::vector<uint8_t> m_kept;  // its state before the edges of the log
  std::vector<uint8_t> m_next;  // its state before the edge kLog of the log
  SyncPins::In m_rest;          // what stood at its pins when the first of them came
  std::vector<Edge> m_log;
  uint64_t s_ticks = 0;
};

}  // namespace presil::rtl
