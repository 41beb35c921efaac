// What is refused, with the sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "models/base/refusal.h"
#include "models/cpu/cpu_elf.h"
#include "tests/cpu/cpu_machine.h"

namespace presil::cpu {
namespace {

std::string core_file() {
  std::ifstream in("models/cpu/cores/cortex_m4.yaml");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string refusal_of(const std::string& from, const std::string& to) {
  std::string text = core_file();
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  try {
    parse_config(text, "core.yaml");
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(CpuBad, core_files) {
  EXPECT_EQ(refusal_of("  load: 2", "  laod: 2"),
            "cpu: core.yaml: cycles lacks \"load\"; models/cpu/cores has complete files");
  EXPECT_EQ(refusal_of("  load: 2", "  load: 2\n  laod: 2"),
            "cpu: core.yaml: cycles has an unknown key \"laod\" (did you mean 'load'?); remove or "
            "correct it");
  EXPECT_EQ(refusal_of("  load: 2", "  load: 0"),
            "cpu: core.yaml: cycles has load: 0, must be a whole number 1..200");
  EXPECT_EQ(refusal_of("  load: 2", "  load: -1"),
            "cpu: core.yaml: cycles has load: -1, must be a whole number 1..200");
  EXPECT_EQ(refusal_of("  load: 2", "  load: [2]"),
            "cpu: core.yaml: cycles has a \"load\" that is a list or map, must be a value");
  EXPECT_EQ(refusal_of("divide_least: 2", "divide_least: 20"),
            "cpu: core.yaml: cycles has divide_most: 12, must be at least divide_least, 20");
  EXPECT_EQ(refusal_of("fpu: fpv4-sp", "fpu: fpv4"),
            "cpu: core.yaml has fpu: fpv4, must be one of none, fpv4-sp, fpv5-sp");
  EXPECT_EQ(refusal_of("armv7e-m", "armv8-m.main"),
            "cpu: core.yaml has fpu: fpv4-sp, which Armv8-M does not have; use fpv5-sp or none");
  EXPECT_EQ(refusal_of("dsp: true", "dsp: yes"),
            "cpu: core.yaml has dsp: yes, must be true or false");
  EXPECT_EQ(refusal_of("priority_bits: 3", "priority_bits: 2"),
            "cpu: core.yaml has priority_bits: 2, must be a whole number 3..8");
  EXPECT_THAT(refusal_of("name: cortex_m4", "name: {"),
              testing::HasSubstr("core.yaml is no YAML: line"));
}

TEST(CpuBad, core_file_that_is_absent) {
  try {
    read_config("no/such.yaml");
    FAIL();
  } catch (const Refusal& refusal) {
    EXPECT_STREQ(refusal.what(),
                 "cpu: no/such.yaml cannot be read; models/cpu/cores has cortex_m4.yaml and "
                 "cortex_m33.yaml");
  }
}

TEST(CpuBad, core_files_that_come_with_it_are_read) {
  EXPECT_EQ(read_config("models/cpu/cores/cortex_m4.yaml").architecture, Architecture::kArmv7em);
  EXPECT_EQ(read_config("models/cpu/cores/cortex_m33.yaml").architecture, Architecture::kArmv8m);
}

template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const Refusal& refused) {
    return refused.what();
  }
  return "";
}

TEST(CpuBad, programs_without_vectors) {
  Machine m;
  m.vector(1, 0x1000);
  EXPECT_EQ(
      refusal([&] { m.start(); }),
      "cpu: cortex_m33: the reset vector at 0x00000000 + 4 is 0x00001000, must have bit 0 set "
      "(Thumb); is this a vector table of an Armv7-M or Armv8-M program?");
  EXPECT_EQ(refusal([&] { m.core.reset(0x10000000); }),
            "cpu: cortex_m33: the vector table is at 0x10000000, must be readable memory and a "
            "multiple of 128; load a program there or give the address of its table");
}

TEST(CpuBad, regions) {
  Machine m;
  std::vector<uint8_t> more(0x100);
  EXPECT_EQ(refusal([&] { m.core.memory().add(Machine::region(0xff00, more, kRead)); }),
            "cpu: region 0x0000ff00..0x00010000 overlaps the region at 0x00000000, regions must be "
            "disjoint; move one of them");
  Region none;
  none.base = 0x30000000;
  none.bytes = 16;
  EXPECT_EQ(
      refusal([&] { m.core.memory().add(none); }),
      "cpu: region 0x30000000..0x30000010 must have either host bytes or a device; give one of "
      "them");
  none.base = 0xffffffff;
  EXPECT_THAT(refusal([&] { m.core.memory().add(none); }), testing::HasSubstr("end below 4 GiB"));
}

// A header alone: class, data, type, machine, entry.
std::string elf_with(uint8_t machine, uint8_t type, uint32_t entry) {
  std::string bytes(52, '\0');
  const char start[] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
  bytes.replace(0, sizeof start, start, sizeof start);
  bytes[16] = static_cast<char>(type);
  bytes[18] = static_cast<char>(machine);
  bytes[20] = 1;
  std::memcpy(&bytes[24], &entry, 4);
  bytes[40] = 52;
  const std::string file = testing::TempDir() + "presil_cpu_bad.elf";
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

TEST(CpuBad, files_that_are_no_programs) {
  const std::string required =
      "; required is a linked program for Arm (Thumb, 32-bit ELF), as clang "
      "--target=thumbv8m.main-none-eabi makes it";
  EXPECT_EQ(refusal([] { read_elf("no/such.elf"); }),
            "cpu: 'no/such.elf' cannot be opened" + required);
  EXPECT_EQ(refusal([] { read_elf("README.md"); }), "cpu: 'README.md' is no ELF file" + required);
  const std::string riscv = elf_with(243, 2, 0x1001);
  EXPECT_EQ(refusal([&] { read_elf(riscv); }),
            "cpu: '" + riscv + "' is for another machine than Arm" + required);
  const std::string object = elf_with(40, 1, 0x1001);
  EXPECT_EQ(refusal([&] { read_elf(object); }),
            "cpu: '" + object + "' is not linked to fixed addresses" + required);
  const std::string even = elf_with(40, 2, 0x1000);
  EXPECT_EQ(
      refusal([&] { read_elf(even); }),
      "cpu: '" + even + "' has its entry at 0x00001000, which is no Thumb address" + required);
  const std::string empty = elf_with(40, 2, 0x1001);
  EXPECT_EQ(refusal([&] { read_elf(empty); }),
            "cpu: '" + empty + "' has nothing to load" + required);
  Machine m;
  Image image;
  image.segments.push_back({0x30000000, std::vector<uint8_t>(16)});
  EXPECT_EQ(refusal([&] { load(image, "fw.elf", m.core.memory()); }),
            "cpu: 'fw.elf' has 16 bytes at 0x30000000, where the core has no memory of this size; "
            "correct the linker script or the core's regions");
}

TEST(CpuBad, interrupt_line_and_parameters) {
  Machine m;
  EXPECT_EQ(refusal([&] { m.core.set_interrupt(32, true); }),
            "cpu: cortex_m33: interrupt line is 32, must be below 32; raise `interrupts` in the "
            "core's file or use another line");
  Config config;
  config.interrupts = 481;
  EXPECT_EQ(refusal([&] { Core core(config); }),
            "cpu: cortex_m33: interrupts is 481, must be 1 to 480; correct it in the core's file");
}

}  // namespace
}  // namespace presil::cpu
