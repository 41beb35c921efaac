// A DRAM controller written apart for the tests: one clock after another, one command on the bus at
// a time, one column access per atom, plain vectors, a map of its own. It shares the table of
// parameters and the policy's words (models/memory/README.md) with the model, nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/soc/soc_config.h"

namespace presil::memory::reference {

struct Access {
  uint64_t address = 0;  // inside a block of 256 B
  unsigned bytes = 64;
  bool write = false;
};

/// One channel. Times are clocks.
class Controller {
 public:
  explicit Controller(const DramConfig& config);

  void push(int64_t now, const Access& access, unsigned token);
  /// @return tokens of the bursts whose last column access goes in this clock
  std::vector<unsigned> clock(int64_t now);
  bool idle() const { return m_queue.empty(); }

  int64_t data_end = 0;
  uint64_t turnarounds = 0;

 private:
  struct Waiting {
    bool write;
    unsigned bank, group;
    uint64_t row;
    unsigned atoms;  // still to be accessed
    unsigned token;
    bool begun = false;
  };
  struct Bank {
    bool open = false, closes = false;
    uint64_t row = 0;
    int64_t activated = kLong, precharged = kLong, read = kLong, written = kLong;
    int64_t refreshed = kLong, refresh_due = 0, used = kLong;
    unsigned passed = 0;
  };
  static constexpr int64_t kLong = -1000000;

  Waiting place(const Access& access, unsigned token) const;
  unsigned waiting(bool write) const;
  bool choose_side(int64_t now);
  bool may_precharge(const Bank& bank, int64_t now) const;
  int64_t may_access(const Waiting& w) const;
  void keep_pages(int64_t now);
  bool refresh_banks(int64_t now);
  bool refresh_all(int64_t now);
  void precharge(Bank& bank, int64_t now, unsigned bus);
  bool column(int64_t now, std::vector<unsigned>& done);
  void rows(int64_t now);
  bool has_hit(unsigned bank, bool write) const;

  DramConfig c;
  int64_t m_atom, m_spaced;
  unsigned m_banks = 1, m_groups = 1;
  std::vector<std::array<unsigned, 3>> m_bank_bits;  // from, bits, to
  unsigned m_row_bit = 6, m_cut = 0;
  std::vector<Waiting> m_queue;
  std::deque<std::pair<unsigned, unsigned>> m_left;  // token, parts
  std::vector<Bank> m_bank;
  std::vector<std::array<int64_t, 2>> m_group_cas;
  std::vector<int64_t> m_group_activate;
  std::vector<int64_t> m_activates;  // the last four
  std::array<int64_t, 2> m_cas{kLong, kLong};
  std::array<int64_t, 2> m_bus_free{};  // of rows, of columns
  int64_t m_refresh_due = 0;
  bool m_draining = false, m_overdue = false, m_last_write = false;
  unsigned m_served = 64;
  int64_t m_last_read = 0;
};

}  // namespace presil::memory::reference
