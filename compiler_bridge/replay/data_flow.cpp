#include "compiler_bridge/replay/data_flow.h"

#include <algorithm>
#include <map>
#include <string>

namespace presil::replay {
namespace {

using Operands = flatbuffers::Vector<flatbuffers::Offset<loadable::Operand>>;

// The layers' own lists are those of the graph after its passes, which may have moved an operator
// past another: in the imported graph it reads what it does not read here.
class Feeds {
 public:
  explicit Feeds(const loadable::Loadable& l) : m_l(l), m_works(l.layers()->size(), false) {
    for (const auto* command : *l.commands()) {
      if (command->layer() >= 0) m_works[static_cast<size_t>(command->layer())] = true;
    }
    for (int k = 0; k < count(); ++k) {
      each_name(layer(k).makes(), [&](const std::string& name) { m_makers[name].insert(k); });
    }
  }

  std::vector<Fed> all() {
    std::set<int> unknown, every;
    for (int k = 0; k < count(); ++k) {
      every.insert(k);
      if (is_unknown(k)) unknown.insert(k);
    }
    if (unknown == every) return {};
    std::vector<Fed> feeds;
    for (int k = 0; k < count(); ++k) {
      Fed fed;
      fed.own = {k};
      each_name(layer(k).makes(), [&](const std::string& name) { add(fed.own, m_makers[name]); });
      each_name(layer(k).reads(), [&](const std::string& name) {
        std::set<int> found, seen = {k};
        made(name, found, seen);
        if (!found.empty()) fed.operands.push_back(std::move(found));
      });
      fed.by = is_unknown(k) ? every : unknown;
      add(fed.by, fed.own);
      for (const std::set<int>& operand : fed.operands) add(fed.by, operand);
      feeds.push_back(std::move(fed));
    }
    return feeds;
  }

 private:
  int count() const { return static_cast<int>(m_l.layers()->size()); }
  const loadable::Layer& layer(int k) const { return *m_l.layers()->Get(static_cast<uint32_t>(k)); }
  bool is_unknown(int k) const {
    return layer(k).makes() == nullptr || layer(k).makes()->size() == 0;
  }

  template <class F>
  static void each_name(const Operands* operands, F&& f) {
    if (operands == nullptr) return;
    for (const loadable::Operand* operand : *operands) f(operand->name()->str());
  }

  static void add(std::set<int>& to, const std::set<int>& layers) {
    to.insert(layers.begin(), layers.end());
  }

  /// Layers that make the tensor. One without commands leaves what it reads where it is.
  void made(const std::string& name, std::set<int>& found, std::set<int>& seen) const {
    const auto makers = m_makers.find(name);
    if (makers == m_makers.end()) return;  // an input of the network
    add(found, makers->second);
    for (const int maker : makers->second) {
      if (!seen.insert(maker).second || m_works[static_cast<size_t>(maker)]) continue;
      each_name(layer(maker).reads(), [&](const std::string& next) { made(next, found, seen); });
    }
  }

  const loadable::Loadable& m_l;
  std::vector<bool> m_works;                      ///< by layer: it has commands
  std::map<std::string, std::set<int>> m_makers;  ///< by tensor
};

bool holds(const std::set<int>& operand, const std::set<int>& part) {
  return std::includes(operand.begin(), operand.end(), part.begin(), part.end());
}

/// Are there different operands for the parts from `next` on?
bool matched(const Fed& fed, const std::vector<std::set<int>>& parts, size_t next,
             std::vector<bool>& taken) {
  if (next == parts.size()) return true;
  for (size_t i = 0; i < fed.operands.size(); ++i) {
    if (taken[i] || !holds(fed.operands[i], parts[next])) continue;
    taken[i] = true;
    if (matched(fed, parts, next + 1, taken)) return true;
    taken[i] = false;
  }
  return false;
}

}  // namespace

std::vector<Fed> feeds(const loadable::Loadable& l) {
  return Feeds(l).all();
}

bool each_holds_one(const Fed& fed, const std::vector<std::set<int>>& parts) {
  return std::all_of(parts.begin(), parts.end(), [&](const std::set<int>& part) {
    return std::any_of(fed.operands.begin(), fed.operands.end(),
                       [&](const std::set<int>& operand) { return holds(operand, part); });
  });
}

bool hold_all(const Fed& fed, const std::vector<std::set<int>>& parts) {
  std::vector<bool> taken(fed.operands.size(), false);
  return parts.size() != fed.operands.size() || matched(fed, parts, 0, taken);
}

}  // namespace presil::replay
