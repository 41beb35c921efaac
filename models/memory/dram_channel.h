// One DRAM channel, event by event: 8 banks with one row buffer each, two queues, first ready first
// come. A decision (precharge, activate, column accesses of one burst) is found by comparing, for
// each bank with work, when its next command may go; there is no work per clock, no allocation and
// no division. Time is ps; the controller's front (fixed delay before the queues) is part of
// DramConfig::read_latency_ps, because a fixed shift of all arrivals changes no order.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/memory/dram.h"

namespace presil::memory {

/// DramConfig in ps, with the sums that the controller compares with.
struct DramTiming {
  explicit DramTiming(const DramConfig& config);
  int64_t atom;                            ///< CAS to CAS: 64 B at the peak of one channel
  int64_t rcd, rp, ras, rrd, faw;          ///< row commands
  std::array<int64_t, 2> turn;             ///< last CAS of [read, write] to a CAS of the other kind
  std::array<int64_t, 2> to_precharge;     ///< last CAS of [read, write] to precharge of its bank
  int64_t refresh_interval, refresh_time;  ///< of the kind of refresh that is chosen
  DramRefresh refresh;
  int64_t read_latency;
  bool banks;  ///< false: `ideal`, every access finds its row open
};

class DramChannel {
 public:
  static constexpr int64_t kNeverPs = INT64_MAX;
  static constexpr int64_t kBatchAtoms = 64;      ///< what a direction, or a row, keeps at most
  static constexpr int64_t kPatienceAtoms = 256;  ///< of reads, that pass a waiting write

  DramChannel(const DramConfig& config, Cycle period_ps, unsigned index, DramListener& listener,
              DramStatistics& statistics);

  /// `burst.address` is the channel's own; never more bursts than the queues hold.
  void push(int64_t now_ps, const DramBurst& burst);
  int64_t next_ps() const { return m_plan.at; }
  /// Carries out the planned command.
  void step();
  void set_tiles(unsigned tiles) { m_served_of.resize(tiles); }
  void observe(DramObserver* observer) { m_observer = observer; }

 private:
  static constexpr uint16_t kNone = 0xffff;
  /// Where the time of the data bus went, from reset: own and others' data, and what was lost.
  struct Spent {
    int64_t others = 0, tiles = 0, row = 0, turnaround = 0, refresh = 0;
  };
  struct Entry {
    DramBurst burst;
    int64_t arrival = 0;
    uint64_t age = 0;
    Spent before;  // at arrival
    uint32_t row = 0;
    uint16_t next = kNone, previous = kNone;
    uint8_t bank = 0;
    uint8_t atoms = 0;
    bool activated = false;  // its row was opened for it
  };
  struct List {  // entries of one bank and direction, oldest first
    uint16_t head = kNone, tail = kNone;
    uint16_t hit = kNone;  // the oldest whose row is open
    int64_t passed = 0;    // atoms that went past the head
  };
  struct Bank {
    bool open = false;
    uint32_t row = 0;
    int64_t cas = 0, precharge = 0, activate = 0;  // earliest
    int64_t refresh_due = 0, refresh_from = 0, refresh_to = 0;
    std::array<List, 2> lists;
  };
  enum class Action : uint8_t { kCas, kRow, kWake };
  struct Plan {
    int64_t at = kNeverPs;
    Action action = Action::kWake;
    unsigned bank = 0;
    uint64_t age = 0;
  };

  void plan();
  Plan plan_bank(unsigned index);
  bool write_is_next();
  void access(Bank& bank, int64_t at);
  void row_command(Bank& bank, int64_t at);
  void refresh(int64_t until);
  void refresh_bank(Bank& bank);
  void refresh_all();
  void find_hits(Bank& bank);
  void unlink(Bank& bank, uint16_t index, List& list);
  int64_t by_others(const DramBurst& burst) const;
  int64_t by_other_tiles(const DramBurst& burst) const;
  void answer(const Entry& entry, int64_t at);
  void lose(const Bank& bank, int64_t at);
  void log(DramCommand::Kind kind, const Bank& bank, int64_t at, unsigned atoms = 0);

  DramTiming t;
  Cycle m_period_ps;
  unsigned m_index, m_write_places;
  DramListener& m_listener;
  DramStatistics& s;
  DramObserver* m_observer = nullptr;
  std::array<Bank, kDramBanks> m_banks;
  std::array<unsigned, 2> m_mask{};   // banks with entries, by direction
  std::array<unsigned, 2> m_count{};  // entries, by direction
  std::vector<Entry> m_entries;
  std::vector<uint16_t> m_free;
  std::array<int64_t, 2> m_cas{};  // earliest CAS on the bus, by direction
  int64_t m_rrd = 0;
  std::array<int64_t, 4> m_faw{};  // earliest fifth activate after each of the last four
  unsigned m_oldest_activate = 0;
  int64_t m_now = 0;
  int64_t m_bus_free = 0, m_waiting_since = 0;
  uint64_t m_next_age = 0;
  unsigned m_side = 0;  // 1: writes are being drained
  unsigned m_last_side = 0;
  int64_t m_batch = kBatchAtoms;  // atoms of this side since it became its turn
  bool m_overdue = false;         // this drain goes down to the last write
  uint8_t m_last_master = 0, m_last_tile = 0;
  int64_t m_served = 0;  // ps of the data bus
  struct Served {
    std::array<int64_t, kDramMasters> of{};
    int64_t all = 0;
  };
  std::vector<Served> m_served_of = std::vector<Served>(1);  // by tile
  int64_t m_served_background = 0;
  Spent m_lost;  // others unused
  Plan m_plan;
};

}  // namespace presil::memory
