// One DRAM channel, event by event: banks with one row buffer each, two queues, first ready first
// come. A decision (precharge, activate, column accesses of one burst) is found by comparing, for
// each bank with work, when its next command may go; there is no work per clock, no allocation and
// no division. Time is ps; the controller's front (fixed delay before the queues) is part of
// DramConfig::read_latency_ps, because a fixed shift of all arrivals changes no order.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/memory/command_bus.h"
#include "models/memory/dram.h"
#include "models/memory/dram_timing.h"
#include "models/memory/write_drain.h"

namespace presil::memory {

class DramChannel {
 public:
  static constexpr int64_t kNeverPs = INT64_MAX;
  static constexpr int64_t kBatchAtoms = 64;  ///< what a row keeps at most

  /// @param parts  that a burst may be cut into: each has an entry in the queues
  DramChannel(const DramConfig& config, const DramMap& map, unsigned parts, Cycle period_ps,
              unsigned index, DramListener& listener, DramStatistics& statistics);

  /// A burst inside a row; never more of them than the queues hold.
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
    int64_t idle_from = 0;                         // the end of its last access
    int64_t refresh_due = 0, refresh_from = 0, refresh_to = 0;
    std::array<List, 2> lists;
  };
  struct Group {
    std::array<int64_t, 2> cas{};  // earliest, by direction
    int64_t activate = 0;
  };
  enum class Action : uint8_t { kCas, kRow, kWake };
  struct Plan {
    int64_t at = kNeverPs;
    uint64_t age = UINT64_MAX;
    unsigned bank = 0;
    Action action = Action::kWake;

    bool comes_before(const Plan& other) const {
      return at < other.at || (at == other.at && age < other.age);
    }
  };

  void plan();
  void choose();
  void take_turn();
  void plan_bank(unsigned index);
  int64_t length_of(const Bank& bank) const { return bank.open ? t.precharge : t.activate; }
  void access(Bank& bank, int64_t at);
  void row_command(Bank& bank, int64_t at);
  void close(Bank& bank, int64_t at);
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

  const DramMap& m_map;
  DramTiming t;
  Cycle m_period_ps;
  unsigned m_index, m_group_mask;
  DramListener& m_listener;
  DramStatistics& s;
  DramObserver* m_observer = nullptr;
  std::vector<Bank> m_banks;
  std::vector<Group> m_groups;
  CommandBus m_commands;
  WriteDrain m_drain, m_next;
  std::array<unsigned, 2> m_mask{};   // banks with entries, by direction
  std::array<unsigned, 2> m_count{};  // entries, by direction
  std::vector<Entry> m_entries;
  std::vector<uint16_t> m_free;
  std::array<int64_t, 2> m_cas{};  // earliest CAS on the bus, by direction
  int64_t m_rrd = 0;
  std::array<int64_t, 4> m_faw{};  // earliest fifth activate after each of the last four
  unsigned m_oldest_activate = 0;
  int64_t m_now = 0, m_last_column = -1;
  int64_t m_bus_free = 0, m_waiting_since = 0;
  uint64_t m_next_age = 0;
  unsigned m_side = 0;  // 1: writes go
  unsigned m_last_side = 0;
  uint8_t m_last_master = 0, m_last_tile = 0;
  int64_t m_served = 0;  // ps of the data bus
  struct Served {
    std::array<int64_t, kDramMasters> of{};
    int64_t all = 0;
  };
  std::vector<Served> m_served_of = std::vector<Served>(1);  // by tile
  int64_t m_served_background = 0;
  Spent m_lost;          // others unused
  Plan m_column, m_row;  // the earliest of either kind
  int64_t m_wake = kNeverPs;
  int64_t m_column_from = 0, m_row_from = 0;  // the bus, for all banks
  Plan m_plan;
};

}  // namespace presil::memory
