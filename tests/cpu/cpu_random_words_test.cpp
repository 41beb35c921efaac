// Random words as programs: whatever they do, the core comes back, within its memory, at the cycle
// that was asked for or with a reason.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "tests/cpu/cpu_machine.h"

namespace presil::cpu {
namespace {

bool everything() {
  const char* all = std::getenv("PRESIL_ALL");
  return all != nullptr && std::string(all) == "1";
}

TEST(CpuRandomWords, every_run_ends_with_a_reason) {
  std::mt19937_64 random(5);
  unsigned reasons[6] = {};
  const unsigned runs = everything() ? 20000 : 1000;
  for (unsigned i = 0; i < runs; ++i) {
    Machine m(i % 2 == 0 ? Config{} : v7());
    for (uint32_t at = kProgram; at < kProgram + 0x400; at += 4) {
      // half of them instructions of 32 bits
      const auto bits = static_cast<uint32_t>(random());
      m.poke(at, (bits & 1) != 0 ? bits : bits | 0xe000f000);
    }
    for (uint32_t at = kRam; at < kRam + kRamBytes; at += 256)
      m.poke(at, static_cast<uint32_t>(random()));
    m.start();
    m.set(kCpacr, 0xf00000);
    m.set(kShcsr, 7u << 16);
    m.set(kIser, ~0u);
    for (unsigned n = 0; n < 13; ++n)
      m.core.hart().r[n] = (random() & 1) != 0 ? kRam + static_cast<uint32_t>(random() % kRamBytes)
                                               : static_cast<uint32_t>(random());
    // faults go on after the instruction of the frame, so that a run comes far
    const uint32_t handler = 0x2000;
    // ldr r0, [sp, #24]; adds r0, #2; str r0, [sp, #24]; bx lr
    m.put(handler, {0x9806, 0x3002, 0x9006, 0x4770});
    for (unsigned n = kHardFault; n < 48; ++n) m.handler(n, handler);
    uint64_t end = 0;
    for (unsigned part = 0; part < 20; ++part) {
      end += 100;
      const Reason reason = m.run(end);
      ++reasons[static_cast<size_t>(reason)];
      const bool in_time = reason == Reason::kTime || reason == Reason::kWait;
      EXPECT_TRUE(!in_time || m.core.cycle() >= end);
      if (reason == Reason::kBreakpoint) m.core.jump(m.core.hart().stop.pc + 2);
      if (reason == Reason::kLockup || reason == Reason::kExit) break;
    }
  }
  EXPECT_GT(reasons[static_cast<size_t>(Reason::kTime)], runs);
  EXPECT_GT(reasons[static_cast<size_t>(Reason::kBreakpoint)], 0u);
  EXPECT_GT(reasons[static_cast<size_t>(Reason::kLockup)], 0u);
  EXPECT_EQ(reasons[static_cast<size_t>(Reason::kLater)], 0u);
}

}  // namespace
}  // namespace presil::cpu
