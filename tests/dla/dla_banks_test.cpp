// What several DLAs lose to each other at the banks of one SRAM.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace presil::dla
