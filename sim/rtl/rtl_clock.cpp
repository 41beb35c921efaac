#include "sim/rtl/rtl_clock.h"

#include <algorithm>
#include <stdexcept>

namespace presil::rtl {

RtlClock::RtlClock(Timeline& timeline, Clocked& block, unsigned batch)
    : m_timeline(timeline), m_block(block), m_batch(std::max(batch, 1u)) {}

void RtlClock::schedule(Cycle when) {
  look_on(m_quiet >= kDead);
  m_timeline.at(when, Phase::kEngine, [this, life = ++m_life] {
    if (life == m_life) run();
  });
}

void RtlClock::look_on(bool onlooker) {
  if (onlooker == m_onlooker) return;
  m_onlooker = onlooker;
  m_timeline.count_onlookers(onlooker ? 1 : -1);
}

void RtlClock::step() {
  m_block.settle_last();
  if (m_recorder != nullptr) m_recorder->settled(m_cycle);
  m_quiet = m_block.edge() ? 0 : m_quiet + 1;
  ++m_cycle;
  ++s_ticks;
  if (m_recorder != nullptr) m_recorder->risen(m_cycle);
  m_edge_due = false;
}

void RtlClock::run() {
  look_on(false);
  if (m_halted) return;
  if (m_edge_due) step();
  if (m_cycle > m_timeline.now()) return schedule(m_cycle);
  // No further than the next event, nor than those who started this run will let it go.
  const Cycle limit = std::min(m_timeline.next() - 1, m_timeline.limit());
  for (unsigned ticks = 1;; ++ticks) {
    if (m_block.settle(m_cycle)) {
      if (m_cycle > m_timeline.now()) return schedule(m_cycle);
      m_quiet = 0;
      m_block.act(m_cycle);
      break;
    }
    if (m_quiet >= kDead && m_timeline.only_onlookers()) {
      m_asleep = true;
      m_cycle = m_timeline.now();  // what it has waited beyond, has not been observed
      return;
    }
    if (m_quiet >= kQuiet && m_quiet % kQuiet == 0 && m_block.idle()) {
      m_asleep = true;
      return;
    }
    if (ticks >= m_batch || m_cycle >= limit || m_halted) break;
    step();
  }
  m_edge_due = true;
  schedule(m_cycle + 1);
}

// A block that runs does not fall asleep in the cycle of the change: what it makes of it comes with
// the edge.
void RtlClock::wake() {
  if (m_halted) return;
  m_quiet = 0;
  look_on(false);
  if (!m_asleep) return;
  m_asleep = false;
  m_cycle = std::max(m_cycle, m_timeline.now());
  schedule(m_cycle);
}

void RtlClock::enter(unsigned back) {
  m_quiet = 0;  // it does not fall asleep before the access has acted
  if (m_asleep) {
    m_cycle = std::max(m_cycle, m_timeline.now() - static_cast<Cycle>(back));
  } else if (!m_edge_due) {
    throw std::logic_error("rtl clock: a second register access in one cycle");
  }
}

}  // namespace presil::rtl
