// Bad programs and bad memory: each is reported with what is known of it, its signal is not sent,
// and the next job is exact.
#include "tests/dsp/dsp_bad.h"

namespace presil::dsp {
namespace {

struct Bad {
  const char* what;
  TrapCause cause;
  uint32_t pc;  // from the program's beginning
  uint64_t address;
  Near near = Near::kNone;
  uint32_t tensor = 0, distance = 0;
};

void expect_trap(const Bad& bad, const Assembler& program, uint32_t watchdog = 100000) {
  SCOPED_TRACE(bad.what);
  DspTile tile;
  regions(tile);
  const Command select = tile.image(program);
  Command run = DspTile::run(select, 3, 21);
  run.watchdog = watchdog;
  tile.submit({select, run});
  tile.time.run_all();
  const Bank& bank = tile.engine.bank();
  EXPECT_EQ(tile.state(), PRESIL_QUEUE_STATE_ERROR);
  EXPECT_EQ(tile.error(), PRESIL_QUEUE_ERROR_CODE_KERNEL_TRAP);
  EXPECT_EQ(tile.read(PRESIL_QUEUE_REG_ERROR_COMMAND_INDEX), 1u);
  EXPECT_EQ(bank.trap_cause(), bad.cause) << to_text(tile);
  EXPECT_EQ(bank.trap_pc(), PRESIL_DSP_ITCM + bad.pc);
  EXPECT_EQ(bank.trap_address(), bad.address);
  EXPECT_EQ(bank.trap_tag(), 21u);
  EXPECT_EQ(bank.trap_command(), 1u);
  EXPECT_EQ(bank.trap_region_near(), bad.near);
  if (bad.near != Near::kNone) {
    EXPECT_EQ(bank.trap_region_tensor(), bad.tensor);
    EXPECT_EQ(bank.trap_distance(), bad.distance);
  }
  EXPECT_EQ(tile.sync.counter(DspTile::kOwn), 0u);
  EXPECT_EQ(tile.record(21), nullptr);
  expect_recovered(tile);
}

constexpr uint64_t kSram = PRESIL_DSP_SRAM, kTop = PRESIL_DSP_DTCM + (128 << 10);

TEST(DspBad, accesses_outside_regions_name_the_tensor_next_to_them) {
  struct Access {
    const char* what;
    const char* name;
    unsigned region;
    int offset;
    Bad bad;
  };
  const Access accesses[] = {
      {"after", "lw", 0, 68, {"", TrapCause::kLoadFault, 12, kSram + 0x144, Near::kAbove, 5, 5}},
      {"below", "lw", 1, -8, {"", TrapCause::kLoadFault, 12, kSram + 0x1f8, Near::kBelow, 6, 8}},
      {"over the end",
       "ld",
       0,
       64,
       {"", TrapCause::kLoadFault, 12, kSram + 0x140, Near::kAbove, 5, 1}},
      {"its input",
       "sw",
       0,
       4,
       {"", TrapCause::kStoreFault, 12, kSram + 0x104, Near::kInRegion, 5, 4}},
      {"after its output",
       "sb",
       1,
       64,
       {"", TrapCause::kStoreFault, 12, kSram + 0x240, Near::kAbove, 6, 1}},
      {"an output in DRAM",
       "lw",
       2,
       0,
       {"", TrapCause::kLoadFault, 12, DspTile::kData + 0x1000, Near::kInRegion, 7, 0}},
      {"after it",
       "sw",
       2,
       64,
       {"", TrapCause::kStoreFault, 12, DspTile::kData + 0x1040, Near::kAbove, 7, 1}},
      {"odd",
       "lh",
       0,
       1,
       {"", TrapCause::kLoadMisaligned, 12, kSram + 0x101, Near::kInRegion, 5, 1}},
      {"odd",
       "sw",
       1,
       2,
       {"", TrapCause::kStoreMisaligned, 12, kSram + 0x202, Near::kInRegion, 6, 2}},
  };
  for (const Access& access : accesses) {
    Assembler a(PRESIL_DSP_ITCM);
    region_base(a, 5, access.region);
    a(access.name, {6, access.offset, 5});
    give_back(a, 0);
    Bad bad = access.bad;
    bad.what = access.what;
    expect_trap(bad, a);
  }
}

TEST(DspBad, null_pointers_code_stack_and_registers_are_protected) {
  const auto at = [](const char* name, uint32_t address, int offset) {
    Assembler a(PRESIL_DSP_ITCM);
    a.li(5, static_cast<int32_t>(address));
    a(name, {6, offset, 5});
    give_back(a, 0);
    return a;
  };
  expect_trap({"null", TrapCause::kLoadFault, 8, 8}, at("ld", 0, 8));
  expect_trap({"code", TrapCause::kStoreFault, 8, PRESIL_DSP_ITCM}, at("sw", PRESIL_DSP_ITCM, 0));
  expect_trap({"the argument block", TrapCause::kStoreFault, 8, kSram + DspTile::kArgs,
               Near::kAbove, 6, DspTile::kArgs - 0x23f},
              at("sw", PRESIL_DSP_SRAM + DspTile::kArgs, 0));
  expect_trap({"after data memory", TrapCause::kStoreFault, 8, kTop},
              at("sw", static_cast<uint32_t>(kTop), 0));
  expect_trap({"no register", TrapCause::kStoreFault, 8, PRESIL_DSP_OWN + 0x44},
              at("sw", PRESIL_DSP_OWN, 0x44));
  expect_trap({"half a register", TrapCause::kLoadFault, 8, PRESIL_DSP_OWN + 0x30},
              at("lw", PRESIL_DSP_OWN, 0x30));
  expect_trap({"a base", TrapCause::kStoreFault, 8, PRESIL_DSP_OWN + 0x100},
              at("sd", PRESIL_DSP_OWN, 0x100));
  Assembler into_data(PRESIL_DSP_ITCM);
  into_data("jalr", {0, 0, 2});  // the stack's end
  expect_trap(
      {"no code there", TrapCause::kFetch, static_cast<uint32_t>(kTop) - PRESIL_DSP_ITCM, kTop},
      into_data);
}

TEST(DspBad, illegal_instructions_and_breakpoints) {
  Assembler a(PRESIL_DSP_ITCM);
  a.word(0xffffffff);
  expect_trap({"all ones", TrapCause::kIllegal, 0, 0}, a);
  Assembler reserved(PRESIL_DSP_ITCM);
  reserved("vadd.vv", {8, 8, 8, 1});  // vtype is vill
  expect_trap({"vill", TrapCause::kIllegal, 0, 0}, reserved);
  Assembler ebreak(PRESIL_DSP_ITCM);
  ebreak("addi", {0, 0, 0});
  ebreak("ebreak", {});
  expect_trap({"ebreak", TrapCause::kBreakpoint, 4, PRESIL_DSP_ITCM + 4}, ebreak);
}

TEST(DspBad, endless_loops_meet_the_watchdog_and_endless_recursion_the_guard) {
  Assembler loop(PRESIL_DSP_ITCM);
  loop("jal", {0, 0});
  expect_trap({"loop", TrapCause::kWatchdog, 0, 0}, loop, 5000);
  DspTile tile;
  regions(tile);
  const Command select = tile.image(loop);
  Command run = DspTile::run(select, 3);
  run.watchdog = 5000;
  tile.submit({select, run});
  tile.time.run_all();
  EXPECT_EQ(tile.engine.bank().trap_word(), encode("jal", {0, 0}));  // where it was
  Assembler recursion(PRESIL_DSP_ITCM);
  recursion("addi", {2, 2, -16});
  recursion("sd", {1, 8, 2});
  recursion("jal", {1, -8});
  expect_trap({"recursion", TrapCause::kStackGuard, 4, kTop - 8192 - 8}, recursion);
}

TEST(DspBad, a_vector_store_stops_at_the_element_after_its_output) {
  Assembler a(PRESIL_DSP_ITCM);
  region_base(a, 5, 1);
  a("vsetvli", {6, 0, 2 << 3});  // e32, m1: 16 elements, 64 bytes
  a("addi", {5, 5, 40});
  a("vse32.v", {4, 5, 1});
  give_back(a, 0);
  const Bad bad{"", TrapCause::kStoreFault, 20, kSram + 0x240, Near::kAbove, 6, 1};
  expect_trap(bad, a);
  DspTile tile;
  regions(tile);
  const Command select = tile.image(a);
  tile.submit({select, DspTile::run(select, 3)});
  tile.time.run_all();
  EXPECT_EQ(tile.engine.bank().trap_vstart(), 6);
  EXPECT_EQ(tile.engine.bank().trap_sp(), kTop);
  EXPECT_EQ(tile.engine.bank().trap_word(), encode("vse32.v", {4, 5, 1}));
}

TEST(DspBad, a_kernel_that_refuses_gives_its_code) {
  DspTile tile;
  regions(tile);
  Assembler a(PRESIL_DSP_ITCM);
  give_back(a, 7);
  const Command select = tile.image(a);
  tile.submit({select, DspTile::run(select, 3)});
  tile.time.run_all();
  EXPECT_EQ(tile.error(), PRESIL_QUEUE_ERROR_CODE_KERNEL_TRAP);
  EXPECT_EQ(tile.engine.bank().trap_cause(), TrapCause::kKernelRefused);
  EXPECT_EQ(tile.engine.bank().trap_code(), 7u);
  expect_recovered(tile);
}

TEST(DspBad, the_first_trap_stays_and_on_trap_go_on_needs_its_capability) {
  DspTile tile;
  regions(tile);
  Assembler a(PRESIL_DSP_ITCM);
  give_back(a, 7);
  Assembler b(PRESIL_DSP_ITCM);
  b("ebreak", {});
  const Command first = tile.image(a), second = tile.image(b, 0x100);
  Command run1 = DspTile::run(first, 3, 11), run2 = DspTile::run(second, 3, 12);
  run1.on_trap = run2.on_trap = OnTrap::kGoOn;
  tile.submit({first, run1});
  tile.time.run_all();
  EXPECT_EQ(tile.error(), PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED);
  tile.recover();
  tile.engine.let_traps_go_on();
  tile.submit({first, run1, second, run2});
  tile.time.run_all();
  EXPECT_EQ(tile.state(), PRESIL_QUEUE_STATE_IDLE);
  EXPECT_EQ(tile.sync.counter(DspTile::kOwn), 2u);
  EXPECT_EQ(tile.engine.bank().trap_cause(), TrapCause::kKernelRefused);
  EXPECT_EQ(tile.engine.bank().trap_tag(), 11u);
}

// ------------------------------------------------------------------------------- its own channel

TEST(DspBad, copies_pass_the_same_regions) {
  struct Case {
    const char* what;
    unsigned from, to;
    int row, rows, stride;
    Bad bad;
  };
  const Case cases[] = {
      {"reads after",
       0,
       1,
       16,
       5,
       16,
       {"", TrapCause::kLoadFault, 0, kSram + 0x140, Near::kAbove, 5, 1}},
      {"row over the end",
       0,
       1,
       48,
       2,
       32,
       {"", TrapCause::kLoadFault, 0, kSram + 0x140, Near::kAbove, 5, 1}},
      {"writes its input",
       1,
       0,
       8,
       1,
       0,
       {"", TrapCause::kStoreFault, 0, kSram + 0x100, Near::kInRegion, 5, 0}},
      {"reads its output",
       2,
       1,
       8,
       1,
       0,
       {"", TrapCause::kLoadFault, 0, DspTile::kData + 0x1000, Near::kInRegion, 7, 0}},
  };
  for (const Case& c : cases) {
    Assembler a(PRESIL_DSP_ITCM);
    region_base(a, 5, c.from);
    region_base(a, 6, c.to);
    a.li(7, static_cast<int32_t>(PRESIL_DSP_OWN));
    a("sd", {5, PRESIL_DSP_OWN_DMA_SOURCE, 7});
    a("sd", {6, PRESIL_DSP_OWN_DMA_DESTINATION, 7});
    const int values[] = {c.row, c.rows, c.stride, 0};
    for (int i = 0; i < 4; ++i) {
      a("addi", {8, 0, values[i]});
      a("sw", {8, PRESIL_DSP_OWN_DMA_ROW_BYTES + 4 * i, 7});
    }
    Bad bad = c.bad;
    bad.what = c.what;
    bad.pc = static_cast<uint32_t>(a.here() - PRESIL_DSP_ITCM);
    a("sw", {0, PRESIL_DSP_OWN_DMA_START, 7});
    give_back(a, 0);
    expect_trap(bad, a);
  }
}

TEST(DspBad, memory_that_errs_stops_the_queue_with_its_address) {
  for (const bool image : {true, false}) {
    DspTile tile;
    regions(tile);
    tile.region(0, 0, 4096, 3 | DspTile::kReads);
    Assembler a(PRESIL_DSP_ITCM);
    region_base(a, 5, 0);
    region_base(a, 6, 1);
    a.li(7, static_cast<int32_t>(PRESIL_DSP_OWN));
    a("sd", {5, PRESIL_DSP_OWN_DMA_SOURCE, 7});
    a("sd", {6, PRESIL_DSP_OWN_DMA_DESTINATION, 7});
    a("addi", {8, 0, 64});
    a("sw", {8, PRESIL_DSP_OWN_DMA_ROW_BYTES, 7});
    a("addi", {8, 0, 1});
    a("sw", {8, PRESIL_DSP_OWN_DMA_ROWS, 7});
    a("sw", {0, PRESIL_DSP_OWN_DMA_START, 7});
    give_back(a, 0);
    const Command select = tile.image(a);
    const uint64_t bad = image ? DspTile::kImages : DspTile::kData;
    tile.crossbar.fail([bad](const Burst& burst) { return burst.address == bad; });
    tile.submit({select, DspTile::run(select, 3)});
    tile.time.run_all();
    EXPECT_EQ(tile.error(), PRESIL_QUEUE_ERROR_CODE_BUS_ERROR);
    EXPECT_EQ(tile.read(PRESIL_QUEUE_REG_ERROR_ADDRESS), static_cast<uint32_t>(bad));
    EXPECT_EQ(tile.read(PRESIL_QUEUE_REG_ERROR_COMMAND_INDEX), image ? 0u : 1u);
    EXPECT_EQ(tile.engine.bank().trap_cause(), TrapCause::kNone);
    EXPECT_EQ(tile.engine.bank().image_bytes(), image ? 0u : select.image_bytes);
    tile.crossbar.fail({});
    expect_recovered(tile);
  }
}

}  // namespace
}  // namespace presil::dsp
