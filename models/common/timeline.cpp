#include "models/common/timeline.h"

#include <algorithm>
#include <stdexcept>

namespace presil {

namespace {

constexpr size_t kEventsAtOnce = 64;

unsigned lowest_bit(uint64_t bits) {
  return static_cast<unsigned>(__builtin_ctzll(bits));
}

}  // namespace

Timeline::~Timeline() {
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    while (m_phases[slot] != 0) {
      Event* event = pop(slot);
      event->end(*event, false);
    }
  }
  for (Event* event : m_far) event->end(*event, false);
}

void Timeline::grow() {
  m_pool.push_back(std::make_unique<Event[]>(kEventsAtOnce));
  for (size_t i = kEventsAtOnce; i-- > 0;) give_back(&m_pool.back()[i]);
}

void Timeline::ask(Event* event, Cycle when, Phase phase) {
  if (when < m_now) {
    event->end(*event, false);
    give_back(event);
    throw std::logic_error("timeline: an event in the past");
  }
  const bool earlier = !m_running && m_wake && when < next();
  event->when = when;
  event->phase = phase;
  event->sequence = m_sequence++;
  if (when - m_now < kSlots) {
    show(event);
  } else {
    m_far.push_back(event);
    std::push_heap(m_far.begin(), m_far.end(), Later());
  }
  if (earlier) m_wake(when);
}

// At the end of its list: those asked for before are there, for what was too far then has been
// shown as soon as the wheel came to its cycle.
void Timeline::show(Event* event) {
  const auto slot = static_cast<unsigned>(event->when % kSlots);
  const auto phase = static_cast<unsigned>(event->phase);
  Event*& last = m_last[slot][phase];
  if (last == nullptr) {
    event->next = event;
    m_phases[slot] = static_cast<uint8_t>(m_phases[slot] | 1u << phase);
    m_busy[slot / 64] |= uint64_t{1} << slot % 64;
  } else {
    event->next = last->next;
    last->next = event;
  }
  last = event;
}

void Timeline::move_to(Cycle when) {
  m_now = when;
  while (!m_far.empty() && m_far.front()->when - when < kSlots) {
    std::pop_heap(m_far.begin(), m_far.end(), Later());
    show(m_far.back());
    m_far.pop_back();
  }
}

Cycle Timeline::next() const {
  const auto here = static_cast<unsigned>(m_now % kSlots);
  const unsigned word = here / 64, words = m_busy.size();
  if (const uint64_t bits = m_busy[word] >> here % 64) return m_now + lowest_bit(bits);
  for (unsigned i = 1; i <= words; ++i) {  // the last one is the first again, what lies before here
    const unsigned w = (word + i) % words;
    if (m_busy[w] == 0) continue;
    const unsigned slot = w * 64 + lowest_bit(m_busy[w]);
    return m_now + (slot - here) % static_cast<unsigned>(kSlots);
  }
  return m_far.empty() ? kNever : m_far.front()->when;
}

// The first event of the lowest phase.
Timeline::Event* Timeline::pop(unsigned slot) {
  const unsigned phase = lowest_bit(m_phases[slot]);
  Event*& last = m_last[slot][phase];
  Event* event = last->next;
  if (event != last) {
    last->next = event->next;
    return event;
  }
  last = nullptr;
  m_phases[slot] = static_cast<uint8_t>(m_phases[slot] & ~(1u << phase));
  if (m_phases[slot] == 0) m_busy[slot / 64] &= ~(uint64_t{1} << slot % 64);
  return event;
}

void Timeline::run(Cycle limit) {
  m_limit = limit;
  m_running = true;
  for (Cycle when = next(); when <= m_limit && when != kNever; when = next()) {
    move_to(when);
    const auto slot = static_cast<unsigned>(when % kSlots);
    while (m_phases[slot] != 0) {
      Event* event = pop(slot);
      ++s_events;
      event->end(*event, true);
      give_back(event);
    }
  }
  m_running = false;
}

void Timeline::advance(Cycle when) {
  if (when <= m_now) return;
  if (next() < when) throw std::logic_error("timeline: time passes over an event");
  move_to(when);
}

void Timeline::run_until(Cycle limit) {
  run(limit);
  advance(m_limit);
}

Cycle Timeline::run_all(Cycle limit) {
  run(limit);
  return m_now;
}

}  // namespace presil
