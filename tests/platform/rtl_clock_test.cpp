// The clock of a Verilated block and its bridges, with a toy in the block's place: what it says is
// heard in its cycle, whatever else acts meanwhile, and however many cycles are ticked at once.
#include "sim/rtl/rtl_clock.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "models/base/refusal.h"
#include "sim/rtl/read_bridge.h"
#include "sim/rtl/wait_link.h"

namespace presil::rtl {
namespace {

/// Works for `work` cycles after it is poked, speaks in every seventh of them, then does nothing.
class Toy : public Clocked {
 public:
  Toy(Timeline& timeline, unsigned batch) : clock(timeline, *this, batch), m_timeline(timeline) {}

  void poke(unsigned work) {
    clock.enter(1);
    m_poke = work;
    clock.step();
    clock.wake();
  }

  /// An input changes, as a counter that is waited for: it is at the pins from this cycle on.
  void change(unsigned work) {
    m_change = work;
    clock.wake();
  }

  RtlClock clock;
  std::vector<Cycle> heard;
  unsigned looked = 0;
  bool waits = false;  // for another block

 private:
  bool settle(Cycle cycle) override {
    EXPECT_EQ(cycle, clock.cycle());
    m_poke += std::exchange(m_change, 0u);
    return m_left > 0 && m_left % 7 == 0;
  }
  void act(Cycle now) override {
    EXPECT_EQ(now, m_timeline.now());
    heard.push_back(now);
  }
  bool edge() override {
    const bool worked = m_left > 0;
    if (worked) --m_left;
    m_left += m_poke;
    m_poke = 0;
    return worked;
  }
  bool idle() override {
    ++looked;
    return m_left == 0 && !waits;
  }

  Timeline& m_timeline;
  unsigned m_left = 0, m_poke = 0, m_change = 0;
};

TEST(RtlClock, what_a_block_says_is_heard_in_its_cycle_for_every_batch) {
  for (const unsigned batch : {1u, 10u, 1000u, RtlClock::kBatch}) {
    Timeline timeline;
    Toy toy(timeline, batch);
    for (Cycle t = 102; t < 300; t += 11) timeline.at(t, Phase::kMemory, [] {});
    timeline.advance(100);
    toy.poke(20);  // the edge before cycle 100: 20 are left in it
    timeline.run_all();
    // left 14 in 100 + 6, 7 in 100 + 13
    EXPECT_EQ(toy.heard, (std::vector<Cycle>{106, 113})) << batch;
    EXPECT_TRUE(toy.clock.asleep());
  }
}

TEST(RtlClock, a_block_that_sleeps_costs_nothing) {
  Timeline timeline;
  Toy toy(timeline, RtlClock::kBatch);
  timeline.at(1000000, Phase::kMemory, [] {});
  timeline.run_all();
  EXPECT_EQ(toy.clock.ticks(), 0u);
  toy.poke(5);
  timeline.at(9000000, Phase::kMemory, [] {});
  timeline.run_all();
  // the poke, 5 of work, kQuiet without
  EXPECT_EQ(toy.clock.ticks(), 1 + 5 + RtlClock::kQuiet + 0u);
  EXPECT_EQ(toy.looked, 1u);
}

TEST(RtlClock, a_block_that_waits_for_nobody_sleeps_in_the_present_and_takes_accesses_there) {
  Timeline timeline;
  Toy toy(timeline, RtlClock::kBatch);
  toy.waits = true;
  timeline.advance(100);
  toy.poke(1);
  timeline.run_all();
  EXPECT_TRUE(toy.clock.asleep());
  EXPECT_GE(toy.clock.ticks(), RtlClock::kDead + 0u);
  EXPECT_LE(toy.clock.cycle(), timeline.now());
  for (int i = 1; i < 40; ++i) {  // a driver that looks and writes
    timeline.run_until(timeline.now() + 8);
    toy.poke(i % 3);
    EXPECT_LE(toy.clock.cycle(), timeline.now() + 1);  // the present is over
  }
}

TEST(RtlClock, cycles_that_the_outside_may_act_in_are_not_passed) {
  Timeline timeline;
  Toy toy(timeline, RtlClock::kBatch);
  timeline.advance(10);
  toy.poke(1000);
  for (const Cycle limit : {12, 13, 38, 40}) {
    timeline.run_until(limit);
    EXPECT_EQ(toy.clock.cycle(), limit);
  }
  toy.poke(1);  // at 40, seen by the edge that ends it
  timeline.at(45, Phase::kMemory, [&timeline] { timeline.stop(); });
  timeline.run_until(60);
  EXPECT_EQ(toy.clock.cycle(), 45);
}

TEST(RtlClock, a_block_does_not_fall_asleep_on_an_access) {
  Timeline timeline;
  Toy toy(timeline, RtlClock::kBatch);
  timeline.advance(10);
  toy.poke(1);
  // An edge of work, then kQuiet - 1 without: it would sleep after the next one.
  const Cycle quiet = 10 + RtlClock::kQuiet;
  timeline.run_until(quiet - 1);
  ASSERT_FALSE(toy.clock.asleep());
  timeline.advance(quiet);
  toy.poke(0);
  timeline.run_until(quiet + 1);
  EXPECT_FALSE(toy.clock.asleep());
  timeline.run_all();
  EXPECT_TRUE(toy.clock.asleep());
}

TEST(RtlClock, a_change_in_the_cycle_in_which_a_block_would_fall_asleep_is_seen) {
  for (Cycle after = 1; after < 2 * RtlClock::kQuiet; ++after) {
    Timeline timeline;
    Toy toy(timeline, RtlClock::kBatch);
    timeline.advance(10);
    toy.poke(1);
    timeline.at(10 + after, Phase::kCounters, [&toy] { toy.change(7); });
    timeline.run_all();
    EXPECT_EQ(toy.heard, std::vector<Cycle>{10 + after + 1}) << after;
    EXPECT_TRUE(toy.clock.asleep());
  }
}

/// Waits from the first poke on, and says nothing.
class Waiting : public Clocked {
 public:
  explicit Waiting(Timeline& timeline) : clock(timeline, *this) { clock.wake(); }
  RtlClock clock;

 private:
  bool settle(Cycle) override { return false; }
  void act(Cycle) override {}
  bool edge() override { return false; }
  bool idle() override { return false; }
};

TEST(RtlClock, blocks_that_wait_for_each_other_do_not_keep_each_other_awake) {
  for (const unsigned blocks : {1u, 2u, 3u}) {
    Timeline timeline;
    std::vector<std::unique_ptr<Waiting>> all;
    for (unsigned i = 0; i < blocks; ++i) all.push_back(std::make_unique<Waiting>(timeline));
    EXPECT_LE(timeline.run_all(), RtlClock::kDead + 1) << blocks;
    for (const auto& block : all) EXPECT_TRUE(block->clock.asleep());
  }
}

TEST(RtlClock, a_waiting_block_stays_awake_as_long_as_anything_is_to_happen) {
  Timeline timeline;
  Waiting one(timeline), other(timeline);
  const Cycle end = 3 * RtlClock::kDead;
  timeline.at(end, Phase::kMemory, [&] {
    EXPECT_FALSE(one.clock.asleep());
    EXPECT_FALSE(other.clock.asleep());
  });
  EXPECT_LE(timeline.run_all(), end + 1);
  EXPECT_EQ(one.clock.ticks(), static_cast<uint64_t>(end)) << "what it has waited counts";
  one.clock.wake();
  EXPECT_LE(timeline.run_all(), end + RtlClock::kDead + 2) << "one is asleep, the other waits anew";
}

/// Times at which a waveform is written.
struct Dumps : Waveform {
  explicit Dumps(std::vector<uint64_t>& times) : times(times) {}
  void dump(uint64_t ps) override { times.push_back(ps); }
  std::vector<uint64_t>& times;
};

TEST(RtlClock, a_waveform_holds_both_halves_of_the_cycles_of_its_window) {
  std::vector<uint64_t> times;
  Timeline timeline;
  Toy toy(timeline, RtlClock::kBatch);
  const TraceWindow window{".", 12, 14};
  toy.clock.record(std::make_unique<WaveRecorder>(std::make_unique<Dumps>(times), window, 1000));
  timeline.advance(10);
  toy.poke(9);
  timeline.run_all();
  EXPECT_EQ(times, (std::vector<uint64_t>{12000, 12500, 13000, 13500}));
}

TEST(RtlClock, a_waveform_begins_where_a_block_that_slept_is_clocked_again) {
  std::vector<uint64_t> times;
  Timeline timeline;
  Toy toy(timeline, RtlClock::kBatch);
  const TraceWindow window{".", 5, 11};
  toy.clock.record(std::make_unique<WaveRecorder>(std::make_unique<Dumps>(times), window, 1000));
  timeline.advance(10);
  toy.poke(9);  // the edge that ends cycle 9
  timeline.run_all();
  EXPECT_EQ(times, (std::vector<uint64_t>{9500, 10000, 10500}));
}

TEST(RtlClock, a_build_without_waveforms_refuses_one) {
  EXPECT_THROW(WaveRecorder(nullptr, TraceWindow{".", 0, 1}, 1000), Refusal);
}

struct Memory : BytePort {
  std::vector<uint8_t> bytes = std::vector<uint8_t>(256);
  uint8_t* bytes_at(uint64_t address, size_t count) override {
    return address + count <= bytes.size() ? &bytes[address] : nullptr;
  }
};

struct Port : BurstPort {
  Burst burst;
  std::function<void(const BurstTimes&)> done;
  void request(const Burst& asked, std::function<void(const BurstTimes&)> then) override {
    burst = asked;
    done = std::move(then);
  }
};

/// Cycles of the beats, up to `limit`, of a master that is always ready.
std::vector<Cycle> beats_of(ReadBridge& bridge, Cycle limit, std::vector<uint8_t>* resps = {}) {
  std::vector<Cycle> cycles;
  for (Cycle t = 0; t < limit; ++t) {
    ReadBeat beat;
    if (!bridge.beat(t, beat)) continue;
    cycles.push_back(t);
    if (resps != nullptr) resps->push_back(beat.resp);
    EXPECT_EQ(beat.last, bridge.outstanding() > 0 && cycles.size() == 4);
    bridge.taken();
  }
  return cycles;
}

TEST(ReadBridge, beats_come_from_first_on_and_the_last_at_its_time) {
  Memory memory;
  Port port;
  unsigned woken = 0;
  ReadBridge bridge(port, memory, 3, [&woken] { ++woken; });
  bridge.request(7, 64, 4);
  EXPECT_EQ(port.burst.at, 7);
  EXPECT_EQ(port.burst.bytes, 64u);
  EXPECT_EQ(port.burst.master, 3);
  EXPECT_TRUE(beats_of(bridge, 40).empty());
  BurstTimes times;
  times.first = 50;
  times.last = 60;
  port.done(times);
  EXPECT_EQ(woken, 1u);
  EXPECT_EQ(beats_of(bridge, 100), (std::vector<Cycle>{50, 51, 52, 60}));
  EXPECT_EQ(bridge.outstanding(), 0u);
}

TEST(ReadBridge, errors_are_slave_errors_and_where_no_memory_is_decode_errors) {
  for (const bool mapped : {true, false}) {
    Memory memory;
    Port port;
    ReadBridge bridge(port, memory, 0, [] {});
    bridge.request(0, mapped ? 0 : 4096, 4);
    BurstTimes times;
    times.first = 1;
    times.last = 4;
    times.error = mapped;
    port.done(times);
    std::vector<uint8_t> resps;
    beats_of(bridge, 10, &resps);
    EXPECT_EQ(resps, std::vector<uint8_t>(4, mapped ? 2 : 3));
  }
}

struct Counters : CounterPort {
  std::map<uint8_t, uint32_t> value;
  std::function<void(Cycle)> then;
  unsigned asked = 0, withdrawn = 0;
  bool met(uint8_t id, uint32_t expected) const override {
    const auto found = value.find(id);
    return found != value.end() && static_cast<int32_t>(found->second - expected) >= 0;
  }
  void when_met(uint8_t, uint8_t, uint8_t, uint32_t, std::function<void(Cycle)> f) override {
    ++asked;
    then = std::move(f);
  }
  void withdraw(uint8_t, uint8_t) override { ++withdrawn; }
  void signal(Cycle, uint8_t, uint16_t) override {}
};

TEST(WaitLink, a_question_that_holds_is_met_in_its_cycle_and_asks_nobody) {
  Counters counters;
  counters.value[5] = 3;
  WaitLink link(counters, 0, 0, [] {});
  EXPECT_FALSE(link.look(true, 5, 3));
  EXPECT_TRUE(link.met());
  EXPECT_FALSE(link.look(false, 0, 0));
  EXPECT_FALSE(link.met());
  EXPECT_EQ(counters.asked, 0u);
}

TEST(WaitLink, one_that_does_not_is_asked_once_and_wakes_when_it_holds) {
  Counters counters;
  unsigned woken = 0;
  WaitLink link(counters, 0, 0, [&woken] { ++woken; });
  EXPECT_TRUE(link.look(true, 5, 3));
  link.ask();
  EXPECT_FALSE(link.look(true, 5, 3));
  EXPECT_EQ(counters.asked, 1u);
  EXPECT_FALSE(link.met());
  counters.then(9);
  EXPECT_TRUE(link.met());
  EXPECT_EQ(woken, 1u);
  EXPECT_TRUE(link.look(true, 5, 4)) << "the next command asks for more";
  EXPECT_FALSE(link.met());
  link.ask();
  EXPECT_FALSE(link.look(false, 0, 0)) << "an abort";
  EXPECT_EQ(counters.withdrawn, 1u);
  counters.then(10);
  EXPECT_FALSE(link.met());
}

TEST(BarrierLink, holds_until_every_counter_of_the_range_has_reached_the_value) {
  Counters counters;
  counters.value = {{1, 7}, {2, 0}, {3, 0}};
  BarrierLink link(counters, 0, 3, [] {});
  EXPECT_TRUE(link.look(true, 1, 3, 7));
  link.ask();
  EXPECT_FALSE(link.look(true, 1, 3, 7));
  EXPECT_EQ(counters.asked, 1u);
  counters.value[2] = 7;
  EXPECT_TRUE(link.look(true, 1, 3, 7)) << "the next counter of the range";
  link.ask();
  counters.value[3] = 8;
  EXPECT_FALSE(link.look(true, 1, 3, 7));
  EXPECT_TRUE(link.met());
}

}  // namespace
}  // namespace presil::rtl
