#include "models/common/timeline.h"

#include <algorithm>
#include <stdexcept>

namespace presil {

void Timeline::at(Cycle when, Phase phase, Action action) {
  if (when < m_now) throw std::logic_error("timeline: an event in the past");
  uint32_t slot;
  if (m_free.empty()) {
    slot = static_cast<uint32_t>(m_actions.size());
    m_actions.push_back(std::move(action));
  } else {
    slot = m_free.back();
    m_free.pop_back();
    m_actions[slot] = std::move(action);
  }
  const bool earlier = m_heap.empty() || when < m_heap.front().when;
  m_heap.push_back({when, static_cast<uint64_t>(phase) << 56 | m_sequence++, slot});
  std::push_heap(m_heap.begin(), m_heap.end(), std::greater<Key>());
  if (earlier && !m_running && m_wake) m_wake(when);
}

void Timeline::run_front() {
  std::pop_heap(m_heap.begin(), m_heap.end(), std::greater<Key>());
  const Key key = m_heap.back();
  m_heap.pop_back();
  m_now = key.when;
  Action action = std::move(m_actions[key.slot]);
  m_free.push_back(key.slot);
  ++s_events;
  action();
}

void Timeline::run_until(Cycle limit) {
  m_running = true;
  while (!m_heap.empty() && m_heap.front().when <= limit) run_front();
  m_running = false;
  advance(limit);
}

Cycle Timeline::run_all(Cycle limit) {
  m_running = true;
  while (!m_heap.empty() && m_heap.front().when <= limit) run_front();
  m_running = false;
  return m_now;
}

}  // namespace presil
