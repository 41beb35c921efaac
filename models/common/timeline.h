// The events of one tile, in a stated order: by cycle, then by phase, then as they were asked for.
// Every model of a tile schedules itself here; nothing depends on the order of SystemC processes.
// Plain C++: a test drives it with run_until, a simulation with a Timekeeper.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "models/common/action.h"
#include "rtl/soc/soc_config.h"

namespace presil {

/// Who comes first within a cycle.
enum class Phase : uint8_t {
  kMemory,    ///< memory controllers and what they answer
  kCounters,  ///< sync: counters show a signal, waits are met
  kEngine,    ///< queues and engines
  kGrant      ///< arbiters: they see every request of the cycle
};

class Timeline {
 public:
  static constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

  Timeline() = default;
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  Cycle now() const { return m_now; }

  /// Runs `action` in cycle `when` >= now(). Within the running cycle an earlier phase than the
  /// running one comes next, before what is left of the running phase.
  void at(Cycle when, Phase phase, Action action);

  /// Cycle of the next event, kNever if there is none.
  Cycle next() const { return m_heap.empty() ? kNever : m_heap.front().when; }

  /// Runs every event up to and including cycle `limit`; now() is then `limit`.
  void run_until(Cycle limit);

  /// Runs until nothing is left, or past `limit`. @return now(): the cycle of the last event
  Cycle run_all(Cycle limit = kNever);

  /// Someone outside (a register access) acts in cycle `when`, before which nothing is left to run.
  void advance(Cycle when) {
    if (when > m_now) m_now = when;
  }

  /// Called when an event becomes the next one while no event runs.
  void on_earlier(std::function<void(Cycle)> wake) { m_wake = std::move(wake); }

  uint64_t events() const { return s_events; }

 private:
  struct Key {
    Cycle when;
    uint64_t order;  // phase, then sequence number
    uint32_t slot;
    bool operator>(const Key& other) const {
      return when != other.when ? when > other.when : order > other.order;
    }
  };
  void run_front();

  Cycle m_now = 0;
  uint64_t m_sequence = 0;
  bool m_running = false;
  std::vector<Key> m_heap;
  std::vector<Action> m_actions;  // by slot
  std::vector<uint32_t> m_free;
  std::function<void(Cycle)> m_wake;
  uint64_t s_events = 0;
};

}  // namespace presil
