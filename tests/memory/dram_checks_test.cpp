// Every command that the controller sends against the data sheet, and the bounds of its order.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "models/soc/dram_presets.h"
#include "tests/memory/dram_loop.h"

namespace presil::memory {
namespace {

/// Holds every command against every constraint of the table, from the log alone.
class Checker : public DramObserver {
 public:
  explicit Checker(const DramConfig& config)
      : c(config), m_map(config), m_channels(config.channels, Channel(m_map)) {}

  void command(const DramCommand& k) override {
    DramCommand one = k;  // column accesses one by one
    for (unsigned i = 0; i < std::max(1u, k.atoms); ++i) {
      m_log.push_back(one);
      one.at_ps += k.spaced_ps;
    }
  }

  /// @return commands checked
  size_t check() {
    std::stable_sort(m_log.begin(), m_log.end(),
                     [](const auto& a, const auto& b) { return a.at_ps < b.at_ps; });
    for (const DramCommand& k : m_log) check(k);
    return m_log.size();
  }
  std::string first_error;

 private:
  static constexpr int64_t kLong = -1000000000;
  struct BankLog {
    bool open = false;
    uint32_t row = 0;
    int64_t activate = kLong, precharge = kLong, read = kLong, write = kLong, refresh = kLong;
  };
  struct GroupLog {
    int64_t activate = kLong, read = kLong, write = kLong;
  };
  struct Channel {
    explicit Channel(const DramMap& map) : banks(map.banks()), groups(map.groups()) {}
    std::vector<BankLog> banks;
    std::vector<GroupLog> groups;
    std::array<int64_t, 4> activates{kLong, kLong, kLong, kLong};
    int64_t read = kLong, write = kLong;
    std::array<int64_t, 2> commands{kLong, kLong};  // end of the last one, by bus
  };

  void wait_since(const DramCommand& k, int64_t since, int64_t clocks, const char* what) {
    require(k, k.at_ps >= since + clocks * c.clock_ps, what);
  }
  void require(const DramCommand& k, bool good, const char* what) {
    if (!good && first_error.empty())
      first_error = std::string(what) + " at " + std::to_string(k.at_ps) + " ps, bank " +
                    std::to_string(k.bank);
  }

  /// No two commands have the bus at the same time.
  void take_bus(const DramCommand& k, Channel& channel, unsigned clocks) {
    const bool column = k.kind == DramCommand::kRead || k.kind == DramCommand::kWrite;
    int64_t& end = channel.commands[c.command_buses == 2 && column];
    require(k, k.at_ps >= end, "the command bus");
    end = k.at_ps + int64_t{clocks} * c.clock_ps;
  }

  void check(const DramCommand& k) {
    Channel& channel = m_channels.at(k.channel);
    BankLog& b = channel.banks.at(k.bank);
    GroupLog& group = channel.groups.at(k.bank % channel.groups.size());
    const int64_t atom_ps = int64_t{kAtomBytes} * 1000000 * c.channels / c.peak_mb_per_s;
    const int64_t atom = atom_ps / c.clock_ps, written = int64_t{c.t_wl} + c.t_dqss + atom;
    if (k.kind != DramCommand::kRefresh || c.refresh != DramRefresh::kAllBanks)
      wait_since(k, b.refresh, c.refresh == DramRefresh::kPerBank ? c.t_rfc_pb : c.t_rfc_ab,
                 "tRFC");
    switch (k.kind) {
      case DramCommand::kActivate:
        take_bus(k, channel, c.command_activate);
        require(k, !b.open, "activate of an open bank");
        wait_since(k, b.precharge, c.t_rp, "tRP");
        wait_since(k, b.activate, c.t_ras + c.t_rp, "tRC");
        wait_since(k, channel.activates[3], c.t_rrd, "tRRD");
        wait_since(k, group.activate, c.t_rrd_l, "tRRD_L");
        wait_since(k, channel.activates[0], c.t_faw, "tFAW");
        std::rotate(channel.activates.begin(), channel.activates.begin() + 1,
                    channel.activates.end());
        channel.activates[3] = b.activate = group.activate = k.at_ps;
        b.open = true;
        b.row = k.row;
        break;
      case DramCommand::kPrecharge:
        take_bus(k, channel, c.command_precharge);
        [[fallthrough]];
      case DramCommand::kAutoPrecharge:
        require(k, b.open, "precharge of a closed bank");
        wait_since(k, b.activate, c.t_ras, "tRAS");
        wait_since(k, b.read, c.t_rtp, "tRTP");
        wait_since(k, b.write, written + c.t_wr, "tWR");
        b.open = false;
        b.precharge = k.at_ps;
        break;
      case DramCommand::kRead:
      case DramCommand::kWrite: {
        const bool write = k.kind == DramCommand::kWrite;
        take_bus(k, channel, c.command_column);
        require(k, b.open && b.row == k.row, "access to a row that is not open");
        wait_since(k, b.activate, c.t_rcd, "tRCD");
        wait_since(k, std::max(channel.read, channel.write), atom, "tCCD");
        wait_since(k, write ? group.write : group.read, c.t_ccd_l, "tCCD_L");
        if (write) {
          wait_since(k, channel.read, int64_t{c.t_rl} + c.t_dqsck + atom + 2 - c.t_wl,
                     "read to write");
        } else {
          wait_since(k, channel.write, written + c.t_wtr, "write to read");
          wait_since(k, group.write, written + c.t_wtr_l, "write to read in a bank group");
        }
        (write ? b.write : b.read) = k.at_ps;
        (write ? group.write : group.read) = k.at_ps;
        (write ? channel.write : channel.read) = k.at_ps;
        break;
      }
      case DramCommand::kRefresh: {
        require(k, !b.open, "refresh of an open bank");
        wait_since(k, b.precharge, c.t_rp, "tRP before refresh");
        const int64_t every = c.refresh == DramRefresh::kPerBank
                                  ? int64_t{c.t_refi_pb} * static_cast<int64_t>(m_map.banks())
                                  : c.t_refi;
        // late by the burst under way and its write recovery, and no more
        require(k, b.refresh == kLong || k.at_ps < b.refresh + (every + 300) * c.clock_ps, "tREFI");
        b.refresh = k.at_ps;
        break;
      }
    }
  }

  DramConfig c;
  DramMap m_map;
  std::vector<DramCommand> m_log;
  std::vector<Channel> m_channels;
};

/// @return commands
size_t checked(const DramConfig& config, const std::vector<Master>& masters) {
  ModelLoop loop(config);
  Checker checker(config);
  loop.dram.observe(&checker);
  loop.run(masters);
  const size_t commands = checker.check();
  EXPECT_EQ(checker.first_error, "");
  return commands;
}

/// Streams, random and rows; about four commands for each of `bursts`.
std::vector<Master> everything(size_t bursts, unsigned seed) {
  return {{stream(bursts / 4, false), 8},
          {stream(bursts / 8, true, 1u << 24), 8},
          {scattered(bursts / 2, 64, 33, seed), 12},
          {scattered(bursts / 4, 256, 50, seed + 1), 8}};
}

TEST(DramCommands, every_preset_keeps_every_constraint) {
  const bool all = std::getenv("PRESIL_ALL") != nullptr;
  for (const DramPreset& preset : dram_presets()) {
    SCOPED_TRACE(preset.name);
    size_t commands = 0;
    for (unsigned seed = 1; commands < (all ? 10000000u : 500000u); ++seed)
      commands += checked(memory_of(preset.name), everything(100000, seed));
  }
}

TEST(DramCommands, so_do_all_policies) {
  for (const char* setting : {"refresh=per_bank", "refresh=all_banks", "refresh=none",
                              "page=closed", "page=adaptive", "write_idle=64", "channels=2"}) {
    SocConfig soc;
    SCOPED_TRACE(setting);
    const std::string text = setting;
    const size_t equals = text.find('=');
    set_parameter(soc, "dram." + text.substr(0, equals), text.substr(equals + 1));
    if (soc.dram.channels == 2) soc.dram.peak_mb_per_s *= 2;
    checked(soc.dram, everything(30000, 5));
    soc.dram.setting = DramSetting::kContended;
    soc.dram.background_pattern = DramPattern::kRandom;
    checked(soc.dram, everything(10000, 7));
  }
}

TEST(DramCommands, the_checker_finds_a_constraint_that_is_not_kept) {
  const auto finds = [](const DramConfig& table, unsigned DramConfig::*timing) {
    DramConfig hasty = table;
    hasty.*timing -= std::min(std::max(1u, table.*timing / 2), hasty.*timing);
    ModelLoop loop(hasty);
    Checker checker(table);
    loop.dram.observe(&checker);
    loop.run(everything(20000, 5));
    checker.check();
    EXPECT_NE(checker.first_error, "") << "clocks in the table: " << table.*timing;
  };
  DramConfig table;
  table.t_faw = 80;  // with 64, 4 * tRRD, it never binds
  for (unsigned DramConfig::*timing :
       {&DramConfig::t_rcd, &DramConfig::t_rp, &DramConfig::t_ras, &DramConfig::t_rrd,
        &DramConfig::t_faw, &DramConfig::t_rl, &DramConfig::t_wtr, &DramConfig::t_wr,
        &DramConfig::t_rtp, &DramConfig::t_rfc_pb, &DramConfig::command_activate,
        &DramConfig::command_precharge, &DramConfig::command_column})
    finds(table, timing);
  for (unsigned DramConfig::*timing :
       {&DramConfig::t_ccd_l, &DramConfig::t_rrd_l, &DramConfig::t_wtr_l, &DramConfig::t_rfc_ab})
    finds(memory_of("ddr4_2400"), timing);
}

TEST(DramCommands, the_command_bus_bounds_the_bandwidth) {
  DramConfig config;
  config.refresh = DramRefresh::kNone;
  config.command_column = 20;  // of 8 clocks that the data take
  const int64_t clocks = ModelLoop(config).run({{stream(1000, false), 16}});
  EXPECT_GE(clocks, 4000 * 20);
  EXPECT_LE(clocks, 4000 * 20 + 63 * (29 + 29 + 20) + 100);  // at most a row's opening each 4 KiB
  // Of 64 B each with a row of its own a command of each kind: no more than the bus has clocks.
  config = DramConfig{};
  config.refresh = DramRefresh::kNone;
  config.t_rrd = config.t_faw = 0;
  EXPECT_GE(ModelLoop(config).run({{scattered(20000, 64, 0), 32}}), 20000 * (4 + 2 + 4) * 99 / 100);
}

TEST(DramOrder, the_same_requests_are_served_in_the_same_order) {
  const std::vector<Master> masters = everything(20000, 9);
  ModelLoop first(DramConfig{}), second(DramConfig{});
  EXPECT_EQ(first.run(masters), second.run(masters));
  EXPECT_EQ(first.order, second.order);
}

TEST(DramOrder, no_access_waits_without_bound) {
  // A stream of hits to every bank, and now and then an access to another row, or a write.
  auto list = stream(40000, false);
  for (size_t i = 50; i < list.size(); i += 100) {
    list[i].address += 1u << 29;
    list[i].write = i % 200 == 50;
  }
  ModelLoop loop(DramConfig{});
  loop.run({{list, 16}});
  ASSERT_EQ(loop.order.size(), list.size());
  size_t most = 0;
  for (size_t place = 0; place < loop.order.size(); ++place)
    most = std::max(most, place - std::min<size_t>(place, loop.order[place]));
  EXPECT_LE(most, 256u + 16 + 16);  // 1,024 atoms of reads pass a write, then its drain
}

}  // namespace
}  // namespace presil::memory
