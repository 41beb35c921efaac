// The controller against a reference that works clock by clock.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "models/soc/dram_presets.h"
#include "tests/memory/dram_loop.h"

namespace presil::memory {
namespace {

struct Traffic {
  std::string name;
  std::vector<Master> masters;
};

std::vector<Traffic> single_streams(size_t n) {
  std::vector<Traffic> all;
  const auto add = [&](const std::string& name, const std::vector<Access>& list,
                       const std::vector<unsigned>& outstanding) {
    for (const unsigned o : outstanding)
      all.push_back({name + ", " + std::to_string(o) + " on their way", {{list, o}}});
  };
  add("read", stream(n, false), {1, 2, 4, 16});
  add("write", stream(n, true), {1, 16});
  add("rows of 64 B at 4 KiB", rows(2 * n, 64, 4096), {16});
  add("rows of 256 B at 32 KiB", rows(n, 256, 32768), {16});
  add("rows of 64 B at 448 B", rows(2 * n, 64, 448), {16});
  add("rows of 128 B at 896 B", rows(n, 128, 896), {16});
  add("random reads of 64 B", scattered(2 * n, 64, 0), {1, 4, 16, 32});
  add("random writes of 64 B", scattered(2 * n, 64, 100), {1, 4, 16, 32});
  add("random reads of 256 B", scattered(n, 256, 0), {4, 16});
  add("random writes of 256 B", scattered(n, 256, 100), {4, 16});
  add("random reads and writes of 64 B", scattered(2 * n, 64, 50), {2, 8, 16, 32});
  for (const size_t run : {1, 4, 16})
    add("ping-pong of " + std::to_string(run), ping_pong(n, run), {1, 2, 8, 16, 32});
  return all;
}

std::vector<Traffic> mixed_masters(size_t n) {
  const uint64_t far = 1u << 24;
  return {
      {"three read, one writes",
       {{stream(n, false), 8},
        {stream(n, false, far), 8},
        {stream(n, false, 2 * far), 8},
        {stream(n, true, 3 * far), 8}}},
      {"two read, two write",
       {{stream(n, false), 8},
        {stream(n, false, far), 8},
        {stream(n, true, 2 * far), 8},
        {stream(n, true, 3 * far), 8}}},
      {"streams and random",
       {{stream(n, false), 8},
        {stream(n, true, far), 8},
        {scattered(n, 64, 0), 4},
        {scattered(n, 64, 100, 2), 4}}},
      {"random and rows",
       {{scattered(n, 256, 0), 8},
        {scattered(n, 256, 100, 2), 8},
        {rows(n, 128, 448, false, far), 8},
        {rows(n, 128, 896, true, 2 * far), 8}}},
      {"one waits for each answer",
       {{scattered(n / 4, 64, 0), 1},
        {stream(n, false, far), 8},
        {stream(n, true, 2 * far), 8},
        {scattered(n / 2, 64, 30, 2), 2}}},
  };
}

double error_of(const DramConfig& config, const Traffic& traffic) {
  const ReferenceRun expected = run_reference(config, traffic.masters);
  const int64_t got = ModelLoop(config).run(traffic.masters);
  const double error = static_cast<double>(got) / static_cast<double>(expected.clocks) - 1;
  if (std::getenv("PRESIL_PRINT") != nullptr) {
    std::printf("%-52s %8ld %8ld %+6.2f %%\n", traffic.name.c_str(),
                static_cast<long>(expected.clocks), static_cast<long>(got), 100 * error);
  }
  return std::abs(error);
}

void expect_within(const DramConfig& config, const std::vector<Traffic>& all, double median,
                   double worst) {
  std::vector<double> errors;
  for (const Traffic& traffic : all) {
    errors.push_back(error_of(config, traffic));
    EXPECT_LE(errors.back(), worst) << traffic.name;
  }
  std::sort(errors.begin(), errors.end());
  EXPECT_LE(errors[errors.size() / 2], median);
}

size_t length() {
  return std::getenv("PRESIL_ALL") != nullptr ? 4000 : 1000;
}

TEST(DramReference, single_streams_are_within_3_percent_in_the_median_and_8_at_worst) {
  expect_within(DramConfig{}, single_streams(length()), 0.03, 0.08);
}

TEST(DramReference, four_mixed_masters_are_within_3_percent) {
  expect_within(DramConfig{}, mixed_masters(length()), 0.03, 0.03);
}

TEST(DramReference, other_policies_of_rows_refresh_and_writes_are_within_4_percent) {
  for (const char* setting :
       {"page=closed", "page=adaptive", "refresh=all_banks", "refresh=none", "write_idle=64",
        "bank_hash=0", "map=row-bank3-col4-channel-col2", "write_high=50", "command_activate=6"}) {
    SCOPED_TRACE(setting);
    SocConfig soc;
    const std::string text = setting;
    const size_t equals = text.find('=');
    set_parameter(soc, "dram." + text.substr(0, equals), text.substr(equals + 1));
    expect_within(soc.dram, mixed_masters(length() / 2), 0.03, 0.04);
  }
}

TEST(DramReference, mixed_masters_are_within_3_percent_on_every_preset) {
  for (const DramPreset& preset : dram_presets()) {
    SCOPED_TRACE(preset.name);
    expect_within(memory_of(preset.name), mixed_masters(length() / 2), 0.03, 0.03);
    // two buses: which of two commands of a clock comes first decides a ping-pong of few bursts
    const double worst = preset.name == "hbm2" ? 0.12 : 0.08;
    expect_within(memory_of(preset.name), single_streams(length()), 0.03, worst);
  }
}

}  // namespace
}  // namespace presil::memory
