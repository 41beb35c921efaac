// The simulator against qemu-riscv64 on random programs: registers, memory, control registers.
#include "tests/dsp/dsp_qemu.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "models/dsp/dsp_isa.h"

namespace presil::dsp {
namespace {

bool everything() {
  const char* all = std::getenv("PRESIL_ALL");
  return all != nullptr && std::string(all) == "1";
}

TEST(DspQemu, random_scalar_programs_end_in_the_same_state) {
  if (!has_qemu()) GTEST_SKIP() << kNoQemu;
  Random random(7);
  for (int round = 0; round < (everything() ? 20 : 2); ++round) {
    std::vector<Program> programs;
    for (int i = 0; i < 250; ++i) programs.push_back(random_scalar_program(random));
    const std::string difference = compare(programs, Config{}, false);
    ASSERT_EQ(difference, "");
  }
}

// 2,000 programs, or 20,000; a quarter at each VLEN. Values by the loops for the best host and, of
// the first ones, for any host.
TEST(DspQemu, random_vector_programs_end_in_the_same_state) {
  if (!has_qemu()) GTEST_SKIP() << kNoQemu;
  const char* only = std::getenv("PRESIL_DSP_ONLY");  // a part of a name, to look at one family
  Random random(11);
  std::set<std::string> seen;
  for (int round = 0; round < (everything() ? 48 : 5); ++round) {
    Config config;
    config.vlen = 128u << round % 4;
    config.common_host = round >= (everything() ? 40 : 4);
    std::vector<Program> programs;
    for (int i = 0; i < 500; ++i)
      programs.push_back(random_vector_program(random, config, only == nullptr ? "" : only));
    for (const Program& program : programs) add_names(program, seen);
    const std::string difference = compare(programs, config, true);
    ASSERT_EQ(difference, "");
  }
  if (only != nullptr) return;
  for (const Instruction& row : Isa::get().rows())
    EXPECT_TRUE(!row.is_vector || seen.count(row.name) == 1)
        << row.name << " is not in any program";
}

}  // namespace
}  // namespace presil::dsp
