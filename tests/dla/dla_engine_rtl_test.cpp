// The DLA's engine in RTL against models/dla: bytes of dla_core, order of words, cycles of
// dla_timing. PRESIL_ALL=1 runs more commands.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "models/dla/dla_core.h"
#include "models/dla/dla_shape.h"
#include "models/dla/dla_timing.h"
#include "tests/dla/dla_alone.h"
#include "tests/dla/dla_coverage.h"
#include "tests/dla/dla_oracle.h"

namespace presil::dla {
namespace {

constexpr uint32_t kBytes = 1 << 18;
constexpr size_t kClassesSeen = 50;  // percent: rules between fields forbid some

std::string kind_of(const Command& c) {
  static const char* const kNames[] = {"nop", "conv", "dwconv", "maxpool", "sumpool", "pass"};
  return std::string(kNames[static_cast<size_t>(c.op)]) + (c.packed ? " packed" : "");
}

struct DlaEngineRtl : ::testing::Test {
  DlaEngineRtl() : config(alone.config().dla), core(config) {}

  /// Runs `command` on both; compares every byte of the SRAM, and the order of the words.
  /// @return cycles of the RTL to its end
  Cycle run(const Command& command, std::vector<uint8_t> sram) {
    std::vector<uint8_t> expected = sram;
    core.execute(command, expected.data());
    const test::Outcome outcome = alone.run(command, sram, 4 * cycles_of(command, config) + 2000);
    EXPECT_EQ(sram == expected, true) << kind_of(command);
    EXPECT_TRUE(test::in_order(outcome.addresses, command, config)) << kind_of(command);
    steps = outcome.steps;
    return outcome.end;
  }
  test::Alone alone;
  const DlaConfig config;
  Core core;
  uint64_t steps = 0;
  test::Coverage coverage;
};

// Cycles that add up by hand.
struct DlaEngineRtl16 : DlaEngineRtl {
  void SetUp() override {
    if (config.macs_k != 16) GTEST_SKIP() << "SKIPPED: cycles of the 16 x 16 array";
  }
};

// out_h rows of 16 pixels, 16 channels in and out.
Command conv(unsigned out_h, unsigned kernel) {
  Command c = Command::make(Op::kConv);
  c.kernel_h = c.kernel_w = static_cast<uint8_t>(kernel);
  c.stride_y = c.stride_x = c.dil_y = c.dil_x = 1;
  c.in_h = static_cast<uint16_t>(out_h + kernel - 1);
  c.in_w = static_cast<uint16_t>(16 + kernel - 1);
  c.in_blocks = c.out_blocks = 1;
  c.in_x_step = c.out_x_step = 16;
  c.in_row_pitch = c.in_w * 16u;
  c.in_cb_pitch = c.in_row_pitch * c.in_h;
  c.out_h = static_cast<uint16_t>(out_h);
  c.out_w = 16;
  c.out_lanes_last = 16;
  c.out_base = 0x8000;
  c.out_row_pitch = 256;
  c.out_cb_pitch = 256 * out_h;
  c.block_rows = 8;
  c.w_base = 0x10000;
  c.p_base = 0x20080;  // other banks than the features that are read with them
  c.act_min = -128;
  c.act_max = 127;
  return c;
}

TEST_F(DlaEngineRtl16, a_pointwise_convolution_of_128_pixels_takes_165_cycles) {
  std::mt19937 random(1);
  const Command c = conv(8, 1);
  EXPECT_EQ(run(c, test::random_sram(random, c, kBytes)), 29 + 128 - 1 + 9);
  EXPECT_EQ(steps, 128);
}

TEST_F(DlaEngineRtl16, a_3x3_convolution_loses_two_cycles_at_most_to_banks) {
  std::mt19937 random(2);
  const Command c = conv(16, 3);
  const Cycle model = 29 + 2 * 9 * 128 - 1 + 9;
  const Cycle rtl = run(c, test::random_sram(random, c, kBytes));
  EXPECT_GE(rtl, model);
  EXPECT_LE(rtl, model + 2);
}

TEST_F(DlaEngineRtl16, partial_sums_in_and_out_take_the_cycles_of_the_model_and_a_few_for_banks) {
  std::mt19937 random(3);
  Command c = conv(8, 3);
  c.rule = Rule::kNone;
  c.out_type = OutType::kInt32;
  c.act_min = c.act_max = 0;
  c.out_x_step = 64;
  c.out_row_pitch = 64 * 16;
  // The model has no conflicts of partial sums with features.
  EXPECT_NEAR(static_cast<double>(run(c, test::random_sram(random, c, kBytes))), 1573, 20);
  c.acc_init = AccInit::kInt32;
  c.res_base = 0x30000;
  c.res_x_step = 64;
  c.res_row_pitch = 64 * 16;
  const Cycle both = run(c, test::random_sram(random, c, kBytes));
  EXPECT_NEAR(static_cast<double>(both), 1573 + 384 - 13, 20);
}

TEST_F(DlaEngineRtl, random_commands_write_the_models_bytes_and_nearly_all_take_its_cycles) {
  const bool all = std::getenv("PRESIL_ALL") != nullptr;
  const unsigned commands = all ? 3000 : 600;
  std::map<std::string, unsigned> histogram;
  unsigned within = 0, played = 0;
  double worst = 0;
  for (unsigned seed = 0; seed < commands; ++seed) {
    std::mt19937 random(seed);
    const Command c = test::random_command(random, config, kBytes);
    const auto model = static_cast<double>(cycles_of(c, config));
    const Cycle rtl = run(c, test::random_sram(random, c, kBytes));
    ASSERT_GE(rtl, 0) << "no end: " << kind_of(c) << ", seed " << seed;
    const double error = std::abs(static_cast<double>(rtl) - model);
    if (Plan(c, config).played) {
      ++played;
      EXPECT_EQ(error, 0) << "played: " << kind_of(c) << ", seed " << seed;
    }
    within += error <= std::max(0.02 * model, 20.0);
    worst = std::max(worst, error / static_cast<double>(rtl));
    ++histogram[error == 0   ? "0"
                : error <= 2 ? "1 to 2"
                : error <= 5 ? "3 to 5"
                : error <= 9 ? "6 to 9"
                             : "ten and more"];
    coverage.add(c);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  for (const auto& [cycles, count] : histogram) {
    std::cout << "error of " << cycles << " cycles: " << count << '\n';
  }
  std::cout << "within max(2 %, 20 cycles): " << within << " of " << commands << ", largest error "
            << 100 * worst << " % of the RTL's cycles; " << played << " were played\n";
  coverage.print(std::cout);
  EXPECT_GE(coverage.classes_seen(), test::Coverage::all_classes().size() * kClassesSeen / 100);
  EXPECT_GE(within, commands * 99 / 100);
  // Wider arrays: what the model leaves out, words of one output access in one bank, costs more.
  EXPECT_LE(worst, config.macs_k == 16 ? 0.1 : 0.25);
}

}  // namespace
}  // namespace presil::dla
