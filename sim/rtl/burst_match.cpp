#include "sim/rtl/burst_match.h"

#include <algorithm>
#include <utility>

#include "sim/rtl/lockstep_text.h"

namespace presil::rtl {

BurstMatch::BurstMatch(std::string block, std::string stage, Timeline& timeline,
                       std::function<void(const Divergence&)> report)
    : m_block(std::move(block)),
      m_stage(std::move(stage)),
      m_timeline(timeline),
      m_report(std::move(report)) {}

BurstMatch::Pair& BurstMatch::pair(uint64_t number) {
  if (number == m_first + m_pairs.size()) m_pairs.emplace_back();
  return m_pairs[number - m_first];
}

void BurstMatch::rtl_asked(const Burst& burst) {
  Pair& asked = pair(m_by_rtl++);
  asked.rtl = burst;
  asked.by_rtl = true;
  progress();
}

void BurstMatch::rtl_answered(const BurstTimes& times) {
  Pair& answered = pair(m_answered++);
  answered.times = times;
  answered.answered = true;
  progress();
}

void BurstMatch::model_asked(const Burst& burst, Done done) {
  Pair& asked = pair(m_by_model++);
  asked.model = burst;
  asked.by_model = true;
  asked.model_done = std::move(done);
  progress();
}

void BurstMatch::dropped() {
  m_dropped = true;
  progress();
}

void BurstMatch::renewed() {
  dropped();
  m_dropped = false;
  m_first = m_by_rtl = m_by_model = m_answered = m_first + m_pairs.size();
  m_pairs.clear();
}

// The model gets the answer at the RTL's times, or now, if it has come later than those.
void BurstMatch::progress() {
  while (!m_pairs.empty()) {
    Pair& front = m_pairs.front();
    if (!front.by_model) return;
    if (!front.by_rtl && !m_dropped) return;
    if (front.by_rtl &&
        (front.rtl.address != front.model.address || front.rtl.bytes != front.model.bytes)) {
      Divergence d;
      d.block = m_block;
      d.stage = m_stage;
      d.address = front.rtl.address;
      d.model = "asks for " + burst_text(front.model.address, front.model.bytes);
      d.rtl = "asks for " + burst_text(front.rtl.address, front.rtl.bytes);
      d.model_cycle = front.model.at;
      d.rtl_cycle = front.rtl.at;
      m_report(d);
      return;
    }
    if (front.by_rtl && !front.answered) return;
    BurstTimes times = front.times;
    times.first = std::max(times.first, m_timeline.now());
    times.last = std::max(times.last, m_timeline.now());
    const Done done = std::move(front.model_done);
    if (!front.by_rtl) m_by_rtl = m_answered = m_first + 1;
    m_pairs.pop_front();
    ++m_first;
    done(times);
  }
}

}  // namespace presil::rtl
