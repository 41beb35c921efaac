#include <gtest/gtest.h>

#include "compiler_bridge/plan/memory_streams.h"
#include "compiler_bridge/plan/view.h"

namespace presil::plan {
namespace {

SocConfig with_rate(unsigned mb_per_s) {
  SocConfig config;
  config.dram.peak_mb_per_s = mb_per_s;
  return config;
}

/// Of all time, each bank is refreshed 224 of 8 x 780 cycles, the one that a stream is in as
/// others.
constexpr double kRefreshed = 224.0 / (8 * 780);

/// Within 3 %: bursts on their way at both ends, and what a sample does not see.
void expect_near(Cycle cycles, double without_refreshes) {
  const double expected = without_refreshes / (1 - kRefreshed);
  EXPECT_NEAR(double(cycles), expected, 0.03 * expected);
}

TEST(PlanMemoryStreams, a_memory_without_refreshes_loses_nothing_to_them) {
  SocConfig config = with_rate(3200);
  config.dram.refresh = DramRefresh::kNone;
  MemoryStreams memory(config);
  EXPECT_NEAR(double(memory.reading(100000)), 31250, 31250 * 0.01);
  config.dram.refresh = DramRefresh::kAllBanks;
  MemoryStreams all(config);
  const double lost = double(config.dram.t_rfc_ab) / double(config.dram.t_refi);
  EXPECT_NEAR(double(all.reading(100000)), 31250 / (1 - lost), 31250 * 0.01);
}

// A slow memory hides its rows: 100,000 bytes at 3.2 bytes a cycle.
TEST(PlanMemoryStreams, long_rows_take_their_bytes_over_the_peak_rate) {
  MemoryStreams memory(with_rate(3200));
  expect_near(memory.reading(Rows::dense(), 100000), 31250);
  expect_near(memory.writing(Rows::dense(), 100000), 31250);
  expect_near(memory.cycles(Rows::dense(), 50000, Rows::dense(), 50000), 31250);
}

// The DMA's port takes a word a cycle, a burst of 16 words that is stored 4 cycles more.
TEST(PlanMemoryStreams, a_fast_memory_waits_for_the_port_of_the_sram) {
  MemoryStreams memory(with_rate(25600));
  expect_near(memory.reading(Rows::dense(), 100000), 100000.0 / 16);
  expect_near(memory.writing(Rows::dense(), 100000), 100000.0 / 16 * 20 / 16);
  // Of 24 channels, two words each, a burst holds 10 2/3 pixels: it touches 22 words.
  expect_near(memory.reading(Rows::of_pixels(24, 24), 96000), 96000.0 / 256 * 22);
}

// 16 bytes of a pixel are an atom of 64.
TEST(PlanMemoryStreams, short_rows_take_the_atoms_that_they_touch) {
  MemoryStreams memory(with_rate(3200));
  expect_near(memory.reading(Rows::of_pixels(16, 512), 16000), 64000 / 3.2);
  expect_near(memory.writing(Rows::of_pixels(16, 512), 16000), 64000 / 3.2);
  // 160 of 320 begin at 0 or 32 of an atom: 3 atoms each.
  expect_near(memory.reading(Rows::of_pixels(160, 320), 160000), 1000 * 192 / 3.2);
}

TEST(PlanMemoryStreams, reads_and_writes_of_short_rows_close_each_others_rows) {
  MemoryStreams memory(with_rate(12800));
  const Rows rows = Rows::of_pixels(160, 320);
  EXPECT_GT(memory.cycles(rows, 80000, rows, 80000),
            memory.reading(rows, 80000) + memory.writing(rows, 80000));
}

View half_of_rows(uint64_t base) {
  View view;
  view.base = base;
  view.row_pitch = 160 * 16, view.rows = 3, view.columns = 80;
  return view;
}

// Else the second half's writer would wait for the first half's reader.
TEST(PlanView, halves_of_rows_share_no_byte) {
  for (const Access& left : accesses(half_of_rows(0), Gate::kOut, true)) {
    EXPECT_EQ(left.end - left.begin, 80u * 16);
    for (const Access& right : accesses(half_of_rows(80 * 16), Gate::kIn, false)) {
      EXPECT_TRUE(left.end <= right.begin || right.end <= left.begin);
    }
  }
}

TEST(PlanView, padding_of_rows_cuts_no_span) {
  View view;
  view.row_pitch = 17 * 16, view.rows = 16, view.columns = 16;
  const std::vector<Access> spans = accesses(view, Gate::kIn, false);
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans.front().end, 15u * 17 * 16 + 16 * 16);
}

}  // namespace
}  // namespace presil::plan
