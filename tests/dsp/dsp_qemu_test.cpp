// The simulator against qemu-riscv64 on random programs: registers, memory, control registers.
#include "tests/dsp/dsp_qemu.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <map>

#include "models/dsp/dsp_isa.h"
#include "tests/dsp/dsp_coverage.h"

namespace presil::dsp {
namespace {

bool everything() {
  const char* all = std::getenv("PRESIL_ALL");
  return all != nullptr && std::string(all) == "1";
}

void expect_all_used(const Coverage& covered, const Config& config) {
  EXPECT_THAT(covered.missing(config), testing::IsEmpty()) << "VLEN " << config.vlen;
  EXPECT_THAT(covered.beyond(config), testing::IsEmpty()) << "not known to be legal";
}

TEST(DspQemu, random_scalar_programs_end_in_the_same_state) {
  if (!has_qemu()) GTEST_SKIP() << kNoQemu;
  Random random(7);
  Coverage coverage;
  for (int round = 0; round < (everything() ? 20 : 2); ++round) {
    std::vector<Program> programs;
    for (int i = 0; i < 250; ++i) programs.push_back(random_scalar_program(random));
    const std::string difference = compare(programs, Config{}, false, &coverage);
    ASSERT_EQ(difference, "");
  }
  const auto& rows = Isa::get().rows();
  for (unsigned i = 0; i < rows.size(); ++i) {
    // A breakpoint ends the program here and is a signal there; the ecall is the one that writes.
    if (rows[i].is_vector || rows[i].cls == Class::kConfigure || rows[i].name == "ebreak") continue;
    EXPECT_GE(coverage.executed(i), everything() ? 100u : 3u) << rows[i].name;
  }
}

// 2,000 programs, or 20,000; a quarter at each VLEN. Values by the loops for the best host and, of
// the last ones, for any host. Every instruction is executed at every SEW and LMUL that there is
// for it, with and without mask, at some VLEN; by the 20,000 at each.
TEST(DspQemu, random_vector_programs_end_in_the_same_state) {
  if (!has_qemu()) GTEST_SKIP() << kNoQemu;
  const char* only = std::getenv("PRESIL_DSP_ONLY");  // a part of a name, to look at one family
  Random random(11);
  const std::string name = only == nullptr ? "" : only;
  std::map<unsigned, VectorPrograms> makers;
  std::map<unsigned, Coverage> by_vlen;
  Coverage coverage;
  for (int round = 0; round < (everything() ? 48 : 5); ++round) {
    Config config;
    config.vlen = 128u << round % 4;
    config.common_host = round >= (everything() ? 40 : 4);
    std::vector<Program> programs;
    for (int i = 0; i < 500; ++i)
      programs.push_back(makers.try_emplace(everything() ? config.vlen : 0, name)
                             .first->second.next(random, config));
    Coverage here;
    const std::string difference = compare(programs, config, true, &here);
    ASSERT_EQ(difference, "");
    by_vlen[config.vlen].add(here);
    coverage.add(here);
  }
  if (only != nullptr) return;
  EXPECT_GT(legal_uses(Config{}).size(), 16000u);
  expect_all_used(coverage, Config{});
  for (const auto& [vlen, covered] : by_vlen) {
    Config config;
    config.vlen = vlen;
    if (everything()) expect_all_used(covered, config);
  }
  const auto& rows = Isa::get().rows();
  for (unsigned i = 0; i < rows.size(); ++i) {
    const bool asked = rows[i].is_vector || rows[i].cls == Class::kConfigure;
    EXPECT_TRUE(!asked || coverage.executed(i) >= 4) << rows[i].name;
  }
}

}  // namespace
}  // namespace presil::dsp
