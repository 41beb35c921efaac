// The events of a SoC, in a stated order: by cycle, then by phase, then as they were asked for.
// Every model schedules itself here; nothing depends on the order of SystemC processes.
// Plain C++: a test drives it with run_until, a simulation with a Timekeeper.
//
// Nearly every event is due within a few hundred cycles: those lie in a wheel of lists, one for
// each of the next 256 cycles and each phase, found by a bit map; later ones wait in a heap until
// the wheel comes to them. An event is held in place, in a pool: asking and running allocate
// nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/soc/soc_config.h"

namespace presil {

/// The order within a cycle.
enum class Phase : uint8_t {
  kMemory,    ///< memory controllers and what they answer
  kCounters,  ///< sync: counters show a signal, waits are met
  kEngine,    ///< queues and engines
  kGrant      ///< arbiters: they see every request of the cycle
};

class Timeline {
 public:
  static constexpr Cycle kNever = std::numeric_limits<Cycle>::max();
  static constexpr size_t kActionBytes = 80;  ///< enough for a callback with the times of a burst

  Timeline() = default;
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;
  ~Timeline();

  Cycle now() const { return m_now; }

  /// Runs `action` in cycle `when` >= now(). Within the running cycle an earlier phase than the
  /// running one comes next, before what is left of the running phase.
  template <class Action>
  void at(Cycle when, Phase phase, Action&& action) {
    using Held = std::decay_t<Action>;
    static_assert(sizeof(Held) <= kActionBytes, "an action captures too much");
    static_assert(alignof(Held) <= alignof(std::max_align_t));
    Event* event = take_event();
    new (event->action) Held(std::forward<Action>(action));
    event->end = [](Event& self, bool run) {
      Held& held = *std::launder(reinterpret_cast<Held*>(self.action));
      if (run) held();
      held.~Held();
    };
    ask(event, when, phase);
  }

  /// Cycle of the next event, kNever if there is none.
  Cycle next() const;

  /// Some of the events that are asked for only look whether another block has done something, as
  /// the clocks of blocks that wait. Its owner counts it in, and out when it runs.
  void count_onlookers(int change) { m_onlookers += static_cast<uint64_t>(change); }
  /// Every event that has not run yet is an onlooker's: of itself nothing happens.
  bool only_onlookers() const { return m_sequence - s_events == m_onlookers; }

  /// Runs every event up to and including cycle `limit`; now() is then `limit`.
  void run_until(Cycle limit);

  /// Runs until nothing is left, or past `limit`. @return now(): the cycle of the last event
  Cycle run_all(Cycle limit = kNever);

  /// From an event: the last cycle that this run comes to. Its caller acts after that.
  Cycle limit() const { return m_limit; }
  /// From an event: the run ends with the running cycle, whatever its limit was.
  void stop() { m_limit = m_now; }

  /// Someone outside (a register access) acts in cycle `when`, before which nothing is left to run.
  void advance(Cycle when);

  /// Called when an event becomes the next one while no event runs.
  void on_earlier(std::function<void(Cycle)> wake) { m_wake = std::move(wake); }

  uint64_t events() const { return s_events; }

 private:
  static constexpr Cycle kSlots = 256;  // cycles that the wheel shows, from now on
  static constexpr unsigned kPhases = 4;

  struct Event {
    alignas(std::max_align_t) unsigned char action[kActionBytes];
    void (*end)(Event& self, bool run);  // runs the action or does not, and destroys it
    Event* next;                         // of its list; the last one's is the first
    Cycle when;
    uint64_t sequence;
    Phase phase;
  };
  struct Later {
    bool operator()(const Event* a, const Event* b) const {
      return a->when != b->when ? a->when > b->when : a->sequence > b->sequence;
    }
  };

  Event* take_event() {
    if (m_free == nullptr) grow();
    Event* event = m_free;
    m_free = event->next;
    return event;
  }
  void give_back(Event* event) {
    event->next = m_free;
    m_free = event;
  }
  void grow();
  void ask(Event* event, Cycle when, Phase phase);
  void show(Event* event);
  void move_to(Cycle when);
  Event* pop(unsigned slot);
  void run(Cycle limit);

  Cycle m_now = 0, m_limit = 0;
  bool m_running = false;
  std::array<std::array<Event*, kPhases>, kSlots>
      m_last{};                                // last of each list: it knows the first
  std::array<uint8_t, kSlots> m_phases{};      // bit p: a list of phase p is there
  std::array<uint64_t, kSlots / 64> m_busy{};  // bit s: m_phases[s] is not 0
  std::vector<Event*> m_far;                   // heap of those beyond the wheel
  uint64_t m_sequence = 0;                     // events asked for so far
  uint64_t m_onlookers = 0;                    // of those that have not run
  Event* m_free = nullptr;
  std::vector<std::unique_ptr<Event[]>> m_pool;
  std::function<void(Cycle)> m_wake;
  uint64_t s_events = 0;
};

}  // namespace presil
