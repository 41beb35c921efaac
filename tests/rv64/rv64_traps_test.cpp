// Exceptions by hand: what they report, where the program goes on, what it costs.
#include <gtest/gtest.h>

#include <functional>

#include "tests/rv64/rv64_machine.h"

namespace presil::rv64 {
namespace {

using dsp::Assembler, dsp::encode;

struct Case {
  const char* name;
  std::function<void(Assembler&)> instruction;
  uint64_t cause, value;
};

TEST(Rv64Traps, each_exception_reports_its_pc_cause_and_value_and_the_program_goes_on) {
  constexpr uint64_t kData = Machine64::kData, kAt = Machine64::kCode + 16;
  const Case cases[] = {
      {"illegal word", [](Assembler& a) { a.word(0xffffffff); }, 2, 0xffffffff},
      {"vector instruction",
       [](Assembler& a) {
         a("vsetivli", {0, 4, 0});
       },
       2, encode("vsetivli", {0, 4, 0})},
      {"vector register",
       [](Assembler& a) {
         a("csrrs", {5, 0xc20, 0});
       },
       2, encode("csrrs", {5, 0xc20, 0})},
      {"read-only register",
       [](Assembler& a) {
         a("csrrw", {0, 0xc00, 5});
       },
       2, encode("csrrw", {0, 0xc00, 5})},
      {"read-only register of the machine",
       [](Assembler& a) {
         a("csrrwi", {0, 0xf14, 1});
       },
       2, encode("csrrwi", {0, 0xf14, 1})},
      {"no such register",
       [](Assembler& a) {
         a("csrrs", {5, 0x180, 0});
       },
       2, encode("csrrs", {5, 0x180, 0})},
      {"event counter",
       [](Assembler& a) {
         a("csrrs", {5, 0xb03, 0});
       },
       2, encode("csrrs", {5, 0xb03, 0})},
      {"breakpoint", [](Assembler& a) { a("ebreak", {}); }, 3, kAt},
      {"load misaligned",
       [](Assembler& a) {
         a("lw", {5, 2, 10});
       },
       4, kData + 2},
      {"load from nothing",
       [](Assembler& a) {
         a("ld", {5, -8, 10});
       },
       5, kData - 8},
      {"load from a 64-bit address",
       [](Assembler& a) {
         a("lb", {5, 0, 12});
       },
       5, uint64_t{1} << 40},
      {"store misaligned",
       [](Assembler& a) {
         a("sd", {5, 4, 10});
       },
       6, kData + 4},
      {"store to code",
       [](Assembler& a) {
         a("sw", {5, 0, 13});
       },
       7, Machine64::kCode},
      {"float store to nothing",
       [](Assembler& a) {
         a("fsw", {5, -4, 10});
       },
       7, kData - 4},
      {"narrow access of the timer",
       [](Assembler& a) {
         a("lh", {5, 0, 11});
       },
       5, Clint::kBase},
      {"call", [](Assembler& a) { a("ecall", {}); }, 11, 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    Machine64 m;
    m.core.hart().x[12] = uint64_t{1} << 40;
    m.core.hart().x[13] = Machine64::kCode;
    Assembler a = Machine64::begun();
    while (a.here() < kAt) a("addi", {0, 0, 0});
    c.instruction(a);
    a("addi", {6, 0, 77});
    EXPECT_EQ(m.run(a).reason, Reason::kWait);
    EXPECT_EQ(m.x(20), kAt);
    EXPECT_EQ(m.x(21), c.cause);
    EXPECT_EQ(m.x(22), c.value);
    EXPECT_EQ(m.x(24), 1u);
    EXPECT_EQ(m.x(6), 77u);
  }
}

TEST(Rv64Traps, a_jump_into_data_or_beyond_4_gib_reports_the_target) {
  for (const uint64_t target : {Machine64::kData, uint64_t{1} << 32 | Machine64::kCode,
                                ~uint64_t{0} << 32, uint64_t{0x30000000}}) {
    Machine64 m;
    Assembler h(Machine64::kHandler);  // goes back to x1
    h("csrrs", {20, kMepc, 0});
    h("csrrs", {21, kMcause, 0});
    h("csrrs", {22, kMtval, 0});
    h("csrrw", {0, kMepc, 1});
    h.word(kMretWord);
    m.set_handler(h);
    m.core.hart().x[12] = target;
    Assembler a = Machine64::begun();
    a("jalr", {1, 0, 12});
    a("addi", {6, 0, 77});
    EXPECT_EQ(m.run(a).reason, Reason::kWait) << std::hex << target;
    EXPECT_EQ(m.x(20), target);
    EXPECT_EQ(m.x(21), 1u);
    EXPECT_EQ(m.x(22), target);
    EXPECT_EQ(m.x(6), 77u);
  }
}

TEST(Rv64Traps, a_handler_that_cannot_be_fetched_locks_the_core_up) {
  Machine64 m;
  Assembler a(Machine64::kCode);
  a("csrrw", {0, kMtvec, 10});  // data
  a("ecall", {});
  EXPECT_EQ(m.run(a).reason, Reason::kLockup);
  EXPECT_EQ(m.core.run_awake(1000000).reason, Reason::kLockup);
  EXPECT_EQ(m.core.pc(), Machine64::kData);
}

TEST(Rv64Traps, registers_of_the_machine_keep_what_they_have_bits_for) {
  struct {
    int64_t number;
    uint64_t written, read;
  } const cases[] = {
      {kMstatus, ~uint64_t{0}, uint64_t{1} << 63 | 3 << 13 | 3 << 11 | 1 << 7 | 1 << 3},
      {kMstatus, 0, uint64_t{1} << 63 | 3 << 13 | 3 << 11},
      {kMie, ~uint64_t{0}, 1 << 3 | 1 << 7 | 1 << 11},
      {kMtvec, ~uint64_t{0}, ~uint64_t{2}},
      {kMscratch, 0x123456789abcdef0, 0x123456789abcdef0},
      {kMepc, ~uint64_t{0}, ~uint64_t{1}},
      {kMcause, uint64_t{1} << 63 | 7, uint64_t{1} << 63 | 7},
      {kMtval, 0x55, 0x55},
      {kMip, ~uint64_t{0}, 0},
      {0x301, 0, uint64_t{2} << 62 | 1 << 2 | 1 << 5 | 1 << 8 | 1 << 12},
  };
  for (const auto& c : cases) {
    Machine64 m;
    m.core.hart().x[12] = c.written;
    Assembler a(Machine64::kCode);
    a("csrrw", {0, c.number, 12});
    a("csrrs", {6, c.number, 0});
    m.run(a);
    EXPECT_EQ(m.x(6), c.read) << std::hex << c.number << " " << c.written;
  }
}

TEST(Rv64Traps, entry_and_return_swap_the_interrupt_bits) {
  Machine64 m;
  Assembler a = Machine64::begun();
  a("csrrwi", {0, kMstatus, 8});  // MIE, not MPIE
  a("ecall", {});
  a("csrrs", {6, kMstatus, 0});
  m.run(a);
  constexpr uint64_t kOthers = uint64_t{1} << 63 | 3 << 13 | 3 << 11;
  EXPECT_EQ(m.x(23), kOthers | 1 << 7);          // in the handler: MPIE alone
  EXPECT_EQ(m.x(6), kOthers | 1 << 7 | 1 << 3);  // after it: both
}

// The read of the cycle counter, the call a cycle later, 6 of entry, the handler's read; then four
// instructions of the handler and 9 of return.
TEST(Rv64Traps, entry_and_return_take_what_the_file_says) {
  Config config;
  config.trap_entry = 6;
  config.trap_return = 9;
  Machine64 m(config);
  Assembler h(Machine64::kHandler);
  h("csrrs", {7, kCycle, 0});
  h("csrrs", {25, kMepc, 0});
  h("addi", {25, 25, 4});
  h("csrrw", {0, kMepc, 25});
  h.word(kMretWord);
  m.set_handler(h);
  Assembler a = Machine64::begun();
  a("csrrs", {6, kCycle, 0});
  a("ecall", {});
  a("csrrs", {8, kCycle, 0});
  m.run(a);
  EXPECT_EQ(m.x(7) - m.x(6), 1u + 6);
  EXPECT_EQ(m.x(8) - m.x(7), 4u + 9);
}

TEST(Rv64Traps, semihosting_writes_and_ends_and_a_lone_ebreak_is_a_breakpoint) {
  Machine64 m;
  std::memcpy(m.data.data(), "text\n", 6);
  const uint64_t block[2] = {0x20026, 9};
  std::memcpy(m.data.data() + 16, block, sizeof block);
  const auto request = [](Assembler& a) {
    a("slli", {0, 0, 31});
    a("ebreak", {});
    a("srai", {0, 0, 7});
  };
  Assembler a = Machine64::begun();
  a("addi", {11, 10, 0});
  a("addi", {10, 0, 4});
  request(a);
  a("addi", {6, 10, 0});
  a("addi", {10, 0, 0x55});  // no such request
  request(a);
  a("addi", {7, 10, 0});
  a("addi", {11, 11, 16});
  a("addi", {10, 0, 0x20});
  request(a);
  const Stop& stop = m.run(a);
  EXPECT_EQ(stop.reason, Reason::kExit);
  EXPECT_EQ(stop.status, 9u);
  EXPECT_EQ(m.text, "text\n");
  EXPECT_EQ(m.x(6), 0u);
  EXPECT_EQ(m.x(7), ~uint64_t{0});
  EXPECT_EQ(m.x(24), 0u);  // no trap
}

// lui, addi, csrrw; then addi, ecall, handler of 9, addi, wfi.
TEST(Rv64Traps, every_instruction_is_counted_once) {
  Machine64 m;
  Assembler a(Machine64::kCode);
  a("addi", {5, 0, 0});
  a("lui", {5, Machine64::kHandler >> 12});
  a("csrrw", {0, kMtvec, 5});
  a("csrrwi", {0, kMie, 0});  // the core looks after it
  a("addi", {6, 0, 1});
  a("ecall", {});
  a("addi", {6, 6, 1});
  m.run(a);
  EXPECT_EQ(m.core.instructions(), 5u + 9 + 2);  // an ecall does not retire
}

}  // namespace
}  // namespace presil::rv64
