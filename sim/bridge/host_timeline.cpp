#include "sim/bridge/host_timeline.h"

#include <algorithm>

#include "rtl/common/queue.h"
#include "rtl/soc/address_map.h"
#include "rtl/soc/engines.h"

namespace presil::bridge {
namespace {

/// Times at which some engine works: sorted, apart from one another.
std::vector<std::pair<Cycle, Cycle>> busy_times(const std::vector<CommandRecord>& records) {
  std::vector<std::pair<Cycle, Cycle>> times;
  for (const CommandRecord& r : records) {
    if (r.queue != PRESIL_QUEUE_HOST && r.end > r.start) times.emplace_back(r.start, r.end);
  }
  std::sort(times.begin(), times.end());
  std::vector<std::pair<Cycle, Cycle>> merged;
  for (const auto& time : times) {
    if (!merged.empty() && time.first <= merged.back().second)
      merged.back().second = std::max(merged.back().second, time.second);
    else
      merged.push_back(time);
  }
  return merged;
}

/// Where the host's own work goes.
InferencePart part_of(HostWork work, bool submitted) {
  switch (work) {
    case HostWork::kInputCopy:
      return InferencePart::kInputCopy;
    case HostWork::kOutputCopy:
      return InferencePart::kOutputCopy;
    case HostWork::kCache:
      return InferencePart::kCache;
    case HostWork::kInterrupt:
      return InferencePart::kInterrupts;
    case HostWork::kOperator:
      return InferencePart::kOperators;
    case HostWork::kDoorbell:
      return submitted ? InferencePart::kDriver : InferencePart::kDoorbell;
    default:
      return submitted ? InferencePart::kDriver : InferencePart::kSubmission;
  }
}

}  // namespace

const char* name_of(InferencePart part) {
  constexpr std::array<const char*, kInferenceParts> kNames = {
      "input_copy", "cache",          "submission", "doorbell", "job_fetch",
      "engines",    "host_operators", "interrupts", "driver",   "output_copy"};
  return kNames[static_cast<size_t>(part)];
}

Cycle InferenceAccount::cycles() const {
  Cycle sum = 0;
  for (const PartAccount& part : parts) sum += part.cycles;
  return sum;
}

void HostTimeline::begin(Cycle now) {
  m_on = true;
  m_last = now;
  m_intervals.clear();
  m_added.clear();
}

void HostTimeline::pass(HostWork work, Cycle until, uint64_t units) {
  if (!m_on || until <= m_last) return;
  m_intervals.push_back({work, m_last, until, units});
  m_last = until;
}

void HostTimeline::add(InferencePart part, HostWork work, Cycle cycles, uint64_t units) {
  if (m_on) m_added.push_back({part, work, cycles, units});
}

InferenceAccount HostTimeline::account(Cycle begin, Cycle end,
                                       const std::vector<CommandRecord>& records) const {
  InferenceAccount account;
  const auto busy = busy_times(records);
  // Without a doorbell, where only the host has commands, its own first one is the border.
  Cycle submitted = begin;
  for (const Interval& i : m_intervals) {
    if (i.work != HostWork::kDoorbell) continue;
    submitted = std::min(begin, i.end);
    break;
  }
  for (const Interval& i : m_intervals) {
    size_t at = 0;
    for (Cycle now = i.begin; now < i.end;) {
      Cycle next = i.end;
      for (const Cycle border : {submitted, begin, end})
        if (border > now) next = std::min(next, border);
      InferencePart part = part_of(i.work, now >= submitted);
      const bool in_span = now >= begin && now < end;
      if (now >= submitted && now < begin) {
        part = InferencePart::kJobFetch;
      } else if (in_span) {
        while (at < busy.size() && busy[at].second <= now) ++at;
        const bool works = at < busy.size() && busy[at].first <= now;
        if (at < busy.size()) next = std::min(next, works ? busy[at].second : busy[at].first);
        if (works || i.work == HostWork::kAsleep) part = InferencePart::kEngines;
      } else if (i.work == HostWork::kAsleep && now >= end) {
        part = InferencePart::kInterrupts;
      }
      PartAccount& to = account[part];
      to.cycles += next - now;
      if (in_span) to.in_span += next - now;
      if (next == i.end) to.counts[static_cast<size_t>(i.work)] += i.units;
      now = next;
    }
  }
  for (const Added& a : m_added) {
    PartAccount& to = account[a.part];
    to.cycles += a.cycles;
    to.counts[static_cast<size_t>(a.work)] += a.units;
  }
  return account;
}

bool is_doorbell(uint64_t address) {
  for (unsigned queue = 0; queue < PRESIL_QUEUES; ++queue) {
    const presil_engine_description* engine =
        presil_engine_description_of(presil_kind_of_queue(queue));
    if (engine == nullptr) continue;
    const uint64_t registers =
        PRESIL_TILE_ENGINE(presil_kind_of_queue(queue), presil_instance_of_queue(queue)) +
        engine->queue_offset + uint64_t{engine->queue_pitch} * presil_channel_of_queue(queue);
    if (address % PRESIL_TILE_BASE(1) == registers + PRESIL_QUEUE_REG_TAIL) return true;
  }
  return false;
}

}  // namespace presil::bridge
