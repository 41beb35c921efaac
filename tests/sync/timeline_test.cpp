#include "models/common/timeline.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

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

TEST(Timeline, a_sleeper_is_woken_for_an_earlier_event_only) {
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

TEST(Timeline, an_event_ends_the_run_with_its_cycle) {
  Timeline time;
  std::string order;
  time.at(3, Phase::kMemory, [&] {
    order += 'a';
    time.stop();
  });
  time.at(3, Phase::kGrant, [&] { order += 'b'; });
  time.at(4, Phase::kMemory, [&] { order += 'c'; });
  time.run_until(10);
  EXPECT_EQ(order, "ab");
  EXPECT_EQ(time.now(), 3);
  time.run_until(10);
  EXPECT_EQ(order, "abc");
  EXPECT_EQ(time.now(), 10);
}

TEST(Timeline, time_does_not_pass_over_an_event) {
  Timeline time;
  time.at(20, Phase::kMemory, [] {});
  time.advance(20);
  EXPECT_THROW(time.advance(21), std::logic_error);
}

// Beyond the wheel and inside it, in the same cycle: still as they were asked for.
TEST(Timeline, far_events_keep_their_place) {
  Timeline time;
  std::string order;
  const Cycle far = 1000;
  for (const char c : {'a', 'b'}) time.at(far, Phase::kEngine, [&order, c] { order += c; });
  time.at(far - 256, Phase::kEngine, [&] {
    time.at(far, Phase::kEngine, [&] { order += 'c'; });  // one cycle too far for the wheel
  });
  time.at(far - 255, Phase::kEngine, [&] {
    time.at(far, Phase::kEngine, [&] { order += 'd'; });
    time.at(far, Phase::kMemory, [&] { order += '0'; });
    time.at(far + 256, Phase::kMemory, [&] { order += 'e'; });  // the same place of the wheel
  });
  EXPECT_EQ(time.next(), far - 256);
  EXPECT_EQ(time.run_all(), far + 256);
  EXPECT_EQ(order, "0abcde");
}

TEST(Timeline, what_is_left_at_the_end_is_destroyed_and_not_run) {
  const auto held = std::make_shared<int>(0);
  {
    Timeline time;
    for (const Cycle when : {1, 2, 5000}) time.at(when, Phase::kEngine, [held] { ++*held; });
    time.run_until(1);
    EXPECT_EQ(held.use_count(), 3);
  }
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_EQ(*held, 1);
}

// Against a sorted list: random cycles near and far, random phases, events that ask for events.
TEST(Timeline, random_events_run_as_a_sorted_list_says) {
  struct Asked {
    Cycle when;
    int phase, number;
  };
  Timeline time;
  std::mt19937 random(7);
  std::vector<Asked> asked, ran;
  std::function<void()> ask = [&] {
    const Cycle when = time.now() + static_cast<Cycle>(random() % (random() % 8 ? 300 : 5000));
    const int phase = static_cast<int>(random() % 4);
    const Asked entry{when, phase, static_cast<int>(asked.size())};
    asked.push_back(entry);
    time.at(when, static_cast<Phase>(phase), [&, entry] {
      ran.push_back(entry);
      EXPECT_EQ(time.now(), entry.when);
      for (unsigned i = 0; i < 2 && asked.size() < 20000; ++i) ask();
    });
  };
  for (int i = 0; i < 20; ++i) ask();
  time.run_all();
  ASSERT_EQ(ran.size(), asked.size());
  for (size_t i = 1; i < ran.size(); ++i) {
    const Asked &a = ran[i - 1], &b = ran[i];
    ASSERT_LE(a.when, b.when);
    // within a cycle, what came first and has the same phase runs first
    if (a.when == b.when && a.phase == b.phase) {
      ASSERT_LT(a.number, b.number);
    }
  }
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
