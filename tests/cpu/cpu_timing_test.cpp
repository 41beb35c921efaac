// Cycles of short programs, added up by hand from the manual's tables (models/cpu/cores).
#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include "tests/cpu/cpu_machine.h"

namespace presil::cpu {
namespace {

const Config& m4() {
  static const Config config = read_config("models/cpu/cores/cortex_m4.yaml");
  return config;
}
const Config& m33() {
  static const Config config = read_config("models/cpu/cores/cortex_m33.yaml");
  return config;
}

uint64_t cycles(const Config& config, const std::vector<unsigned>& program, uint8_t wait_fetch = 0,
                uint8_t wait_data = 0) {
  Machine m(config);
  m.core.memory().clear();
  Region flash = Machine::region(0, m.flash, kRead | kExecute);
  flash.wait_fetch = wait_fetch;
  m.core.memory().add(flash);
  Region ram = Machine::region(kRam, m.ram, kRead | kWrite);
  ram.wait_data = wait_data;
  m.core.memory().add(ram);
  m.put(kProgram, program);
  m.start();
  m.set(kCpacr, 0xf00000);
  m.core.hart().r[0] = kRam;
  m.core.hart().r[1] = 1000;
  m.core.hart().r[2] = 7;
  m.core.hart().r[4] = kProgram + 9;
  EXPECT_EQ(m.run(), Reason::kBreakpoint);
  return m.core.cycle();
}

/// One line of Arm's tables, with a program that has it: cycles of the program less `besides`.
struct Published {
  const char* instruction;
  std::vector<unsigned> program;
  unsigned besides;      ///< cycles of what else is in the program
  unsigned least, most;  ///< published for Cortex-M4, P of branches 1 to 3
  const char* where;     ///< in the manual (models/cpu/cores/cortex_m4.yaml)
  unsigned less = 0;     ///< of `besides` on Cortex-M33
};

const std::vector<Published>& published() {
  static const std::vector<Published> rows = {
      {"adds r0, r1, r2", {0x1888, 0xbe00}, 0, 1, 1, "3-1: ADD 1"},
      {"lsls r0, r1, #2", {0x0088, 0xbe00}, 0, 1, 1, "3-1: LSL 1"},
      {"mul", {0xfb02, 0xf302, 0xbe00}, 0, 1, 1, "3-1: MUL 1"},
      {"mla", {0xfb02, 0x2302, 0xbe00}, 0, 1, 1, "3-1: MLA 1"},
      {"smull", {0xfb82, 0x3402, 0xbe00}, 0, 1, 1, "3-1: SMULL 1"},
      {"smlad", {0xfb22, 0x2302, 0xbe00}, 0, 1, 1, "3-1: SMLAD 1"},
      {"udiv 7 / 1000", {0xfbb2, 0xf3f1, 0xbe00}, 0, 2, 12, "3-1: UDIV 2 to 12"},
      {"udiv 1000 / 7", {0xfbb1, 0xf3f2, 0xbe00}, 0, 2, 12, "3-1: UDIV 2 to 12"},
      {"ldr, then another", {0x6803, 0xbf00, 0xbe00}, 1, 2, 2, "3-1: LDR 2"},
      {"ldr after ldr", {0x6803, 0x6843, 0xbf00, 0xbe00}, 3, 1, 1, "load/store timings", 1},
      {"str", {0x6002, 0xbf00, 0xbe00}, 1, 1, 1, "load/store timings: STR [Ry, #imm] 1"},
      {"ldrd", {0xe9d0, 0x3400, 0xbe00}, 0, 3, 3, "3-1: LDRD 1 + N"},
      {"ldm of 4", {0xc878, 0xbe00}, 0, 5, 5, "3-1: LDM 1 + N"},
      {"push of 4", {0xb41e, 0xbe00}, 0, 5, 5, "3-1: PUSH 1 + N"},
      {"b", {0xe000, 0xbf00, 0xbe00}, 0, 2, 4, "3-1: B 1 + P"},
      {"bne taken", {0x4291, 0xd100, 0xbf00, 0xbe00}, 1, 2, 4, "3-1: B<cc> 1 + P"},
      {"beq not taken", {0x4291, 0xd000, 0xbf00, 0xbe00}, 2, 1, 1, "3-1: B<cc> 1"},
      {"blx r4", {0x47a0, 0xbf00, 0xbf00, 0xbf00, 0xbe00}, 0, 2, 4, "3-1: BLX 1 + P"},
      {"it", {0x4291, 0xbf08, 0x6803, 0xbe00}, 2, 0, 1, "3-1: IT 1, may be folded"},
      {"mrs", {0xf3ef, 0x8300, 0xbe00}, 0, 1, 2, "3-1: MRS 1 or 2"},
      {"vadd.f32", {0xee30, 0x0a20, 0xbe00}, 0, 1, 1, "FPU: VADD 1"},
      {"vmul.f32", {0xee20, 0x0a20, 0xbe00}, 0, 1, 1, "FPU: VMUL 1"},
      {"vfma.f32", {0xeea0, 0x1a20, 0xbe00}, 0, 3, 3, "FPU: VFMA 3"},
      {"vdiv.f32", {0xee80, 0x1a20, 0xbe00}, 0, 14, 14, "FPU: VDIV 14"},
      {"vsqrt.f32", {0xeeb1, 0x1ac0, 0xbe00}, 0, 14, 14, "FPU: VSQRT 14"},
      {"vldr, single", {0xed90, 0x0a00, 0xbe00}, 0, 2, 2, "FPU: VLDR 2"},
      {"vldm of 4", {0xec90, 0x0a04, 0xbe00}, 0, 5, 5, "FPU: VLDM 1 + N"},
  };
  return rows;
}

// The table of models/cpu/MEASURED.md.
TEST(CpuTiming, cycles_of_instructions_are_those_that_arm_publishes) {
  std::printf("| instruction | published for Cortex-M4 | m4 | m33 |\n|---|---|---|---|\n");
  for (const Published& p : published()) {
    const uint64_t of_m4 = cycles(m4(), p.program) - p.besides;
    EXPECT_GE(of_m4, p.least) << p.instruction;
    EXPECT_LE(of_m4, p.most) << p.instruction;
    std::printf("| `%s` | %s | %u | %u |\n", p.instruction, p.where, unsigned(of_m4),
                unsigned(cycles(m33(), p.program) - (p.besides - p.less)));
  }
}

TEST(CpuTiming, cortex_m4_single_instructions) {
  EXPECT_EQ(cycles(m4(), {0x1888, 0x1888, 0xbe00}), 2u);          // adds, adds
  EXPECT_EQ(cycles(m4(), {0x6803, 0xbf00, 0xbe00}), 3u);          // ldr 2, nop 1
  EXPECT_EQ(cycles(m4(), {0x6803, 0x6843, 0x6883, 0xbe00}), 4u);  // three loads: 2 + 1 + 1
  EXPECT_EQ(cycles(m4(), {0x6002, 0x6042, 0xbe00}), 2u);          // str, str
  EXPECT_EQ(cycles(m4(), {0xc878, 0xbe00}), 5u);                  // ldm of 4: 1 + 4
  EXPECT_EQ(cycles(m4(), {0xb41e, 0xbe00}), 5u);                  // push of 4
  EXPECT_EQ(cycles(m4(), {0xe9d0, 0x3400, 0xbe00}), 3u);          // ldrd: 1 + 2
  EXPECT_EQ(cycles(m4(), {0xfb02, 0xf302, 0xbe00}), 1u);          // mul
  EXPECT_EQ(cycles(m4(), {0xfb82, 0x3402, 0xbe00}), 1u);          // smull
  EXPECT_EQ(cycles(m4(), {0xf3ef, 0x8300, 0xbe00}), 2u);          // mrs
}

TEST(CpuTiming, cortex_m4_branches_and_division) {
  EXPECT_EQ(cycles(m4(), {0xe000, 0xbf00, 0xbe00}), 3u);          // b: 1 + P, P is 2
  EXPECT_EQ(cycles(m4(), {0x4291, 0xd000, 0xbf00, 0xbe00}), 3u);  // cmp 1, beq not taken 1, nop 1
  EXPECT_EQ(cycles(m4(), {0x4291, 0xd100, 0xbf00, 0xbe00}), 4u);  // cmp 1, bne taken 3
  EXPECT_EQ(cycles(m4(), {0x47a0, 0xbf00, 0xbf00, 0xbf00, 0xbe00}), 3u);  // blx r4
  // 7 / 1000: the divisor is larger, 2; 1000 / 7: 7 bits more, 2 + 1 + 7 / 4
  EXPECT_EQ(cycles(m4(), {0xfbb2, 0xf3f1, 0xbe00}), 2u);
  EXPECT_EQ(cycles(m4(), {0xfbb1, 0xf3f2, 0xbe00}), 4u);
}

TEST(CpuTiming, cortex_m4_floats) {
  EXPECT_EQ(cycles(m4(), {0xee30, 0x0a20, 0xee31, 0x1a21, 0xbe00}), 2u);  // independent vadd
  EXPECT_EQ(cycles(m4(), {0xee30, 0x0a20, 0xee30, 0x1a20, 0xbe00}), 3u);  // reads s0: one more
  EXPECT_EQ(cycles(m4(), {0xee80, 0x1a20, 0xbe00}), 14u);                 // vdiv
  EXPECT_EQ(cycles(m4(), {0xeea0, 0x1a20, 0xbe00}), 3u);                  // vfma
  EXPECT_EQ(cycles(m4(), {0xed90, 0x0a00, 0xbe00}), 2u);                  // vldr
  EXPECT_EQ(cycles(m4(), {0xec90, 0x0a04, 0xbe00}), 5u);                  // vldm of 4
}

// movs 1; then five times subs 1, bne 1 + 2, the last one 1
TEST(CpuTiming, cortex_m4_loop) {
  EXPECT_EQ(cycles(m4(), {0x2305, 0x3b01, 0xd1fd, 0xbe00}), 1u + 5 * 2 + 4 * 2);
}

TEST(CpuTiming, instruction_of_an_it_block_that_is_left_out_takes_one) {
  // cmp 1, it 1, ldreq left out 1
  EXPECT_EQ(cycles(m4(), {0x4291, 0xbf08, 0x6803, 0xbe00}), 3u);
  // cmp 1, it 1, ldrne 2
  EXPECT_EQ(cycles(m4(), {0x4291, 0xbf18, 0x6803, 0xbe00}), 4u);
}

TEST(CpuTiming, cortex_m33_waits_for_what_it_loads) {
  EXPECT_EQ(cycles(m33(), {0x6803, 0xbf00, 0x1c5c, 0xbe00}), 3u);  // ldr, nop, adds r4, r3, #1
  EXPECT_EQ(cycles(m33(), {0x6803, 0x1c5c, 0xbe00}), 3u);          // one wait
  EXPECT_EQ(cycles(m33(), {0xe000, 0xbf00, 0xbe00}), 2u);          // b: 1 + 1
}

TEST(CpuTiming, wait_states_of_flash_and_ram) {
  // 9 halfwords: two lines of 16 bytes, each 5; 8 nops
  EXPECT_EQ(
      cycles(m4(), {0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbe00}, 5),
      5u + 8 + 5);
  EXPECT_EQ(cycles(m4(), {0x6803, 0x6002, 0xbe00}, 0, 3), 2u + 3 + 1 + 3);
}

TEST(CpuTiming, instructions_are_counted_where_they_are_passed) {
  struct Case {
    std::initializer_list<unsigned> program;
    uint64_t expected;  // without the breakpoint
  };
  const Case cases[] = {
      {{0x2305, 0x3b01, 0xd1fd, 0xbe00}, 1 + 5 * 2},  // movs; five times subs, bne
      {{0x4291, 0xbf08, 0x6803, 0xbe00}, 3},          // cmp, it, ldreq left out
      {{0x4291, 0xbf18, 0x6803, 0xbe00}, 3},          // cmp, it, ldrne
      {{0xb001, 0xb081, 0xbf00, 0xbe00}, 3},  // add sp, sub sp: checked in a step of its own
      {{0xe000, 0xbf00, 0xbe00}, 1},          // b over a nop
      {{0xee30, 0x0a20, 0xee31, 0x1a21, 0xbe00}, 2},  // vadd, vadd
      {{0xf3bf, 0x8f6f, 0xbf00, 0xbe00}, 2},          // isb, nop
      {{0xdf00, 0xbf00, 0xbe00}, 3},                  // svc, bx lr, nop
  };
  for (const Case& c : cases) {
    Machine m(m4());
    m.put(kProgram, c.program);
    m.handler(kSvCall, 0x2000);
    m.put(0x2000, {0x4770});
    m.start();
    m.set(kCpacr, 0xf00000);
    m.core.hart().r[0] = kRam;
    m.core.hart().r[1] = 1;
    m.core.hart().r[2] = 2;
    ASSERT_EQ(m.run(), Reason::kBreakpoint);
    EXPECT_EQ(m.core.instructions(), c.expected) << std::hex << *c.program.begin();
  }
}

// Loads, sums, stack and a loop of a hundred rounds.
TEST(CpuTiming, slices_of_time_change_no_cycle) {
  Machine whole(m4()), sliced(m4());
  for (Machine* m : {&whole, &sliced}) {
    m->put(kProgram, {0x2364, 0x6801, 0x1889, 0x6001, 0xb40e, 0xbc0e, 0x3b01, 0xd1f8, 0xbe00});
    m->start();
    m->core.hart().r[0] = kRam;
  }
  ASSERT_EQ(whole.run(), Reason::kBreakpoint);
  uint64_t end = 1;
  while (sliced.run(end) == Reason::kTime) end = sliced.core.cycle() + 1;
  EXPECT_EQ(sliced.core.cycle(), whole.core.cycle());
  EXPECT_EQ(sliced.core.instructions(), whole.core.instructions());
  EXPECT_EQ(sliced.word(kRam), whole.word(kRam));
}

TEST(CpuTiming, time_that_was_asked_for_ends_a_block_not_later) {
  Machine m(m4());
  m.put(kProgram, {0x3001, 0x3001, 0x3001, 0xe7fb});  // three adds, b: 6 cycles
  m.start();
  EXPECT_EQ(m.run(100), Reason::kTime);
  EXPECT_GE(m.core.cycle(), 100u);
  EXPECT_LT(m.core.cycle(), 106u);
  const uint64_t cycle = m.core.cycle();
  EXPECT_EQ(m.run(cycle), Reason::kTime);
  EXPECT_EQ(m.core.cycle(), cycle);
}

}  // namespace
}  // namespace presil::cpu
