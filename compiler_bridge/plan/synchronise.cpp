#include "compiler_bridge/plan/synchronise.h"

#include <algorithm>
#include <map>
#include <utility>

#include "compiler_bridge/plan/word.h"

namespace presil::plan {
namespace {

bool is_dla(uint8_t queue) {
  return presil_kind_of_queue(queue) == PRESIL_ENGINE_DLA;
}

/// A command of the program: which one of its queue, counted from 1.
struct Mark {
  uint8_t queue = 0;
  uint32_t count = 0;
};

/// Which step has last touched which bytes. Since every conflict is ordered, the last writer stands
/// for all earlier ones; and of the readers since then the last one of each queue, and the last one
/// that its queue alone does not keep in order: an earlier one of these may still read when a later
/// one that is kept in order has ended.
class History {
 public:
  /// Calls `hazard(mark, raw)` for whatever `access` must come after.
  template <class F>
  void look(const Access& access, F&& hazard) const {
    const auto space = m_spaces.find(access.space);
    if (space == m_spaces.end()) return;
    const Bytes& bytes = space->second;
    auto it = bytes.upper_bound(access.begin);
    if (it != bytes.begin() && std::prev(it)->second.end > access.begin) --it;
    for (; it != bytes.end() && it->first < access.end; ++it) {
      const Span& span = it->second;
      if (span.writer.count != 0) hazard(span.writer, !access.write);
      if (!access.write) continue;
      for (uint8_t q = 0; q < PRESIL_QUEUES; ++q) {
        if (span.readers[q] != 0) hazard(Mark{q, span.readers[q]}, false);
        if (span.loose[q] != 0) hazard(Mark{q, span.loose[q]}, false);
      }
    }
  }

  void record(const Access& access, Mark mark, bool in_order) {
    Bytes& bytes = m_spaces[access.space];
    split(bytes, access.begin);
    split(bytes, access.end);
    auto it = bytes.lower_bound(access.begin);
    if (access.write) {  // one write leaves one span: the map does not grow with the accesses
      it = bytes.erase(it, bytes.lower_bound(access.end));
      bytes.emplace_hint(it, access.begin, Span{access.end, mark, {}, {}});
      return;
    }
    for (uint64_t at = access.begin; at < access.end; at = it->second.end, ++it) {
      if (it == bytes.end() || it->first > at) {  // never touched so far
        const uint64_t end = it == bytes.end() ? access.end : std::min(access.end, it->first);
        it = bytes.emplace_hint(it, at, Span{end, {}, {}, {}});
      }
      uint32_t& reader = (in_order ? it->second.readers : it->second.loose)[mark.queue];
      reader = std::max(reader, mark.count);
    }
  }

 private:
  struct Span {
    uint64_t end = 0;
    Mark writer;
    Clock readers{}, loose{};
  };
  using Bytes = std::map<uint64_t, Span>;  // by first byte, without overlaps

  static void split(Bytes& bytes, uint64_t at) {
    auto it = bytes.upper_bound(at);
    if (it == bytes.begin()) return;
    --it;
    if (it->first == at || it->second.end <= at) return;
    Span rest = it->second;
    it->second.end = at;
    bytes.emplace(at, rest);
  }

  std::map<Space, Bytes> m_spaces;
};

void join(Clock& clock, const Clock& other) {
  for (size_t q = 0; q < clock.size(); ++q) clock[q] = std::max(clock[q], other[q]);
}

/// What a queue is sure of so far.
struct QueueState {
  std::array<Clock, kGates> gates{};  ///< when a unit begins its next command
  std::vector<Clock> completed;       ///< by command
};

class Synchroniser {
 public:
  Program run(const std::vector<ProgramStep>& steps, const Told& told) {
    for (size_t i = 0; i < steps.size(); ++i) {
      if (told && i % kToldEvery == 0) told(i);
      add(static_cast<int>(i), steps[i]);
    }
    return std::move(m_program);
  }

  /// What comes from now on is the job after: its steps are counted from 0 again.
  void next_job() {
    for (uint8_t q = 0; q < PRESIL_QUEUES; ++q) {
      m_before[q] = count(q);
      m_steps_before[q] = m_count_of[q].size();
    }
  }

  /// The waits of the job after, by its own counts: the job before is the same program.
  void count_anew(Program& program) const {
    for (Ordered& ordered : program) {
      for (Wait& wait : ordered.waits) {
        if (wait.count == 0) continue;
        const std::vector<uint32_t>& counts = m_count_of[wait.queue];
        wait.before = wait.count <= m_before[wait.queue];
        if (wait.before) {
          const auto step = std::lower_bound(counts.begin(), counts.end(), wait.count);
          const auto number = static_cast<size_t>(step - counts.begin());
          wait.count = counts[m_steps_before[wait.queue] + number];
        }
        wait.count -= m_before[wait.queue];
      }
    }
  }

 private:
  using Needs = std::array<Clock, kGates>;

  void add(int index, const ProgramStep& step) {
    Needs needs{};
    find_hazards(step, needs);
    Ordered ordered;
    ordered.step = index;
    ordered.queue = step.queue;
    if (is_dla(step.queue)) {
      wait_dla(needs, ordered);
    } else {
      wait_serial(needs[static_cast<size_t>(Gate::kIn)], ordered);
    }
    complete(ordered);
  }

  uint32_t count(uint8_t queue) const {
    return static_cast<uint32_t>(m_queues[queue].completed.size());
  }

  void find_hazards(const ProgramStep& step, Needs& needs) {
    // Nops may still come before this command, so the history numbers steps; m_count_of counts
    // both.
    const Mark mark{step.queue, static_cast<uint32_t>(m_count_of[step.queue].size()) + 1};
    for (const Access& access : step.accesses) {
      Clock& need = needs[gate_of(step.queue, access.gate)];
      m_history.look(access, [&](Mark earlier, bool raw) {
        if (earlier.queue == step.queue) {
          const bool unit_order = !is_dla(step.queue) || !raw;
          if (unit_order && step.in_order && m_in_order[step.queue][earlier.count - 1]) return;
        }
        const uint32_t value = m_count_of[earlier.queue][earlier.count - 1];
        need[earlier.queue] = std::max(need[earlier.queue], value);
      });
    }
    m_in_order[step.queue].push_back(step.in_order);
    for (const bool write : {false, true}) {
      for (const Access& access : step.accesses) {
        if (access.write == write) m_history.record(access, mark, step.in_order);
      }
    }
    m_marks.push_back(mark);
    for (const ProgramStep::Hold& hold : step.holds) {
      m_history.record(hold.access, m_marks[hold.step], true);
    }
  }

  static size_t gate_of(uint8_t queue, Gate gate) {
    return is_dla(queue) ? static_cast<size_t>(gate) : static_cast<size_t>(Gate::kIn);
  }

  /// The waits that a gate needs beyond what it knows, without those that another one implies.
  std::vector<Wait> missing(const Clock& need, const Clock& known) const {
    std::vector<Wait> waits;
    for (uint8_t q = 0; q < PRESIL_QUEUES; ++q) {
      if (need[q] > known[q]) waits.push_back({q, need[q]});
    }
    std::vector<Wait> kept;
    for (const Wait& wait : waits) {
      const bool implied = std::any_of(waits.begin(), waits.end(), [&](const Wait& other) {
        return other.queue != wait.queue && completed(other)[wait.queue] >= wait.count;
      });
      if (!implied) kept.push_back(wait);
    }
    return kept;
  }

  const Clock& completed(const Wait& wait) const {
    return m_queues[wait.queue].completed[wait.count - 1];
  }

  void learn(uint8_t queue, size_t gate, const Wait& wait) {
    join(m_queues[queue].gates[gate], completed(wait));
  }

  void wait_dla(const Needs& needs, Ordered& ordered) {
    QueueState& state = m_queues[ordered.queue];
    const auto in = static_cast<size_t>(Gate::kIn), out = static_cast<size_t>(Gate::kOut);
    std::array<std::vector<Wait>, kGates> waits;
    for (size_t gate = 0; gate < out; ++gate) waits[gate] = missing(needs[gate], state.gates[gate]);
    // Nothing is written before the sequencer has begun: the writer knows what that knows.
    Clock writer = state.gates[out];
    join(writer, state.gates[in]);
    for (const Wait& wait : waits[in]) join(writer, completed(wait));
    waits[out] = missing(needs[out], writer);

    const auto crowded = [](const std::vector<Wait>& w) { return w.size() > 1; };
    while (std::any_of(waits.begin(), waits.end(), crowded)) {
      Ordered nop;
      nop.queue = ordered.queue;
      for (size_t gate = 0; gate < kGates; ++gate) {
        if (!crowded(waits[gate])) continue;
        nop.waits[gate] = waits[gate].back();
        learn(ordered.queue, gate, waits[gate].back());
        waits[gate].pop_back();
      }
      complete(nop);
    }
    for (size_t gate = 0; gate < kGates; ++gate) {
      if (waits[gate].empty()) continue;
      ordered.waits[gate] = waits[gate].front();
      learn(ordered.queue, gate, waits[gate].front());
    }
    join(state.gates[out], state.gates[in]);
  }

  void wait_serial(Clock need, Ordered& ordered) {
    const auto gate = static_cast<size_t>(Gate::kIn);
    QueueState& state = m_queues[ordered.queue];
    const uint32_t own = std::exchange(need[ordered.queue], 0);
    std::vector<Wait> waits = missing(need, state.gates[gate]);
    Clock known = state.gates[gate];
    for (const Wait& wait : waits) join(known, completed(wait));
    if (own > known[ordered.queue]) {
      ordered.fence = true;
      join(state.gates[gate], state.completed.back());
      waits = missing(need, state.gates[gate]);
    }
    const size_t ports = wait_ports(ordered.queue);
    while (waits.size() > ports) {
      Ordered nop;
      nop.queue = ordered.queue;
      for (size_t p = 0; p < ports && waits.size() > ports; ++p) {
        nop.waits[p] = waits.back();
        learn(ordered.queue, gate, waits.back());
        waits.pop_back();
      }
      complete(nop);
    }
    for (size_t p = 0; p < waits.size(); ++p) {
      ordered.waits[p] = waits[p];
      learn(ordered.queue, gate, waits[p]);
    }
  }

  /// Appends to the program; when it completes, all its gates' knowledge holds and all earlier
  /// commands of its queue are done.
  void complete(const Ordered& ordered) {
    QueueState& state = m_queues[ordered.queue];
    Clock clock = state.completed.empty() ? Clock{} : state.completed.back();
    for (const Clock& gate : state.gates) join(clock, gate);
    clock[ordered.queue] = count(ordered.queue) + 1;
    state.completed.push_back(clock);
    if (ordered.step >= 0) m_count_of[ordered.queue].push_back(count(ordered.queue));
    m_program.push_back(ordered);
  }

  History m_history;
  Program m_program;
  std::vector<Mark> m_marks;  ///< by step
  std::array<QueueState, PRESIL_QUEUES> m_queues;
  std::array<std::vector<uint32_t>, PRESIL_QUEUES>
      m_count_of;                                           ///< step of queue -> count with nops
  std::array<std::vector<bool>, PRESIL_QUEUES> m_in_order;  ///< by step of queue
  Clock m_before{};                                         ///< commands of the job before
  std::array<size_t, PRESIL_QUEUES> m_steps_before{};
};

/// The steps as those of a job before: what is not the SRAM is its own.
std::vector<ProgramStep> job_before(std::vector<ProgramStep> steps) {
  constexpr Space kOfJobBefore = 0x40;
  const auto move = [](Access& access) {
    if (access.space != kSram) access.space ^= kOfJobBefore;
  };
  for (ProgramStep& step : steps) {
    for (Access& access : step.accesses) move(access);
    for (ProgramStep::Hold& hold : step.holds) move(hold.access);
  }
  return steps;
}

}  // namespace

Program synchronise(const std::vector<ProgramStep>& steps, const Told& told) {
  return Synchroniser().run(steps, told);
}

Program synchronise_overlapping(const std::vector<ProgramStep>& steps, const Told& told) {
  Synchroniser synchroniser;
  synchroniser.run(job_before(steps), {});
  synchroniser.next_job();
  std::vector<ProgramStep> after = steps;
  for (ProgramStep& step : after) {
    for (ProgramStep::Hold& hold : step.holds) hold.step += steps.size();
  }
  Program program = synchroniser.run(after, told);
  synchroniser.count_anew(program);
  return program;
}

TwoJobs two_jobs(const std::vector<ProgramStep>& steps, const Program& program) {
  TwoJobs both{job_before(steps), program};
  both.steps.insert(both.steps.end(), steps.begin(), steps.end());
  Clock total{};
  for (Ordered& ordered : both.program) {
    ++total[ordered.queue];
    for (Wait& wait : ordered.waits) {
      if (wait.before) wait = {};
    }
  }
  for (Ordered ordered : program) {
    if (ordered.step >= 0) ordered.step += static_cast<int>(steps.size());
    for (Wait& wait : ordered.waits) {
      if (wait.count != 0 && !wait.before) wait.count += total[wait.queue];
      wait.before = false;
    }
    both.program.push_back(ordered);
  }
  return both;
}

}  // namespace presil::plan
