#include "models/common/timeline.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "models/common/attribution.h"

namespace presil {
namespace {

TEST(Timeline, events_run_by_cycle_then_phase_then_as_asked_for) {
  Timeline time;
  std::string order;
  time.at(5, Phase::kGrant, [&] { order += 'd'; });
  time.at(5, Phase::kEngine, [&] { order += 'b'; });
  time.at(5, Phase::kEngine, [&] { order += 'c'; });
  time.at(5, Phase::kMemory, [&] { order += 'a'; });
  time.at(6, Phase::kMemory, [&] { order += 'e'; });
  time.run_until(5);
  EXPECT_EQ(order, "abcd");
  EXPECT_EQ(time.now(), 5);
  EXPECT_EQ(time.next(), 6);
  EXPECT_EQ(time.run_all(), 6);
  EXPECT_EQ(order, "abcde");
}

TEST(Timeline, an_event_may_ask_for_another_in_its_own_cycle) {
  Timeline time;
  std::string order;
  time.at(1, Phase::kEngine, [&] {
    time.at(1, Phase::kGrant, [&] { order += '3'; });
    time.at(1, Phase::kCounters, [&] { order += '1'; });  // an earlier phase comes next
  });
  time.at(1, Phase::kEngine, [&] { order += '2'; });
  time.run_all();
  EXPECT_EQ(order, "123");
}

TEST(Timeline, the_past_is_closed) {
  Timeline time;
  time.run_until(10);
  EXPECT_THROW(time.at(9, Phase::kEngine, [] {}), std::logic_error);
}

TEST(Timeline, who_sleeps_is_woken_for_an_earlier_event_only) {
  Timeline time;
  std::vector<Cycle> woken;
  time.on_earlier([&](Cycle when) { woken.push_back(when); });
  time.at(50, Phase::kEngine, [] {});
  time.at(70, Phase::kEngine, [] {});
  time.at(20, Phase::kEngine, [&] { time.at(21, Phase::kEngine, [] {}); });
  EXPECT_EQ(woken, (std::vector<Cycle>{50, 20}));
  time.run_all();
  EXPECT_EQ(woken.size(), 2u);  // not from inside
}

TEST(Timeline, many_events_in_random_order_come_out_sorted) {
  Timeline time;
  std::mt19937 random(1);
  Cycle last = -1;
  bool sorted = true;
  for (int i = 0; i < 10000; ++i) {
    const Cycle when = random() % 1000;
    time.at(when, Phase::kEngine, [&, when] {
      sorted = sorted && when >= last && time.now() == when;
      last = when;
    });
  }
  time.run_all();
  EXPECT_TRUE(sorted);
  EXPECT_EQ(time.events(), 10000u);
}

TEST(Attribution, names_are_those_of_the_record) {
  EXPECT_EQ(name_of(Cause::kRun), "run");
  EXPECT_EQ(name_of(Cause::kFeatureBank), "feature_bank");
  EXPECT_EQ(name_of(Cause::kFetch), "fetch");
  EXPECT_EQ(name_of(wait_for(Cause::kWait, Signaller::kDla)), "wait:dla");
  EXPECT_EQ(name_of(wait_for(Cause::kWaitWeights, Signaller::kDma)), "wait_weights:dma");
  EXPECT_EQ(name_of(wait_for(Cause::kWaitOut, Signaller::kHost)), "wait_out:host");
}

TEST(Attribution, sums_and_differences_are_by_cause) {
  Attribution a, b;
  a.add(Cause::kRun, 10);
  a.add(Cause::kDrain, 3);
  b.add(Cause::kRun, 4);
  EXPECT_EQ((a - b).busy(), 6);
  EXPECT_EQ((a - b).total(), 9);
  b += a;
  EXPECT_EQ(b.total(), 17);
}

}  // namespace
}  // namespace presil
