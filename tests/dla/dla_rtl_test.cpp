// The whole DLA in RTL against models/dla: two devices, one driver, the same jobs. What must be
// equal: which commands end, in which order; every byte of the SRAM; order of the words; errors;
// counters of sync; commands, steps and run cycles. What has a band: cycles. PRESIL_ALL=1: more
// jobs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "models/dla/dla_check.h"
#include "rtl/dla/dla.h"
#include "rtl/soc/address_map.h"
#include "rtl/soc/causes.h"
#include "tests/common/shown.h"
#include "tests/dla/dla_coverage.h"
#include "tests/dla/dla_jobs.h"

namespace presil::dla {
namespace {

using test::Job;
using test::Report;

constexpr Cycle kLimit = 2000000;
constexpr unsigned kKinds = PRESIL_ENGINE_KINDS;
// As Report::counters has them: waits of three kinds for each kind of engine after the causes.
constexpr unsigned kCycles = 0, kRun = 1, kWaits = 8, kCommands = kWaits + 3 * kKinds,
                   kSteps = kCommands + 1;

unsigned rounds(unsigned usual) {
  return std::getenv("PRESIL_ALL") != nullptr ? 10 * usual : usual;
}

struct DlaRtl : ::testing::Test {
  explicit DlaRtl(uint32_t seed = 1) { make(seed); }

  void make(uint32_t seed) {
    bench::Pace pace;
    pace.seed = seed;
    model = bench::make_model(config, pace);
    rtl = bench::make_rtl(config, pace, seed);
    model_driver = std::make_unique<test::Driver>(*model);
    rtl_driver = std::make_unique<test::Driver>(*rtl);
  }

  void run_both(const Job& job) {
    expected = model_driver->run(job, kLimit);
    ASSERT_TRUE(expected.finished) << "the model has not ended the job";
    got = rtl_driver->run(job, 2 * expected_end() + 10000);
    ASSERT_TRUE(got.finished) << "the RTL has not ended the job";
    compare(job);
  }
  Cycle expected_end() const { return expected.ended.empty() ? 5000 : expected.ended.back().end; }

  void compare(const Job& job) {
    EXPECT_EQ(got.aborted, expected.aborted);
    EXPECT_EQ(got.error, expected.error);
    EXPECT_EQ(got.sync, expected.sync);
    ASSERT_EQ(got.ended.size(), expected.ended.size());
    for (size_t i = 0; i < expected.ended.size(); ++i) {
      EXPECT_EQ(got.ended[i].index, expected.ended[i].index);
      EXPECT_EQ(got.ended[i].tag, expected.ended[i].tag);
      const auto before = i == 0 ? 0 : expected.ended[i - 1].end;
      const auto rtl_before = i == 0 ? 0 : got.ended[i - 1].end;
      const auto cycles = static_cast<double>(expected.ended[i].end - before);
      const auto error = std::abs(static_cast<double>(got.ended[i].end - rtl_before) - cycles);
      ++commands;
      within += error <= std::max(0.02 * cycles, 20.0);
    }
    if (job.abort_after >= 0) return;  // what had been written before is left
    EXPECT_EQ(rtl->sram == model->sram, true);
    std::vector<std::vector<uint32_t>> addresses(job.commands.size());
    for (const bench::Word& word : got.words) {
      ASSERT_LT(word.command, addresses.size());
      addresses[word.command].push_back(word.address);
    }
    for (size_t i = 0; i < expected.ended.size(); ++i) {
      coverage.add(job.command(i));
      shown.command(job.command(i).to_text());
      const Command c = relocated(job.command(i), job.entry.sram_base);
      EXPECT_TRUE(test::in_order(addresses[i], c, config.dla)) << "command " << i;
    }
    for (const unsigned i : {kCommands, kSteps}) {
      EXPECT_EQ(got.counters[i], expected.counters[i]) << "counter " << i;
    }
    EXPECT_EQ(got.counters[kRun], got.counters[kSteps]);
    uint64_t sum = 0;
    for (unsigned i = kRun; i < kCommands; ++i) sum += got.counters[i];
    EXPECT_EQ(sum, got.counters[kCycles]);
    if (causes.empty()) causes.resize(got.counters.size());
    for (size_t i = 0; i < causes.size(); ++i) {
      causes[i].first += expected.counters[i];
      causes[i].second += got.counters[i];
    }
  }

  void print() {
    static const char* const kNames[] = {"cycles",     "run",   "stall_feature", "stall_weights",
                                         "stall_post", "start", "fetch",         "idle"};
    for (size_t i = 0; i < causes.size(); ++i) {
      static const char* const kGroups[] = {"wait_in ", "wait_weights ", "wait_out "};
      const size_t wait = i - kWaits;
      std::cout << (i < kWaits       ? std::string(kNames[i])
                    : i < kCommands  ? kGroups[wait / kKinds] + std::to_string(wait % kKinds)
                    : i == kCommands ? "commands"
                                     : "steps")
                << ": model " << causes[i].first << ", RTL " << causes[i].second << '\n';
      show(i);
    }
    coverage.print(std::cout);
    std::cout << "within max(2 %, 20 cycles): " << within << " of " << commands << " commands\n";
  }

  void show(size_t i) {
    static const char* const kCauses[] = {"",     "",      "feature_bank", "weights",
                                          "post", "start", "fetch"};
    static const char* const kGroups[] = {"wait_in:", "wait_weights:", "wait_out:"};
    std::string cause;
    if (i < std::size(kCauses)) cause = kCauses[i];
    if (i >= kWaits && i < kCommands) {
      cause = std::string(kGroups[(i - kWaits) / kKinds]) + kSignallerNames[(i - kWaits) % kKinds];
    }
    if (cause.empty()) return;
    shown.cause(cause, causes[i].first, "model");
    shown.cause(cause, causes[i].second, "rtl");
  }

  const SocConfig config = bench::built_as();
  std::unique_ptr<bench::Dut> model, rtl;
  std::unique_ptr<test::Driver> model_driver, rtl_driver;
  Report expected, got;
  unsigned commands = 0, within = 0;
  test::Coverage coverage;
  presil::test::Shown shown{"dla", {"model", "rtl"}};
  std::vector<std::pair<uint64_t, uint64_t>> causes;  // model, RTL
};

TEST_F(DlaRtl, registers_read_as_the_models_and_refuse_the_same_accesses) {
  for (uint32_t offset = 0; offset < PRESIL_DLA_SIZE + 64; offset += 2) {
    uint32_t expected_value = 0, got_value = 0;
    const bool ok = model->read(offset, expected_value);
    ASSERT_EQ(rtl->read(offset, got_value), ok) << "read of " << offset;
    if (ok) {
      ASSERT_EQ(got_value, expected_value) << "read of " << offset;
    }
    if (offset == PRESIL_DLA_REG_QUEUE + PRESIL_QUEUE_REG_TAIL) continue;
    for (bench::Dut* dut : {model.get(), rtl.get()}) {
      dut->write(offset, 0);
      for (int i = 0; i < 3; ++i) dut->step();
    }
    ASSERT_EQ(rtl->refused(), model->refused()) << "write of " << offset;
  }
}

TEST_F(DlaRtl, jobs_with_waits_fences_and_nops_end_as_in_the_model) {
  for (unsigned seed = 1; seed <= rounds(12); ++seed) {
    make(seed);
    std::mt19937 random(seed);
    test::Totals totals;
    for (int i = 0; i < 6; ++i) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", job " + std::to_string(i));
      run_both(test::random_job(random, config, {7, true, false}, totals));
      if (HasFailure()) return;
    }
  }
  print();
  EXPECT_GE(within, commands * 95 / 100);
}

TEST_F(DlaRtl, a_broken_command_stops_both_with_the_same_code_rule_word_and_address) {
  for (unsigned seed = 1; seed <= rounds(4); ++seed) {
    make(seed);
    std::mt19937 random(seed);
    test::Totals totals;
    for (int i = 0; i < 12; ++i) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", job " + std::to_string(i));
      run_both(test::random_job(random, config, {3, true, true}, totals));
      if (HasFailure()) return;
      EXPECT_NE(expected.error[0], 0u);
    }
  }
}

TEST_F(DlaRtl, a_job_that_is_aborted_and_started_again_ends_as_in_the_model) {
  unsigned aborts = 0;
  for (unsigned seed = 1; seed <= rounds(30); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    test::Totals totals;
    make(seed);
    Job job = test::random_job(random, config, {4, true, false}, totals);
    const Report scout = model_driver->run(job, kLimit);
    const size_t n = random() % scout.ended.size();
    const Cycle from = n == 0 ? 0 : scout.ended[n - 1].end, cycles = scout.ended[n].end - from;
    if (cycles < 80) continue;
    job.abort_after = static_cast<int>(n);
    job.abort_delay =
        cycles / 10 + static_cast<Cycle>(random() % static_cast<unsigned>(cycles * 4 / 10));
    make(seed);
    run_both(job);
    if (HasFailure()) return;
    EXPECT_EQ(rtl->sram == model->sram, true);
    ++aborts;
  }
  std::cout << aborts << " aborts\n";
}

}  // namespace
}  // namespace presil::dla
