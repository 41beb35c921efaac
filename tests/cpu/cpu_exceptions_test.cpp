// Exceptions, worked out by hand: frames, order, tail chaining, late arrival, masks.
#include <gtest/gtest.h>

#include "tests/cpu/cpu_machine.h"

namespace presil::cpu {
namespace {

constexpr uint32_t kFirst = 0x2000, kSecond = 0x2100;
constexpr uint32_t kLog = kRam + 0x100;

// A handler that writes its letter to the log at r7 and returns.
void logs(Machine& m, unsigned exception, uint32_t address, unsigned letter) {
  m.handler(exception, address);
  // movs r0, #letter; strb r0, [r7]; adds r7, #1; bx lr
  m.put(address, {0x2000 | letter, 0x7038, 0x3701, 0x4770});
}

std::string log(Machine& m) {
  return std::string(reinterpret_cast<const char*>(&m.ram[kLog - kRam]), m.core.hart().r[7] - kLog);
}

TEST(CpuExceptions, svc_stacks_eight_words_and_returns_after_itself) {
  for (const Config& config : {Config{}, v7()}) {
    Machine m(config);
    m.put(kProgram, {0xdf05, 0x2107, 0xbe00});  // svc 5; movs r1, #7; bkpt
    m.handler(kSvCall, kFirst);
    m.put(kFirst, {0x466a, 0x4673, 0xbe01, 0x4770});  // mov r2, sp; mov r3, lr; bkpt 1; bx lr
    m.start();
    Hart& h = m.core.hart();
    for (unsigned n = 0; n < 13; ++n) h.r[n] = 0x100 + n;
    h.r[14] = 0xabcd1235;
    h.set_nzcv(0x60000000);
    ASSERT_EQ(m.run(), Reason::kBreakpoint);
    const uint32_t frame = kStackTop - 32;
    EXPECT_EQ(m.r(2), frame);
    // thread, main stack, no float context
    EXPECT_EQ(m.r(3), config.v8() ? 0xffffffb8 : 0xfffffff9);
    const uint32_t expected[8] = {0x100, 0x101,      0x102,        0x103,
                                  0x10c, 0xabcd1235, kProgram + 2, 0x61000000};
    for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(m.word(frame + 4 * i), expected[i]) << i;
    EXPECT_EQ(m.core.system().read_special(5), 11u);
    m.core.jump(kFirst + 6);
    ASSERT_EQ(m.run(), Reason::kBreakpoint);
    EXPECT_EQ(m.core.hart().stop.pc, kProgram + 4);
    EXPECT_EQ(m.r(1), 7u);
    EXPECT_EQ(m.r(2), 0x102u);  // from the frame
    EXPECT_EQ(m.r(13), kStackTop);
    EXPECT_EQ(h.apsr(), 0x20000000u);  // C from the frame, N and Z of movs
  }
}

TEST(CpuExceptions, frame_is_aligned_to_eight_bytes_and_says_so) {
  Machine m;
  m.put(kProgram, {0xdf00, 0xbe00});
  m.handler(kSvCall, kFirst);
  m.put(kFirst, {0xbe01, 0x4770});
  m.start();
  m.core.hart().r[13] = kStackTop - 4;
  m.run();
  EXPECT_EQ(m.r(13), kStackTop - 40);
  EXPECT_EQ(m.word(kStackTop - 40 + 28) >> 9 & 1, 1u);
  m.core.jump(kFirst + 2);
  m.run();
  EXPECT_EQ(m.r(13), kStackTop - 4);
}

// Entry 12, tail chain 6, return 10: the second handler needs no second frame.
TEST(CpuExceptions, second_interrupt_is_tail_chained) {
  Machine m;
  Config config;
  m.put(kProgram, {0xbf00, 0xe7fd});  // nop; b to it
  logs(m, kFirstInterrupt + 0, kFirst, 'a');
  logs(m, kFirstInterrupt + 1, kSecond, 'b');
  m.start();
  m.core.hart().r[7] = kLog;
  m.set(kIser, 3);
  m.core.set_interrupt(0, true);
  m.core.set_interrupt(0, false);
  m.core.set_interrupt(1, true);
  m.core.set_interrupt(1, false);
  // 12 entry, then movs, strb, adds, bx (1 + refill), 6 tail chain, the same again, 10 return
  const Timing& t = config.timing;
  const uint64_t handler = 3 * t.alu + t.branch_not_taken + t.branch_refill;
  const uint64_t end = t.exception_entry + handler + t.tail_chain + handler + t.exception_return;
  ASSERT_EQ(m.run(end - 1), Reason::kTime);
  EXPECT_EQ(m.core.cycle(), end);
  EXPECT_EQ(log(m), "ab");
  EXPECT_EQ(m.core.system().current_exception(), 0u);
  EXPECT_EQ(m.r(13), kStackTop);
}

TEST(CpuExceptions, more_urgent_interrupt_preempts_and_less_urgent_one_waits) {
  Machine m;
  m.put(kProgram, {0xbf00, 0xe7fd});
  // the first one sets the second pending, which is more urgent, and the third, which is less
  m.handler(kFirstInterrupt, kFirst);
  // str r6, [r5] (ISPR); dsb; isb; movs r0, #'a'; strb r0, [r7]; adds r7, #1; bx lr
  m.put(kFirst, {0x602e, 0xf3bf, 0x8f4f, 0xf3bf, 0x8f6f, 0x2061, 0x7038, 0x3701, 0x4770});
  // r7 is changed by the handlers that preempt: it is not in the frame
  logs(m, kFirstInterrupt + 1, kSecond, 'b');
  logs(m, kFirstInterrupt + 2, kSecond + 0x100, 'c');
  m.start();
  m.core.hart().r[7] = kLog;
  m.core.hart().r[5] = kIspr;
  m.core.hart().r[6] = 6;
  m.set(kIser, 7);
  m.set(kIpr, 0x00c02080);  // priorities 0x80, 0x20, 0xc0
  m.set(kIspr, 1);
  m.run(400);
  EXPECT_EQ(log(m), "bac");
}

// The timer ends while the registers for the first interrupt are stacked: it goes first.
TEST(CpuExceptions, late_arrival_goes_first) {
  Machine m;
  m.put(kProgram, {0xbf00, 0xe7fd});
  logs(m, kFirstInterrupt, kFirst, 'i');
  logs(m, kSysTick, kSecond, 't');
  m.start();
  m.core.hart().r[7] = kLog;
  m.set(kIser, 1);
  m.set(kIpr, 0x80);
  m.set(kTimerReload, 100000);
  m.set(kTimerControl, 7);
  m.set(kTimerReload, 5);
  m.set(kTimerValue, 0);  // to 0 in cycle 6
  m.set(kTimerReload, 0);
  m.core.set_interrupt(0, true);
  m.core.set_interrupt(0, false);
  m.run(60);
  EXPECT_EQ(log(m), "ti");
}

TEST(CpuExceptions, masks_hold_back_what_they_say) {
  struct Case {
    unsigned special;
    uint32_t value;
    const char* expected;
  };
  // interrupts 0 and 1 with priorities 0x40 and 0x80, and NMI
  const Case cases[] = {
      {16, 1, "n"}, {17, 0x80, "na"}, {17, 0x40, "n"}, {19, 1, "n"}, {16, 0, "nab"}};
  for (const Case& c : cases) {
    Machine m;
    m.put(kProgram, {0xbf00, 0xe7fd});
    logs(m, kFirstInterrupt, kFirst, 'a');
    logs(m, kFirstInterrupt + 1, kSecond, 'b');
    logs(m, kNmi, kSecond + 0x100, 'n');
    m.start();
    m.core.hart().r[7] = kLog;
    m.set(kIser, 3);
    m.set(kIpr, 0x8040);
    m.core.system().write_special(c.special, 0, c.value);
    m.set(kIspr, 3);
    m.core.system().pulse(kNmi);
    m.run(12);
    m.core.system().write_special(19, 0, c.special == 19 ? 1 : 0);  // NMI's return clears it
    m.run(400);
    EXPECT_EQ(log(m), c.expected) << c.special << " " << c.value;
  }
}

TEST(CpuExceptions, priority_group_decides_about_preemption_not_about_order) {
  Machine m;
  m.put(kProgram, {0xbf00, 0xe7fd});
  logs(m, kFirstInterrupt, kFirst, 'a');
  logs(m, kFirstInterrupt + 1, kSecond, 'b');
  m.start();
  m.core.hart().r[7] = kLog;
  m.set(kAircr, 0x05fa0600);  // one bit of group: 0x00..0x60 are one
  m.set(kIser, 3);
  m.set(kIpr, 0x2060);
  m.set(kIspr, 3);
  m.run(400);
  EXPECT_EQ(log(m), "ba");
}

TEST(CpuExceptions, program_with_its_own_stack_is_stacked_on_it) {
  for (const Config& config : {Config{}, v7()}) {
    Machine m(config);
    // msr psp, r0; msr control, r1; isb; svc 0; bkpt
    m.put(kProgram, {0xf380, 0x8809, 0xf381, 0x8814, 0xf3bf, 0x8f6f, 0xdf00, 0xbe00});
    m.handler(kSvCall, kFirst);
    m.put(kFirst, {0xbe01, 0x4770});
    m.start();
    m.core.hart().r[0] = kRam + 0x4000;
    m.core.hart().r[1] = 3;  // unprivileged, process stack
    m.run();
    ASSERT_EQ(m.core.hart().stop.pc, kFirst);
    EXPECT_EQ(m.r(13), kStackTop);
    EXPECT_EQ(m.core.system().read_special(9), kRam + 0x4000 - 32);
    EXPECT_EQ(m.r(14), config.v8() ? 0xffffffbc : 0xfffffffd);
    EXPECT_TRUE(m.core.system().privileged());
    m.core.jump(kFirst + 2);
    m.run();
    EXPECT_EQ(m.core.hart().stop.pc, kProgram + 14);
    EXPECT_EQ(m.r(13), kRam + 0x4000);
    EXPECT_FALSE(m.core.system().privileged());
  }
}

TEST(CpuExceptions, it_block_goes_on_after_an_exception_in_it) {
  Machine m;
  // cmp r0, r0; ite eq: ldreq r1, [r2] (a device that pends), movne r3, #1; then eq again
  m.put(kProgram, {0x4280, 0xbf06, 0x602e, 0x2301, 0x2402, 0xbe00});  // itte eq: str, mov, mov
  logs(m, kFirstInterrupt, kFirst, 'a');
  m.start();
  Hart& h = m.core.hart();
  h.r[7] = kLog;
  h.r[5] = kIspr;
  h.r[6] = 1;
  h.r[3] = h.r[4] = 0;
  m.set(kIser, 1);
  m.run();
  EXPECT_EQ(log(m), "a");
  EXPECT_EQ(m.r(3), 1u);  // eq
  EXPECT_EQ(m.r(4), 0u);  // ne: left out
}

TEST(CpuExceptions, float_context_is_saved_when_the_handler_first_needs_it) {
  Machine m;
  // vadd.f32 s0, s0, s0; svc 0; bkpt
  m.put(kProgram, {0xee30, 0x0a00, 0xdf00, 0xbe00});
  m.handler(kSvCall, kFirst);
  // bkpt 1; vmov s0, r5; bkpt 2; bx lr
  m.put(kFirst, {0xbe01, 0xee00, 0x5a10, 0xbe02, 0x4770});
  m.start();
  m.set(kCpacr, 0xf00000);
  m.core.hart().s[0] = 0x3f800000;
  m.run();
  ASSERT_EQ(m.core.hart().stop.pc, kFirst);
  EXPECT_EQ(m.r(14), 0xffffffa8);  // with float context
  const uint32_t frame = kStackTop - 0x68;
  EXPECT_EQ(m.r(13), frame);
  EXPECT_EQ(m.reg(kFpccr) & 1, 1u);
  EXPECT_EQ(m.word(frame + 0x20), 0u);  // not yet
  m.core.jump(kFirst + 2);
  m.run();
  EXPECT_EQ(m.reg(kFpccr) & 1, 0u);
  EXPECT_EQ(m.word(frame + 0x20), 0x40000000u);  // 2.0
  m.core.jump(kFirst + 8);
  m.run();
  EXPECT_EQ(m.core.hart().stop.pc, kProgram + 6);
  EXPECT_EQ(m.core.hart().s[0], 0x40000000u);
}

TEST(CpuExceptions, exclusive_monitor_is_open_after_an_exception) {
  Machine m;
  // ldrex r1, [r0]; svc 0; strex r2, r1, [r0]; bkpt
  m.put(kProgram, {0xe850, 0x1f00, 0xdf00, 0xe840, 0x1200, 0xbe00});
  m.handler(kSvCall, kFirst);
  m.put(kFirst, {0x4770});
  m.start();
  m.core.hart().r[0] = kRam;
  m.core.hart().r[2] = 5;
  m.run();
  EXPECT_EQ(m.r(2), 1u);
}

}  // namespace
}  // namespace presil::cpu
