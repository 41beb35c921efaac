// The simulator against qemu-riscv64 on random programs: registers, memory, control registers.
#include "tests/dsp/dsp_qemu.h"

#include <gtest/gtest.h>

#include <cstdlib>

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

}  // namespace
}  // namespace presil::dsp
