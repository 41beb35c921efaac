#include "models/memory/dram.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "models/memory/memory_core.h"

namespace presil::memory {
namespace {

// 1 GHz: 1000 ps a cycle. 12.8 GB/s: an atom of 64 B in 5 ns.
struct DramTest : ::testing::Test, DramListener {
  void read_decided(uint32_t token, const DramTimes& t) override {
    order.push_back(token);
    times[token] = t;
  }
  void write_decided(uint32_t token) override { order.push_back(token); }
  void read(Cycle now, uint64_t address, unsigned bytes, uint32_t token, uint8_t master = 0) {
    dram.push(now, {address, bytes, false, master, token});
  }
  void write(Cycle now, uint64_t address, unsigned bytes, uint32_t token) {
    dram.push(now, {address, bytes, true, 0, token});
  }
  void run_until(Cycle limit) {
    while (dram.next() <= limit) dram.step(dram.next());
  }
  DramConfig config;
  Dram dram{config, 1000, *this};
  std::map<uint32_t, DramTimes> times;
  std::vector<uint32_t> order;
};

TEST_F(DramTest, a_lone_read_has_its_first_atom_after_the_read_latency) {
  read(100, 0x40, 256, 7);
  EXPECT_EQ(dram.next(), 100);
  dram.step(100);
  EXPECT_EQ(times[7].first_ps, 100000 + 40000);
  EXPECT_EQ(times[7].atom_ps, 5000);
  EXPECT_EQ(times[7].atoms, 4u);
  EXPECT_EQ(dram.next(), Dram::kNever);
}

TEST_F(DramTest, the_bus_serves_one_burst_after_another) {
  for (uint32_t i = 0; i < 4; ++i) read(0, 256 * i, 256, i);
  run_until(1000);
  for (uint32_t i = 0; i < 4; ++i) {
    // four atoms of 5 ns before each next burst
    EXPECT_EQ(times[i].first_ps, 40000 + 20000 * i);
  }
}

TEST_F(DramTest, an_unaligned_burst_pays_for_every_atom_it_touches) {
  EXPECT_EQ(atoms_of(0, 64), 1u);
  EXPECT_EQ(atoms_of(63, 2), 2u);
  EXPECT_EQ(atoms_of(16, 256), 5u);
  read(0, 63, 2, 0);
  read(0, 0, 64, 1);
  run_until(100);
  EXPECT_EQ(times[1].first_ps, 10000 + 40000);
}

TEST_F(DramTest, streaming_gets_the_peak_less_refresh) {
  // Keep the bus full for 100 refresh intervals of 3904 cycles.
  uint32_t token = 0;
  Cycle now = 0;
  const Cycle end = 100 * 3904;
  uint64_t bytes = 0;
  while (now < end) {
    read(now, 256ull * token, 256, token);
    ++token;
    now = dram.next();
    dram.step(now);
    bytes += 256;
  }
  const double got = static_cast<double>(bytes) / static_cast<double>(end);
  EXPECT_NEAR(got, 12.8 * (1 - 280.0 / 3904), 0.02);  // 11.88; 99 or 100 refreshes in 100 intervals
  EXPECT_NEAR(static_cast<double>(dram.statistics().refreshes), 100, 1);
}

TEST_F(DramTest, a_read_in_a_refresh_waits_for_its_end_and_says_so) {
  read(3904 + 10, 0, 64, 0);
  run_until(10000);
  EXPECT_EQ(times[0].first_ps, (3904 + 280 + 40) * 1000);
  EXPECT_EQ(times[0].refresh_ps, 270 * 1000);
  EXPECT_EQ(times[0].busy_ps, 0);
  read(2 * 3904 + 280, 0, 64, 1);  // first cycle after the next one
  run_until(20000);
  EXPECT_EQ(times[1].refresh_ps, 0);
}

TEST_F(DramTest, waiting_behind_another_master_is_told_from_waiting_behind_oneself) {
  read(0, 0, 256, 0, 3);
  read(0, 256, 256, 1, 3);
  read(0, 512, 256, 2, 4);
  run_until(100);
  EXPECT_EQ(times[1].busy_ps, 0);
  EXPECT_EQ(times[2].busy_ps, 40000);  // two bursts of 20 ns, both of master 3
  read(200, 0, 256, 3, 3);
  dram.step(200);
  read(205, 0, 64, 4, 4);
  run_until(300);
  EXPECT_EQ(times[4].busy_ps, 15000);  // the rest of a burst that was under way
}

TEST_F(DramTest, writes_wait_while_reads_come_until_three_quarters_of_their_queue_are_full) {
  for (uint32_t i = 0; i < 11; ++i) write(0, 256 * i, 256, 100 + i);
  for (uint32_t i = 0; i < 40; ++i) read(0, 256 * i, 256, i);
  dram.step(0);
  EXPECT_EQ(order.front(), 0u);
  run_until(20 * 39);
  EXPECT_EQ(order.back(), 39u);  // no write among the reads
  run_until(20 * 51);
  EXPECT_EQ(order.back(), 110u);
}

TEST_F(DramTest, neither_side_starves_the_other) {
  for (uint32_t i = 0; i < 16; ++i) write(0, 256 * i, 256, 100 + i);
  for (uint32_t i = 0; i < 32; ++i) read(0, 256 * i, 256, i);
  run_until(10000);
  // 12 or more writes wait: drain down to 2, then the reads, then the rest
  ASSERT_EQ(order.size(), 48u);
  for (size_t i = 0; i < 14; ++i) EXPECT_EQ(order[i], 100 + i);
  EXPECT_EQ(order[14], 0u);
  EXPECT_EQ(order[45], 31u);
  EXPECT_EQ(order[47], 115u);
}

TEST_F(DramTest, the_record_counts_bytes_by_master_and_latency) {
  read(0, 0, 100, 0, 3);
  write(0, 0, 50, 1);
  run_until(100);
  EXPECT_EQ(dram.statistics().read_bytes[3], 100u);
  EXPECT_EQ(dram.statistics().total_written_bytes(), 50u);
  EXPECT_EQ(dram.statistics().atoms_read, 2u);
  EXPECT_DOUBLE_EQ(dram.statistics().mean_latency(), 40.0);
  EXPECT_EQ(dram.statistics().latency_percentile(0.95), 40);
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
