// The processor by hand: traps and what they report, first faults, vstart, configuration, counters,
// self-modified code, ELF files that are none.
#include "models/dsp/dsp_core.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "models/base/refusal.h"
#include "models/dsp/dsp_elf.h"
#include "tests/dsp/dsp_machine.h"

namespace presil::dsp {
namespace {

TEST(DspCore, a_load_outside_every_region_is_reported_with_pc_word_and_address) {
  Machine m;
  Assembler a(Machine::kCode);
  a("addi", {5, 0, 64});
  a("lw", {6, 16, 5});
  const Stop& stop = m.run(a);
  EXPECT_EQ(stop.cause, Cause::kLoadFault);
  EXPECT_EQ(stop.pc, Machine::kCode + 4);
  EXPECT_EQ(stop.word, encode("lw", {6, 16, 5}));
  EXPECT_EQ(stop.address, 80u);
  EXPECT_EQ(m.core.instructions(), 1u);  // the load is not executed
}

TEST(DspCore, rights_and_alignment_are_checked_for_the_whole_access) {
  const struct {
    const char* name;
    int64_t offset;
    unsigned base;
    Cause cause;
  } cases[] = {
      {"ld", 8184, 10, Cause::kCall},
      {"ld", 8185, 10, Cause::kLoadMisaligned},
      {"sw", 2, 10, Cause::kStoreMisaligned},
      {"lw", 8192, 10, Cause::kLoadFault},
      {"sd", 4092 - 4092 % 8, 11, Cause::kCall},
      {"sb", 4096, 11, Cause::kStoreFault},
      {"sw", 0, 12, Cause::kStoreFault},
      {"lw", 0, 12, Cause::kCall},
  };
  for (const auto& c : cases) {
    Machine m;
    m.core.hart().x[12] = Machine::kCode;
    m.core.hart().x[c.base] += static_cast<uint64_t>(c.offset);
    Assembler a(Machine::kCode);
    a(c.name, {5, 0, c.base});
    EXPECT_EQ(m.run(a).cause, c.cause) << c.name << " " << c.offset;
  }
}

TEST(DspCore, a_jump_beyond_4_gib_is_a_fetch_fault_at_its_target) {
  Machine m;
  m.core.hart().x[12] = uint64_t{1} << 32 | Machine::kCode;
  Assembler a(Machine::kCode);
  a("jalr", {1, 0, 12});
  const Stop& stop = m.run(a);
  EXPECT_EQ(stop.cause, Cause::kFetch);
  EXPECT_EQ(stop.address, uint64_t{1} << 32 | Machine::kCode);
}

TEST(DspCore, without_a_vector_unit_its_instructions_are_illegal) {
  for (const bool vector : {true, false}) {
    Config config;
    config.vector = vector;
    Machine m(config);
    Assembler a(Machine::kCode);
    a("vsetivli", {0, 4, vtype(32, 0)});
    a("vmv.v.i", {4, 1});
    EXPECT_EQ(m.run(a).cause, vector ? Cause::kCall : Cause::kIllegal);
    EXPECT_EQ(m.core.instructions(), vector ? 2u : 0u);
  }
}

TEST(DspCore, a_vector_load_stops_at_the_refused_element_and_goes_on_from_it) {
  Machine m;
  for (unsigned i = 0; i < m.data.size(); ++i) m.data[i] = static_cast<uint8_t>(i * 7);
  m.core.hart().x[12] = Machine::kData + 8192 - 20;  // five words, then nothing
  Assembler a(Machine::kCode);
  a("vsetivli", {0, 8, vtype(32, 0)});
  a("vle32.v", {4, 12, 1});
  const Stop& stop = m.run(a);
  EXPECT_EQ(stop.cause, Cause::kLoadFault);
  EXPECT_EQ(stop.vstart, 5u);
  EXPECT_EQ(stop.address, Machine::kData + 8192);
  EXPECT_EQ(std::memcmp(m.core.vector_register(4), &m.data[8192 - 20], 20), 0);
  // From element 5 on, with memory that is there, the elements before stay.
  m.core.hart().x[12] = Machine::kData;
  Assembler again(Machine::kCode);
  again("vsetivli", {0, 8, vtype(32, 0)});
  again("csrrwi", {0, 0x008, 5});
  again("vle32.v", {4, 12, 1});
  again("csrrs", {5, 0x008, 0});
  EXPECT_EQ(m.run(again).cause, Cause::kCall);
  EXPECT_EQ(m.x(5), 0u);
  EXPECT_EQ(std::memcmp(m.core.vector_register(4), &m.data[8192 - 20], 20), 0);
  EXPECT_EQ(std::memcmp(m.core.vector_register(4) + 20, &m.data[20], 12), 0);
}

TEST(DspCore, a_first_fault_load_shortens_vl_and_traps_only_at_element_0) {
  Machine m;
  m.core.hart().x[12] = Machine::kData + 8192 - 20;
  Assembler a(Machine::kCode);
  a("vsetivli", {0, 8, vtype(32, 0)});
  a("vle32ff.v", {4, 12, 1});
  a("csrrs", {5, 0xc20, 0});
  EXPECT_EQ(m.run(a).cause, Cause::kCall);
  EXPECT_EQ(m.x(5), 5u);
  m.core.hart().x[12] = Machine::kData + 8192;
  Assembler at_once(Machine::kCode);
  at_once("vsetivli", {0, 8, vtype(32, 0)});
  at_once("vle32ff.v", {4, 12, 1});
  EXPECT_EQ(m.run(at_once).cause, Cause::kLoadFault);
}

TEST(DspCore, arithmetic_begins_at_vstart_and_reductions_refuse_it) {
  Machine m;
  Assembler a(Machine::kCode);
  a("vsetivli", {0, 8, vtype(8, 0)});
  a("vmv.v.i", {4, 1});
  a("vmv.v.i", {8, 9});
  a("csrrwi", {0, 0x008, 3});
  a("vadd.vi", {4, 8, 2, 1});
  EXPECT_EQ(m.run(a).cause, Cause::kCall);
  const uint8_t* v = m.core.vector_register(4);
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(v[i], i < 3 ? 1 : 11) << i;
  for (const char* name : {"vredsum.vs", "vcompress.vm"}) {
    Assembler b(Machine::kCode);
    b("vsetivli", {0, 8, vtype(8, 0)});
    b("csrrwi", {0, 0x008, 3});
    if (name[1] == 'r') {
      b(name, {4, 5, 6, 1});
    } else {
      b(name, {4, 5, 6});
    }
    EXPECT_EQ(m.run(b).cause, Cause::kIllegal) << name;
  }
}

TEST(DspCore, vl_is_the_avl_or_a_group_and_keeping_it_requires_the_same_vlmax) {
  Machine m;
  Assembler a(Machine::kCode);
  a("addi", {5, 0, 100});
  a("vsetvli", {6, 5, vtype(32, 2)});   // VLMAX 64
  a("vsetvli", {7, 0, vtype(32, -1)});  // VLMAX 8
  a("vsetivli", {12, 5, vtype(8, 3)});
  a("vsetvli", {0, 0, vtype(16, 3)});  // VLMAX 256 instead of 512
  a("csrrs", {13, 0xc21, 0});
  EXPECT_EQ(m.run(a).cause, Cause::kCall);
  EXPECT_EQ(m.x(6), 64u);
  EXPECT_EQ(m.x(7), 8u);
  EXPECT_EQ(m.x(12), 5u);
  EXPECT_EQ(m.x(13), uint64_t{1} << 63);
}

TEST(DspCore, a_float_instruction_with_no_rounding_mode_is_illegal) {
  for (const int64_t frm : {4, 5, 7}) {
    Machine m;
    Assembler a(Machine::kCode);
    a("csrrwi", {0, 0x002, frm});
    a("fadd.s", {1, 2, 3, 7});
    EXPECT_EQ(m.run(a).cause, frm <= 4 ? Cause::kCall : Cause::kIllegal);
    Assembler b(Machine::kCode);
    b("csrrwi", {0, 0x002, frm});
    b("vsetivli", {0, 4, vtype(32, 0)});
    b("vfadd.vv", {4, 5, 6, 1});
    EXPECT_EQ(m.run(b).cause, frm <= 4 ? Cause::kCall : Cause::kIllegal);
  }
}

TEST(DspCore, ctzw_counts_32_bits) {
  Machine m;
  m.core.hart().x[5] = uint64_t{1} << 40;
  Assembler a(Machine::kCode);
  a("ctzw", {6, 5});
  m.run(a);
  EXPECT_EQ(m.x(6), 32u);
}

TEST(DspCore, an_endless_loop_ends_at_the_watchdog) {
  Machine m;
  Assembler a(Machine::kCode);
  a("addi", {5, 5, 1});
  a("jal", {0, -4});
  std::memcpy(m.code.data(), a.bytes().data(), a.bytes().size());
  const Stop& stop = m.core.run(Machine::kCode, 3000);
  EXPECT_EQ(stop.cause, Cause::kWatchdog);
  EXPECT_EQ(m.core.hart().cycle, 3000u);  // 750 rounds: addi 1, jal 1, refetch 2
  EXPECT_EQ(m.x(5), 750u);
  EXPECT_EQ(m.core.instructions(), 1500u);
}

TEST(DspCore, fence_i_sees_new_instructions) {
  Machine m;
  m.core.memory().clear();
  m.core.memory().add({Machine::kCode, m.code.size(), m.code.data(), kRead | kWrite | kExecute,
                       Space::kTcm, 0, nullptr});
  m.core.hart().x[12] = Machine::kCode;
  m.core.hart().x[13] = encode("addi", {6, 0, 2});
  Assembler a(Machine::kCode);
  a("jal", {0, 8});
  a("addi", {6, 0, 1});  // at 4: becomes addi x6, x0, 2
  a("sw", {13, 4, 12});
  a("fence.i", {});
  a("bne", {6, 0, 8});
  a("jal", {0, -16});
  m.run(a);
  EXPECT_EQ(m.x(6), 2u);
}

TEST(DspCore, csrs_that_are_not_there_or_read_only_trap) {
  for (const int64_t number : {0x105, 0x304, 0x7c0}) {
    Machine m;
    Assembler a(Machine::kCode);
    a("csrrs", {5, number, 0});
    EXPECT_EQ(m.run(a).cause, Cause::kIllegal) << number;
  }
  Machine m;
  Assembler a(Machine::kCode);
  a("csrrs", {5, 0xc22, 0});
  EXPECT_EQ(m.run(a).cause, Cause::kCall);
  EXPECT_EQ(m.x(5), 64u);  // vlenb
  Assembler b(Machine::kCode);
  b("csrrw", {5, 0xc22, 6});
  EXPECT_EQ(m.run(b).cause, Cause::kIllegal);
}

TEST(DspCore, files_that_are_no_programs_for_it_are_refused) {
  const std::string file = std::filesystem::temp_directory_path() / "presil-dsp-no-program";
  std::ofstream(file) << "text";
  for (const std::string& name : {file, file + ".none"}) {
    try {
      read_elf(name);
      FAIL();
    } catch (const Refusal& refusal) {
      EXPECT_NE(std::string(refusal.what()).find("linked by the recipe of the DSP's kernels"),
                std::string::npos);
    }
  }
  std::filesystem::remove(file);
}

TEST(DspCore, a_parameter_out_of_range_is_refused) {
  Config config;
  config.vlen = 384;
  EXPECT_THROW(Core{config}, Refusal);
}

}  // namespace
}  // namespace presil::dsp
