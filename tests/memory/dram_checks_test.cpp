// The controller against a reference that works clock by clock, and every command it sends against
// the data sheet.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "models/memory/dram.h"
#include "tests/memory/dram_reference.h"

namespace presil::memory {
namespace {

using reference::Access;

// One cycle is one DRAM clock, so that both sides may act at the same times.
class Loop : DramListener {
 public:
  explicit Loop(const DramConfig& config) : dram(config, config.clock_ps, *this) {}

  /// @return clocks to the end of the last data
  int64_t run(const std::vector<Access>& list, unsigned outstanding) {
    size_t next = 0;
    Cycle now = 0;
    while (next < list.size() || m_waiting != 0) {
      while (next < list.size() && m_waiting < outstanding &&
             (!list[next].write || m_writes < dram.write_places())) {
        const Access& a = list[next];
        ++m_waiting;
        m_writes += a.write ? 1 : 0;
        dram.push(now, {a.address, a.bytes, a.write, 3, static_cast<uint32_t>(next++)});
      }
      now = std::max(now, dram.next());
      dram.step(now);
      m_now = now;
    }
    return now + 8;
  }
  Dram dram;
  std::vector<uint32_t> order;

 private:
  void read_decided(uint32_t token, const DramTimes&) override {
    order.push_back(token);
    --m_waiting;
  }
  void write_decided(uint32_t token) override {
    order.push_back(token);
    --m_waiting;
    --m_writes;
  }
  size_t m_waiting = 0, m_writes = 0;
  Cycle m_now = 0;
};

std::vector<Access> stream(size_t bursts, bool write) {
  std::vector<Access> list;
  for (size_t i = 0; i < bursts; ++i) list.push_back({i * 256, 256, write});
  return list;
}

std::vector<Access> strided(size_t count, unsigned bytes, uint64_t stride) {
  std::vector<Access> list;
  for (size_t i = 0; i < count; ++i) list.push_back({i * stride % (1u << 30), bytes, false});
  return list;
}

std::vector<Access> scattered(size_t count, unsigned bytes, unsigned write_percent,
                              unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<Access> list;
  for (size_t i = 0; i < count; ++i)
    list.push_back({random() % (1u << 30) / bytes * bytes, bytes, random() % 100 < write_percent});
  return list;
}

/// Streams side by side, `writes` of them stores, taking turns by bursts.
std::vector<Access> streams(size_t bursts, unsigned count, unsigned writes) {
  std::vector<Access> list;
  for (size_t i = 0; i < bursts; ++i)
    for (unsigned k = 0; k < count; ++k)
      list.push_back({(uint64_t{k} << 24) + i * 256, 256, k < writes});
  return list;
}

double difference(const std::vector<Access>& list, unsigned outstanding) {
  const DramConfig config;
  const int64_t expected = reference::clocks_of(config, list, outstanding);
  const int64_t got = Loop(config).run(list, outstanding);
  return static_cast<double>(got) / static_cast<double>(expected) - 1;
}

TEST(DramReference, streams_are_within_5_percent_of_a_controller_that_works_clock_by_clock) {
  EXPECT_NEAR(difference(stream(4000, false), 16), 0, 0.05);
  EXPECT_NEAR(difference(stream(4000, true), 16), 0, 0.05);
  EXPECT_NEAR(difference(stream(4000, false), 2), 0, 0.05);
  EXPECT_NEAR(difference(streams(1000, 4, 0), 16), 0, 0.05);
}

TEST(DramReference, strided_random_and_mixed_traffic_is_within_15_percent) {
  EXPECT_NEAR(difference(strided(10000, 64, 4096), 16), 0, 0.15);
  EXPECT_NEAR(difference(strided(5000, 256, 32768), 16), 0, 0.15);
  EXPECT_NEAR(difference(scattered(10000, 64, 0), 16), 0, 0.15);
  EXPECT_NEAR(difference(scattered(5000, 256, 0), 16), 0, 0.15);
  EXPECT_NEAR(difference(scattered(10000, 64, 33), 32), 0, 0.15);
  EXPECT_NEAR(difference(streams(2000, 2, 1), 24), 0, 0.15);
  EXPECT_NEAR(difference(streams(1000, 4, 1), 32), 0, 0.15);
}

/// Holds every command against every constraint of the table, from the log alone.
class Checker : public DramObserver {
 public:
  explicit Checker(const DramConfig& config) : c(config) {}

  void command(const DramCommand& k) override { m_log.push_back(k); }

  /// @return commands checked
  size_t check() {
    std::stable_sort(m_log.begin(), m_log.end(),
                     [](const auto& a, const auto& b) { return a.at_ps < b.at_ps; });
    for (const DramCommand& k : m_log) check(k);
    return m_log.size();
  }
  std::string first_error;

 private:
  struct BankLog {
    bool open = false;
    uint32_t row = 0;
    int64_t activate = kLong, precharge = kLong, read = kLong, write = kLong, refresh = kLong;
  };
  static constexpr int64_t kLong = -1000000000;

  void wait_since(const DramCommand& k, int64_t since, int64_t clocks, const char* what) {
    require(k, k.at_ps >= since + clocks * c.clock_ps, what);
  }
  void require(const DramCommand& k, bool good, const char* what) {
    if (!good && first_error.empty())
      first_error = std::string(what) + " at " + std::to_string(k.at_ps) + " ps, bank " +
                    std::to_string(k.bank);
  }

  void check(const DramCommand& k) {
    BankLog& b = m_banks.at(k.channel).at(k.bank);
    Bus& bus = m_bus.at(k.channel);
    const int64_t after_write = int64_t{c.t_wl} + 1 + 8;
    if (k.kind != DramCommand::kRefresh || c.refresh != DramRefresh::kAllBanks)
      wait_since(k, b.refresh, c.refresh == DramRefresh::kPerBank ? c.t_rfc_pb : c.t_rfc_ab,
                 "tRFC");
    switch (k.kind) {
      case DramCommand::kActivate:
        require(k, !b.open, "activate of an open bank");
        wait_since(k, b.precharge, c.t_rp, "tRP");
        wait_since(k, b.activate, c.t_ras + c.t_rp, "tRC");
        wait_since(k, bus.activates[3], c.t_rrd, "tRRD");
        wait_since(k, bus.activates[0], c.t_faw, "tFAW");
        std::rotate(bus.activates.begin(), bus.activates.begin() + 1, bus.activates.end());
        bus.activates[3] = b.activate = k.at_ps;
        b.open = true;
        b.row = k.row;
        break;
      case DramCommand::kPrecharge:
        require(k, b.open, "precharge of a closed bank");
        wait_since(k, b.activate, c.t_ras, "tRAS");
        wait_since(k, b.read, c.t_rtp, "tRTP");
        wait_since(k, b.write, after_write + c.t_wr, "tWR");
        b.open = false;
        b.precharge = k.at_ps;
        break;
      case DramCommand::kRead:
      case DramCommand::kWrite: {
        const bool write = k.kind == DramCommand::kWrite;
        require(k, b.open && b.row == k.row, "access to a row that is not open");
        wait_since(k, b.activate, c.t_rcd, "tRCD");
        wait_since(k, std::max(bus.read, bus.write), 8, "tCCD");
        if (write)
          wait_since(k, bus.read, int64_t{c.t_rl} + c.t_dqsck + 8 + 2 - c.t_wl, "read to write");
        else
          wait_since(k, bus.write, after_write + c.t_wtr, "write to read");
        const int64_t last = k.at_ps + (k.atoms - 1) * 8 * int64_t{c.clock_ps};
        (write ? b.write : b.read) = (write ? bus.write : bus.read) = last;
        break;
      }
      case DramCommand::kRefresh: {
        require(k, !b.open, "refresh of an open bank");
        wait_since(k, b.precharge, c.t_rp, "tRP before refresh");
        const int64_t every =
            c.refresh == DramRefresh::kPerBank ? int64_t{c.t_refi_pb} * 8 : c.t_refi;
        // late by the burst under way and its write recovery, and no more
        require(k, b.refresh == kLong || k.at_ps < b.refresh + (every + 300) * c.clock_ps, "tREFI");
        b.refresh = k.at_ps;
        break;
      }
    }
  }

  struct Bus {
    std::array<int64_t, 4> activates{kLong, kLong, kLong, kLong};
    int64_t read = kLong, write = kLong;
  };
  DramConfig c;
  std::vector<DramCommand> m_log;
  std::array<std::array<BankLog, kDramBanks>, 2> m_banks;
  std::array<Bus, 2> m_bus;
};

size_t checked(const DramConfig& config, const std::vector<Access>& list, unsigned outstanding) {
  Loop loop(config);
  Checker checker(config);
  loop.dram.observe(&checker);
  loop.run(list, outstanding);
  const size_t commands = checker.check();
  EXPECT_EQ(checker.first_error, "");
  return commands;
}

TEST(DramCommands, a_million_commands_keep_every_constraint) {
  size_t commands = 0;
  DramConfig config;
  for (const DramRefresh refresh :
       {DramRefresh::kPerBank, DramRefresh::kAllBanks, DramRefresh::kNone}) {
    config.refresh = refresh;
    commands += checked(config, scattered(100000, 64, 33, 5), 32);
    commands += checked(config, scattered(30000, 256, 50, 6), 20);
    commands += checked(config, streams(5000, 4, 1), 32);
  }
  config = DramConfig{};
  config.setting = DramSetting::kContended;
  config.background_pattern = DramPattern::kRandom;
  commands += checked(config, scattered(50000, 64, 33, 7), 24);
  EXPECT_GE(commands, 1000000u);
}

TEST(DramCommands, the_checker_finds_a_constraint_that_is_not_kept) {
  DramConfig table;
  table.t_faw = 80;  // with 64, 4 * tRRD, it never binds
  for (unsigned DramConfig::*timing :
       {&DramConfig::t_rcd, &DramConfig::t_rp, &DramConfig::t_ras, &DramConfig::t_rrd,
        &DramConfig::t_faw, &DramConfig::t_rl, &DramConfig::t_wtr, &DramConfig::t_wr,
        &DramConfig::t_rtp, &DramConfig::t_rfc_pb}) {
    DramConfig hasty = table;
    hasty.*timing -= std::min(8u, hasty.*timing);
    Loop loop(hasty);
    Checker checker(table);
    loop.dram.observe(&checker);
    loop.run(scattered(20000, 64, 33, 5), 32);
    checker.check();
    EXPECT_NE(checker.first_error, "") << "clocks in the table: " << table.*timing;
  }
}

TEST(DramOrder, the_same_requests_are_served_in_the_same_order) {
  const auto list = scattered(20000, 64, 33, 9);
  Loop first(DramConfig{}), second(DramConfig{});
  EXPECT_EQ(first.run(list, 32), second.run(list, 32));
  EXPECT_EQ(first.order, second.order);
}

TEST(DramOrder, no_access_waits_without_bound) {
  // A stream of hits to every bank, and now and then an access to another row, or a write.
  auto list = stream(40000, false);
  for (size_t i = 50; i < list.size(); i += 100) {
    list[i].address += 1u << 29;
    list[i].write = i % 200 == 50;
  }
  Loop loop(DramConfig{});
  loop.run(list, 16);
  ASSERT_EQ(loop.order.size(), list.size());
  size_t most = 0;
  for (size_t place = 0; place < loop.order.size(); ++place)
    most = std::max(most, place - std::min<size_t>(place, loop.order[place]));
  EXPECT_LE(most, 64u + 16 + 16);  // 256 atoms of reads pass a write, then its drain
}

}  // namespace
}  // namespace presil::memory
