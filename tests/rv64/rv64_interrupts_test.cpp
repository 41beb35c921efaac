// Interrupts by hand: CLINT, the external line, order, masks, vectors, sleep.
#include <gtest/gtest.h>

#include "tests/rv64/rv64_machine.h"

namespace presil::rv64 {
namespace {

using dsp::Assembler;

constexpr uint64_t kInterrupt = uint64_t{1} << 63;

// x11: CLINT. x15: mtimecmp.
void set_timer(Assembler& a, int32_t at) {
  a.li(14, 0x4000);
  a("add", {15, 11, 14});
  a.li(14, at);
  a("sd", {14, 0, 15});
}

TEST(Rv64Interrupts, the_timer_interrupts_a_loop_in_the_block_that_passes_its_cycle) {
  Machine64 m;
  Assembler h(Machine64::kHandler);  // ends it
  h("csrrs", {20, kMepc, 0});
  h("csrrs", {21, kMcause, 0});
  h("csrrs", {7, kCycle, 0});
  h("csrrwi", {0, kMie, 0});
  h("addi", {24, 24, 1});
  h("csrrs", {25, kMepc, 0});
  h("addi", {25, 25, 8});
  h("csrrw", {0, kMepc, 25});
  h.word(kMretWord);
  m.set_handler(h);
  Assembler a = Machine64::begun();
  set_timer(a, 1000);
  a("addi", {6, 0, 128});
  a("csrrw", {0, kMie, 6});
  a("csrrwi", {0, kMstatus, 8});
  const uint64_t loop = a.here();
  a("addi", {9, 9, 1});
  a("jal", {0, -4});
  a("addi", {6, 0, 77});
  EXPECT_EQ(m.run(a).reason, Reason::kWait);
  EXPECT_EQ(m.x(21), kInterrupt | 7);
  EXPECT_EQ(m.x(20), loop);
  EXPECT_EQ(m.x(6), 77u);
  EXPECT_EQ(m.x(24), 1u);
  // A turn of the loop is 2 + 2 cycles; entry 4; the third instruction of the handler reads.
  EXPECT_GE(m.x(7), 1000u + 4 + 2);
  EXPECT_LE(m.x(7), 1000u + 4 + 2 + 3);
}

TEST(Rv64Interrupts, sleep_ends_in_the_cycle_of_the_timer_although_masked) {
  Machine64 m;
  Assembler a = Machine64::begun();
  set_timer(a, 5000);
  a("addi", {6, 0, 128});
  a("csrrw", {0, kMie, 6});  // mstatus.MIE stays 0
  a.word(kWfiWord);
  a("csrrs", {7, kCycle, 0});
  a("csrrs", {8, kMip, 0});
  a("csrrwi", {0, kMie, 0});
  EXPECT_EQ(m.run(a).reason, Reason::kWait);
  EXPECT_TRUE(m.core.sleeping());
  EXPECT_EQ(m.core.next_event(), 5000u);
  EXPECT_LT(m.core.cycle(), 100u);  // awake only
  m.core.run_until(10000);
  EXPECT_EQ(m.x(7), 5000u);
  EXPECT_EQ(m.x(8), 128u);
  EXPECT_EQ(m.x(24), 0u);
  EXPECT_EQ(m.core.cycle(), 10000u);  // it sleeps again, and its time passes
}

TEST(Rv64Interrupts, pending_ones_are_taken_in_the_order_external_software_timer) {
  constexpr uint64_t kOrder[] = {11, 3, 7};
  constexpr int32_t kEnabled[] = {0x888, 0x088, 0x080};
  for (unsigned i = 0; i < 3; ++i) {
    Machine64 m;
    m.core.set_interrupt(true);
    Assembler h(Machine64::kHandler);
    h("csrrs", {20, kMepc, 0});
    h("csrrs", {21, kMcause, 0});
    h("csrrs", {22, kMip, 0});
    h("csrrwi", {0, kMie, 0});
    h.word(kMretWord);
    m.set_handler(h);
    Assembler a = Machine64::begun();
    set_timer(a, 0);
    a("addi", {6, 0, 1});
    a("sw", {6, 0, 11});  // msip
    a.li(6, kEnabled[i]);
    a("csrrw", {0, kMie, 6});
    a("csrrwi", {0, kMstatus, 8});
    const uint64_t next = a.here();
    a("addi", {7, 0, 1});
    m.run(a);
    EXPECT_EQ(m.x(21), kInterrupt | kOrder[i]);
    EXPECT_EQ(m.x(20), next);  // before the instruction that follows the write
    EXPECT_EQ(m.x(22), 0x888u);
    EXPECT_EQ(m.x(7), 1u);
  }
}

TEST(Rv64Interrupts, vectored_mode_jumps_by_cause_for_interrupts_alone) {
  Machine64 m;
  Assembler h(Machine64::kHandler);
  for (int64_t n = 0; n < 12; ++n) h("jal", {0, 64 + 4 * n});  // to handler + 64 + 8 n
  while (h.here() < Machine64::kHandler + 64) h("addi", {0, 0, 0});
  for (int64_t n = 0; n < 12; ++n) {
    h("addi", {20, 0, 100 + n});
    h("jal", {0, 160 - 4 - 8 * n});  // to handler + 64 + 160
  }
  while (h.here() < Machine64::kHandler + 64 + 160) h("addi", {0, 0, 0});
  h("csrrs", {21, kMcause, 0});
  h("csrrwi", {0, kMie, 0});
  h("addi", {22, 22, 1});
  h("add", {23, 23, 20});
  h("csrrs", {25, kMepc, 0});
  h("blt", {21, 0, 8});
  h("addi", {25, 25, 4});
  h("csrrw", {0, kMepc, 25});
  h.word(kMretWord);
  m.set_handler(h);
  Assembler a = Machine64::begun(1);
  a("ecall", {});  // entry 0
  a("addi", {6, 0, 1});
  a("sw", {6, 0, 11});  // msip
  a("addi", {6, 0, 8});
  a("csrrw", {0, kMie, 6});
  a("csrrwi", {0, kMstatus, 8});  // entry 3
  EXPECT_EQ(m.run(a).reason, Reason::kWait);
  EXPECT_EQ(m.x(21), kInterrupt | 3);
  EXPECT_EQ(m.x(22), 2u);
  EXPECT_EQ(m.x(23), 100u + 103u);
}

TEST(Rv64Interrupts, the_line_wakes_a_core_and_interrupts_where_it_is_enabled) {
  for (const bool masked : {true, false}) {
    Machine64 m;
    Assembler h(Machine64::kHandler);
    h("csrrs", {21, kMcause, 0});
    h("csrrwi", {0, kMie, 0});
    h.word(kMretWord);
    m.set_handler(h);
    Assembler a = Machine64::begun();
    a.li(6, 0x800);
    a("csrrw", {0, kMie, 6});
    a("csrrwi", {0, kMstatus, masked ? 0 : 8});
    a.word(kWfiWord);
    a("addi", {7, 0, 1});
    a("csrrwi", {0, kMie, 0});
    EXPECT_EQ(m.run(a).reason, Reason::kWait);
    EXPECT_EQ(m.core.next_event(), Clint::kNever);
    EXPECT_EQ(m.x(7), 0u);
    m.core.run_until(300);
    EXPECT_EQ(m.core.cycle(), 300u);
    m.core.set_interrupt(true);
    m.core.run_awake(10000);
    EXPECT_EQ(m.x(7), 1u);
    EXPECT_EQ(m.x(21), masked ? 0 : kInterrupt | 11);
  }
}

TEST(Rv64Interrupts, time_can_be_set_and_read_in_halves) {
  Machine64 m;
  Assembler a = Machine64::begun();
  a.li(14, 0xbff8);
  a("add", {15, 11, 14});
  a("addi", {6, 0, 5});
  a("sw", {6, 4, 15});  // upper half
  a("lwu", {7, 4, 15});
  a("csrrs", {8, 0xc01, 0});
  a("csrrs", {9, kCycle, 0});
  a("sd", {0, 0, 15});
  a("ld", {16, 0, 15});
  m.run(a);
  EXPECT_EQ(m.x(7), 5u);
  EXPECT_EQ(m.x(8) >> 32, 5u);
  EXPECT_EQ((m.x(8) & 0xffffffff) + 1, m.x(9));
  EXPECT_EQ(m.x(16), 1u);  // the load issues a cycle after the store
}

}  // namespace
}  // namespace presil::rv64
