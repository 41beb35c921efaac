#include "sim/rtl/memory_causes.h"

#include <algorithm>

namespace presil::rtl {
namespace {

constexpr Cycle kPace = 2;  ///< between bursts at the DRAM's pace the port rests so long: run

void add(std::vector<Segment>& line, Cycle begin, Cycle end, Cause cause) {
  if (begin >= end) return;
  if (!line.empty() && line.back().cause == cause && line.back().end == begin) {
    line.back().end = end;
  } else {
    line.push_back({begin, end, cause});
  }
}

}  // namespace

// Before a burst's first beat come, from its end: refresh, turnaround, row, busy, and what is left.
void MemoryCauses::append(std::vector<Segment>& line, const Segment& segment) {
  Cycle at = segment.begin;
  while (!m_answers.empty() && m_answers.front().first <= at) m_answers.pop_front();
  if (segment.cause != Cause::kReadCredit) return add(line, at, segment.end, segment.cause);
  while (at < segment.end) {
    if (m_answers.empty()) return add(line, at, segment.end, Cause::kReadCredit);
    const BurstTimes& times = m_answers.front();
    const Cycle until = std::min(times.first, segment.end);
    const auto before = [&](Cycle end, Cycle cycles) { return std::clamp(end - cycles, at, end); };
    const Cycle refresh = before(until, times.refresh - (times.first - until));
    const Cycle turnaround = before(refresh, times.turnaround);
    const Cycle row = before(turnaround, times.row), busy = before(row, times.busy);
    add(line, at, busy, busy - at <= kPace ? Cause::kRun : Cause::kReadCredit);
    add(line, busy, row, Cause::kDramBusy);
    add(line, row, turnaround, Cause::kDramRow);
    add(line, turnaround, refresh, Cause::kDramTurnaround);
    add(line, refresh, until, Cause::kDramRefresh);
    at = until;
    if (times.first <= at) m_answers.pop_front();
  }
}

}  // namespace presil::rtl
