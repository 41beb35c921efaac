#include "compiler_bridge/play/timed_queue.h"

#include <algorithm>

namespace presil::play {
namespace {

struct Awaited {
  uint8_t id = 0;
  uint32_t value = 0;
};

std::vector<Awaited> waits_of(const plan::Word& word) {
  std::vector<Awaited> waits;
  const auto add = [&](int64_t id, int64_t value) {
    if (id != 0) waits.push_back({static_cast<uint8_t>(id), static_cast<uint32_t>(value)});
  };
  if (const auto* dsp = std::get_if<dsp::Command>(&word)) {
    add(dsp->wait0, dsp->wait0_value);
    add(dsp->wait1, dsp->wait1_value);
    add(dsp->wait2, dsp->wait2_value);
  } else if (const auto* host = std::get_if<host::Command>(&word)) {
    add(host->wait0, host->wait0_value);
    add(host->wait1, host->wait1_value);
  } else if (const auto* outside = std::get_if<plan::OutsideCommand>(&word)) {
    const presil_engine_description& engine = outside->engine();
    for (unsigned i = 0; i < engine.waits; ++i) {
      add(outside->get(engine.wait[i]), outside->get(engine.value[i]));
    }
  }
  return waits;
}

}  // namespace

void TimedQueue::start(Cycle at) {
  if (empty()) return;
  m_timeline.at(at, Phase::kEngine, [this] { begin(); });
}

void TimedQueue::begin() {
  if (ended()) return;
  m_waits = 1;  // this function's own, so that what is met at once does not run it twice
  uint8_t port = 0;
  for (const Awaited& wait : waits_of(*m_commands[m_next].word)) {
    if (m_counters.met(wait.id, wait.value)) continue;
    ++m_waits;
    m_counters.when_met(m_queue, port++, wait.id, wait.value, [this](Cycle) { met(); });
  }
  met();
}

void TimedQueue::met() {
  if (--m_waits > 0) return;
  m_timeline.at(m_timeline.now() + std::max<Cycle>(1, m_commands[m_next].cycles), Phase::kEngine,
                [this] { run(); });
}

void TimedQueue::run() {
  const plan::Signal signal = plan::signal_of(*m_commands[m_next].word);
  m_end = m_timeline.now();
  ++m_next;
  if (signal.counter != 0) {
    m_counters.signal(m_end, signal.counter, static_cast<uint16_t>(signal.add));
  }
  begin();
}

}  // namespace presil::play
