// Timer, sleep, protection, semihosting, devices, code that changes itself.
#include <gtest/gtest.h>

#include "tests/cpu/cpu_machine.h"

namespace presil::cpu {
namespace {

constexpr uint32_t kHandler = 0x2000;

// r14 is a register as any other: ubfx lr, r6, #12, #12 is f3c6 3e0b.
TEST(CpuSystem, link_register_takes_part_in_32_bit_encodings) {
  Machine m;
  // ubfx lr, r6, #12, #12; mul lr, lr, r6; lsl r6, lr, r5; bkpt
  m.put(kProgram, {0xf3c6, 0x3e0b, 0xfb0e, 0xfe06, 0xfa0e, 0xf605, 0xbe00});
  m.start();
  m.core.hart().r[6] = 0x00abc123;
  m.core.hart().r[5] = 4;
  EXPECT_EQ(m.run(), Reason::kBreakpoint);
  // bits 23:12 are 0xabc; 0xabc * 0x00abc123 = 0x733ad33b4
  EXPECT_EQ(m.core.hart().r[14], 0x33ad33b4u);
  EXPECT_EQ(m.core.hart().r[6], 0x3ad33b40u);
}

TEST(CpuSystem, awake_run_stops_where_the_core_falls_asleep) {
  Machine m;
  m.put(kProgram, {0xbf00, 0xbf30, 0xbe00});  // nop, wfi, bkpt
  m.start();
  EXPECT_EQ(m.core.run_awake(1000).reason, Reason::kWait);
  EXPECT_TRUE(m.core.sleeping());
  EXPECT_LT(m.core.cycle(), 10u);
  EXPECT_EQ(m.core.run_awake(1000).reason, Reason::kWait);
  EXPECT_LT(m.core.cycle(), 10u);
  EXPECT_EQ(m.core.run_until(1000).reason, Reason::kWait);
  EXPECT_EQ(m.core.cycle(), 1000u);
}

TEST(CpuSystem, timer_counts_down_and_wakes_from_wfi) {
  Machine m;
  // wfi; adds r3, #1; b to wfi
  m.put(kProgram, {0xbf30, 0x3301, 0xe7fc});
  m.handler(kSysTick, kHandler);
  m.put(kHandler, {0x4770});
  m.start();
  m.set(kTimerReload, 999);
  m.set(kTimerValue, 0);
  m.set(kTimerControl, 7);
  // reload takes 1, then 999 down to 0: every 1,000 cycles
  m.run(10500);
  EXPECT_EQ(m.r(3), 10u);
  EXPECT_TRUE(m.core.sleeping());
  EXPECT_EQ(m.core.cycle(), 10500u);
  // zero in cycles 1000, 2000, ...
  EXPECT_EQ(m.core.next_event(), 11000u);
  EXPECT_EQ(m.reg(kTimerValue), 500u);
}

TEST(CpuSystem, sleeping_core_lets_time_pass_until_an_interrupt) {
  Machine m;
  m.put(kProgram, {0xbf30, 0xbe00});
  m.handler(kFirstInterrupt + 3, kHandler);
  m.put(kHandler, {0x2401, 0x4770});
  m.start();
  m.set(kIser, 8);
  EXPECT_EQ(m.run(1000), Reason::kWait);
  EXPECT_EQ(m.core.cycle(), 1000u);
  EXPECT_EQ(m.core.next_event(), System::kNever);
  m.core.set_interrupt(3, true);
  m.core.set_interrupt(3, false);
  EXPECT_EQ(m.run(2000), Reason::kBreakpoint);
  EXPECT_EQ(m.r(4), 1u);
}

TEST(CpuSystem, primask_lets_wfi_end_without_the_handler) {
  Machine m;
  m.put(kProgram, {0xb672, 0xbf30, 0xbe00});  // cpsid i
  m.start();
  m.set(kIser, 1);
  EXPECT_EQ(m.run(100), Reason::kWait);
  m.core.set_interrupt(0, true);
  EXPECT_EQ(m.run(200), Reason::kBreakpoint);
  EXPECT_EQ(m.core.system().current_exception(), 0u);
}

TEST(CpuSystem, wfe_waits_for_an_event_and_consumes_it) {
  Machine m;
  m.put(kProgram, {0xbf40, 0xbf20, 0x2001, 0xbf20, 0x2002, 0xbe00});  // sev; wfe; ..; wfe; ..
  m.start();
  EXPECT_EQ(m.run(100), Reason::kWait);
  EXPECT_EQ(m.r(0), 1u);
  EXPECT_TRUE(m.core.take_event());
  EXPECT_FALSE(m.core.take_event());
  m.core.send_event();
  EXPECT_EQ(m.run(200), Reason::kBreakpoint);
  EXPECT_EQ(m.r(0), 2u);
}

TEST(CpuSystem, level_that_stays_high_comes_again) {
  Machine m;
  m.put(kProgram, {0xbf00, 0xe7fd});
  m.handler(kFirstInterrupt, kHandler);
  m.put(kHandler, {0x3401, 0x4770});  // adds r4, #1
  m.start();
  m.set(kIser, 1);
  m.core.set_interrupt(0, true);
  // entry 12, adds 1, bx 2 or 3, tail chain 6 ...
  m.run(200);
  EXPECT_GT(m.r(4), 10u);
  m.core.set_interrupt(0, false);
  m.run(m.core.cycle() + 100);
  const uint32_t count = m.r(4);
  m.run(m.core.cycle() + 100);
  EXPECT_EQ(m.r(4), count);
}

TEST(CpuSystem, protection_of_armv8m_by_base_and_limit) {
  Machine m;
  // str r1, [r0]; str r1, [r2]; bkpt
  m.put(kProgram, {0x6001, 0x6011, 0xbe00});
  m.handler(kMemManage, kHandler);
  m.put(kHandler, {0xbe01});
  m.start();
  m.set(kShcsr, 7u << 16);
  m.set(kMpuNumber, 0);
  m.set(kMpuBase, kRam | 4 | 1);        // privileged, read only, no execution
  m.set(kMpuLimit, (kRam + 0xff) | 1);  // 256 bytes
  m.set(kMpuControl, 5);                // enabled, default map for the privileged
  m.core.hart().r[0] = kRam + 0x100;
  m.core.hart().r[1] = 77;
  m.core.hart().r[2] = kRam + 0xfc;
  m.run();
  EXPECT_EQ(m.core.hart().stop.pc, kHandler);
  EXPECT_EQ(m.word(kRam + 0x100), 77u);
  EXPECT_EQ(m.word(kRam + 0xfc), 0u);
  EXPECT_EQ(m.reg(kCfsr), 0x82u);
  EXPECT_EQ(m.reg(kMmfar), kRam + 0xfc);
}

TEST(CpuSystem, protection_of_armv7m_by_size_and_subregions) {
  Machine m(v7());
  m.put(kProgram, {0x6001, 0x6011, 0xbe00});
  m.handler(kMemManage, kHandler);
  m.put(kHandler, {0xbe01});
  m.start();
  m.set(kShcsr, 7u << 16);
  m.set(kMpuBase, kRam | 16 | 2);
  // 2 KB, subregion 3 (256 bytes from 0x300) off; read only for all
  m.set(kMpuLimit, 6u << 24 | 8u << 8 | 10u << 1 | 1);
  m.set(kMpuControl, 5);
  m.core.hart().r[0] = kRam + 0x304;
  m.core.hart().r[1] = 77;
  m.core.hart().r[2] = kRam + 0x400;
  m.run();
  EXPECT_EQ(m.core.hart().stop.pc, kHandler);
  EXPECT_EQ(m.word(kRam + 0x304), 77u);
  EXPECT_EQ(m.reg(kMmfar), kRam + 0x400);
}

TEST(CpuSystem, code_without_execute_right_is_refused_to_a_program_only) {
  Machine m;
  // msr control, r0; isb; nop
  m.put(kProgram, {0xf380, 0x8814, 0xf3bf, 0x8f6f, 0xbf00, 0xbe00});
  m.handler(kMemManage, kHandler);
  m.put(kHandler, {0xbe01});
  m.start();
  m.set(kShcsr, 7u << 16);
  m.set(kMpuBase, kRam | 2);  // for its stack
  m.set(kMpuLimit, (kRam + kRamBytes - 1) | 1);
  m.set(kMpuControl, 5);
  m.core.hart().r[0] = 1;
  m.run();
  EXPECT_EQ(m.core.hart().stop.pc, kHandler);
  EXPECT_EQ(m.reg(kCfsr), 1u);
}

TEST(CpuSystem, semihosting_writes_and_exits) {
  Machine m;
  // bkpt 0xab thrice
  m.put(kProgram, {0xbeab, 0x2005, 0x1c29, 0xbeab, 0x2020, 0x1c31, 0xbeab});
  std::memcpy(&m.ram[0], "hello\0 core\n", 12);
  m.start();
  Hart& h = m.core.hart();
  h.r[0] = 4;  // SYS_WRITE0
  h.r[1] = kRam;
  h.r[5] = kRam + 0x20;  // SYS_WRITE: handle, text, length
  m.poke(kRam + 0x20, 1);
  m.poke(kRam + 0x24, kRam + 6);
  m.poke(kRam + 0x28, 6);
  h.r[6] = kRam + 0x30;  // SYS_EXIT_EXTENDED: application exit, status
  m.poke(kRam + 0x30, 0x20026);
  m.poke(kRam + 0x34, 3);
  EXPECT_EQ(m.run(), Reason::kExit);
  EXPECT_EQ(m.core.hart().stop.status, 3u);
  EXPECT_EQ(m.console, "hello core\n");
}

// Says in which cycle it was asked; refuses above 0x100, is not ready at 0x80 the first time.
struct Recorder : Device {
  std::vector<uint64_t> cycles;
  bool ready = false;
  Answer load(uint32_t address, unsigned, uint64_t cycle, uint32_t& value) override {
    return access(address, cycle, value);
  }
  Answer store(uint32_t address, unsigned, uint64_t cycle, uint32_t value) override {
    return access(address, cycle, value);
  }
  Answer access(uint32_t address, uint64_t cycle, uint32_t& value) {
    const uint32_t offset = address & 0xfff;
    if (offset >= 0x100) return Answer::kRefused;
    if (offset == 0x80 && !ready) return Answer::kLater;
    cycles.push_back(cycle);
    value = 0x1000 + offset;
    return Answer::kDone;
  }
};

struct WithDevice : Machine {
  Recorder device;
  explicit WithDevice(const Config& config = {}) : Machine(config) {
    Region r;
    r.base = 0x40000000;
    r.bytes = 0x1000;
    r.rights = kRead | kWrite;
    r.wait_data = 3;
    r.device = &device;
    core.memory().add(r);
  }
};

TEST(CpuSystem, device_is_called_in_the_cycle_of_the_access) {
  WithDevice m;
  // movs r1, #1; str r1, [r0]; nop; ldr r2, [r0, #4]; bkpt
  m.put(kProgram, {0x2101, 0x6001, 0xbf00, 0x6842, 0xbe00});
  m.start();
  m.core.hart().r[0] = 0x40000000;
  m.run();
  // movs in 0, str in 1, 3 wait states, nop in 5, ldr in 6
  EXPECT_EQ(m.device.cycles, (std::vector<uint64_t>{1, 6}));
  EXPECT_EQ(m.r(2), 0x1004u);
}

TEST(CpuSystem, device_that_is_not_ready_stops_the_core_before_the_access) {
  WithDevice m;
  m.put(kProgram, {0x2101, 0xf850, 0x2b80, 0xbe00});  // ldr r2, [r0], #128
  m.start();
  m.core.hart().r[0] = 0x40000080;
  ASSERT_EQ(m.run(), Reason::kLater);
  EXPECT_EQ(m.core.hart().stop.pc, kProgram + 2);
  EXPECT_EQ(m.core.hart().stop.address, 0x40000080u);
  EXPECT_EQ(m.core.cycle(), 1u);
  EXPECT_EQ(m.r(0), 0x40000080u);
  m.device.ready = true;
  ASSERT_EQ(m.run(), Reason::kBreakpoint);
  EXPECT_EQ(m.r(2), 0x1080u);
  EXPECT_EQ(m.r(0), 0x40000100u);
}

TEST(CpuSystem, device_that_refuses_is_a_bus_fault) {
  WithDevice m;
  m.put(kProgram, {0x6801});
  m.handler(kBusFault, kHandler);
  m.put(kHandler, {0xbe01});
  m.start();
  m.set(kShcsr, 7u << 16);
  m.core.hart().r[0] = 0x40000100;
  m.run();
  EXPECT_EQ(m.core.hart().stop.pc, kHandler);
  EXPECT_EQ(m.reg(kBfar), 0x40000100u);
}

// Instructions that were written are seen after ISB.
TEST(CpuSystem, code_that_changes_itself_is_decoded_again_after_isb) {
  Machine m;
  const uint32_t code = kRam + 0x1000;
  m.put(code, {0x2001, 0x4770});            // movs r0, #1; bx lr
  m.put(kProgram, {0x47a0, 0x4605,          // blx r4; mov r5, r0
                   0x8037, 0xf3bf, 0x8f4f,  // strh r7, [r6]; dsb
                   0xf3bf, 0x8f6f,          // isb
                   0x47a0, 0xbe00});        // blx r4
  m.start();
  m.core.hart().r[4] = code | 1;
  m.core.hart().r[6] = code;
  m.core.hart().r[7] = 0x2009;  // movs r0, #9
  m.run();
  EXPECT_EQ(m.r(5), 1u);
  EXPECT_EQ(m.r(0), 9u);
}

TEST(CpuSystem, ldrt_asks_with_the_rights_of_a_program) {
  Machine m;
  m.put(kProgram, {0x6801, 0xf850, 0x2e00, 0xbe00});  // ldr r1, [r0]; ldrt r2, [r0]
  m.handler(kMemManage, kHandler);
  m.put(kHandler, {0xbe01});
  m.start();
  m.poke(kRam, 5);
  m.set(kShcsr, 7u << 16);
  m.set(kMpuControl, 5);
  m.core.hart().r[0] = kRam;
  m.run();
  EXPECT_EQ(m.core.hart().stop.pc, kHandler);
  EXPECT_EQ(m.r(1), 5u);
  EXPECT_EQ(m.word(m.r(13) + 24), kProgram + 2);
}

TEST(CpuSystem, cycle_counter_of_the_trace_unit) {
  Machine m;
  m.put(kProgram, {0x6801, 0xbf00, 0xbf00, 0x6802, 0xbe00});
  m.start();
  m.set(0xe000edfc, 1u << 24);
  m.set(0xe0001000, 1);
  m.core.hart().r[0] = 0xe0001004;
  m.run();
  EXPECT_EQ(m.r(2) - m.r(1), Timing{}.load + 2);
}

TEST(CpuSystem, reset_is_asked_for_with_the_key_only) {
  Machine m;
  m.put(kProgram, {0xbe00});
  m.start();
  m.set(kAircr, 0x12340004);
  EXPECT_FALSE(m.core.system().reset_requested());
  m.set(kAircr, 0x05fa0004);
  EXPECT_TRUE(m.core.system().reset_requested());
}

}  // namespace
}  // namespace presil::cpu
