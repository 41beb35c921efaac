// Which command wrote each byte of a space, and which have read it since.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace presil::replay {

inline constexpr int kUnwritten = -1;  ///< never written
inline constexpr int kGiven = -2;      ///< there before the job begins

/// Bytes with the same history; commands are numbers of the replay's order.
struct Segment {
  uint64_t end = 0;
  int writer = kUnwritten;
  std::vector<int> readers;
};

class History {
 public:
  History() = default;
  History(uint64_t size, int writer) {
    if (size > 0) m_segments[0] = {size, writer, {}};
  }

  uint64_t size() const { return m_segments.empty() ? 0 : m_segments.rbegin()->second.end; }

  /// Calls f(begin, segment) for the bytes [begin, end), cut there, until it says what is wrong.
  /// @return what that is @pre end <= size()
  template <class F>
  std::optional<std::string> visit(uint64_t begin, uint64_t end, F&& f) {
    for (auto at = cut(begin); at != m_segments.end() && at->first < end; ++at) {
      if (at->second.end > end) cut(end);
      if (std::optional<std::string> wrong = f(at->first, at->second)) return wrong;
    }
    return std::nullopt;
  }

  /// From now on the bytes are `writer`'s, and no command has read them.
  void write(uint64_t begin, uint64_t end, int writer) {
    const auto first = cut(begin);
    const auto last = end < size() ? cut(end) : m_segments.end();
    m_segments.erase(first, last);
    m_segments[begin] = {end, writer, {}};
  }

 private:
  using Segments = std::map<uint64_t, Segment>;

  /// The segment that begins there, after cutting one in two where it does not.
  Segments::iterator cut(uint64_t at) {
    auto next = m_segments.lower_bound(at);
    if (next != m_segments.end() && next->first == at) return next;
    Segment& before = std::prev(next)->second;
    Segment rest = before;
    before.end = at;
    return m_segments.emplace_hint(next, at, std::move(rest));
  }

  Segments m_segments;
};

}  // namespace presil::replay
