// How busy the banks of a tile's SRAM are with masters that say how many words they take in which
// cycles; others lose cycles to them in proportion. No word of one meets a word of the other by
// name: of w words a cycle, spread over b banks, an access of one word meets one in w / b of all
// cases. Where two such masters meet, one of them waits a cycle, in turns: the later one to say so
// loses half of the cycles at once, the other one the rest in what it does next.
#pragma once

#include <algorithm>
#include <deque>
#include <map>

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
  /// end - 1, and what it owes: of each word, in the cycles that it shares with another's stretch,
  /// rate / banks.
  Cycle lost(unsigned master, Cycle begin, Cycle end, uint64_t words) {
    if (end <= begin || m_stretches.empty()) return 0;
    const uint64_t rate = (words << kFraction) / static_cast<uint64_t>(end - begin);
    const uint64_t full = uint64_t{m_banks} << kFraction;
    uint64_t& own = m_debts[master];
    for (const Stretch& s : m_stretches) {
      const Cycle shared = std::min(end, s.end) - std::max(begin, s.begin);
      if (s.master == master || shared <= 0) continue;
      // words of both that meet, in 2^-kFraction
      const uint64_t met =
          static_cast<uint64_t>(shared) * rate / m_banks * std::min(s.rate, full) >> kFraction;
      own += met / 2;
      m_debts[s.master] += met / 2;
    }
    const uint64_t cycles = own >> kFraction;
    own -= cycles << kFraction;
    return static_cast<Cycle>(cycles);
  }
  /// Cycles before this one are not asked for any more.
  void forget(Cycle before) {
    const auto over = [before](const Stretch& s) { return s.end <= before; };
    m_stretches.erase(std::remove_if(m_stretches.begin(), m_stretches.end(), over),
                      m_stretches.end());
    if (m_stretches.empty()) m_debts.clear();
  }
  /// Cycles that an access of `words` words in cycle `at` loses. What is less than one is kept for
  /// the accesses that follow.
  uint64_t lost(Cycle at, uint64_t words) { return lost(at, words, m_owed); }
  /// The same of a master with a debt of its own.
  uint64_t lost(Cycle at, uint64_t words, uint64_t& owed) const {
    uint64_t rate = 0;
    for (const Stretch& s : m_stretches)
      if (at >= s.begin && at < s.end) rate += s.rate;
    if (rate == 0) return 0;
    owed += std::min(rate, uint64_t{m_banks} << kFraction) * words;
    const uint64_t unit = uint64_t{m_banks} << kFraction, cycles = owed / unit;
    owed -= cycles * unit;
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
  uint64_t m_owed = 0;                   // of those that have no stretches
  std::map<unsigned, uint64_t> m_debts;  // of masters that have, in 2^-kFraction
};

}  // namespace presil
