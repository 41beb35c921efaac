#include "sim/platform/recorder.h"

#include <algorithm>
#include <limits>

#include "rtl/soc/engines.h"

namespace presil::platform {
namespace {

using Timeline = std::vector<Segment>;  ///< in order, not overlapping; gaps are idle

void append(Timeline& line, const Segment& segment) {
  if (segment.end > segment.begin) line.push_back(segment);
}

/// A command's cycles from `begin` on.
Attribution clipped(const CommandRecord& record, Cycle begin) {
  Attribution cycles;
  for (const Segment& s : record.segments) {
    if (s.end > begin) cycles.add(s.cause, s.end - std::max(s.begin, begin));
  }
  return cycles;
}

/// At every cycle the state of the lowest running queue of this kind, else of the lowest stalled
/// one.
EngineSummary overlay(unsigned kind, const std::array<Timeline, PRESIL_QUEUES>& lines, Cycle begin,
                      Cycle end) {
  EngineSummary engine;
  std::array<size_t, PRESIL_QUEUES> at{};
  for (Cycle now = begin; now < end;) {
    Cycle next = end;
    bool found = false;
    Cause cause = Cause::kRun;
    for (unsigned q = 0; q < PRESIL_QUEUES; ++q) {
      if (presil_kind_of_queue(q) != kind) continue;
      const Timeline& line = lines[q];
      while (at[q] < line.size() && line[at[q]].end <= now) ++at[q];
      if (at[q] == line.size()) continue;
      const Segment& segment = line[at[q]];
      if (segment.begin > now) {
        next = std::min(next, segment.begin);
        continue;
      }
      next = std::min(next, segment.end);
      if (!found || (segment.cause == Cause::kRun && cause != Cause::kRun)) cause = segment.cause;
      found = true;
    }
    if (found)
      engine.attribution.add(cause, next - now);
    else
      engine.idle += next - now;
    now = next;
  }
  return engine;
}

}  // namespace

JobSummary Recorder::summary() const {
  JobSummary job;
  if (m_records.empty()) return job;
  job.begin = std::numeric_limits<Cycle>::max();
  const auto of_host = [](const CommandRecord& r) { return r.queue == PRESIL_QUEUE_HOST; };
  const bool host_only = std::all_of(m_records.begin(), m_records.end(), of_host);
  for (const CommandRecord& r : m_records) {
    // the driver looks at its own queue while the engines still fetch theirs
    if (host_only || !of_host(r)) job.begin = std::min(job.begin, r.offered);
    job.end = std::max(job.end, r.end);
    job.dram_read_bytes += r.dram_read_bytes;
    job.dram_written_bytes += r.dram_written_bytes;
  }
  std::array<Timeline, PRESIL_QUEUES> lines;
  std::array<Cycle, PRESIL_QUEUES> last_end{};
  for (const CommandRecord& r : m_records) {
    EngineSummary& queue = job.queues[r.queue];
    // A queue with commands left and none on offer is fetching; before its first command it idles.
    if (queue.used && r.offered > last_end[r.queue]) {
      queue.attribution.add(Cause::kFetch, r.offered - last_end[r.queue]);
      append(lines[r.queue], {last_end[r.queue], r.offered, Cause::kFetch});
    }
    queue.used = true;
    if (of_host(r))
      queue.attribution += clipped(r, job.begin);
    else
      queue.attribution += r.cycles;
    for (const Segment& s : r.segments) append(lines[r.queue], s);
    last_end[r.queue] = r.end;
  }
  for (EngineSummary& queue : job.queues) queue.idle = job.cycles() - queue.attribution.total();
  for (unsigned kind = 0; kind < PRESIL_ENGINE_KINDS; ++kind) {
    const presil_engine_description& engine = *presil_engine_description_of(kind);
    const EngineSummary& first = job.queues[engine.first_queue];
    // One queue is the engine; records of such queues may be without segments.
    job.engines[kind] = engine.queues == 1 ? first : overlay(kind, lines, job.begin, job.end);
    for (unsigned q = 0; q < engine.queues; ++q) {
      job.engines[kind].used |= job.queues[engine.first_queue + q].used;
    }
  }
  return job;
}

}  // namespace presil::platform
