#include "compiler_bridge/plan/issue_order.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "compiler_bridge/plan/forms.h"

namespace presil::plan {
namespace {

/// By layer those before it that it comes after in any order: what makes its tensors, what reads or
/// makes them before it makes them anew.
std::vector<std::set<int>> layers_before(const layer::Layers& layers) {
  std::vector<std::set<int>> before(layers.size());
  std::map<layer::TensorId, std::vector<int>> makers, readers;
  for (size_t i = 0; i < layers.size(); ++i) {
    const layer::Operands operands = layers[i].work.operands();
    const auto after = [&](const std::vector<int>& those) {
      before[i].insert(those.begin(), those.end());
    };
    for (const layer::Operand& operand : operands) {
      after(makers[operand.tensor]);
      if (operand.write) after(readers[operand.tensor]);
    }
    for (const layer::Operand& operand : operands)
      (operand.write ? makers : readers)[operand.tensor].push_back(static_cast<int>(i));
  }
  return before;
}

/// Engines at work on layers as these are put, one after another.
class Timeline {
 public:
  Timeline(const layer::Layers& layers, const std::vector<Cycle>& cycles,
           const std::vector<std::set<int>>& before)
      : m_cycles(cycles), m_before(before), m_starts(layers.size()), m_ends(layers.size()) {
    std::map<std::string, int> engines;
    for (const layer::Layer& layer : layers) {
      const int next = static_cast<int>(engines.size());
      const bool works = layer.work.in_place() == nullptr;
      m_engine.push_back(works ? engines.try_emplace(layer.engine(), next).first->second : kNone);
    }
    m_free.resize(engines.size());
  }

  bool in_place(int layer) const { return engine(layer) == kNone; }
  int engine(int layer) const { return m_engine[size_t(layer)]; }
  /// When all that it reads is there. @pre what it comes after has been put
  Cycle ready(int layer) const {
    Cycle ready = 0;
    for (const int other : m_before[size_t(layer)]) ready = std::max(ready, m_ends[size_t(other)]);
    return ready;
  }
  /// When its engine has done what has been put.
  Cycle free(int layer) const { return in_place(layer) ? 0 : m_free[size_t(engine(layer))]; }
  void put(int layer, Cycle start) {
    const Cycle end = start + (in_place(layer) ? 0 : m_cycles[size_t(layer)]);
    m_starts[size_t(layer)] = start, m_ends[size_t(layer)] = end;
    if (!in_place(layer)) m_free[size_t(engine(layer))] = end;
  }
  Cycle start(int layer) const { return m_starts[size_t(layer)]; }
  Cycle end(int layer) const { return m_ends[size_t(layer)]; }
  Cycle end() const { return *std::max_element(m_ends.begin(), m_ends.end()); }

 private:
  const std::vector<Cycle>& m_cycles;
  const std::vector<std::set<int>>& m_before;
  std::vector<int> m_engine;            ///< by layer; kNone: in place
  std::vector<Cycle> m_starts, m_ends;  ///< by layer
  std::vector<Cycle> m_free;            ///< by engine
};

/// A layer all of whose tensors are made by layers that have been put.
struct Candidate {
  int layer = 0;
  Cycle ready = 0, start = 0;  ///< its tensors are there; its engine is free too
};

/// When one of them begins that does not go ahead while one that was before it, and could begin,
/// waits for another engine.
Cycle start_in_turn(const Candidate& one, const std::vector<Candidate>& all,
                    const Timeline& timeline) {
  Cycle start = one.start;
  for (bool later = !timeline.in_place(one.layer); later;) {
    later = false;
    for (const Candidate& other : all) {
      if (other.layer >= one.layer) break;
      const bool elsewhere = timeline.engine(other.layer) != timeline.engine(one.layer);
      if (timeline.in_place(other.layer) || !elsewhere) continue;
      if (other.ready <= start && start < other.start) start = other.start, later = true;
    }
  }
  return start;
}

}  // namespace

IssueOrder issue_order(const layer::Layers& layers, const std::vector<Cycle>& cycles) {
  if (layers.empty()) return {};
  constexpr size_t kLooked = 16;  // at candidates, the first ones in the order that was
  const std::vector<std::set<int>> before = layers_before(layers);
  const int count = static_cast<int>(layers.size());
  Timeline as_it_was(layers, cycles, before), timeline(layers, cycles, before);
  for (int layer = 0; layer < count; ++layer)
    as_it_was.put(layer, std::max(as_it_was.ready(layer), as_it_was.free(layer)));

  std::vector<size_t> missing(layers.size());  // of those before it
  std::vector<std::vector<int>> after(layers.size());
  std::map<int, Cycle> ready;  // by layer, when
  for (int layer = 0; layer < count; ++layer) {
    missing[size_t(layer)] = before[size_t(layer)].size();
    if (missing[size_t(layer)] == 0) ready.emplace(layer, 0);
    for (const int other : before[size_t(layer)]) after[size_t(other)].push_back(layer);
  }
  IssueOrder order;
  while (!ready.empty()) {
    std::vector<Candidate> all;
    for (auto it = ready.begin(); it != ready.end() && all.size() < kLooked; ++it)
      all.push_back({it->first, it->second, std::max(it->second, timeline.free(it->first))});
    int next = kNone;
    Cycle start = 0;
    for (const Candidate& one : all) {
      const Cycle begins = start_in_turn(one, all, timeline);
      if (next == kNone || begins < start) next = one.layer, start = begins;
    }
    timeline.put(next, start);
    order.layers.push_back(next);
    ready.erase(next);
    for (const int layer : after[size_t(next)]) {
      if (--missing[size_t(layer)] == 0) ready.emplace(layer, timeline.ready(layer));
    }
  }
  // Layers begin in their order, one after another or at once.
  for (size_t i = 0; i < layers.size(); ++i) {
    const int layer = order.layers[i];
    size_t last = i;
    for (size_t k = i + 1; k < layers.size(); ++k) {
      const int later = order.layers[k];
      if (before[size_t(later)].count(layer) != 0) break;
      if (timeline.start(later) >= timeline.end(layer)) break;
      last = k;
    }
    order.beside.push_back(static_cast<int>(last - i));
  }
  order.before = as_it_was.end(), order.after = timeline.end();
  return order;
}

}  // namespace presil::plan
