// Cycles that a reader can add up from pool_timing.h.
#include "pool_timing.h"

#include <gtest/gtest.h>

#include "pool_cases.h"

namespace presil::pool::test {
namespace {

TEST(PoolTiming, ANopTakesOneCycle) {
  EXPECT_EQ(estimate(Command::make(Op::kNop)), 1);
}

TEST(PoolTiming, OneResultOfFourTaps) {
  // port at 2, taps 2 3 4 5, result written 5 + 8 = 13, end 14
  EXPECT_EQ(estimate(window(Op::kMax, 2, 2, 2, 2, 0, 1).command), 14);
}

TEST(PoolTiming, ResultsAreWrittenBetweenTaps) {
  // taps of 64 results: 256; 62 results written before the last tap, at 2 + 255 + 62 = 319; the
  // last result 8 later, the end one after that
  EXPECT_EQ(estimate(window(Op::kMax, 16, 16, 2, 2, 0, 1).command), 328);
}

TEST(PoolTiming, TapsOutsideTheImageCostNothing) {
  // 3 x 3 with padding 1 on 3 x 3: 4 corners of 4 taps, 4 edges of 6, one of 9: 49 taps
  const Case k = window(Op::kMax, 3, 3, 3, 1, 1, 1);
  Timing timing(k.command, 0, nullptr);
  while (timing.row()) {
  }
  // Before the last tap, results 1 to 7 are written, all but the last two: 2 + 48 + 7 = 57; the
  // last result is written in 65, the end is 66.
  EXPECT_EQ(timing.end(), 66);
  EXPECT_EQ(timing.words_read(), 49u);
  EXPECT_EQ(timing.words_written(), 9u);
}

TEST(PoolTiming, TablesComeFirst) {
  // columns 1 word, rows 1 word: port at 2, 3; rest 4; taps 5 6 7 8, result 16, end 17
  EXPECT_EQ(estimate(resize(Op::kBilinear, {2, 1}, {2, 1}, 1).command), 17);
}

TEST(PoolTiming, ABusySramCostsItsShare) {
  // Half of all accesses lose: each word takes two cycles on average.
  BankLoad banks(16);
  banks.announce(0, 0, 1 << 20, uint64_t{8} << 20);
  const Command c = window(Op::kMax, 64, 64, 2, 2, 0, 1).command;
  Shares shares(banks);
  Timing timing(c, 0, &shares);
  while (timing.row()) {
  }
  const Cycle end = timing.end();
  EXPECT_NEAR(static_cast<double>(end) / static_cast<double>(estimate(c)), 2.0, 0.02);
}

}  // namespace
}  // namespace presil::pool::test
