#include "sim/rtl/queue_events.h"

#include <algorithm>
#include <utility>

namespace presil::rtl {
namespace {

std::string signal_text(uint8_t id, uint16_t add) {
  return std::to_string(add) + " to counter " + std::to_string(id);
}

std::string end_text(const CommandRecord& record) {
  return "command " + std::to_string(record.index) + " with tag " + std::to_string(record.tag);
}

}  // namespace

QueueEvents::QueueEvents(std::string block, Timeline& timeline,
                         std::function<void(const Divergence&)> report)
    : m_block(std::move(block)), m_timeline(timeline), m_report(std::move(report)) {}

void QueueEvents::end(Side& side, const CommandRecord& record) {
  ++side.ended;
  side.last = record;
  side.ends.push_back(record);
}

void QueueEvents::model_ended(const CommandRecord& record) {
  end(m_model, record);
  compare_ends();
}

void QueueEvents::rtl_ended(const CommandRecord& record) {
  end(m_rtl, record);
  compare_ends();
}

void QueueEvents::model_signalled(uint8_t id, uint16_t add, Cycle cycle) {
  m_model.signals.push_back({id, add, cycle, m_model.ended, m_model.last});
  compare_signals();
}

void QueueEvents::rtl_signalled(uint8_t id, uint16_t add, Cycle cycle) {
  m_rtl.signals.push_back({id, add, cycle, m_rtl.ended, m_rtl.last});
  compare_signals();
}

void QueueEvents::dropped() {
  for (Side* side : {&m_model, &m_rtl}) {
    side->ends.clear();
    side->signals.clear();
  }
  m_rtl.ended = m_model.ended;
}

void QueueEvents::report_unmatched() {
  if (m_model.ends.empty()) return;
  const CommandRecord& model = m_model.ends.front();
  report("end", "has ended " + end_text(model), "has not", model.end, -1, model);
}

void QueueEvents::report(const char* stage, const std::string& model, const std::string& rtl,
                         Cycle model_cycle, Cycle rtl_cycle, const CommandRecord& command) {
  Divergence d;
  d.block = m_block;
  d.stage = stage;
  d.model = model;
  d.rtl = rtl;
  d.model_cycle = model_cycle;
  d.rtl_cycle = rtl_cycle;
  d.in_command = true;
  d.index = command.index;
  d.tag = command.tag;
  m_report(d);
}

void QueueEvents::compare_signals() {
  while (!m_model.signals.empty() && !m_rtl.signals.empty()) {
    const Signal model = m_model.signals.front(), rtl = m_rtl.signals.front();
    if (model.command != rtl.command) return;  // expect_signals sees to it
    m_model.signals.pop_front();
    m_rtl.signals.pop_front();
    if (model.id == rtl.id && model.add == rtl.add) continue;
    report("signal", signal_text(model.id, model.add), signal_text(rtl.id, rtl.add), model.cycle,
           rtl.cycle, rtl.record);
  }
}

// Both have ended so many commands, and have sent their signals.
void QueueEvents::expect_signals(uint64_t commands) {
  for (const Signal& s : m_model.signals) {
    if (s.command > commands) continue;
    report("signal", signal_text(s.id, s.add), "none", s.cycle, -1, s.record);
  }
  for (const Signal& s : m_rtl.signals) {
    if (s.command > commands) continue;
    report("signal", "none", signal_text(s.id, s.add), -1, s.cycle, s.record);
  }
}

void QueueEvents::compare_ends() {
  while (!m_model.ends.empty() && !m_rtl.ends.empty()) {
    const CommandRecord model = std::move(m_model.ends.front());
    const CommandRecord rtl = std::move(m_rtl.ends.front());
    m_model.ends.pop_front();
    m_rtl.ends.pop_front();
    if (model.index != rtl.index || model.tag != rtl.tag) {
      report("end", end_text(model), end_text(rtl), model.end, rtl.end, rtl);
    }
    const uint64_t commands = std::min(m_model.ended, m_rtl.ended);
    m_timeline.at(m_timeline.now() + 1, Phase::kGrant,
                  [this, commands] { expect_signals(commands); });
    if (m_observer) m_observer(model);
  }
}

}  // namespace presil::rtl
