#include "compiler_bridge/plan/check_order.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace presil::plan {
namespace {

void join(Clock& clock, const Clock& other) {
  for (size_t q = 0; q < clock.size(); ++q) clock[q] = std::max(clock[q], other[q]);
}

/// What is certainly complete when a command begins, gate by gate.
struct Known {
  uint8_t queue = 0;
  uint32_t count = 0;  ///< its own number in the queue, from 1
  bool in_order = true;
  std::array<Clock, kGates> gates{};
};

[[noreturn]] void defect(const std::string& what) {
  throw OrderDefect("plan: the order of commands is not kept: " + what);
}

std::string name(const Known& command) {
  return "command " + std::to_string(command.count - 1) + " of queue " +
         std::to_string(command.queue);
}

/// Walks the program once: every wait must be for a command that came before, whose knowledge is
/// then inherited.
std::vector<Known> follow_waits(const std::vector<ProgramStep>& steps, const Program& program) {
  std::vector<Known> known(steps.size());
  std::array<std::array<Clock, kGates>, PRESIL_QUEUES> gates{};
  std::array<std::vector<Clock>, PRESIL_QUEUES> completed;
  for (const Ordered& ordered : program) {
    const uint8_t q = ordered.queue;
    Known command;
    command.queue = q;
    command.count = static_cast<uint32_t>(completed[q].size()) + 1;
    for (size_t port = 0; port < kGates; ++port) {
      const Wait& wait = ordered.waits[port];
      if (wait.count == 0) continue;
      if (wait.count > completed[wait.queue].size()) {
        defect(name(command) + " waits for command " + std::to_string(wait.count - 1) +
               " of queue " + std::to_string(wait.queue) + ", which comes later");
      }
      const Clock& reached = completed[wait.queue][wait.count - 1];
      if (presil_kind_of_queue(q) == PRESIL_ENGINE_DLA) {
        join(gates[q][port], reached);
      } else {
        for (Clock& gate : gates[q]) join(gate, reached);
      }
    }
    if (ordered.fence && !completed[q].empty()) {
      for (Clock& gate : gates[q]) join(gate, completed[q].back());
    }
    command.gates = gates[q];
    // A nop has no data, so its writer may pass before its sequencer; a real command's may not.
    if (ordered.step >= 0) {
      join(command.gates[static_cast<size_t>(Gate::kOut)],
           command.gates[static_cast<size_t>(Gate::kIn)]);
      gates[q] = command.gates;
      command.in_order = steps[static_cast<size_t>(ordered.step)].in_order;
      known[static_cast<size_t>(ordered.step)] = command;
    }
    Clock done = completed[q].empty() ? Clock{} : completed[q].back();
    for (const Clock& gate : command.gates) join(done, gate);
    done[q] = command.count;
    completed[q].push_back(done);
  }
  return known;
}

/// Of commands that came before, those that a later access meets in the same way.
struct Kind {
  uint8_t queue = 0;
  bool in_order = true;
  bool write = false;
  bool operator<(const Kind& other) const {
    return std::tie(queue, in_order, write) < std::tie(other.queue, other.in_order, other.write);
  }
};

/// Does its queue alone keep `later` after earlier accesses of the kind?
bool queue_keeps(const Kind& earlier, const Known& later, bool writes) {
  if (earlier.queue != later.queue || !earlier.in_order || !later.in_order) return false;
  const bool read_after_write = earlier.write && !writes;
  // The units of the DLA each work in order, but one runs ahead of the other.
  return presil_kind_of_queue(earlier.queue) != PRESIL_ENGINE_DLA || !read_after_write;
}

/// Must `later` know of accesses of the kind to its bytes?
bool must_know(const Kind& earlier, const Known& later, bool writes) {
  return (earlier.write || writes) && !queue_keeps(earlier, later, writes);
}

bool overlap(const Access& a, const Access& b) {
  return a.space == b.space && a.begin < b.end && b.begin < a.end;
}

/// The bytes of one space, cut where an access begins or ends, and by kind the last command that
/// touched them: commands of a queue are counted up, so what knows the last one knows all.
/// A tree over the pieces answers for a range in as many steps as it is deep.
class Touched {
 public:
  Touched(std::vector<uint64_t> cuts, size_t kinds) : m_cuts(std::move(cuts)), m_kinds(kinds) {
    std::sort(m_cuts.begin(), m_cuts.end());
    m_cuts.erase(std::unique(m_cuts.begin(), m_cuts.end()), m_cuts.end());
    while (m_leaves < m_cuts.size()) m_leaves *= 2;
    m_here.resize(2 * m_leaves * kinds), m_below.resize(2 * m_leaves * kinds);
  }

  /// The last command of the kind, by its count, that touched a byte of [begin, end); 0: none.
  uint32_t last(size_t kind, uint64_t begin, uint64_t end) const {
    uint32_t most = 0;
    each_node(
        begin, end, [&](size_t node) { most = std::max(most, m_below[at(node, kind)]); },
        [&](size_t above) { most = std::max(most, m_here[at(above, kind)]); });
    return most;
  }

  uint64_t looked_at() const { return m_looked_at; }

  void touch(size_t kind, uint64_t begin, uint64_t end, uint32_t count) {
    each_node(
        begin, end, [&](size_t node) { m_here[at(node, kind)] = m_below[at(node, kind)] = count; },
        [&](size_t above) {
          uint32_t& most = m_below[at(above, kind)];
          most = std::max(most, count);
        });
  }

 private:
  size_t at(size_t node, size_t kind) const { return node * m_kinds + kind; }

  size_t piece(uint64_t cut) const {
    return static_cast<size_t>(std::lower_bound(m_cuts.begin(), m_cuts.end(), cut) -
                               m_cuts.begin());
  }

  /// Nodes that together are the range, and all above them.
  template <class Whole, class Above>
  void each_node(uint64_t begin, uint64_t end, Whole&& whole, Above&& above) const {
    const size_t first = piece(begin) + m_leaves, after = piece(end) + m_leaves;
    if (first >= after) return;
    for (size_t l = first, r = after; l < r; l /= 2, r /= 2) {
      ++m_looked_at;
      if (l % 2 == 1) whole(l++);
      if (r % 2 == 1) whole(--r);
    }
    size_t l = first / 2, r = (after - 1) / 2;
    for (; l != r; l /= 2, r /= 2) above(l), above(r);
    for (; l > 0; l /= 2) above(l);
  }

  std::vector<uint64_t> m_cuts;
  mutable uint64_t m_looked_at = 0;
  size_t m_kinds, m_leaves = 1;
  std::vector<uint32_t> m_here;   ///< by node and kind: touched as a whole
  std::vector<uint32_t> m_below;  ///< the last one in any of its pieces
};

/// Says which earlier command it is that a step may come too early for.
[[noreturn]] void report(const std::vector<ProgramStep>& steps, const std::vector<Known>& known,
                         size_t second, const Access& access) {
  const Known& later = known[second];
  for (size_t first = 0; first < second; ++first) {
    const Known& before = known[first];
    for (const Access& other : steps[first].accesses) {
      const Kind kind{before.queue, before.in_order, other.write};
      if (!overlap(other, access) || !must_know(kind, later, access.write)) continue;
      if (later.gates[static_cast<size_t>(access.gate)][before.queue] >= before.count) continue;
      defect(name(later) + (access.write ? " writes" : " reads") + " bytes from " +
             std::to_string(std::max(other.begin, access.begin)) + " in space " +
             std::to_string(access.space) + " that " + name(before) +
             (other.write ? " writes" : " reads") + ", and may begin before that is done");
    }
  }
  defect(name(later) + " may begin too early");
}

}  // namespace

uint64_t check_order(const std::vector<ProgramStep>& steps, const Program& program,
                     const Told& told) {
  const std::vector<Known> known = follow_waits(steps, program);
  std::map<Kind, size_t> kinds;
  std::map<Space, std::vector<uint64_t>> cuts;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (known[i].count == 0) defect("step " + std::to_string(i) + " is not in the program");
    for (const Access& access : steps[i].accesses) {
      kinds.try_emplace({known[i].queue, known[i].in_order, access.write}, kinds.size());
      auto& own = cuts[access.space];
      own.push_back(access.begin), own.push_back(access.end);
    }
  }
  std::map<Space, Touched> spaces;
  for (auto& [space, own] : cuts) spaces.try_emplace(space, std::move(own), kinds.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    if (told && i % kToldEvery == 0) told(i);
    for (const Access& access : steps[i].accesses) {
      const Touched& bytes = spaces.at(access.space);
      const Clock& knows = known[i].gates[static_cast<size_t>(access.gate)];
      for (const auto& [kind, index] : kinds) {
        if (!must_know(kind, known[i], access.write)) continue;
        if (knows[kind.queue] >= bytes.last(index, access.begin, access.end)) continue;
        report(steps, known, i, access);
      }
    }
    // Its own accesses are one command's: they meet only what comes later.
    for (const Access& access : steps[i].accesses) {
      const Kind kind{known[i].queue, known[i].in_order, access.write};
      spaces.at(access.space).touch(kinds.at(kind), access.begin, access.end, known[i].count);
    }
  }
  uint64_t looked_at = 0;
  for (const auto& [space, bytes] : spaces) looked_at += bytes.looked_at();
  return looked_at;
}

}  // namespace presil::plan
