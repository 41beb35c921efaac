// rtl/common's stream_fifo and stream_register under random pushes, pops, clears and resets,
// against a queue and one entry.
#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <random>

#include "Vstream_top.h"

namespace {

constexpr size_t kDepth = 3;

TEST(RtlStream, fifo_and_register_are_a_queue_and_a_place_in_every_cycle) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    std::mt19937 random(seed);
    VerilatedContext context;
    context.randReset(2);
    context.randSeed(static_cast<int>(seed));
    Vstream_top dut(&context);
    std::deque<uint32_t> fifo;
    std::optional<uint32_t> place;
    unsigned passed = 0;
    dut.clk_i = 0;
    dut.rst_ni = 1;  // reset is an edge: a line that is low from the beginning has none
    dut.eval();
    for (int cycle = 0; cycle < 20000; ++cycle) {
      const unsigned busy = 1 + cycle / 500 % 4;  // back-pressure changes, so that it fills
      dut.rst_ni = cycle >= 2 && random() % 1000 != 0;
      dut.clear_i = random() % 200 == 0;
      dut.in_valid_i = random() % 2 == 0;
      dut.in_data_i = random();
      dut.out_ready_i = random() % busy == 0;
      dut.eval();
      if (!dut.rst_ni) {
        fifo.clear();
        place.reset();
      }
      ASSERT_EQ(dut.in_ready_o != 0, fifo.size() < kDepth) << "seed " << seed << " cycle " << cycle;
      ASSERT_EQ(dut.count_o, fifo.size()) << "seed " << seed << " cycle " << cycle;
      ASSERT_EQ(dut.out_valid_o != 0, place.has_value()) << "seed " << seed << " cycle " << cycle;
      if (place) {
        ASSERT_EQ(dut.out_data_o, *place) << "seed " << seed << " cycle " << cycle;
      }

      const bool push = dut.in_valid_i && fifo.size() < kDepth;
      if (!place || dut.out_ready_i) {
        passed += place.has_value();
        place.reset();
        if (!fifo.empty()) {
          place = fifo.front();
          fifo.pop_front();
        }
      }
      if (push) fifo.push_back(dut.in_data_i);
      if (dut.clear_i || !dut.rst_ni) {
        fifo.clear();
        place.reset();
      }
      dut.clk_i = 1;
      dut.eval();
      dut.clk_i = 0;
      dut.eval();
    }
    EXPECT_GT(passed, 1000u);
  }
}

}  // namespace
