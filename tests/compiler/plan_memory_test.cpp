#include <gtest/gtest.h>

#include <random>

#include "compiler_bridge/plan/memory.h"

namespace presil::plan {
namespace {

std::vector<Buffer> random_buffers(std::mt19937& random) {
  const auto upto = [&](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n + 1));
  };
  std::vector<Buffer> buffers(static_cast<size_t>(1 + upto(60)));
  for (Buffer& b : buffers) {
    b.bytes = static_cast<uint64_t>(16 * (1 + upto(300)));
    b.align = 16u << upto(4);
    b.first = upto(40);
    b.last = b.first + upto(8);
  }
  return buffers;
}

TEST(PlanMemory, buffers_of_the_head_and_of_the_tail_lie_apart) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const auto buffers = random_buffers(random);
    const Apart ends{1 + static_cast<int>(random() % 5), 35 + static_cast<int>(random() % 5)};
    const Placing placing = place_buffers(buffers, UINT64_MAX, ends);
    for (size_t i = 0; i < buffers.size(); ++i) {
      for (size_t j = 0; j < buffers.size(); ++j) {
        const bool together =
            (buffers[i].first <= buffers[j].last && buffers[j].first <= buffers[i].last) ||
            (buffers[i].first < ends.before && buffers[j].last >= ends.from);
        const bool apart = placing.offsets[i] + buffers[i].bytes <= placing.offsets[j] ||
                           placing.offsets[j] + buffers[j].bytes <= placing.offsets[i];
        EXPECT_TRUE(i == j || !together || apart) << "trial " << trial << ": " << i << " and " << j;
      }
    }
  }
}

// 100 bytes in step 0 and 100 in step 9 take 100 bytes, unless they lie apart.
TEST(PlanMemory, without_ends_apart_the_tail_uses_the_bytes_of_the_head) {
  const std::vector<Buffer> buffers = {{100, 4, 0, 0}, {100, 4, 9, 9}};
  EXPECT_EQ(place_buffers(buffers).peak, 100u);
  EXPECT_EQ(place_buffers(buffers, UINT64_MAX, {1, 9}).peak, 200u);
  EXPECT_EQ(place_buffers(buffers, UINT64_MAX, {1, 10}).peak, 100u);
  EXPECT_EQ(place_buffers(buffers, UINT64_MAX, {0, 9}).peak, 100u);
}

TEST(PlanMemory, buffers_that_live_together_never_share_a_byte) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const auto buffers = random_buffers(random);
    const Placing placing = place_buffers(buffers);
    for (size_t i = 0; i < buffers.size(); ++i) {
      EXPECT_EQ(placing.offsets[i] % buffers[i].align, 0u);
      EXPECT_LE(placing.offsets[i] + buffers[i].bytes, placing.peak);
      for (size_t j = 0; j < i; ++j) {
        const bool together =
            buffers[i].first <= buffers[j].last && buffers[j].first <= buffers[i].last;
        const bool apart = placing.offsets[i] + buffers[i].bytes <= placing.offsets[j] ||
                           placing.offsets[j] + buffers[j].bytes <= placing.offsets[i];
        EXPECT_TRUE(!together || apart) << "trial " << trial << ": " << i << " and " << j;
      }
    }
  }
}

TEST(PlanMemory, peak_is_never_below_the_highest_pressure) {
  std::mt19937 random(2);
  double sum = 0;
  const int trials = 300;
  for (int trial = 0; trial < trials; ++trial) {
    const auto buffers = random_buffers(random);
    const uint64_t peak = place_buffers(buffers).peak, pressure = highest_pressure(buffers).bytes;
    EXPECT_GE(peak, pressure);
    sum += static_cast<double>(peak) / static_cast<double>(pressure);
  }
  EXPECT_LT(sum / trials, 1.15) << "first fit wastes more than it used to";
}

TEST(PlanMemory, buffers_one_after_another_take_the_same_bytes) {
  // 3 x 100 B at steps 0, 1, 2: all at 0.
  const Placing placing = place_buffers({{100, 16, 0, 0}, {100, 16, 1, 1}, {100, 16, 2, 2}});
  EXPECT_EQ(placing.peak, 100u);
}

TEST(PlanMemory, highest_pressure_names_the_step) {
  // step 1: 100 + 50
  const Pressure pressure = highest_pressure({{100, 16, 0, 1}, {50, 16, 1, 2}, {60, 16, 2, 2}});
  EXPECT_EQ(pressure.step, 1);
  EXPECT_EQ(pressure.bytes, 150u);
}

}  // namespace
}  // namespace presil::plan
