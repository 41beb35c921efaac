#include "sim/platform/recorder.h"

#include <algorithm>
#include <limits>
#include <map>

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

/// At every cycle the state of the lowest of these queues that runs, else of the lowest stalled
/// one.
EngineSummary overlay(unsigned first, unsigned queues,
                      const std::array<Timeline, PRESIL_QUEUES>& lines, Cycle begin, Cycle end) {
  EngineSummary engine;
  std::array<size_t, PRESIL_QUEUES> at{};
  for (Cycle now = begin; now < end;) {
    Cycle next = end;
    bool found = false;
    Cause cause = Cause::kRun;
    for (unsigned q = first; q < first + queues; ++q) {
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
  for (unsigned kind = 0; kind < PRESIL_ENGINE_MOST_KINDS; ++kind) {
    if (presil_engine_description_of(kind) == nullptr) continue;
    const presil_engine_description& engine = *presil_engine_description_of(kind);
    for (unsigned instance = 0;; ++instance) {
      const unsigned first = presil_first_queue(kind, instance);
      if (first == PRESIL_QUEUES) break;
      // One queue is the engine; records of such queues may be without segments.
      EngineSummary summary = engine.queues == 1
                                  ? job.queues[first]
                                  : overlay(first, engine.queues, lines, job.begin, job.end);
      for (unsigned q = first; q < first + engine.queues; ++q) summary.used |= job.queues[q].used;
      if (instance > 0 && !summary.used) continue;
      const std::string number = instance == 0 ? "" : std::to_string(instance);
      job.engines.emplace_back(engine.name + number, std::move(summary));
    }
  }
  return job;
}

std::pair<std::vector<Cycle>, std::vector<Cycle>> times_of(
    const std::vector<CommandRecord>& records, size_t jobs) {
  std::vector<Cycle> begin(jobs, std::numeric_limits<Cycle>::max()), end(jobs, 0);
  std::map<uint32_t, size_t> seen;
  for (const CommandRecord& r : records) {
    const size_t job = seen[r.tag]++;
    if (job >= jobs) continue;
    begin[job] = std::min(begin[job], r.offered);
    end[job] = std::max(end[job], r.end);
  }
  return {begin, end};
}

}  // namespace presil::platform
