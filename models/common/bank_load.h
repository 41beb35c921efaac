// How busy the banks of a tile's SRAM are with masters that say how many words they take in which
// cycles; others lose cycles to them in proportion. No word of one meets a word of the other by
// name: of w words a cycle, spread over b banks, an access of one word meets one in w / b of all
// cases. Where two such masters meet, one of them waits a cycle: the one that says so later.
#pragma once

#include <algorithm>
#include <deque>

#include "models/soc/soc_config.h"

namespace presil {

class BankLoad {
 public:
  explicit BankLoad(unsigned banks) : m_banks(banks) {}

  /// `master` takes `words` words, evenly, in cycles begin .. end - 1.
  void announce(unsigned master, Cycle begin, Cycle end, uint64_t words) {
    if (end <= begin || words == 0) return;
    const uint64_t rate = (words << kFraction) / static_cast<uint64_t>(end - begin);
    m_stretches.push_back({begin, end, rate, master});
  }
  /// Cycles that `master` loses to the others if it takes `words` words, evenly, in cycles begin ..
  /// end - 1: of each word, in the cycles that it shares with another's stretch, rate / banks.
  Cycle lost(unsigned master, Cycle begin, Cycle end, uint64_t words) const {
    if (end <= begin) return 0;
    double met = 0;
    for (const Stretch& s : m_stretches) {
      const Cycle shared = std::min(end, s.end) - std::max(begin, s.begin);
      if (s.master == master || shared <= 0) continue;
      const double rate = static_cast<double>(s.rate) / (1u << kFraction);
      met += static_cast<double>(shared) * std::min(rate, double(m_banks)) / m_banks;
    }
    return static_cast<Cycle>(met * static_cast<double>(words) / static_cast<double>(end - begin));
  }
  /// Nobody asks for cycles before this one any more.
  void forget(Cycle before) {
    const auto over = [before](const Stretch& s) { return s.end <= before; };
    m_stretches.erase(std::remove_if(m_stretches.begin(), m_stretches.end(), over),
                      m_stretches.end());
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
    unsigned master;
  };
  unsigned m_banks;
  std::deque<Stretch> m_stretches;
  uint64_t m_owed = 0;
};

}  // namespace presil
