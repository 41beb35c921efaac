// Faults: what is reported, where the frame says it was, what is escalated, when the core locks up.
#include <gtest/gtest.h>

#include "tests/cpu/cpu_machine.h"

namespace presil::cpu {
namespace {

constexpr uint32_t kHandler = 0x2000;

// Runs to the handler of `exception`, which is a breakpoint.
struct Faulty : Machine {
  explicit Faulty(std::initializer_list<unsigned> program, const Config& config = {})
      : Machine(config) {
    put(kProgram, program);
    for (unsigned n = kNmi; n < kSvCall; ++n) {
      handler(n, kHandler + 16 * n);
      put(kHandler + 16 * n, {0xbe00 | n});
    }
    start();
    set(kShcsr, 7u << 16);
  }
  unsigned taken() {
    const Reason reason = run();
    return reason == Reason::kBreakpoint ? (core.hart().stop.pc - kHandler) / 16 : 0;
  }
  uint32_t stacked_pc() { return word(r(13) + 24); }
  uint32_t stacked_psr() { return word(r(13) + 28); }
};

TEST(CpuFaults, undefined_instruction) {
  for (const std::initializer_list<unsigned> program :
       {std::initializer_list<unsigned>{0xbf00, 0xde00},  // udf
        {0xbf00, 0xe97f, 0xe97f},                         // sg: no Security Extension
        {0xbf00, 0xe841, 0xf000},                         // tt r0, r1
        {0xbf00, 0xee31, 0x0b02}}) {                      // vadd.f64
    Faulty m(program);
    EXPECT_EQ(m.taken(), kUsageFault);
    EXPECT_EQ(m.reg(kCfsr), 1u << 16);
    EXPECT_EQ(m.stacked_pc(), kProgram + 2);
  }
}

TEST(CpuFaults, what_only_armv8m_has_is_undefined_in_armv7em) {
  for (const std::initializer_list<unsigned> program :
       {std::initializer_list<unsigned>{0xe8d0, 0x1faf},  // lda r1, [r0]
        {0xfe30, 0x0a00},                                 // vselgt.f32
        {0xfeb8, 0x0a40}}) {                              // vrinta.f32
    Faulty m(program, v7());
    m.set(kCpacr, 0xf00000);
    m.core.hart().r[0] = kRam;
    EXPECT_EQ(m.taken(), kUsageFault);
    EXPECT_EQ(m.reg(kCfsr), 1u << 16);
    Faulty v8(program);
    v8.set(kCpacr, 0xf00000);
    v8.core.hart().r[0] = kRam;
    v8.put(kProgram + 4, {0xbe00});
    v8.run();
    EXPECT_EQ(v8.core.hart().stop.pc, kProgram + 4);
  }
}

TEST(CpuFaults, load_from_no_memory_has_its_address_and_no_effect) {
  Faulty m({0xbf00, 0xf850, 0x1b04});  // ldr r1, [r0], #4
  m.core.hart().r[0] = 0x60000000;
  m.core.hart().r[1] = 5;
  EXPECT_EQ(m.taken(), kBusFault);
  EXPECT_EQ(m.reg(kCfsr), 0x8200u);
  EXPECT_EQ(m.reg(kBfar), 0x60000000u);
  EXPECT_EQ(m.stacked_pc(), kProgram + 2);
  EXPECT_EQ(m.r(0), 0x60000000u);
  EXPECT_EQ(m.r(1), 5u);
}

TEST(CpuFaults, store_to_flash_is_a_bus_fault) {
  Faulty m({0x6001});  // str r1, [r0]
  m.core.hart().r[0] = 0x3000;
  EXPECT_EQ(m.taken(), kBusFault);
  EXPECT_EQ(m.reg(kBfar), 0x3000u);
}

TEST(CpuFaults, jump_to_no_memory_and_to_an_even_address) {
  Faulty away({0x4700});  // bx r0
  away.core.hart().r[0] = 0x50000001;
  EXPECT_EQ(away.taken(), kMemManage);  // devices' space: never executed
  EXPECT_EQ(away.reg(kCfsr), 1u);
  EXPECT_EQ(away.stacked_pc(), 0x50000000u);
  Faulty hole({0x4700});
  hole.core.hart().r[0] = 0x10000001;
  EXPECT_EQ(hole.taken(), kBusFault);
  EXPECT_EQ(hole.reg(kCfsr), 0x100u);
  Faulty even({0x4700});
  even.core.hart().r[0] = 0x3000;
  EXPECT_EQ(even.taken(), kUsageFault);
  EXPECT_EQ(even.reg(kCfsr), 1u << 17);
  EXPECT_EQ(even.stacked_pc(), 0x3000u);
  EXPECT_EQ(even.stacked_psr() >> 24 & 1, 0u);  // T is 0
}

TEST(CpuFaults, exclusive_and_list_must_be_aligned_a_plain_load_need_not_be) {
  Faulty exclusive({0xe850, 0x1f00});  // ldrex r1, [r0]
  exclusive.core.hart().r[0] = kRam + 2;
  EXPECT_EQ(exclusive.taken(), kUsageFault);
  EXPECT_EQ(exclusive.reg(kCfsr), 1u << 24);
  Faulty list({0xc806});  // ldm r0!, {r1, r2}
  list.core.hart().r[0] = kRam + 1;
  EXPECT_EQ(list.taken(), kUsageFault);
  Faulty plain({0x6801, 0xbe00});  // ldr r1, [r0]
  plain.core.hart().r[0] = kRam + 1;
  plain.poke(kRam, 0x44332211);
  plain.poke(kRam + 4, 0x88776655);
  plain.run();
  EXPECT_EQ(plain.r(1), 0x55443322u);
  Faulty trapped({0x6801});
  trapped.core.hart().r[0] = kRam + 1;
  trapped.set(kCcr, trapped.reg(kCcr) | 8);  // UNALIGN_TRP
  EXPECT_EQ(trapped.taken(), kUsageFault);
}

TEST(CpuFaults, division_by_zero_is_zero_or_a_fault) {
  Faulty m({0xfb90, 0xf2f1, 0xbe00});  // sdiv r2, r0, r1
  m.core.hart().r[0] = 7;
  m.core.hart().r[1] = 0;
  m.core.hart().r[2] = 9;
  m.run();
  EXPECT_EQ(m.r(2), 0u);
  m.core.jump(kProgram);
  m.set(kCcr, m.reg(kCcr) | 16);
  EXPECT_EQ(m.taken(), kUsageFault);
  EXPECT_EQ(m.reg(kCfsr), 1u << 25);
}

TEST(CpuFaults, float_instruction_without_access) {
  Faulty m({0xee30, 0x0a00});
  EXPECT_EQ(m.taken(), kUsageFault);
  EXPECT_EQ(m.reg(kCfsr), 1u << 19);
}

TEST(CpuFaults, stack_below_its_limit) {
  Faulty m({0xf380, 0x880a, 0xb0c0, 0xb0c0});  // msr msplim, r0; sub sp, #256, twice
  m.core.hart().r[0] = kStackTop - 0x180;
  EXPECT_EQ(m.taken(), kUsageFault);
  EXPECT_EQ(m.reg(kCfsr), 1u << 20);
  EXPECT_EQ(m.stacked_pc(), kProgram + 6);
  EXPECT_EQ(m.r(13), kStackTop - 0x100 - 32);  // the second one was not done
}

TEST(CpuFaults, fault_that_is_not_enabled_becomes_a_hard_fault) {
  Faulty m({0xde00});
  m.set(kShcsr, 0);
  EXPECT_EQ(m.taken(), kHardFault);
  EXPECT_EQ(m.reg(kHfsr), 1u << 30);
  EXPECT_EQ(m.reg(kCfsr), 1u << 16);
}

TEST(CpuFaults, fault_in_the_hard_fault_handler_locks_up) {
  Faulty m({0xde00});
  m.set(kShcsr, 0);
  m.put(kHandler + 16 * kHardFault, {0xde00});
  EXPECT_EQ(m.run(), Reason::kLockup);
  EXPECT_EQ(m.core.hart().stop.pc, kHandler + 16 * kHardFault);
  const uint64_t cycle = m.core.cycle();
  EXPECT_EQ(m.run(cycle + 100), Reason::kLockup);
}

TEST(CpuFaults, return_with_a_wrong_value) {
  Faulty m({0xdf00});
  m.handler(kSvCall, 0x3000);
  m.put(0x3000, {0x4700});  // bx r0
  m.core.hart().r[0] = 0xffffffb1;
  EXPECT_EQ(m.taken(), kUsageFault);
  EXPECT_EQ(m.reg(kCfsr), 1u << 18);
}

TEST(CpuFaults, system_registers_are_refused_to_a_program_without_privilege) {
  Faulty m({0xf380, 0x8814, 0xf3bf, 0x8f6f, 0x680a});  // msr control, r0; isb; ldr r2, [r1]
  m.core.hart().r[0] = 1;
  m.core.hart().r[1] = kIcsr;
  EXPECT_EQ(m.taken(), kBusFault);
  EXPECT_EQ(m.reg(kBfar), kIcsr);
}

TEST(CpuFaults, supervisor_call_that_cannot_be_taken_is_a_hard_fault) {
  Faulty m({0xb672, 0xdf00});  // cpsid i; svc 0
  EXPECT_EQ(m.taken(), kHardFault);
  EXPECT_EQ(m.reg(kHfsr), 1u << 30);
}

}  // namespace
}  // namespace presil::cpu
