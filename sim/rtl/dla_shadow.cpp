#include "sim/rtl/dla_shadow.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace presil::rtl {
namespace {

std::string read_text(const Burst& burst) {
  char text[64];
  std::snprintf(text, sizeof text, "%u bytes at 0x%010llx", burst.bytes,
                static_cast<unsigned long long>(burst.address));
  return text;
}

std::string signal_text(uint8_t id, uint16_t add) {
  return std::to_string(add) + " to counter " + std::to_string(id);
}

std::string end_text(const CommandRecord& record) {
  return "command " + std::to_string(record.index) + " with tag " + std::to_string(record.tag);
}

}  // namespace

// ----------------------------------------------------------------------------------------- reads

RecordedBursts::RecordedBursts(Timeline& timeline, BurstPort& memory,
                               std::function<void(const Divergence&)> report)
    : m_timeline(timeline), m_memory(memory), m_report(std::move(report)), m_model(*this) {}

RecordedBursts::Read& RecordedBursts::read(uint64_t number) {
  if (number == m_first + m_reads.size()) m_reads.emplace_back();
  return m_reads[number - m_first];
}

void RecordedBursts::request(const Burst& burst, std::function<void(const BurstTimes&)> done) {
  const uint64_t number = m_rtl++;
  Read& asked = read(number);
  asked.rtl = burst;
  asked.by_rtl = true;
  progress();
  m_memory.request(burst, [this, number, done = std::move(done)](const BurstTimes& times) {
    read(number).times = times;
    read(number).answered = true;
    done(times);
    progress();
  });
}

void RecordedBursts::Model::request(const Burst& burst,
                                    std::function<void(const BurstTimes&)> done) {
  Read& asked = m_bursts.read(m_bursts.m_by_model++);
  asked.model = burst;
  asked.by_model = true;
  asked.model_done = std::move(done);
  m_bursts.progress();
}

// Both have asked, and the memory has answered: the model, too, gets the answer; at the RTL's
// times, or now, if it has come later than those.
void RecordedBursts::progress() {
  while (!m_reads.empty()) {
    Read& front = m_reads.front();
    if (!front.by_rtl || !front.by_model) return;
    if (front.rtl.address != front.model.address || front.rtl.bytes != front.model.bytes) {
      Divergence d;
      d.block = "dla";
      d.stage = "fetch";
      d.address = front.rtl.address;
      d.model = "reads " + read_text(front.model);
      d.rtl = "reads " + read_text(front.rtl);
      d.model_cycle = front.model.at;
      d.rtl_cycle = front.rtl.at;
      m_report(d);
      return;
    }
    if (!front.answered) return;
    BurstTimes times = front.times;
    times.first = std::max(times.first, m_timeline.now());
    times.last = std::max(times.last, m_timeline.now());
    const auto done = std::move(front.model_done);
    m_reads.pop_front();
    ++m_first;
    done(times);
  }
}

// -------------------------------------------------------------------------------------- counters

void DlaShadow::Counters::when_met(uint8_t, uint8_t port, uint8_t id, uint32_t value,
                                   std::function<void(Cycle)> then) {
  if (m_counters.met(id, value)) {
    then(m_shadow.m_timeline.now());
  } else {
    m_asks[port] = {id, value, std::move(then)};
  }
}

void DlaShadow::Counters::withdraw(uint8_t, uint8_t port) {
  m_asks[port] = {};
}

void DlaShadow::Counters::changed(uint8_t id) {
  for (Ask& ask : m_asks) {
    if (!ask.then || ask.id != id || !m_counters.met(id, ask.value)) continue;
    const auto then = std::move(ask.then);
    ask = {};
    then(m_shadow.m_timeline.now());
  }
}

void DlaShadow::Counters::signal(Cycle when, uint8_t id, uint16_t add) {
  m_shadow.m_model_signals.push_back(
      {id, add, when, m_shadow.m_model_ended, m_shadow.m_model_last});
  m_shadow.compare_signals();
}

// ---------------------------------------------------------------------------------------- shadow

DlaShadow::DlaShadow(const SocConfig& config, Timeline& timeline, BurstPort& fetch,
                     BytePort& system, CounterPort& counters,
                     const std::function<void(std::function<void(uint8_t id)>)>& watch,
                     std::function<void(const Divergence&)> report)
    : m_timeline(timeline),
      m_report(std::move(report)),
      m_counters(*this, counters),
      m_engine(config, timeline, fetch, system, m_sram, m_counters) {
  m_engine.leave_values();
  m_engine.observe([this](const CommandRecord& record) {
    ++m_model_ended;
    m_model_last = record;
    m_model_ends.push_back(record);
    compare_ends();
  });
  watch([this](uint8_t id) { m_counters.changed(id); });
}

void DlaShadow::ended(const CommandRecord& record) {
  ++m_rtl_ended;
  m_rtl_last = record;
  m_rtl_ends.push_back(record);
  compare_ends();
}

void DlaShadow::signalled(uint8_t id, uint16_t add, Cycle cycle) {
  m_rtl_signals.push_back({id, add, cycle, m_rtl_ended, m_rtl_last});
  compare_signals();
}

// An abort drops what was in flight in both, and one of them may just have ended it.
void DlaShadow::dropped() {
  m_model_ends.clear();
  m_rtl_ends.clear();
  m_model_signals.clear();
  m_rtl_signals.clear();
  m_rtl_ended = m_model_ended;
}

void DlaShadow::look_behind() {
  if (m_model_ends.empty()) return;
  const CommandRecord& model = m_model_ends.front();
  report("end", "has ended " + end_text(model), "has not", model.end, -1, &model);
}

void DlaShadow::report(const char* stage, const std::string& model, const std::string& rtl,
                       Cycle model_cycle, Cycle rtl_cycle, const CommandRecord* command) {
  Divergence d;
  d.block = "dla";
  d.stage = stage;
  d.model = model;
  d.rtl = rtl;
  d.model_cycle = model_cycle;
  d.rtl_cycle = rtl_cycle;
  if (command != nullptr) {
    d.in_command = true;
    d.index = command->index;
    d.tag = command->tag;
  }
  m_report(d);
}

void DlaShadow::compare_signals() {
  while (!m_model_signals.empty() && !m_rtl_signals.empty()) {
    const Signal model = m_model_signals.front(), rtl = m_rtl_signals.front();
    if (model.command != rtl.command) return;  // expect_signals sees to it
    m_model_signals.pop_front();
    m_rtl_signals.pop_front();
    if (model.id == rtl.id && model.add == rtl.add) continue;
    report("signal", signal_text(model.id, model.add), signal_text(rtl.id, rtl.add), model.cycle,
           rtl.cycle, &rtl.record);
  }
}

// Both have ended so many commands, and have sent their signals.
void DlaShadow::expect_signals(uint64_t commands) {
  for (const Signal& s : m_model_signals) {
    if (s.command > commands) continue;
    report("signal", signal_text(s.id, s.add), "none", s.cycle, -1, &s.record);
  }
  for (const Signal& s : m_rtl_signals) {
    if (s.command > commands) continue;
    report("signal", "none", signal_text(s.id, s.add), -1, s.cycle, &s.record);
  }
}

void DlaShadow::compare_ends() {
  while (!m_model_ends.empty() && !m_rtl_ends.empty()) {
    const CommandRecord model = std::move(m_model_ends.front());
    const CommandRecord rtl = std::move(m_rtl_ends.front());
    m_model_ends.pop_front();
    m_rtl_ends.pop_front();
    if (model.index != rtl.index || model.tag != rtl.tag) {
      report("end", end_text(model), end_text(rtl), model.end, rtl.end, &rtl);
    }
    const uint64_t commands = std::min(m_model_ended, m_rtl_ended);
    m_timeline.at(m_timeline.now() + 1, Phase::kGrant,
                  [this, commands] { expect_signals(commands); });
    if (m_observer) m_observer(model);
  }
}

}  // namespace presil::rtl
