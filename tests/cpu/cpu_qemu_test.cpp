// The simulator against qemu-arm on random programs: registers, flags, memory.
#include "tests/cpu/cpu_qemu.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "models/cpu/cpu_isa.h"

namespace presil::cpu {
namespace {

bool everything() {
  const char* all = std::getenv("PRESIL_ALL");
  return all != nullptr && std::string(all) == "1";
}

void run(const Config& config, unsigned rounds, uint64_t seed, unsigned least_uses,
         bool floats = false) {
  if (!has_qemu()) GTEST_SKIP() << kNoQemu;
  Random random(seed);
  Programs maker(config, floats);
  for (unsigned round = 0; round < rounds; ++round) {
    std::vector<Program> programs;
    for (int i = 0; i < 250; ++i) programs.push_back(maker.next(random));
    ASSERT_EQ(compare(programs, config), "") << "round " << round;
  }
  for (const auto& [row, uses] : maker.uses()) EXPECT_GE(uses, least_uses) << row->name;
}

// Together 2,000 programs, or 30,000; 1,000 of floats at their edges, or 10,000.
TEST(CpuQemu, random_programs_of_armv8m_end_in_the_same_state) {
  run(Config{}, everything() ? 100 : 6, 7, 20);
}

TEST(CpuQemu, random_programs_of_armv7em_end_in_the_same_state) {
  Config config;
  config.architecture = Architecture::kArmv7em;
  config.fpu = Fpu::kFpv4;
  run(config, everything() ? 20 : 2, 11, 10);
}

TEST(CpuQemu, random_programs_of_floats_at_edges_end_in_the_same_state) {
  run(Config{}, everything() ? 40 : 4, 13, 100, true);
}

}  // namespace
}  // namespace presil::cpu
