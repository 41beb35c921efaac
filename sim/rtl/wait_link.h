// A wait port of a Verilated block on a CounterPort: the block shows a counter and a value, and
// sees a level: reached. The level rises in the cycle in which the counter shows the value.
#pragma once

#include <cstdint>
#include <functional>

#include "models/common/ports.h"

namespace presil::rtl {

/// Where the barrier of a queue asks, as models/common/queue_frontend has it.
inline constexpr uint8_t kBarrierPort = 3;

class WaitLink {
 public:
  /// @param wake called when a question that did not hold does
  WaitLink(CounterPort& counters, uint8_t queue, uint8_t port, std::function<void()> wake);
  WaitLink(const WaitLink&) = delete;
  WaitLink& operator=(const WaitLink&) = delete;

  /// What the block shows in this cycle; sets met().
  /// @return whether sync has to be told, by ask() in this very cycle: a new question that does
  ///         not hold
  bool look(bool valid, uint8_t id, uint32_t value);
  void ask();
  bool met() const { return m_state == State::kMet; }

 private:
  enum class State : uint8_t { kNone, kNew, kAsked, kMet };
  CounterPort& m_counters;
  uint8_t m_queue, m_port;
  std::function<void()> m_wake;
  State m_state = State::kNone;
  uint8_t m_id = 0;
  uint32_t m_value = 0;
  uint32_t m_number = 0;  // of the question
};

/// The same for a barrier: all counters of a range have reached a value.
class BarrierLink {
 public:
  BarrierLink(CounterPort& counters, uint8_t queue, uint8_t port, std::function<void()> wake)
      : m_counters(counters), m_link(counters, queue, port, std::move(wake)) {}
  bool look(bool valid, uint8_t first, uint8_t count, uint32_t value);
  void ask() { m_link.ask(); }
  bool met() const { return m_met; }

 private:
  CounterPort& m_counters;
  WaitLink m_link;  // the first counter that has not reached it
  bool m_met = false;
};

}  // namespace presil::rtl
