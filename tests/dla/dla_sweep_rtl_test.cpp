// Commands that the timing model has not been measured by: of each kind so many, one alone on the
// engine in RTL, its cycles against those of models/dla. The histogram is printed, and written as
// properties of the test for tests/bench/cycle_error.py. PRESIL_ALL=1: all of them.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <iostream>

#include "models/dla/dla_core.h"
#include "models/dla/dla_shape.h"
#include "models/dla/dla_timing.h"
#include "tests/dla/dla_alone.h"
#include "tests/dla/dla_oracle.h"

namespace presil::dla {
namespace {

constexpr uint32_t kBytes = 1 << 18;
constexpr uint32_t kFirstSeed = 5000000;  // far from those that other tests use
constexpr double kBandPercent = 2, kBandCycles = 20, kNone = 10;

/// One pixel, as fully connected layers are.
Command fully_connected(std::mt19937& random) {
  const auto in = [&](unsigned low, unsigned high) { return low + random() % (high - low + 1); };
  Command c = Command::make(Op::kConv);
  c.kernel_h = c.kernel_w = c.stride_y = c.stride_x = c.dil_y = c.dil_x = 1;
  c.in_h = c.in_w = c.out_h = c.out_w = c.block_rows = 1;
  c.in_blocks = static_cast<uint16_t>(in(1, in(1, 60)));
  c.out_blocks = static_cast<uint16_t>(in(1, std::min<unsigned>(40, 900 / c.in_blocks)));
  c.in_x_step = c.out_x_step = 16;
  c.in_row_pitch = c.in_cb_pitch = c.out_row_pitch = c.out_cb_pitch = 16;
  c.out_lanes_last = static_cast<uint8_t>(in(1, 16));
  c.act_min = -128;
  c.act_max = 127;
  c.out_base = 16u * c.in_blocks;
  c.p_base = c.out_base + 16u * c.out_blocks;
  c.w_base = c.p_base + 144u * c.out_blocks;
  c.w_cb_pitch = 256;
  c.w_kb_pitch = 256u * c.in_blocks;
  return c;
}

struct Kind {
  const char* name;
  bool (*is)(const Command&);
};

constexpr std::array<Kind, 5> kKinds = {{
    {"conv", [](const Command& c) { return c.op == Op::kConv && c.ew_op == EwOp::kNone; }},
    {"depthwise", [](const Command& c) { return c.op == Op::kDwconv && c.ew_op == EwOp::kNone; }},
    {"fc", [](const Command&) { return true; }},
    {"pool",
     [](const Command& c) {
       return (c.op == Op::kMaxpool || c.op == Op::kSumpool) && c.ew_op == EwOp::kNone;
     }},
    {"elementwise", [](const Command& c) { return c.ew_op != EwOp::kNone; }},
}};

struct DlaSweepRtl : ::testing::TestWithParam<Kind> {
  DlaSweepRtl() : config(alone.config().dla), core(config) {}

  Command draw(std::mt19937& random) const {
    if (GetParam().name == std::string("fc")) return fully_connected(random);
    for (;;) {
      const Command c = test::random_command(random, config, kBytes);
      if (GetParam().is(c)) return c;
    }
  }

  test::Alone alone;
  const DlaConfig config;
  Core core;
};

TEST_P(DlaSweepRtl, commands_that_nobody_tuned_to_take_the_models_cycles) {
  const unsigned commands = std::getenv("PRESIL_ALL") != nullptr ? 150 : 20;
  // |error| of the RTL's cycles: none, then up to so many percent, then more.
  constexpr std::array<double, 5> kEdges = {0.5, 1, 2, 5, 10};
  std::array<unsigned, kEdges.size() + 2> histogram{};
  unsigned within = 0, played = 0;
  double worst = 0;
  for (unsigned i = 0; i < commands; ++i) {
    SCOPED_TRACE(std::string(GetParam().name) + ", number " + std::to_string(i));
    std::mt19937 random(kFirstSeed + i);
    const Command c = draw(random);
    const Cycle model = cycles_of(c, config);
    std::vector<uint8_t> sram = test::random_sram(random, c, kBytes), expected = sram;
    core.execute(c, expected.data());
    const test::Outcome outcome = alone.run(c, sram, 4 * model + 2000);
    ASSERT_GE(outcome.end, 0) << "no end";
    ASSERT_TRUE(sram == expected);
    const double apart = std::abs(static_cast<double>(outcome.end - model));
    const double percent = 100 * apart / static_cast<double>(outcome.end);
    size_t bin = 0;
    while (apart != 0 && bin <= kEdges.size() && (bin == 0 || percent > kEdges[bin - 1])) ++bin;
    ++histogram[bin];
    const double two = kBandPercent / 100 * static_cast<double>(outcome.end);
    within += apart <= std::max(two, kBandCycles);
    played += Plan(c, config).played;
    worst = std::max(worst, percent);
  }
  RecordProperty("kind", GetParam().name);
  RecordProperty("commands", static_cast<int>(commands));
  RecordProperty("played", static_cast<int>(played));
  RecordProperty("within", static_cast<int>(within));
  RecordProperty("worst_percent", std::to_string(worst));
  std::string bins;
  for (const unsigned n : histogram) bins += std::to_string(n) + " ";
  RecordProperty("histogram", bins);
  std::cout << commands << " commands, " << played << " played: " << within
            << " within max(2 %, 20 cycles), worst " << worst << " %; " << bins << '\n';
  EXPECT_GE(within, commands * 95 / 100);
  EXPECT_LE(worst, kNone);
}

INSTANTIATE_TEST_SUITE_P(Kinds, DlaSweepRtl, ::testing::ValuesIn(kKinds),
                         [](const ::testing::TestParamInfo<Kind>& kind) {
                           return std::string(kind.param.name);
                         });

}  // namespace
}  // namespace presil::dla
