#include "models/common/timekeeper.h"

namespace presil {

Timekeeper::Timekeeper(sc_core::sc_module_name name, Cycle period_ps)
    : sc_module(name), m_period_ps(period_ps) {
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS)) {
    SC_REPORT_FATAL("presil", "the time resolution must be 1 ps");
  }
  SC_HAS_PROCESS(Timekeeper);
  SC_METHOD(run);
  sensitive << m_event;
  m_timeline.on_earlier(
      [this](Cycle when) { m_event.notify(time_of(when) - sc_core::sc_time_stamp()); });
}

sc_core::sc_time Timekeeper::time_of(Cycle cycles) const {
  return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(cycles * m_period_ps));
}

Cycle Timekeeper::cycle() const {
  return static_cast<Cycle>(sc_core::sc_time_stamp().value()) / m_period_ps;
}

Timeline& Timekeeper::timeline() {
  m_timeline.advance(cycle());
  return m_timeline;
}

void Timekeeper::run() {
  const Cycle now = cycle();
  m_timeline.run_until(now);
  const Cycle next = m_timeline.next();
  if (next != Timeline::kNever) m_event.notify(time_of(next) - sc_core::sc_time_stamp());
}

}  // namespace presil
