// A queue whose commands take times that are told: of engines that no plain model of time plays.
#pragma once

#include <functional>
#include <vector>

#include "compiler_bridge/plan/schedule.h"
#include "models/common/ports.h"
#include "models/common/timeline.h"

namespace presil::play {

/// One command after another: its waits, its cycles, its signal.
class TimedQueue {
 public:
  struct Timed {
    const plan::Word* word = nullptr;
    Cycle cycles = 0;  ///< from the last wait that is met to its signal
  };

  TimedQueue(uint8_t queue, Timeline& timeline, CounterPort& counters)
      : m_queue(queue), m_timeline(timeline), m_counters(counters) {}

  void add(const Timed& command) { m_commands.push_back(command); }
  bool empty() const { return m_commands.empty(); }
  void start(Cycle at);
  /// Every command has ended, the last one then.
  bool ended() const { return m_next == m_commands.size(); }
  Cycle end() const { return m_end; }

 private:
  void begin();
  void met();
  void run();

  uint8_t m_queue;
  Timeline& m_timeline;
  CounterPort& m_counters;
  std::vector<Timed> m_commands;
  size_t m_next = 0;
  unsigned m_waits = 0;  ///< of the next command, not met
  Cycle m_end = 0;
};

}  // namespace presil::play
