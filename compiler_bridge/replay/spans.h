// Bytes gathered row by row; neighbours become one span.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "compiler_bridge/replay/accesses.h"

namespace presil::replay {

class Spans {
 public:
  explicit Spans(Space space = kSram) : m_space(space) {}

  /// What begins before byte 0 lies outside every space, as does what would end beyond 2^63.
  void add(int64_t begin, int64_t bytes) {
    const auto from = static_cast<uint64_t>(begin), to = from + static_cast<uint64_t>(bytes);
    if (!m_all.empty() && m_all.back().end == from) {
      m_all.back().end = to;
    } else {
      m_all.push_back({m_space, from, to});
    }
  }

  /// `count` pixels of `bytes`, `step` apart.
  void pixels(int64_t begin, int64_t count, int64_t step, int64_t bytes) {
    if (step == bytes) return add(begin, count * bytes);
    for (int64_t i = 0; i < count; ++i) add(begin + i * step, bytes);
  }

  /// All of them, ascending, each byte once.
  std::vector<Span> take() {
    std::sort(m_all.begin(), m_all.end(),
              [](const Span& a, const Span& b) { return a.begin < b.begin; });
    std::vector<Span> joined;
    for (const Span& span : m_all) {
      if (!joined.empty() && span.begin <= joined.back().end) {
        joined.back().end = std::max(joined.back().end, span.end);
      } else {
        joined.push_back(span);
      }
    }
    m_all.clear();
    return joined;
  }

 private:
  Space m_space;
  std::vector<Span> m_all;
};

}  // namespace presil::replay
