#include "models/memory/dram_traffic.h"

#include <gtest/gtest.h>

#include <numeric>

namespace presil::memory {
namespace {

TEST(DramTraffic, a_burst_in_one_bin_is_all_there) {
  DramTraffic traffic(1000);
  traffic.add(1000, 1000, 256);
  EXPECT_EQ(traffic.bytes(), (std::vector<uint64_t>{0, 256}));
}

TEST(DramTraffic, a_burst_over_bins_is_cut_by_time_and_nothing_is_lost) {
  DramTraffic traffic(1000);
  // 300 of 2500 ps, then 1000, then 1000, then 200: 256 * 300 / 2500 = 30, * 1300 = 133, ...
  traffic.add(700, 2500, 256);
  EXPECT_EQ(traffic.bytes(), (std::vector<uint64_t>{30, 103, 102, 21}));
}

TEST(DramTraffic, a_later_channel_may_be_a_little_late) {
  DramTraffic traffic(1000);
  traffic.add(5000, 500, 64);
  traffic.add(4600, 400, 64);
  EXPECT_EQ(traffic.bytes(), (std::vector<uint64_t>{0, 0, 0, 0, 64, 64}));
}

TEST(DramTraffic, bins_that_are_full_become_half_as_many) {
  DramTraffic traffic(1000);
  const auto last = static_cast<int64_t>(DramTraffic::kBins) * 1000;
  for (int64_t at = 0; at < last; at += 1000) traffic.add(at, 1000, 64);
  EXPECT_EQ(traffic.bin_ps(), 1000);
  EXPECT_EQ(traffic.bytes().size(), DramTraffic::kBins);
  traffic.add(last, 1000, 64);
  EXPECT_EQ(traffic.bin_ps(), 2000);
  const std::vector<uint64_t> bytes = traffic.bytes();
  EXPECT_EQ(bytes.size(), DramTraffic::kBins / 2 + 1);
  EXPECT_EQ(bytes.front(), 128u);
  EXPECT_EQ(bytes.back(), 64u);
  EXPECT_EQ(std::accumulate(bytes.begin(), bytes.end(), uint64_t{0}),
            64 * (DramTraffic::kBins + 1));
}

TEST(DramTraffic, a_first_burst_far_ahead_finds_its_bin) {
  DramTraffic traffic(1000);
  traffic.add(int64_t{1} << 40, 1000, 64);
  EXPECT_EQ(traffic.bytes().back(), 64u);
  EXPECT_GE(traffic.bytes().size(), DramTraffic::kBins / 2);
}

}  // namespace
}  // namespace presil::memory
