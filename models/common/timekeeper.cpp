#include "models/common/timekeeper.h"

#include <algorithm>
#include <stdexcept>

namespace presil {

namespace {

/// Processes below these objects; those that are spawned later are not known here.
unsigned processes_in(const std::vector<sc_core::sc_object*>& objects) {
  unsigned found = 0;
  for (const sc_core::sc_object* object : objects) {
    if (dynamic_cast<const sc_core::sc_process_b*>(object) != nullptr) ++found;
    found += processes_in(object->get_child_objects());
  }
  return found;
}

}  // namespace

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

void Timekeeper::start_of_simulation() {
  m_alone = processes_in(sc_core::sc_get_top_level_objects()) == 1;
}

sc_core::sc_time Timekeeper::time_of(Cycle cycles) const {
  return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(cycles * m_period_ps));
}

// The timeline is ahead of the kernel while events run without it.
Cycle Timekeeper::cycle() const {
  const auto kernel = static_cast<Cycle>(sc_core::sc_time_stamp().value()) / m_period_ps;
  return std::max(kernel, m_timeline.now());
}

Timeline& Timekeeper::timeline() {
  m_timeline.advance(cycle());
  return m_timeline;
}

void Timekeeper::run() {
  m_in_process = true;
  m_timeline.run_until(cycle());
  m_in_process = false;
  sleep();
}

void Timekeeper::sleep() {
  const Cycle next = m_timeline.next();
  if (next != Timeline::kNever) m_event.notify(time_of(next) - sc_core::sc_time_stamp());
}

// The kernel's time, where nothing happens on the way. It is ahead of the timeline where accesses
// have passed time since the last event.
void Timekeeper::follow(Cycle to) {
  m_event.cancel();
  const sc_core::sc_time end = time_of(to), now = sc_core::sc_time_stamp();
  if (end > now) sc_core::sc_start(end - now, sc_core::SC_RUN_TO_TIME);
  sleep();
}

void Timekeeper::pass(Cycle cycles) {
  if (cycles <= 0) return;
  if (m_callers != nullptr) return m_callers->pass(cycles);
  if (!m_alone) {
    sc_core::sc_start(time_of(cycles), sc_core::SC_RUN_TO_TIME);
    return;
  }
  const Cycle end = cycle() + cycles;
  m_timeline.run_until(end - 1);
  follow(end);
}

void Timekeeper::run_before(Cycle end) {
  if (m_callers != nullptr) return m_callers->run_before(end);
  if (m_alone) {
    follow(m_timeline.run_all(end - 1));
    return;
  }
  const sc_core::sc_time limit = end == Timeline::kNever
                                     ? sc_core::sc_max_time() - sc_core::sc_time_stamp()
                                     : time_of(end) - sc_core::sc_time_stamp();
  if (sc_core::sc_pending_activity() && sc_core::sc_time_to_pending_activity() <= limit) {
    sc_core::sc_start(limit, sc_core::SC_EXIT_ON_STARVATION);
  }
}

// Alone, the kernel has nothing of its own, but it counts notifications that were cancelled.
bool Timekeeper::pending() const {
  if (m_callers != nullptr) return m_callers->pending();
  return m_alone ? m_timeline.next() != Timeline::kNever : sc_core::sc_pending_activity();
}

void Timekeeper::set_callers(Callers* callers) {
  if (callers != nullptr && !m_alone) sc_core::sc_start(sc_core::SC_ZERO_TIME);  // finds out
  if (callers != nullptr && !m_alone)
    throw std::logic_error("timekeeper: several callers, and processes of the kernel's own");
  m_callers = callers;
}

void Timekeeper::run_for_callers(Cycle end) {
  m_stopped = false;
  if (end == Timeline::kNever) return follow(m_timeline.run_all(end - 1));
  m_timeline.run_until(end - 1);
  follow(m_stopped ? m_timeline.now() : end);
}

void Timekeeper::stop(unsigned caller) {
  if (m_callers != nullptr) m_callers->stop(caller);
  m_timeline.stop();
  m_stopped = true;
  if (m_in_process) sc_core::sc_pause();
}

}  // namespace presil
