// Puts a Timeline and the SystemC kernel on one time: one method, one event, no clock. For the
// kernel it wakes in the cycle of the next event, runs everything that is due, and sleeps until the
// next one. A caller outside the kernel, as the host is, lets time pass with pass() and
// run_before() here; where the simulation has no process but this one, no observer sees the
// kernel's time in between, and the events run without it, after which it follows.
#pragma once

#include <systemc>
#include <vector>

#include "models/common/callers.h"
#include "models/common/timeline.h"

namespace presil {

class Timekeeper : public sc_core::sc_module {
 public:
  /// @param period_ps length of a cycle; a clock that is no whole number of ps is rounded
  Timekeeper(sc_core::sc_module_name name, Cycle period_ps);

  /// For models and for callers from outside: now() is the cycle of the kernel's time.
  Timeline& timeline();
  Cycle period_ps() const { return m_period_ps; }
  sc_core::sc_time time_of(Cycle cycles) const;
  /// Whole cycles passed.
  Cycle cycle() const;

  // ---- for a caller outside the kernel, or each of several at once (Callers)
  /// `cycles` pass: what happens before their end has happened, what is due at their end has not.
  void pass(Cycle cycles);
  /// What happens before cycle `end`, or up to the end of a cycle in which stop() is called; the
  /// time is then that of the last event. kNever: as long as anything happens.
  void run_before(Cycle end);
  /// The number of the caller, for stop(); 0 where it is alone.
  unsigned caller() const { return m_callers == nullptr ? 0 : m_callers->current(); }
  /// From an event: the run_before() of this caller ends with this cycle.
  void stop(unsigned caller = 0);
  /// Something will happen of itself.
  bool pending() const;

  // ---- for Callers
  /// nullptr: there is one caller, which is alone.
  /// @throws std::logic_error where processes of the simulation's own need the kernel
  void set_callers(Callers* callers);
  bool anything_left() const { return m_timeline.next() != Timeline::kNever; }
  /// What is due before `end`, or up to the end of a cycle in which one of them is stopped; the
  /// time is then `end`, or that cycle.
  void run_for_callers(Cycle end);

 private:
  void start_of_simulation() override;
  void run();
  void sleep();
  void follow(Cycle to);

  Cycle m_period_ps;
  Timeline m_timeline;
  sc_core::sc_event m_event;
  Callers* m_callers = nullptr;
  bool m_alone = false;  // known when the simulation has started
  bool m_in_process = false;
  bool m_stopped = false;  // by stop(), since run_for_callers() has begun
};

/// Length of a cycle in ps, rounded to the nearest.
constexpr Cycle period_ps_of(unsigned clock_mhz) {
  return (1000000 + clock_mhz / 2) / static_cast<Cycle>(clock_mhz);
}

}  // namespace presil
