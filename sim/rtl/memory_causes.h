// What only the memory knows: a channel in RTL that waits for data counts read_credit; the answers
// say how much of it was the DRAM's.
#pragma once

#include <deque>
#include <vector>

#include "models/common/ports.h"
#include "models/common/record.h"

namespace presil::rtl {

class MemoryCauses {
 public:
  /// A burst of the channel has been answered; in the order of their first beats.
  void answered(const BurstTimes& times) { m_answers.push_back(times); }
  /// Appends a stretch of a channel's time, one of read_credit by what it waited for. Stretches
  /// come in order.
  void append(std::vector<Segment>& line, const Segment& segment);

 private:
  std::deque<BurstTimes> m_answers;  // whose first beat has not been passed
  BurstTimes m_current;              // whose beats come, or came last
};

}  // namespace presil::rtl
