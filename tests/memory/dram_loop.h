// Masters in a closed loop before the model and before the reference: each has so many bursts on
// their way, and they take turns. A burst is over in the clock of its last column access.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

#include "models/memory/dram.h"
#include "tests/memory/dram_reference.h"

namespace presil::memory {

using reference::Access;

struct Master {
  std::vector<Access> list;
  unsigned outstanding = 16;
};

std::vector<Access> stream(size_t bursts, bool write, uint64_t base = 0);
/// `bytes` at every `stride`.
std::vector<Access> rows(size_t count, unsigned bytes, uint64_t stride, bool write = false,
                         uint64_t base = 0);
std::vector<Access> scattered(size_t count, unsigned bytes, unsigned write_percent,
                              unsigned seed = 1);
/// `run` bursts are read, as many written elsewhere, and again.
std::vector<Access> ping_pong(size_t bursts, size_t run);

/// Bursts of each master, sent and over; push() is called with (access, token) for all that may go
/// now.
class Feed {
 public:
  Feed(std::vector<Master> masters, unsigned read_places, unsigned write_places);
  template <class Push>
  void fill(Push push) {
    for (bool any = true; any;) {
      any = false;
      for (size_t i = 0; i < m_masters.size(); ++i) any |= offer(i, push);
    }
  }
  void over(unsigned token);
  bool done() const { return m_on_way == 0 && m_sent == m_total; }
  const Access& access(unsigned token) const { return m_pushed[token].second; }
  unsigned master(unsigned token) const { return m_pushed[token].first; }

 private:
  template <class Push>
  bool offer(size_t i, Push push) {
    const Master& master = m_masters[i];
    if (m_next[i] == master.list.size() || m_waiting[i] == master.outstanding) return false;
    const Access& a = master.list[m_next[i]];
    if (m_places[a.write] == 0) return false;
    --m_places[a.write];
    ++m_waiting[i];
    ++m_next[i];
    ++m_sent;
    ++m_on_way;
    m_pushed.push_back({static_cast<unsigned>(i), a});
    push(a, static_cast<unsigned>(m_pushed.size() - 1));
    return true;
  }

  std::vector<Master> m_masters;
  std::vector<size_t> m_next;
  std::vector<unsigned> m_waiting;
  std::array<unsigned, 2> m_places;
  std::vector<std::pair<unsigned, Access>> m_pushed;
  size_t m_sent = 0, m_total = 0, m_on_way = 0;
};

/// One cycle is one clock of the DRAM, so that both sides may act at the same times.
class ModelLoop : DramListener {
 public:
  explicit ModelLoop(const DramConfig& config)
      : m_config(config), dram(config, config.clock_ps, *this) {}
  /// @return clocks
  int64_t run(const std::vector<Master>& masters);

 private:
  DramConfig m_config;

 public:
  Dram dram;
  std::vector<uint32_t> order;
  int64_t answered_ps = 0;  ///< sum over the reads

 private:
  void read_decided(uint32_t token, const DramTimes& times) override;
  void write_decided(uint32_t token) override;

  Feed* m_feed = nullptr;
  std::multimap<int64_t, unsigned> m_ends;  // ps of the last column access
  Cycle m_now = 0;
};

struct ReferenceRun {
  int64_t clocks;
  uint64_t turnarounds;
};
ReferenceRun run_reference(const DramConfig& config, const std::vector<Master>& masters);

/// edge's memory, or that of a preset.
DramConfig memory_of(const std::string& preset);

}  // namespace presil::memory
