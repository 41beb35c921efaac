#include "sim/rtl/memory_causes.h"

#include <algorithm>

namespace presil::rtl {
namespace {

constexpr Cycle kPace = 2;  ///< between bursts at the DRAM's pace the port rests so long: run

void add(std::vector<Segment>& line, Cycle begin, Cycle end, Cause cause, bool dram_paced) {
  if (begin >= end) return;
  if (!line.empty() && line.back().cause == cause && line.back().end == begin &&
      line.back().dram_paced == dram_paced) {
    line.back().end = end;
  } else {
    line.push_back({begin, end, cause, dram_paced});
  }
}

/// The data bus takes as long for a burst as its beats do.
bool bus_paced(const BurstTimes& times) {
  return times.bus > 0 && times.bus >= times.last - times.first + 1;
}

}  // namespace

// Before a burst's first beat come, from its end: refresh, turnaround, row, busy, and what is left.
void MemoryCauses::append(std::vector<Segment>& line, const Segment& segment) {
  Cycle at = segment.begin;
  while (!m_answers.empty() && m_answers.front().first <= at) {
    m_current = m_answers.front();
    m_answers.pop_front();
  }
  if (segment.cause != Cause::kReadCredit) {
    const bool beats = segment.cause == Cause::kRun && bus_paced(m_current);
    return add(line, at, segment.end, segment.cause, beats || segment.cause == Cause::kWriteQueue);
  }
  while (at < segment.end) {
    if (m_answers.empty()) return add(line, at, segment.end, Cause::kReadCredit, false);
    const BurstTimes& times = m_answers.front();
    const Cycle until = std::min(times.first, segment.end);
    const auto before = [&](Cycle end, Cycle cycles) { return std::clamp(end - cycles, at, end); };
    const Cycle refresh = before(until, times.refresh - (times.first - until));
    const Cycle turnaround = before(refresh, times.turnaround);
    const Cycle row = before(turnaround, times.row), busy = before(row, times.busy);
    if (busy - at <= kPace) {
      add(line, at, busy, Cause::kRun, bus_paced(times));
    } else {
      const Cycle own = before(busy, times.own);
      add(line, at, own, Cause::kReadCredit, false);
      add(line, own, busy, Cause::kReadCredit, true);
    }
    const Cycle port = std::clamp(row - times.port, busy, row);
    add(line, busy, port, Cause::kDramBusy, true);
    add(line, port, row, Cause::kDramBusy, false);
    add(line, row, turnaround, Cause::kDramRow, false);
    add(line, turnaround, refresh, Cause::kDramTurnaround, false);
    add(line, refresh, until, Cause::kDramRefresh, false);
    at = until;
    if (times.first > at) continue;
    m_current = times;
    m_answers.pop_front();
  }
}

}  // namespace presil::rtl
