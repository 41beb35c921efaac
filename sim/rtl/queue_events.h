// Ends of commands and signals of a queue, of its model and of its RTL: the same ones in the same
// order, whenever each of the two comes to them.
#pragma once

#include <deque>
#include <functional>
#include <string>

#include "models/common/record.h"
#include "models/common/timeline.h"
#include "sim/rtl/divergence.h"

namespace presil::rtl {

class QueueEvents {
 public:
  /// @param report called with what differs
  QueueEvents(std::string block, Timeline& timeline, std::function<void(const Divergence&)> report);
  QueueEvents(const QueueEvents&) = delete;
  QueueEvents& operator=(const QueueEvents&) = delete;

  /// Called with the model's record of a command that both have ended.
  void observe(CommandObserver observer) { m_observer = std::move(observer); }

  void model_ended(const CommandRecord& record);
  void rtl_ended(const CommandRecord& record);
  void model_signalled(uint8_t id, uint16_t add, Cycle cycle);
  void rtl_signalled(uint8_t id, uint16_t add, Cycle cycle);
  /// An abort drops what was in flight in both, and one of them may just have ended it.
  void dropped();
  /// Nothing goes on: tells the command that the model has ended and the RTL has not.
  void report_unmatched();

 private:
  struct Signal {
    uint8_t id;
    uint16_t add;
    Cycle cycle;
    uint64_t command;  // its number among those that have ended
    CommandRecord record;
  };
  struct Side {
    std::deque<Signal> signals;
    std::deque<CommandRecord> ends;
    uint64_t ended = 0;
    CommandRecord last;
  };
  static void end(Side& side, const CommandRecord& record);
  void compare_signals();
  void expect_signals(uint64_t commands);
  void compare_ends();
  void report(const char* stage, const std::string& model, const std::string& rtl,
              Cycle model_cycle, Cycle rtl_cycle, const CommandRecord& command);

  std::string m_block;
  Timeline& m_timeline;
  std::function<void(const Divergence&)> m_report;
  CommandObserver m_observer;
  Side m_model, m_rtl;
};

}  // namespace presil::rtl
