// Drives a Timeline from the SystemC kernel: one method, one event, no clock. It wakes in the cycle
// of the next event, runs everything that is due, and sleeps until the next one.
#pragma once

#include <systemc>

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
  /// Whole cycles passed at the kernel's time.
  Cycle cycle() const;

 private:
  void run();

  Cycle m_period_ps;
  Timeline m_timeline;
  sc_core::sc_event m_event;
};

/// Length of a cycle in ps, rounded to the nearest.
constexpr Cycle period_ps_of(unsigned clock_mhz) {
  return (1000000 + clock_mhz / 2) / static_cast<Cycle>(clock_mhz);
}

}  // namespace presil
