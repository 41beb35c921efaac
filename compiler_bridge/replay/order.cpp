#include "compiler_bridge/replay/order.h"

#include <algorithm>
#include <map>

namespace presil::replay {
namespace {

void join(Clock& clock, const Clock& other) {
  for (size_t q = 0; q < clock.size(); ++q) clock[q] = std::max(clock[q], other[q]);
}

/// How far a counter is after each command of the queue that signals it.
struct Signals {
  uint8_t queue = 0;
  std::vector<int64_t> sums;
};

class Run {
 public:
  explicit Run(const Queues& queues) : m_queues(queues) {
    for (uint8_t q = 0; q < PRESIL_QUEUES; ++q) {
      std::map<unsigned, int64_t> sum;
      for (const Command& c : queues[q]) sum[c.signal] += c.add;
      sum.erase(0);
      for (const auto& [counter, total] : sum) m_signals[counter].push_back({q, {}});
    }
    for (auto& [counter, list] : m_signals) {
      for (Signals& s : list) {
        int64_t sum = 0;
        for (const Command& c : queues[s.queue]) {
          s.sums.push_back(sum += c.signal == counter ? c.add : 0);
        }
      }
    }
  }

  Order all() {
    Order order;
    for (bool moved = true; moved;) {
      moved = false;
      for (uint8_t q = 0; q < PRESIL_QUEUES; ++q) {
        while (done(q) < m_queues[q].size()) {
          Placed placed{&m_queues[q][done(q)], m_gates[q]};
          if (!pass_waits(placed)) break;
          complete(placed);
          order.commands.push_back(placed);
          moved = true;
        }
      }
    }
    for (uint8_t q = 0; q < PRESIL_QUEUES; ++q) {
      if (done(q) == m_queues[q].size()) continue;
      order.stuck = m_queues[q][done(q)].name +
                    " waits indefinitely: no signal that can still come " + "lets it begin";
      break;
    }
    return order;
  }

 private:
  size_t done(uint8_t queue) const { return m_completed[queue].size(); }

  /// False: not yet. A value of an earlier job says nothing about this one.
  bool pass_waits(Placed& placed) {
    const Command& c = *placed.command;
    for (unsigned gate = 0; gate < kGates; ++gate) {
      const Wait& wait = c.waits[gate];
      if (wait.counter == 0 || wait.value <= 0) continue;
      const auto signals = m_signals.find(wait.counter);
      if (signals == m_signals.end() || signals->second.size() != 1) return false;
      const Signals& s = signals->second[0];
      const auto met = std::lower_bound(s.sums.begin(), s.sums.end(), wait.value);
      const auto count = static_cast<size_t>(met - s.sums.begin()) + 1;
      if (count > done(s.queue)) return false;
      const Clock& reached = m_completed[s.queue][count - 1];
      for (unsigned g = 0; g < kGates; ++g) {
        if (g == gate || presil_kind_of_queue(c.queue) != PRESIL_ENGINE_DLA)
          join(placed.gates[g], reached);
      }
    }
    if (c.fence && done(c.queue) > 0) {
      for (Clock& gate : placed.gates) join(gate, m_completed[c.queue].back());
    }
    return true;
  }

  void complete(Placed& placed) {
    const uint8_t q = placed.command->queue;
    if (!placed.command->nop) join(placed.gates[kOut], placed.gates[kIn]);
    m_gates[q] = placed.gates;
    Clock clock = done(q) > 0 ? m_completed[q].back() : Clock{};
    for (const Clock& gate : placed.gates) join(clock, gate);
    clock[q] = static_cast<uint32_t>(done(q)) + 1;
    m_completed[q].push_back(clock);
  }

  const Queues& m_queues;
  std::map<unsigned, std::vector<Signals>> m_signals;  ///< by counter
  std::array<std::array<Clock, kGates>, PRESIL_QUEUES> m_gates{};
  std::array<std::vector<Clock>, PRESIL_QUEUES> m_completed;
};

}  // namespace

Order order_of(const Queues& queues) {
  return Run(queues).all();
}

}  // namespace presil::replay
