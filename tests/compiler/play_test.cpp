// Programs as the models' plain objects play them, and which of several plans is taken.
#include <gmock/gmock.h>

#include <algorithm>
#include <optional>

#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/placement/place.h"
#include "compiler_bridge/plan/finalists.h"
#include "compiler_bridge/play/fastest.h"
#include "compiler_bridge/play/timed_queue.h"
#include "models/dla/dla_timing.h"
#include "models/sync/sync_timing.h"
#include "models/sync/sync_unit.h"

namespace presil::play {
namespace {

/// Convolutions of `channels` channels on 24 x 24 pixels, one after another.
ir::Graph chain(int layers, int channels, int kernel) {
  const std::string c = std::to_string(channels), k = std::to_string(kernel);
  const std::string pad = std::to_string(kernel / 2), type = " : int8[1,24,24," + c + "] q(0.5, 0)";
  std::string text = "graph \"chain\" tflite {\n  input %x0" + type + "\n";
  for (int i = 0; i < layers; ++i) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    text += "  const %w" + n + " : int8[" + c + "," + k + "," + k + "," + c +
            "] q(0.01, 0) = random " + next + "\n  %x" + next + " = conv2d(%x" + n + ", %w" + n +
            ") {pad_top=" + pad + ", pad_left=" + pad + ", pad_bottom=" + pad +
            ", pad_right=" + pad + "} from [" + n + "]" + type + "\n";
  }
  return ir::parse(text + "  output %x" + std::to_string(layers) + "\n}\n");
}

SocConfig soc(uint32_t sram_bytes, unsigned mb_per_s = 12800) {
  SocConfig config;
  config.sram.bytes = sram_bytes;
  config.dram.peak_mb_per_s = mb_per_s;
  return config;
}

struct Taken {
  Fastest fastest;
  placement::Placed placed;
  SocConfig config;
  /// Of the plan that is taken.
  Cycle cycles() const {
    return played(placed.graph, placed.layout, placed.plan, fastest.commands, config).value_or(0);
  }
};

Taken taken(const ir::Graph& graph, const SocConfig& config, int effort = plan::kUsualEffort) {
  plan::Search search(effort);
  Taken taken{{}, placement::place(graph, config, {}, search), config};
  placement::Placed& p = taken.placed;
  taken.fastest =
      fastest(p.graph, p.layout, p.plan, p.others, config, plan::Dispatch::kSync, search);
  return taken;
}

// Loads, commands of the DLA and stores: less than one after another, more than what is computed.
TEST(Play, one_layer_takes_its_command_and_what_comes_before_and_after_it) {
  const Taken one = taken(chain(1, 16, 1), soc(1 << 20));
  Cycle computed = 0;
  for (const plan::ScheduledCommand& c : one.fastest.commands.commands) {
    if (const auto* dla = std::get_if<dla::Command>(&c.word))
      computed += dla::cycles_of(*dla, one.config.dla);
  }
  const Cycle moved = 24 * 24 * 16 / 16;  // the port of the SRAM takes a word a cycle
  EXPECT_GT(computed, 500);
  EXPECT_GT(one.cycles(), std::max(computed, 2 * moved));
  EXPECT_LT(one.cycles(), computed + 2 * moved + 800);  // latencies, and words of commands
}

TEST(Play, the_same_program_takes_the_same_cycles_again) {
  const Taken one = taken(chain(3, 64, 3), soc(96 << 10));
  EXPECT_GT(one.cycles(), 0);
  EXPECT_EQ(one.cycles(), one.cycles());
}

TEST(Play, a_slower_memory_takes_longer) {
  const Taken one = taken(chain(3, 64, 1), soc(64 << 10));
  Taken slow = taken(chain(3, 64, 1), soc(64 << 10));
  slow.config.dram.peak_mb_per_s = 3200;
  EXPECT_GT(slow.cycles(), one.cycles() * 3 / 2);
}

TEST(Play, a_program_that_the_memory_does_not_hold_is_not_played) {
  Taken one = taken(chain(1, 16, 1), soc(1 << 20));
  one.config.dram.bytes = 64 << 10;
  EXPECT_EQ(one.cycles(), 0);
}

TEST(Play, the_fastest_plan_is_taken_and_said) {
  bool several = false;
  for (const uint32_t kib : {48, 64, 96, 128, 192}) {
    const Taken one = taken(chain(4, 64, 3), soc(kib << 10, 3200));
    const Fastest& f = one.fastest;
    const Candidate& best = f.candidates.at(f.taken);
    several |= f.candidates.size() > 1;
    EXPECT_THAT(print(f), testing::HasSubstr(", taken\n"));
    if (!best.played) continue;
    EXPECT_EQ(*best.played, one.placed.plan.cycles);
    EXPECT_EQ(*best.played, one.cycles());
    // None is faster by more than what traffic of the memory is worth: one cycle of 256.
    for (const Candidate& other : f.candidates) {
      const Cycle played = other.played.value_or(*best.played);
      EXPECT_GE(played + played / 256 + 1, *best.played);
    }
  }
  EXPECT_TRUE(several);
}

TEST(Play, without_effort_nothing_is_played) {
  const Fastest f = taken(chain(4, 64, 3), soc(64 << 10), 0).fastest;
  for (const Candidate& one : f.candidates) EXPECT_FALSE(one.played);
}

// What is found with less SRAM is looked at too: with a sixth less there is no faster plan.
TEST(Play, a_plan_is_not_slower_than_one_for_less_sram) {
  const auto expect_no_rise = [](const ir::Graph& graph, unsigned mb_per_s) {
    for (uint32_t bytes = 48 << 10; bytes < 400 << 10; bytes = bytes / 5 * 6 / 4096 * 4096) {
      const Cycle with = taken(graph, soc(bytes, mb_per_s)).cycles();
      const Cycle less = taken(graph, soc(bytes / 6 * 5 / 16 * 16, mb_per_s)).cycles();
      EXPECT_LE(with, less + less / 100) << graph.name << ", " << bytes << " bytes";
    }
  };
  for (const unsigned rate : {3200u, 12800u}) {
    expect_no_rise(chain(4, 64, 3), rate);
    expect_no_rise(chain(5, 96, 1), rate);
  }
}

// Of few layers every plan for less SRAM is looked at: of all sizes before, none is faster.
TEST(Play, a_plan_of_one_layer_is_not_slower_than_any_for_less_sram) {
  for (const auto& [channels, kernel] : {std::pair{64, 1}, {48, 3}}) {
    const ir::Graph graph = chain(1, channels, kernel);
    std::optional<Cycle> least;
    for (uint32_t bytes = 24 << 10; bytes < 400 << 10; bytes = bytes / 4 * 5 / 16 * 16) {
      const Cycle now = taken(graph, soc(bytes, 3200)).cycles();
      least = std::min(least.value_or(now), now);
      EXPECT_LE(now, *least + *least / 100) << channels << ", " << bytes << " bytes";
    }
  }
}

// ---- what is told

TEST(TimedQueue, a_command_takes_its_cycles_after_its_waits) {
  Timeline timeline;
  sync::SyncUnit sync(SyncConfig{}, timeline);
  TimedQueue first(PRESIL_QUEUE_DSP, timeline, sync.port(PRESIL_QUEUE_DSP));
  TimedQueue second(PRESIL_QUEUE_HOST, timeline, sync.port(PRESIL_QUEUE_HOST));
  dsp::Command made = dsp::Command::make(dsp::Op::kRun);
  made.signal = 1, made.signal_add = 1;
  host::Command waits = host::Command::make(host::Op::kRun);
  waits.wait0 = 1, waits.wait0_value = 2;
  const plan::Word a = made, b = waits;
  first.add({&a, 100});
  first.add({&a, 50});
  second.add({&b, 30});
  first.start(8);
  second.start(16);
  timeline.run_all();
  EXPECT_TRUE(first.ended() && second.ended());
  EXPECT_EQ(first.end(), 8 + 100 + 50);
  EXPECT_EQ(second.end(), 8 + 150 + sync::cycles_complete_to_met + 30);
}

// ---- which plans are played

/// Of one layer: `lost` of its cycles move data, and before it `waited` are waited for weights.
plan::Plan plan_of(Cycle cycles, int prefetch, Cycle lost, Cycle waited = 0) {
  plan::Plan plan;
  plan.cycles = cycles, plan.prefetch = prefetch;
  plan.layers.resize(1);
  plan.layers[0].cycles = cycles - waited;
  plan.layers[0].lost = lost;
  return plan;
}

TEST(Finalists, of_each_way_to_load_weights_the_best_is_kept_where_it_is_near) {
  plan::Finalists finalists;
  for (const auto& [cycles, prefetch] : {std::pair{1000, 8}, {1010, 1}, {1005, 1}, {1001, 4}})
    finalists.offer(plan_of(cycles, prefetch, 500));
  finalists.offer(plan_of(1126, 0, 500));
  const std::vector<plan::Plan> others = finalists.beside(plan_of(1000, 8, 500));
  ASSERT_EQ(others.size(), 1u);  // 1126 is over an 8th slower, 1001 loads as the best one does
  EXPECT_EQ(others[0].cycles, 1005);
}

TEST(Finalists, a_plan_that_loses_nothing_has_no_rival) {
  plan::Finalists finalists;
  finalists.offer(plan_of(1005, 1, 500));
  EXPECT_TRUE(finalists.beside(plan_of(1000, 8, 20)).empty());
}

TEST(Finalists, waiting_for_weights_between_layers_is_a_loss_too) {
  plan::Finalists finalists;
  finalists.offer(plan_of(1005, 1, 0));
  EXPECT_EQ(finalists.beside(plan_of(1000, 8, 0, 40)).size(), 1u);
}

}  // namespace
}  // namespace presil::play
