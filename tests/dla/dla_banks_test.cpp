// What ports lose at the banks of the SRAM: words of one step, and several DLAs to each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "models/common/bank_load.h"
#include "models/dla/dla_timing.h"

namespace presil::dla {
namespace {

constexpr unsigned kBanks = 16;

// Of 160 words, one a cycle, each meets the other's word of its cycle in 1 of 16 cases: 10 of them.
TEST(DlaBanks, masters_that_meet_lose_half_of_the_cycles_each) {
  BankLoad banks(kBanks);
  EXPECT_EQ(banks.lost(0, 0, 160, 160), 0);
  banks.announce(0, 0, 160, 160);
  EXPECT_EQ(banks.lost(1, 0, 160, 160), 5);
  EXPECT_EQ(banks.lost(0, 160, 320, 160), 5) << "the rest, in what it does next";
  EXPECT_EQ(banks.lost(0, 160, 320, 160), 0) << "once";
}

// 40 of the 160 cycles are shared: 40 / 16 = 2.5 meetings, of which 1.25 are the later one's.
TEST(DlaBanks, only_shared_cycles_count) {
  BankLoad banks(kBanks);
  banks.announce(0, 0, 160, 160);
  EXPECT_EQ(banks.lost(1, 120, 280, 160), 1);
  EXPECT_EQ(banks.lost(1, 120, 280, 160), 1);
  EXPECT_EQ(banks.lost(1, 120, 280, 160), 1);
  EXPECT_EQ(banks.lost(1, 120, 280, 160), 2) << "4 x 1.25 = 5 in all";
}

TEST(DlaBanks, a_master_does_not_meet_itself) {
  BankLoad banks(kBanks);
  banks.announce(0, 0, 160, 160);
  EXPECT_EQ(banks.lost(0, 0, 160, 160), 0);
}

TEST(DlaBanks, debts_end_when_no_stretch_is_left) {
  BankLoad banks(kBanks);
  banks.announce(0, 0, 160, 160);
  EXPECT_EQ(banks.lost(1, 0, 160, 160), 5);
  banks.forget(200);
  EXPECT_EQ(banks.lost(0, 160, 320, 160), 0);
}

TEST(DlaBanks, a_command_that_is_held_ends_later_and_says_why) {
  Command command = Command::make(Op::kNop);
  command.op = Op::kPass;
  command.out_h = command.out_w = command.in_h = command.in_w = 4;
  command.in_blocks = command.out_blocks = 1;
  command.kernel_h = command.kernel_w = command.stride_y = command.stride_x = 1;
  command.dil_y = command.dil_x = command.block_rows = 1;
  const Plan plan(command, DlaConfig());
  Pipeline free, held;
  const Schedule before = schedule(plan, Arrival(), free);
  Schedule after = schedule(plan, Arrival(), held);
  hold(7, after, held);
  EXPECT_EQ(after.end, before.end + 7);
  EXPECT_EQ(after.cycles.total(), before.cycles.total() + 7);
  EXPECT_EQ(after.cycles[Cause::kFeatureBank], before.cycles[Cause::kFeatureBank] + 7);
  const Schedule next = schedule(plan, Arrival(), free),
                 next_held = schedule(plan, Arrival(), held);
  EXPECT_EQ(next_held.end, next.end + 7) << "the next one begins later";
}

// A step reads one word of each of four input blocks, 8 words apart: the fullest bank of the SRAM
// says how many cycles it takes. 3 x 3, 4 blocks to 64 channels, 8 x 16 pixels.
TEST(DlaBanks, cycles_follow_the_words_of_a_step_that_meet) {
  Command c = Command::make(Op::kConv);
  c.kernel_h = c.kernel_w = 3;
  c.in_h = 10;
  c.in_w = 18;
  c.in_blocks = c.out_blocks = 4;
  c.in_x_step = 64 * 16;  // the blocks of a pixel side by side
  c.in_row_pitch = c.in_w * c.in_x_step;
  c.in_cb_pitch = 8 * 16;
  c.out_h = c.block_rows = 8;
  c.out_w = 16;
  c.out_x_step = c.out_lanes_last = 16;
  c.out_row_pitch = 16 * 16;
  c.out_cb_pitch = 8 * 16 * 16;
  c.w_base = 0x40000;
  c.w_cb_pitch = 9 * 256;
  c.w_kb_pitch = 4 * 9 * 256;
  c.p_base = 0x80000;
  c.out_base = 0x90000;
  DlaConfig config;
  config.macs_c = 64;
  const auto cycles_of = [&](unsigned banks) {
    config.banks = banks;
    Pipeline pipeline;
    return schedule(Plan(c, config), Arrival(), pipeline).end;
  };
  const Cycle apart = cycles_of(64);  // weights are waited for, no word meets another
  for (unsigned banks = 4; banks <= 64; banks *= 2) {
    std::vector<unsigned> words(banks);
    unsigned most = 0;
    for (unsigned block = 0; block < 4; ++block) most = std::max(most, ++words[8 * block % banks]);
    const Cycle steps = 4 * 9 * 8 * 16;  // groups of output channels, taps, pixels
    const auto expected = static_cast<double>(apart + steps * (most - 1));
    EXPECT_NEAR(static_cast<double>(cycles_of(banks)), expected, 0.02 * expected) << banks;
  }
}

}  // namespace
}  // namespace presil::dla
