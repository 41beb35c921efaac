#include "models/memory/dram.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <vector>

#include "models/memory/memory_core.h"

namespace presil::memory {
namespace {

// 1 GHz: 1000 ps a cycle. 12.8 GB/s: an atom of 64 B in 5 ns. LPDDR4-3200: 29 clocks of 625 ps are
// 18.125 ns (tRCD, tRP).
struct DramTest : ::testing::Test, DramListener {
  void read_decided(uint32_t token, const DramTimes& t) override {
    order.push_back(token);
    times[token] = t;
  }
  void write_decided(uint32_t token) override { order.push_back(token); }
  void read(Cycle now, uint64_t address, unsigned bytes, uint32_t token, uint8_t master = 0) {
    dram->push(now, {address, bytes, false, master, token});
  }
  void write(Cycle now, uint64_t address, unsigned bytes, uint32_t token) {
    dram->push(now, {address, bytes, true, 0, token});
  }
  void run_until(Cycle limit) {
    while (dram->next() <= limit) dram->step(dram->next());
  }
  void remake() { dram = std::make_unique<Dram>(config, 1000, *this); }
  DramConfig config;
  std::unique_ptr<Dram> dram = std::make_unique<Dram>(config, 1000, *this);
  std::map<uint32_t, DramTimes> times;
  std::vector<uint32_t> order;
};

constexpr int64_t kRow = 18125;

TEST_F(DramTest, a_lone_read_opens_its_row_and_has_its_first_atom_after_the_read_latency) {
  read(100, 0x40, 256, 7);
  EXPECT_EQ(dram->next(), 100);
  run_until(119);  // activate at 100, access at 118.125
  EXPECT_EQ(times[7].first_ps, 100000 + kRow + 40000);
  EXPECT_EQ(times[7].atom_ps, 5000);
  EXPECT_EQ(times[7].atoms, 4u);
  EXPECT_EQ(times[7].row_ps, kRow);
  EXPECT_EQ(dram->next(), Dram::kNever);
  read(200, 0x140, 64, 8);  // the row is open
  run_until(200);
  EXPECT_EQ(times[8].first_ps, 200000 + 40000);
  EXPECT_EQ(dram->statistics().row_hits, 1u);
}

TEST_F(DramTest, another_row_of_the_bank_costs_precharge_and_activate) {
  read(0, 0, 64, 0);
  run_until(50);
  // rows 0 and 9: 9 ^ 9 >> 3 = 8, bank 0 both
  const DramMap map(config);
  ASSERT_EQ(map.place(9ull << 15).bank, map.place(0).bank);
  read(100, 9ull << 15, 64, 1);
  run_until(200);
  EXPECT_EQ(times[1].first_ps, 100000 + 2 * kRow + 40000);
  EXPECT_EQ(times[1].row_ps, 2 * kRow);
}

TEST_F(DramTest, the_bus_serves_one_burst_after_another) {
  for (uint32_t i = 0; i < 4; ++i) read(0, 256 * i, 256, i);
  run_until(1000);
  for (uint32_t i = 0; i < 4; ++i) {
    // four atoms of 5 ns before each next burst
    EXPECT_EQ(times[i].first_ps, kRow + 40000 + 20000 * i);
  }
}

TEST_F(DramTest, an_unaligned_burst_pays_for_every_atom_it_touches) {
  EXPECT_EQ(atoms_of(0, 64), 1u);
  EXPECT_EQ(atoms_of(63, 2), 2u);
  EXPECT_EQ(atoms_of(16, 256), 5u);
  read(0, 63, 2, 0);
  read(0, 0, 64, 1);
  run_until(100);
  EXPECT_EQ(times[1].first_ps, kRow + 10000 + 40000);
}

TEST_F(DramTest, reads_and_writes_turn_the_bus_around) {
  read(0, 0, 64, 0);
  run_until(50);
  // the last read at 18.125: a write 30 clocks later at the earliest, a read 39 after that
  read(100, 64, 64, 1);
  dram->step(100);
  write(101, 128, 64, 2);
  EXPECT_EQ(dram->next(), 119);  // 100 + 30 * 0.625 = 118.75
  dram->step(119);
  read(119, 192, 64, 3);
  run_until(300);
  EXPECT_EQ(times[3].first_ps, 100000 + (30 + 39) * 625 + 40000);
  EXPECT_EQ(times[3].turnaround_ps, 100000 + (30 + 39) * 625 - 123750);  // since the bus was free
  EXPECT_EQ(dram->statistics().turnarounds, 2u);
}

TEST_F(DramTest, a_read_in_a_refresh_of_all_banks_waits_for_its_end_and_says_so) {
  config.refresh = DramRefresh::kAllBanks;
  remake();
  // due at 6246 * 0.625 = 3903.75, until 448 * 0.625 = 280 later, then the row
  read(3904 + 10, 0, 64, 0);
  run_until(10000);
  EXPECT_EQ(times[0].first_ps, 3903750 + 280000 + kRow + 40000);
  EXPECT_EQ(times[0].refresh_ps, 3903750 + 280000 + kRow - 3914000);
  EXPECT_EQ(times[0].busy_ps, 0);
}

TEST_F(DramTest, a_refresh_of_one_bank_leaves_the_others_alone) {
  read(490, 0, 64, 0);  // bank 0 is due at 780 * 0.625 = 487.5, for 140
  read(490, 1024, 64, 1);
  run_until(1000);
  EXPECT_EQ(times[0].first_ps, 487500 + 140000 + kRow + 40000);
  EXPECT_EQ(times[1].first_ps, 490000 + kRow + 40000);
}

TEST_F(DramTest, ideal_is_a_latency_and_the_peak) {
  config.setting = DramSetting::kIdeal;
  remake();
  for (uint32_t i = 0; i < 8; ++i) read(3904, i * 123 * 4096, 64, i);
  run_until(10000);
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(times[i].first_ps, 3904000 + 60000 + 5000 * i);
}

TEST_F(DramTest, background_masters_take_time_and_the_same_time_in_every_run) {
  std::array<int64_t, 2> last{};
  std::array<int64_t, 2> busy{};
  config.setting = DramSetting::kContended;
  config.background_mb_per_s = 6400;
  for (unsigned run = 0; run < 2; ++run) {
    remake();
    times.clear();
    for (uint32_t i = 0; i < 4000; ++i) {
      read(60 * i, 256 * i, 256, i, 3);
      dram->step(60 * i);
      busy[run] += times.count(i / 2) != 0 ? times[i / 2].busy_ps : 0;
    }
    run_until(1000000);
    last[run] = times[3999].first_ps;
    // 4.3 of 12.8 B a cycle asked for, 6.4 in its way
    EXPECT_GT(dram->statistics().read_bytes[kBackground], 50000u);
    EXPECT_GT(dram->statistics().written_bytes[kBackground], 50000u);
  }
  EXPECT_EQ(last[0], last[1]);
  EXPECT_EQ(busy[0], busy[1]);
  EXPECT_GT(busy[0], 0);
}

TEST_F(DramTest, two_channels_take_turns_every_256_bytes) {
  config.channels = 2;
  config.peak_mb_per_s = 25600;
  remake();
  for (uint32_t i = 0; i < 4; ++i) read(0, 256 * i, 256, i);
  run_until(1000);
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(times[i].first_ps, kRow + 40000 + 20000 * (i / 2));
}

TEST_F(DramTest, waiting_for_another_master_is_told_from_waiting_for_oneself) {
  config.setting = DramSetting::kIdeal;
  remake();
  read(0, 0, 256, 0, 3);
  read(0, 256, 256, 1, 3);
  read(0, 512, 256, 2, 4);
  run_until(100);
  EXPECT_EQ(times[1].busy_ps, 0);
  EXPECT_EQ(times[1].own_ps, 20000);
  EXPECT_EQ(times[2].busy_ps, 40000);  // two bursts of 20 ns, both of master 3
  EXPECT_EQ(times[2].own_ps, 0);
  read(200, 0, 256, 3, 3);
  dram->step(200);
  read(205, 0, 64, 4, 4);
  run_until(300);
  EXPECT_EQ(times[4].busy_ps, 15000);  // the rest of a burst that was under way
}

TEST_F(DramTest, writes_wait_while_reads_come_until_80_percent_of_their_queue_are_full) {
  for (uint32_t i = 0; i < 24; ++i) write(0, 256 * i, 256, 100 + i);
  for (uint32_t i = 0; i < 32; ++i) read(0, 256 * i, 256, i);
  run_until(19 + 20 * 32);
  EXPECT_EQ(order.at(31), 31u);  // no write among the reads
  run_until(20 * 70);
  EXPECT_EQ(order.back(), 123u);
}

TEST_F(DramTest, a_drain_goes_down_to_20_percent) {
  config.refresh = DramRefresh::kNone;
  remake();
  for (uint32_t i = 0; i < 32; ++i) write(0, 256 * i, 256, 100 + i);
  for (uint32_t i = 0; i < 32; ++i) read(0, 256 * i, 256, i);
  run_until(10000);
  // 25 or more of 32 wait: drain down to 6, then the reads, then the rest
  ASSERT_EQ(order.size(), 64u);
  for (size_t i = 0; i < 26; ++i) EXPECT_EQ(order[i], 100 + i);
  EXPECT_EQ(order[26], 0u);
  EXPECT_EQ(order[57], 31u);
  EXPECT_EQ(order[63], 131u);
}

TEST_F(DramTest, a_drain_is_of_16_atoms_at_least_where_so_many_wait) {
  for (uint32_t i = 0; i < 6; ++i) write(0, 256 * i, 256, 100 + i);
  dram->step(20);  // the first one goes: no read waits
  for (uint32_t i = 0; i < 8; ++i) read(30, 256 * i, 256, i);
  run_until(10000);
  EXPECT_EQ(order, (std::vector<uint32_t>{100, 101, 102, 103, 0, 1, 2, 3, 4, 5, 6, 7, 104, 105}));
}

TEST_F(DramTest, write_idle_holds_writes_back_for_so_long) {
  config.write_idle = 64;  // 40 ns
  remake();
  read(0, 0, 64, 0);
  run_until(50);  // its access was at 18.125
  write(30, 256, 64, 1);
  EXPECT_EQ(dram->next(), 59);
  run_until(1000);
  EXPECT_EQ(order.back(), 1u);
}

TEST_F(DramTest, closed_rows_cost_an_activate_each_and_no_precharge) {
  config.page = DramPage::kClosed;
  config.refresh = DramRefresh::kNone;
  remake();
  read(0, 0, 64, 0);
  run_until(200);
  read(200, 64, 64, 1);  // the same row
  read(500, 9ull << 15, 64, 2);
  run_until(1000);
  EXPECT_EQ(times[1].first_ps, 200000 + kRow + 40000);
  EXPECT_EQ(times[2].first_ps, 500000 + kRow + 40000);
}

TEST_F(DramTest, a_row_that_waits_for_the_same_row_stays_open_when_rows_are_closed) {
  config.page = DramPage::kClosed;
  remake();
  read(0, 0, 64, 0);
  read(0, 64, 64, 1);
  run_until(200);
  EXPECT_EQ(dram->statistics().activates, 1u);
}

TEST_F(DramTest, adaptive_rows_are_closed_after_t_idle) {
  config.page = DramPage::kAdaptive;
  config.t_idle = 160;  // 100 ns
  remake();
  read(0, 0, 64, 0);  // its access ends at 23.125
  run_until(100);
  read(110, 64, 64, 1);  // still open
  run_until(200);
  EXPECT_EQ(times[1].first_ps, 110000 + 40000);
  read(400, 9ull << 15, 64, 2);  // has been closed meanwhile
  run_until(1000);
  EXPECT_EQ(times[2].first_ps, 400000 + kRow + 40000);
}

TEST_F(DramTest, commands_to_rows_go_between_the_column_accesses_of_a_burst) {
  read(0, 0, 256, 0);
  dram->step(19);         // column accesses at 18.125, 23.125, ...: the bus is free 2.5 later
  read(19, 1024, 64, 1);  // bank 1: activate at 20.625, access at 38.75
  run_until(100);
  EXPECT_EQ(times[1].first_ps, 20625 + kRow + 40000);
}

TEST_F(DramTest, a_burst_that_the_map_cuts_leaves_as_one) {
  config.map = "row-col5-bank3-channel-col1";  // two atoms in a row, then the next bank
  remake();
  read(0, 0, 256, 7);
  write(0, 1u << 20, 256, 8);
  run_until(1000);
  EXPECT_EQ(times[7].atoms, 4u);
  EXPECT_EQ(dram->statistics().activates, 4u);
  // the second bank is opened t_RRD, 10 ns, later, its first atom is the third
  EXPECT_EQ(times[7].first_ps, kRow + 40000);
  EXPECT_EQ(order.size(), 2u);
  EXPECT_EQ(dram->statistics().read_bytes[0], 256u);
}

TEST_F(DramTest, hits_pass_an_older_access_to_another_row_64_atoms_long) {
  read(0, 0, 256, 0);
  dram->step(30);
  read(31, 9ull << 15, 64, 1000);  // bank 0, another row
  uint32_t sent = 1;
  while (order.back() != 1000 && sent < 100) {
    read(31 + 20 * sent, 256 * (sent % 4), 256, sent);
    dram->step(31 + 20 * sent);
    ++sent;
  }
  EXPECT_LT(sent, 64 / 4 + 10);
}

TEST_F(DramTest, the_record_counts_bytes_by_master_and_latency) {
  config.setting = DramSetting::kIdeal;
  config.ideal_latency_ps = 40000;
  remake();
  read(0, 0, 100, 0, 3);
  write(0, 0, 50, 1);
  run_until(100);
  EXPECT_EQ(dram->statistics().read_bytes[3], 100u);
  EXPECT_EQ(dram->statistics().total_written_bytes(), 50u);
  EXPECT_EQ(dram->statistics().atoms_read, 2u);
  EXPECT_DOUBLE_EQ(dram->statistics().mean_latency(), 40.0);
  EXPECT_EQ(dram->statistics().latency_percentile(0.95), 40);
}

TEST(MemoryCore, bytes_exist_inside_and_nowhere_else) {
  Sram sram(SramConfig{});
  EXPECT_NE(sram.bytes_at((1 << 20) - 1, 1), nullptr);
  EXPECT_EQ(sram.bytes_at((1 << 20) - 1, 2), nullptr);
  EXPECT_EQ(sram.bytes_at(~uint64_t{0}, 2), nullptr);
  EXPECT_EQ(sram.bank_of(0x1f0), 15u);
  EXPECT_EQ(sram.bank_of(0x100), 0u);
}

TEST(MemoryCore, a_gigabyte_costs_what_is_touched_and_reads_zero) {
  Bytes dram(1ull << 30);
  EXPECT_EQ(*dram.bytes_at((1ull << 30) - 1, 1), 0);
  *dram.bytes_at(12345678, 1) = 9;
  EXPECT_EQ(*dram.bytes_at(12345678, 1), 9);
}

TEST(MemoryCore, system_addresses_are_dram_the_own_sram_window_or_nothing) {
  Sram sram(SramConfig{});
  Bytes dram(1 << 20);
  SystemBytes map(sram, dram, 2);
  const uint64_t window = PRESIL_TILE_BASE(2) + PRESIL_TILE_SRAM;
  EXPECT_EQ(map.bytes_at(window + 5, 1), sram.data() + 5);
  EXPECT_EQ(map.bytes_at(PRESIL_DRAM_BASE + 5, 1), dram.data() + 5);
  EXPECT_EQ(map.slave_of(PRESIL_DRAM_BASE + (1 << 20) - 1, 1), Slave::kDram);
  EXPECT_EQ(map.slave_of(PRESIL_DRAM_BASE + (1 << 20) - 1, 2), Slave::kNone);
  EXPECT_EQ(map.slave_of(window - 1, 1), Slave::kNone);
  EXPECT_EQ(map.slave_of(window + (1 << 20), 1), Slave::kNone);
}

}  // namespace
}  // namespace presil::memory
