// What is refused, with the sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "models/base/refusal.h"
#include "models/rv64/rv64_config.h"
#include "models/rv64/rv64_elf.h"

namespace presil::rv64 {
namespace {

std::string refusal_of(const std::string& from, const std::string& to) {
  std::ifstream in("models/rv64/cores/rv64.yaml");
  std::stringstream all;
  all << in.rdbuf();
  std::string text = all.str();
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

TEST(Rv64Bad, core_files) {
  EXPECT_EQ(refusal_of("name: rv64", "name: other"), "");
  EXPECT_EQ(refusal_of("  load_to_use: 2", "  laod_to_use: 2"),
            "rv64: core.yaml: cycles lacks \"load_to_use\"; models/rv64/cores has complete files");
  EXPECT_EQ(refusal_of("  load_to_use: 2", "  load_to_use: 2\n  laod: 2"),
            "rv64: core.yaml: cycles has an unknown key \"laod\"; remove or correct it");
  EXPECT_EQ(refusal_of("  load_to_use: 2", "  load_to_use: 0"),
            "rv64: core.yaml: cycles has load_to_use: 0, must be a whole number 1..200");
  EXPECT_EQ(refusal_of("  load_to_use: 2", "  load_to_use: -1"),
            "rv64: core.yaml: cycles has load_to_use: -1, must be a whole number 1..200");
  EXPECT_EQ(refusal_of("  trap_entry: 4", "  trap_entry: [4]"),
            "rv64: core.yaml: cycles has a \"trap_entry\" that is a list or map, must be a value");
  EXPECT_EQ(refusal_of("rv64imfc", "rv64imac"),
            "rv64: core.yaml has architecture: rv64imac, must be rv64imfc");
  EXPECT_THAT(refusal_of("name: rv64", "name: {"),
              testing::HasSubstr("core.yaml is no YAML: line"));
  EXPECT_THROW(read_config("no_such_file.yaml"), Refusal);
}

TEST(Rv64Bad, cycles_of_the_file_reach_the_core) {
  std::ifstream in("models/rv64/cores/rv64.yaml");
  std::stringstream all;
  all << in.rdbuf();
  std::string text = all.str();
  text.replace(text.find("divide_64: 34"), 13, "divide_64: 66");
  EXPECT_EQ(parse_config(text, "core.yaml").scalar.divide_64, 66u);
}

std::string elf_refusal(const std::string& file) {
  try {
    read_elf(file);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(Rv64Bad, programs_of_other_machines_are_refused_with_what_is_required) {
  constexpr const char* kRequired = "required is a linked program for RV64IMFC (64-bit ELF)";
  for (const char* file : {"sim/host_cpu/prebuilt/m33.elf", "models/rv64/README.md"})
    EXPECT_THAT(elf_refusal(file), testing::HasSubstr(kRequired)) << file;
  EXPECT_EQ(elf_refusal("sim/host_cpu/prebuilt/rv64.elf"), "");
}

TEST(Rv64Bad, a_segment_where_no_memory_is_is_refused) {
  const elf::Program program = read_elf("sim/host_cpu/prebuilt/rv64.elf");
  dsp::Memory memory;
  try {
    load(program, "fw.elf", memory);
    FAIL();
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), testing::HasSubstr("rv64: 'fw.elf' has "));
    EXPECT_THAT(refusal.what(), testing::HasSubstr("where the core has no memory of this size"));
  }
}

}  // namespace
}  // namespace presil::rv64
