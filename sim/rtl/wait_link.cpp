#include "sim/rtl/wait_link.h"

#include <utility>

namespace presil::rtl {

WaitLink::WaitLink(CounterPort& counters, uint8_t queue, uint8_t port, std::function<void()> wake)
    : m_counters(counters), m_queue(queue), m_port(port), m_wake(std::move(wake)) {}

bool WaitLink::look(bool valid, uint8_t id, uint32_t value) {
  const bool same = m_state != State::kNone && id == m_id && value == m_value;
  if (valid && same) return m_state == State::kNew;
  if (m_state == State::kAsked) m_counters.withdraw(m_queue, m_port);
  ++m_number;
  m_id = id;
  m_value = value;
  m_state = !valid ? State::kNone : m_counters.met(id, value) ? State::kMet : State::kNew;
  return m_state == State::kNew;
}

void WaitLink::ask() {
  if (m_state != State::kNew) return;
  m_state = State::kAsked;
  m_counters.when_met(m_queue, m_port, m_id, m_value, [this, number = m_number](Cycle) {
    if (number != m_number) return;
    m_state = State::kMet;
    m_wake();
  });
}

bool BarrierLink::look(bool valid, uint8_t first, uint8_t count, uint32_t value) {
  m_met = false;
  if (valid) {
    for (unsigned i = 0; i < count; ++i) {
      const auto id = static_cast<uint8_t>(first + i);
      if (!m_counters.met(id, value)) return m_link.look(true, id, value);
    }
    m_met = true;
  }
  return m_link.look(false, 0, 0);
}

}  // namespace presil::rtl
