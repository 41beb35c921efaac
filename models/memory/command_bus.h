// The bus that takes commands to the devices of a channel. Column accesses of a burst have their
// clocks from the beginning; a command to a row takes what lies between them, in one piece. With
// two buses (HBM) rows and columns do not meet.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/memory/dram_timing.h"

namespace presil::memory {

class CommandBus {
 public:
  explicit CommandBus(const DramTiming& t)
      : m_column(t.column),
        m_fits(std::max(t.activate, t.precharge) + t.column <= t.spaced),
        m_two(t.two_buses) {}

  /// From when on a column access may go.
  int64_t column_from() const { return m_two ? INT64_MIN : m_row_end; }
  /// From `at` on, when a command to a row may go that takes `length`.
  int64_t row_from(int64_t at, int64_t length) const {
    at = std::max(at, m_row_end);
    if (m_two) return at;
    for (int64_t column = m_first; column <= m_last && column < at + length; column += m_spaced)
      at = std::max(at, column + m_column);
    return at;
  }
  /// A command to a row that would keep a column access waiting goes after it, if there is room
  /// between column accesses.
  bool rows_give_way() const { return m_fits && !m_two; }

  void columns(int64_t first, int64_t last, int64_t spaced) {
    m_first = first;
    m_last = last;
    m_spaced = spaced;
  }
  void row(int64_t at, int64_t length) { m_row_end = at + length; }

 private:
  int64_t m_column;
  bool m_fits, m_two;
  int64_t m_first = 0, m_last = -1, m_spaced = 1;  // of the newest burst
  int64_t m_row_end = 0;
};

}  // namespace presil::memory
