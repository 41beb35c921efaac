// What a block in RTL does in one cycle, told in one order. It is seen at several moments: a
// command on offer when outputs settle, its end when they are heard, a word at the rising edge. For
// the block all of that is one cycle, and the comparison must not depend on the moment: it is kept
// until the cycle is over, and told kind by kind, in the order of the enumeration; those of one
// kind as seen.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace presil::rtl {

/// @tparam Kind an enumeration in the order of telling; its last name is kCount
template <class Kind>
class CycleEvents {
 public:
  template <class Tell>
  void add(Kind kind, Tell&& tell) {
    m_kinds[static_cast<size_t>(kind)].emplace_back(std::forward<Tell>(tell));
    m_any = true;
  }
  /// The cycle is over.
  void tell() {
    if (!m_any) return;
    m_any = false;
    for (auto& events : m_kinds) {
      for (const auto& event : events) event();
      events.clear();
    }
  }

 private:
  std::array<std::vector<std::function<void()>>, static_cast<size_t>(Kind::kCount)> m_kinds;
  bool m_any = false;
};

/// Of a channel of the DMA. A command is there before it begins, begins before it asks and writes,
/// and its last word may be granted in the cycle in which it ends; a signal is its last command's;
/// what an abort or an error drops had the cycle to the end.
enum class DmaEvent : uint8_t {
  kOffered,
  kBegun,
  kAsked,   ///< a read or write of data
  kFailed,  ///< such a one has been answered with an error
  kWritten,
  kEnded,
  kSignalled,
  kInterrupt,
  kDropped,
  kCount
};

/// Of an engine with one queue, for the same reasons; words fetched in a cycle can be offered in
/// the next.
enum class EngineEvent : uint8_t {
  kOffered,
  kStarted,
  kWritten,
  kEnded,
  kSignalled,
  kInterrupt,
  kDropped,
  kFetched,
  kCount
};

}  // namespace presil::rtl
