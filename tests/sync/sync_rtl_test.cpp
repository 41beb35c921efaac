// rtl/sync against models/sync: equal in every cycle, and a DUT that is wrong in one is found.
#include <gtest/gtest.h>

#include <iostream>
#include <utility>

#include "testbench/sync/sync_bench.h"

namespace presil::testbench {
namespace {

SyncConfig config_of(bool small) {
  return small ? SyncConfig{16, 2} : SyncConfig{};
}
std::unique_ptr<SyncDut> rtl_of(bool small, unsigned seed) {
  return small ? make_small_sync_rtl(seed) : make_sync_rtl(seed);
}

void expect_equal(bool small, unsigned seeds, unsigned cycles) {
  std::map<std::string, unsigned> coverage;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const auto model = make_sync_model(config_of(small));
    const auto rtl = rtl_of(small, seed);
    SyncBench bench(*model, *rtl, config_of(small), seed);
    ASSERT_EQ(bench.run(cycles), "") << "seed " << seed;
    for (const auto& [what, times] : bench.coverage()) coverage[what] += times;
  }
  for (const auto& [what, times] : coverage) {
    std::cout << "seen " << times << " times: " << what << "\n";
    EXPECT_GT(times, 0u) << what;
  }
}

TEST(SyncRtl, equals_the_model_in_every_cycle) {
  expect_equal(false, 6, 20000);
}
TEST(SyncRtl, with_16_counters_and_2_slots_equals_the_model_in_every_cycle) {
  expect_equal(true, 3, 20000);
}

/// The model with one fault.
struct Faulty : SyncDut {
  enum Kind { kLateInterrupt, kLostSignal, kWrongAnswer, kBarrierEarly };
  Faulty(const SyncConfig& config, Kind k) : model(make_sync_model(config)), kind(k) {}
  SyncOutputs cycle(const SyncInputs& in) override {
    SyncInputs inputs = in;
    if (kind == kLostSignal && ++count % 1000 == 0) inputs.signals[4].valid = false;
    SyncOutputs out = model->cycle(inputs);
    if (kind == kLateInterrupt) out.irq = std::exchange(irq, out.irq);
    if (kind == kWrongAnswer && out.answer && ++count % 100 == 0) out.answer->value ^= 1;
    if (kind == kBarrierEarly && in.barriers[5].valid && ++count % 100 == 0) {
      out.barrier_met[5] = true;
    }
    return out;
  }
  std::unique_ptr<SyncModel> model;
  Kind kind;
  unsigned count = 0;
  bool irq = false;
};

TEST(SyncBench, finds_a_late_interrupt_a_lost_signal_a_wrong_answer_and_an_early_barrier) {
  for (const auto kind :
       {Faulty::kLateInterrupt, Faulty::kLostSignal, Faulty::kWrongAnswer, Faulty::kBarrierEarly}) {
    const auto model = make_sync_model(SyncConfig{});
    Faulty faulty(SyncConfig{}, kind);
    SyncBench bench(*model, faulty, SyncConfig{}, 1);
    EXPECT_NE(bench.run(20000), "") << kind;
  }
}

}  // namespace
}  // namespace presil::testbench
