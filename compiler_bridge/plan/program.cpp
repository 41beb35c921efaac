#include "compiler_bridge/plan/program.h"

#include <algorithm>
#include <array>
#include <utility>

#include "compiler_bridge/plan/check_order.h"
#include "compiler_bridge/plan/search.h"
#include "compiler_bridge/plan/synchronise.h"

namespace presil::plan {
namespace {

constexpr uint32_t kMostAdd = dla::Command::kSignalAddMax;  // of every engine alike

uint8_t counter_of(uint8_t queue) {
  return static_cast<uint8_t>(PRESIL_QUEUE_COUNTER(queue));
}

bool of_outside(uint8_t queue) {
  return presil_kind_of_queue(queue) >= PRESIL_ENGINE_KINDS;
}

/// Of engines whose instances share the tiles of a layer.
bool shares_tiles(uint8_t queue) {
  return presil_kind_of_queue(queue) == PRESIL_ENGINE_DLA || of_outside(queue);
}

/// What engines from outside read in the SRAM.
std::vector<Access> read_outside(const std::vector<ProgramBuilder::Entry>& entries) {
  std::vector<Access> all;
  for (const ProgramBuilder::Entry& entry : entries) {
    if (!of_outside(entry.queue)) continue;
    for (const Access& access : entry.accesses) {
      if (access.space == kSram && !access.write) all.push_back(access);
    }
  }
  return all;
}

/// Of the queue that has most of them.
uint32_t commands_of_longest(const Program& program) {
  std::array<uint32_t, PRESIL_QUEUES> count{};
  for (const Ordered& ordered : program) ++count[ordered.queue];
  return *std::max_element(count.begin(), count.end());
}

bool meets_any(const Access& one, const std::vector<Access>& others) {
  return std::any_of(others.begin(), others.end(), [&](const Access& other) {
    return one.space == other.space && one.begin < other.end && other.begin < one.end;
  });
}

}  // namespace

ProgramBuilder::Entry dma_entry(DmaCopy copy, uint8_t queue, int layer, uint32_t tile) {
  ProgramBuilder::Entry e;
  e.queue = queue;
  e.in_order = copy.command.src_space != copy.command.dst_space;  // else within one memory
  e.word = copy.command;
  e.layer = layer;
  e.tile = tile;
  e.accesses = std::move(copy.accesses);
  return e;
}

Access ordered(uint64_t byte, bool first) {
  return {kNowhere, first ? Gate::kOut : Gate::kIn, first, byte, byte + 1};
}

void ProgramBuilder::dispatch() {
  if (!m_by_host || m_slots.empty()) return;  // a doorbell begins the first step
  Entry e;
  e.queue = PRESIL_QUEUE_HOST;
  e.word = host::Command::make(host::Op::kNop);
  e.accesses = {ordered(kDispatched, true)};
  m_slots.push_back({std::exchange(m_pending, {}), std::move(e), {}});
}

void ProgramBuilder::compute(Entry entry) {
  if (m_by_host) entry.accesses.push_back(ordered(kDispatched, false));
  m_slots.push_back({std::exchange(m_pending, {}), std::move(entry), {}});
}

void ProgramBuilder::before(int slot, Entry entry) {
  if (slot == next_slot()) {
    m_pending.push_back(std::move(entry));
  } else {
    m_slots.at(static_cast<size_t>(slot)).before.push_back(std::move(entry));
  }
}

void ProgramBuilder::after(Entry entry) {
  if (m_slots.empty()) {
    m_pending.push_back(std::move(entry));
  } else {
    m_slots.back().after.push_back(std::move(entry));
  }
}

std::vector<ProgramBuilder::Entry> ProgramBuilder::line_up() {
  std::vector<Entry> entries;
  const auto move = [&](std::vector<Entry>& from) {
    for (Entry& entry : from) entries.push_back(std::move(entry));
  };
  for (Slot& slot : m_slots) {
    move(slot.before);
    entries.push_back(std::move(slot.command));
    move(slot.after);
  }
  move(m_pending);
  return entries;
}

/// Where a tensor is completed: by its last entry and, where several DLAs, or instances of an
/// engine from outside, make it in the SRAM, the last one of each other one.
std::vector<size_t> ProgramBuilder::completing(const Schedule& schedule, size_t tensor,
                                               const std::vector<Entry>& entries,
                                               const std::vector<size_t>& makers) {
  const TensorRecord& record = schedule.tensors[tensor];
  std::vector<size_t> last;
  for (auto at = makers.rbegin(); at != makers.rend(); ++at) {
    const uint8_t queue = entries[*at].queue;
    const auto same = [&](size_t entry) { return entries[entry].queue == queue; };
    const bool shared = record.space == kSram && shares_tiles(queue);
    if (last.empty() || (shared && std::none_of(last.begin(), last.end(), same))) {
      last.push_back(*at);
    }
  }
  return last;
}

// What writes over a tensor in memory waits for the command that completes it, though all that
// reads it may have read its part before: so it is whole once, for those who look at it. Of one in
// the SRAM that is so with one DLA: what reads there comes later in its queue, or is one command of
// the DSP. Where several DLAs make it, what writes over it waits for the last command of each; and
// where an engine from outside reads it by tiles, for the last one.
std::vector<std::vector<size_t>> ProgramBuilder::keep_whole(const Schedule& schedule,
                                                            std::vector<ProgramStep>& steps,
                                                            const std::vector<Entry>& entries) {
  std::vector<std::vector<size_t>> makers(schedule.tensors.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    for (const int tensor : entries[i].completes) {
      const TensorRecord& record = schedule.tensors[static_cast<size_t>(tensor)];
      const bool here = record.placed && record.flat == entries[i].completes_linear;
      if (here) makers[static_cast<size_t>(tensor)].push_back(i);
    }
  }
  const std::vector<Access> read = read_outside(entries);
  for (size_t tensor = 0; tensor < makers.size(); ++tensor) {
    const TensorRecord& record = schedule.tensors[tensor];
    if (makers[tensor].empty()) continue;
    makers[tensor] = completing(schedule, tensor, entries, makers[tensor]);
    const std::vector<size_t>& last = makers[tensor];
    const Access all{record.space, Gate::kIn, false, record.offset, record.offset + record.bytes};
    ProgramStep& step = steps[last.front()];
    if (record.space != kSram || record.flat) step.accesses.push_back(all);
    const bool hold = last.size() > 1 || meets_any(all, read);
    for (size_t i = 0; hold && i < last.size(); ++i) step.holds.push_back({all, last[i]});
  }
  return makers;
}

uint64_t ProgramBuilder::check_program(const std::vector<ProgramStep>& steps,
                                       const Program& program, const Told& told) const {
  if (!m_overlaps) return check_order(steps, program, told);
  const TwoJobs both = two_jobs(steps, program);
  return check_order(both.steps, both.program, told);
}

void ProgramBuilder::finish(Schedule& schedule, Search& search) {
  std::vector<Entry> entries = line_up();
  std::vector<ProgramStep> steps;
  for (const Entry& entry : entries) {
    steps.push_back({entry.queue, entry.accesses, entry.in_order});
  }
  const std::vector<std::vector<size_t>> makers = keep_whole(schedule, steps, entries);
  const auto told = [&](const char* stage) {
    search.stage(stage, steps.size());
    return [&search](size_t done) { search.tell(done); };
  };
  const Program program = m_overlaps ? synchronise_overlapping(steps, told("waits"))
                                     : synchronise(steps, told("waits"));
  constexpr uint64_t kLooked = 16;  // pieces of memory, for a unit
  search.spend(check_program(steps, program, told("order")) / kLooked);

  schedule.job_span = commands_of_longest(program);
  std::array<uint32_t, PRESIL_QUEUES> count{};
  std::array<size_t, PRESIL_QUEUES> last{};
  for (const Ordered& ordered : program) {
    ScheduledCommand command;
    command.queue = ordered.queue;
    command.index = count[ordered.queue]++;
    if (ordered.step < 0) {
      command.word = nop_of(ordered.queue);
    } else {
      Entry& entry = entries[static_cast<size_t>(ordered.step)];
      command.word = std::move(entry.word);
      command.layer = entry.layer;
      command.tile = entry.tile;
      command.accesses = std::move(entry.accesses);
      for (int tensor : entry.completes) {
        TensorRecord& record = schedule.tensors[static_cast<size_t>(tensor)];
        if (record.flat != entry.completes_linear) continue;
        record.completed = true;
        record.complete_tag = static_cast<uint32_t>(schedule.commands.size());
        const std::vector<size_t>& last = makers[static_cast<size_t>(tensor)];
        const bool other = std::find(last.begin(), last.end(), size_t(ordered.step)) != last.end();
        if (other && last.front() != size_t(ordered.step)) {
          record.other_tags.push_back(record.complete_tag);
        }
      }
    }
    put_waits(command.word, ordered, schedule.job_span);
    put_signal(command.word, counter_of(command.queue), 1);
    last[ordered.queue] = schedule.commands.size();
    schedule.commands.push_back(std::move(command));
  }

  // The last signal of each counter adds what is missing to the span of the job.
  for (uint8_t q = 0; q < PRESIL_QUEUES; ++q) {
    if (count[q] == 0) continue;
    uint32_t rest = schedule.job_span - count[q];
    const uint32_t add = std::min(rest, kMostAdd - 1);
    put_signal(schedule.commands[last[q]].word, counter_of(q), 1 + add);
    for (rest -= add; rest > 0;) {
      ScheduledCommand nop;
      nop.queue = q;
      nop.index = count[q]++;
      nop.word = nop_of(q);
      put_signal(nop.word, counter_of(q), std::min(rest, kMostAdd));
      rest -= std::min(rest, kMostAdd);
      schedule.commands.push_back(std::move(nop));
    }
  }
  for (size_t tag = 0; tag < schedule.commands.size(); ++tag) {
    put_tag(schedule.commands[tag].word, static_cast<uint32_t>(tag));
  }
}

}  // namespace presil::plan
