// Where a channel's cycles go: a cycle belongs to its oldest command that has not completed.
#include <algorithm>

#include "models/dma/dma_channel.h"

namespace presil::dma {

void Channel::Work::mark(Cause cause, Cycle to, bool dram_paced) {
  if (to <= cursor) return;
  if (!segments.empty() && segments.back().cause == cause &&
      segments.back().dram_paced == dram_paced) {
    segments.back().end = to;
  } else {
    segments.push_back({cursor, to, cause, dram_paced});
  }
  cursor = to;
}

CommandRecord Channel::record_of(Work& work, Cycle end) const {
  work.mark(Cause::kDrain, end);
  CommandRecord record;
  record.queue = m_queue;
  record.tag = work.command.tag;
  record.job = work.job->entry.tag;
  record.index = work.index;
  record.doorbell = work.job->doorbell;
  record.offered = work.offered;
  record.start = work.start;
  record.end = end;
  const Cycle from = std::max(m_last_end, work.offered);
  for (const Segment& segment : work.segments) {
    const Cycle begin = std::max(segment.begin, from), stop = std::min(segment.end, end);
    if (begin >= stop) continue;
    record.segments.push_back({begin, stop, segment.cause, segment.dram_paced});
    record.cycles.add(segment.cause, stop - begin);
    if (segment.dram_paced) record.dram_paced.add(segment.cause, stop - begin);
  }
  const bool copy = work.command.op == Op::kCopy;
  if (copy && work.command.src_space == Space::kSram) record.sram_read_bytes = work.source.bytes();
  if (work.path == Path::kLoad || work.path == Path::kLocal) {
    record.sram_written_bytes = work.destination.bytes();
  }
  record.dram_read_bytes = work.read_bytes;
  record.dram_written_bytes = work.written_bytes;
  return record;
}

void Channel::account(const CommandRecord& record, Attribution& sum) const {
  const auto add = [&](Cause cause, Cycle begin, Cycle end) {
    begin = std::max(begin, m_reset_at);
    if (begin < end) sum.add(cause, end - begin);
  };
  add(Cause::kFetch, std::max(m_last_end, record.doorbell), record.offered);
  for (const Segment& segment : record.segments) add(segment.cause, segment.begin, segment.end);
}

Attribution Channel::attribution() const {
  Attribution sum = m_attribution;
  const auto& open = m_works.empty() ? m_next : m_works.front();
  if (open) {
    Work so_far = *open;
    if (m_works.empty() && m_waits > 0) {  // still waits: for the first of its counters not met
      const Command& c = so_far.command;
      const JobContext& job = *so_far.job;
      const bool first =
          c.wait0 != 0 && !m_around.counters.met(job.counter(c.wait0), job.value(c.wait0_value));
      so_far.mark(wait_for(Cause::kWait, JobContext::signaller_of(first ? c.wait0 : c.wait1)),
                  now());
    } else if (so_far.path == Path::kLoad || so_far.path == Path::kMove) {
      so_far.mark(Cause::kReadCredit, now());
    }
    account(record_of(so_far, now()), sum);
  } else if (const auto since = m_frontend.fetching_since()) {
    const Cycle begin = std::max({*since, m_last_end, m_reset_at});
    if (begin < now()) sum.add(Cause::kFetch, now() - begin);
  }
  return sum;
}

void Channel::reset_statistics() {
  m_attribution = {};
  m_reset_at = now();
  s_commands = s_bytes_read = s_bytes_written = 0;
  m_fetched_before = m_frontend.fetched_bytes();
}

}  // namespace presil::dma
