// In which cycles a command uses its port to the SRAM. The same for the model and for estimates.
//
// Timing: taken in cycle s. A nop ends in s + 1. Else the port is used from s + 2 on, a word a
// cycle:
//   the tables of a resize, and then one cycle of rest;
//   taps and results: a result is written 8 cycles after its last tap, before any further tap;
//   the end is one cycle after the last result.
// A word whose bank is taken waits for the next cycle, and all that come after it.
//
// A max of 2 x 2, 8 x 8 results, one block: 256 taps, the last in s + 257 + 62 (results written
// between them: all but two, which are on their way) = s + 319, written in s + 327, end s + 328.
#pragma once

#include <deque>

#include "models/common/bank_load.h"
#include "pool_core.h"

namespace presil::pool {

/// What accesses lose to masters with priority at the SRAM.
class Contention {
 public:
  enum class Access { kRead, kWritten };
  Contention() = default;
  Contention(const Contention&) = delete;
  Contention& operator=(const Contention&) = delete;
  virtual ~Contention() = default;
  /// Before the first access of a command.
  virtual void begin(const Command&) {}
  /// Is the bank of a word taken in this cycle? The next cycle asks again, maybe for another word.
  /// `index` counts the words of the command that are read, those of the tables too, or written.
  virtual bool denies(Cycle at, Access access, uint64_t index) = 0;
};

/// By the share of words that those masters take. Which word meets which is not known: totals are
/// right, single commands scatter about them (README.md).
class Shares : public Contention {
 public:
  explicit Shares(BankLoad& banks) : m_banks(banks) {}
  bool denies(Cycle at, Access access, uint64_t index) override;

 private:
  BankLoad& m_banks;
};

/// Cycles of a command after it was taken, by cause.
struct Cycles {
  Cycle run = 0, start = 0, bank = 0, drain = 0;
  Cycle total() const { return run + start + bank + drain; }
};

class Timing {
 public:
  /// @param taken cycle in which the engine takes it
  /// @param contention nullptr: the SRAM is all its own
  Timing(const Command& c, Cycle taken, Contention* contention);

  /// The taps of one more row of results. @return false: there is none
  bool row();
  /// First cycle in which the port is free for what comes next.
  Cycle now() const { return m_now; }
  /// After the last row: writes what is on its way. @return the cycle of the end
  Cycle end();

  const Cycles& cycles() const { return m_cycles; }
  uint64_t words_read() const { return s_read; }
  uint64_t words_written() const { return s_written; }

 private:
  bool request(Contention::Access access, Cycle& cause);
  void write();
  void read(unsigned taps);

  const Command m_command;
  Contention* m_contention;
  Cycle m_now;
  Cycles m_cycles;
  std::deque<Cycle> m_results;  // on their way: when they can be written
  unsigned m_row = 0;           // of all blocks together
  uint64_t s_read = 0, s_written = 0;
};

/// Cycles from taking a command to its end, with the SRAM for itself.
Cycle estimate(const Command& c);

}  // namespace presil::pool
