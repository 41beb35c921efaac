// How busy the banks of a tile's SRAM are with a master of higher priority: it tells how many words
// it takes in which cycles, others lose cycles to it in proportion. No word of one meets a word of
// the other by name: of w words a cycle, spread over b banks, an access of one word meets one in
// w / b of all cases.
#pragma once

#include <algorithm>
#include <deque>

#include "models/soc/soc_config.h"

namespace presil {

class BankLoad {
 public:
  explicit BankLoad(unsigned banks) : m_banks(banks) {}

  /// The master takes `words` words, evenly, in cycles begin .. end - 1.
  void announce(Cycle begin, Cycle end, uint64_t words) {
    if (end <= begin || words == 0) return;
    m_stretches.push_back({begin, end, (words << kFraction) / static_cast<uint64_t>(end - begin)});
  }
  /// Cycles before this one are not asked for any more.
  void forget(Cycle before) {
    while (!m_stretches.empty() && m_stretches.front().end <= before) m_stretches.pop_front();
  }
  /// Cycles that an access of `words` words in cycle `at` loses. What is less than one is kept for
  /// the accesses that follow.
  uint64_t lost(Cycle at, uint64_t words) {
    uint64_t rate = 0;
    for (const Stretch& s : m_stretches)
      if (at >= s.begin && at < s.end) rate += s.rate;
    if (rate == 0) return 0;
    m_owed += std::min(rate, uint64_t{m_banks} << kFraction) * words;
    const uint64_t unit = uint64_t{m_banks} << kFraction, cycles = m_owed / unit;
    m_owed -= cycles * unit;
    return cycles;
  }

 private:
  static constexpr unsigned kFraction = 16;
  struct Stretch {
    Cycle begin, end;
    uint64_t rate;  // words a cycle, in 2^-kFraction
  };
  unsigned m_banks;
  std::deque<Stretch> m_stretches;
  uint64_t m_owed = 0;
};

}  // namespace presil
