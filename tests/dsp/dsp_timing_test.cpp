// Cycles of short programs, added up by hand. VLEN 512, DLEN 256: 64 bytes are two beats.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/dsp/dsp_machine.h"

namespace presil::dsp {
namespace {

uint64_t cycles(Machine& m, Assembler& a) {
  EXPECT_EQ(m.run(a).cause, Cause::kCall);
  const auto stalls = m.core.stalls();
  EXPECT_EQ(std::accumulate(stalls.begin(), stalls.end(), uint64_t{0}), m.core.hart().cycle);
  EXPECT_EQ(stalls[0], m.core.instructions());  // one cycle each, the rest are stalls
  return m.core.hart().cycle;
}
uint64_t stalled(const Machine& m, Stall s) {
  return m.core.stalls()[static_cast<unsigned>(s)];
}

TEST(DspTiming, a_scalar_instruction_takes_a_cycle_and_a_result_of_tcm_two) {
  Machine m;
  Assembler a(Machine::kCode);
  a("ld", {5, 0, 10});   // 0
  a("addi", {6, 5, 1});  // 2: waits 1
  a("addi", {7, 0, 1});  // 3
  EXPECT_EQ(cycles(m, a), 4u);
  EXPECT_EQ(stalled(m, Stall::kLoadUse), 1u);
}

TEST(DspTiming, a_load_of_sram_takes_six_less_what_lies_between) {
  for (const int between : {0, 1, 5, 6}) {
    Machine m;
    Assembler a(Machine::kCode);
    a("ld", {5, 0, 11});
    for (int i = 0; i < between; ++i) a("addi", {7, 7, 1});
    a("addi", {6, 5, 1});
    // issued at 0, used at 6 or after what lies between
    EXPECT_EQ(cycles(m, a), static_cast<uint64_t>(std::max(6, between + 1) + 1)) << between;
  }
}

TEST(DspTiming, taken_branches_refetch_two_cycles_and_jumps_to_registers_three) {
  Machine m;
  Assembler a(Machine::kCode);
  a("beq", {0, 0, 8});  // 0, target at 3
  a("addi", {5, 0, 1});
  a("bne", {0, 0, 8});   // 3, not taken
  a("auipc", {6, 0});    // 4
  a("jalr", {0, 8, 6});  // 5, target at 9
  EXPECT_EQ(cycles(m, a), 9u);
  EXPECT_EQ(stalled(m, Stall::kBranch), 5u);
}

TEST(DspTiming, a_division_of_64_bits_takes_34_and_another_waits_for_the_divider) {
  Machine m;
  Assembler a(Machine::kCode);
  a("div", {5, 6, 7});    // 0
  a("addi", {8, 0, 1});   // 1, independent
  a("divw", {9, 6, 7});   // 34
  a("addi", {12, 9, 1});  // 34 + 18
  EXPECT_EQ(cycles(m, a), 53u);
  EXPECT_EQ(stalled(m, Stall::kDivide), 32u + 17u);
}

TEST(DspTiming, vector_instructions_chain_beat_by_beat) {
  Machine m;
  Assembler a(Machine::kCode);
  a("vsetvli", {5, 0, vtype(8, 0)});  // 0
  a("vle8.v", {4, 10, 1});            // issued 1, starts 2, two beats, first result 4 later: 6
  a("vadd.vv", {6, 4, 4, 1});         // starts 6, last beat in 7, out 3 later: 8 + 4 - 1 = 11
  EXPECT_EQ(cycles(m, a), 11u);       // the ecall waits from 3 to 11
  EXPECT_EQ(stalled(m, Stall::kVectorResult), 8u);
}

TEST(DspTiming, a_move_of_whole_registers_takes_their_beats_whatever_vl_is) {
  for (const unsigned lmul : {0u, 3u}) {
    Machine m;
    Assembler a(Machine::kCode);
    a("vsetvli", {5, 0, vtype(32, lmul)});  // 0
    a("vmv1r.v", {8, 16});                  // issued 1, starts 2, two beats
    a("vmv2r.v", {10, 18});                 // starts 4, four beats
    a("vmv1r.v", {12, 20});                 // starts 8, last beat in 9, out 3 later: 10 + 3 = 13
    EXPECT_EQ(cycles(m, a), 13u) << lmul;
  }
}

TEST(DspTiming, a_wide_group_occupies_its_sequencer_by_bits) {
  Machine m;
  Assembler a(Machine::kCode);
  a("vsetvli", {5, 0, vtype(8, 3)});  // 0
  a("vadd.vv", {8, 16, 16, 1});       // starts 2, 16 beats: 512 bytes of 32
  a("vadd.vv", {8, 24, 24, 1});       // starts 18, ends 34, result 37
  EXPECT_EQ(cycles(m, a), 37u);
}

TEST(DspTiming, loads_and_arithmetic_run_side_by_side) {
  Machine m;
  Assembler a(Machine::kCode);
  a("vsetvli", {5, 0, vtype(8, 3)});
  a("vadd.vv", {8, 16, 16, 1});  // starts 2, ends 18, result 21
  a("vle8.v", {24, 10, 1});      // starts 3, ends 19, result 22
  EXPECT_EQ(cycles(m, a), 22u);
}

TEST(DspTiming, a_scalar_result_makes_the_core_wait) {
  Machine m;
  Assembler a(Machine::kCode);
  a("vsetvli", {5, 0, vtype(32, 0)});  // 0
  a("vredsum.vs", {4, 8, 8, 1});       // starts 2; 2 + 4 log2(8) = 14 beats; 4 later: 20
  a("vmv.x.s", {6, 4});                // starts 20, 1 beat, 3 later: 24
  a("addi", {7, 6, 1});                // the vmv issues at 2, next instruction at 25
  const uint64_t end = cycles(m, a);
  EXPECT_EQ(end, 26u);
}

TEST(DspTiming, a_ninth_instruction_waits_for_the_queue_of_eight) {
  Machine m;
  Assembler a(Machine::kCode);
  a("vsetvli", {5, 0, vtype(8, 3)});
  for (int i = 0; i < 12; ++i) a("vadd.vv", {8, 16, 16, 1});  // 16 cycles each
  cycles(m, a);
  EXPECT_GT(stalled(m, Stall::kVectorQueue), 16u);
}

TEST(DspTiming, a_load_waits_for_an_older_store_to_the_same_bytes) {
  auto run = [](int64_t offset) {
    Machine m;
    Assembler a(Machine::kCode);
    a("addi", {12, 10, offset});
    a("vsetvli", {5, 0, vtype(8, 3)});
    a("vse8.v", {8, 10, 1});   // 16 beats
    a("vle8.v", {16, 12, 1});  // 16 beats
    return cycles(m, a);
  };
  EXPECT_EQ(run(0), run(512) + 15);  // starts after the store instead of one cycle after it
}

TEST(DspTiming, sums_of_floats_take_four_cycles_an_element_and_divides_sixteen_by_eight) {
  Machine m;
  Assembler a(Machine::kCode);
  a("vsetvli", {5, 0, vtype(32, 0)});  // 16 elements
  a("vfredosum.vs", {4, 8, 8, 1});     // starts 2, 64 beats, 4: 70
  EXPECT_EQ(cycles(m, a), 70u);
  Machine n;
  Assembler b(Machine::kCode);
  b("vsetvli", {5, 0, vtype(32, 0)});
  b("vfdiv.vv", {4, 8, 8, 1});  // starts 2, two rounds of 16 cycles: 34
  EXPECT_EQ(cycles(n, b), 34u);
}

TEST(DspTiming, time_changes_no_value_and_without_it_scalar_cycles_stay) {
  Machine m;
  m.core.set_timed(false);
  Assembler a(Machine::kCode);
  a("vsetvli", {5, 0, vtype(8, 3)});
  a("vadd.vi", {8, 16, 3, 1});
  EXPECT_EQ(cycles(m, a), 2u);
  EXPECT_EQ(m.core.vector_register(8)[100], 3);
}

}  // namespace
}  // namespace presil::dsp
