// The engine on its timeline: order, waits, signals, values, errors, counters.
#include "models/dla/dla_engine.h"

#include <gtest/gtest.h>

#include "tests/dla/dla_oracle.h"
#include "tests/dla/dla_world.h"

namespace presil::dla {
namespace {

using test::World;

// Copies `rows` x 16 words from `from` to `to`: 16 * rows pixels, no weights, first step after 5.
Command copy(uint32_t from, uint32_t to, unsigned rows = 8) {
  Command c = Command::make(Op::kPass);
  c.rule = Rule::kNone;
  c.in_kb_step = 1;
  c.in_h = c.out_h = static_cast<uint16_t>(rows);
  c.in_w = c.out_w = 16;
  c.in_x_step = c.out_x_step = 16;
  c.in_row_pitch = c.out_row_pitch = 256;
  c.block_rows = 8;
  c.in_base = from;
  c.out_base = to;
  c.out_lanes_last = 16;
  c.act_min = -128;
  c.act_max = 127;
  return c;
}

void fill(World& world, uint32_t at, uint32_t bytes, uint8_t value) {
  std::memset(world.sram.bytes_at(at, bytes), value, bytes);
}

TEST(DlaEngine, a_command_runs_from_doorbell_to_signal) {
  World world;
  fill(world, 0, 2048, 42);
  Command c = copy(0, 0x4000);
  c.signal = 1;
  c.signal_add = 3;
  c.tag = 77;
  JobEntry job;
  job.tag = 5;
  world.submit({c}, job);
  // Offered, + 5 to the first of 128 steps, + 127 to the last, + 9 to its word.
  const Cycle end = World::kFirstOffer + 5 + 127 + 9;
  world.time.run_until(end - 1);
  EXPECT_TRUE(world.records.empty());
  EXPECT_EQ(*world.sram.bytes_at(0x4000, 1), 0);
  world.time.run_until(end);
  ASSERT_EQ(world.records.size(), 1u);
  EXPECT_EQ(*world.sram.bytes_at(0x4000 + 2047, 1), 42);
  const CommandRecord& record = world.records[0];
  EXPECT_EQ(record.tag, 77u);
  EXPECT_EQ(record.job, 5u);
  EXPECT_EQ(record.doorbell, 0);
  EXPECT_EQ(record.offered, World::kFirstOffer);
  EXPECT_EQ(record.end, end);
  EXPECT_EQ(record.sram_read_bytes, 2048u);
  EXPECT_EQ(record.sram_written_bytes, 2048u);
  EXPECT_EQ(world.sync.counter(1), 0u);
  world.time.run_until(end + 2);
  EXPECT_EQ(world.sync.counter(1), 3u);
  EXPECT_EQ(world.engine.frontend().state(), queue::State::kIdle);
}

TEST(DlaEngine, commands_go_back_to_back_with_two_cycles_between) {
  World world;
  const Command c = copy(0, 0x4000, 64);
  world.submit({c, c, c, c, c});
  world.time.run_all();
  ASSERT_EQ(world.records.size(), 5u);
  for (size_t i = 1; i < 5; ++i) {
    // 1024 steps + 2
    EXPECT_EQ(world.records[i].end - world.records[i - 1].end, 1026) << i;
    EXPECT_EQ(world.records[i].cycles.total(), 1026);
    EXPECT_EQ(world.records[i].cycles[Cause::kStart], 2);
  }
}

TEST(DlaEngine, a_command_that_waits_for_its_predecessor_loses_16_cycles) {
  World world;
  fill(world, 0, 0x4000, 9);
  Command first = copy(0, 0x4000, 64), second = copy(0x4000, 0x8000, 64);
  first.signal = second.wait_in = 1;
  first.signal_add = 1;
  second.wait_in_value = 1;
  world.submit({first, second});
  world.time.run_all();
  ASSERT_EQ(world.records.size(), 2u);
  // Last step to first step 16 instead of 1: 1024 + 15
  EXPECT_EQ(world.records[1].end - world.records[0].end, 1024 + 15);
  EXPECT_EQ(world.records[1].cycles[wait_for(Cause::kWaitIn, Signaller::kDla)], 10);
  EXPECT_EQ(*world.sram.bytes_at(0x8000 + 0x3fff, 1), 9);
}

TEST(DlaEngine, inputs_are_read_when_the_sequencer_starts_so_a_forgotten_wait_shows) {
  World world;
  fill(world, 0, 0x4000, 9);
  world.submit({copy(0, 0x4000, 64), copy(0x4000, 0x8000, 64)});
  world.time.run_all();
  EXPECT_EQ(*world.sram.bytes_at(0x4000, 1), 9);
  EXPECT_EQ(*world.sram.bytes_at(0x8000, 1), 0);  // the old word
}

TEST(DlaEngine, words_in_error_are_right_again_where_results_were_written) {
  World world;
  Command c = copy(0, 0x8000, 4);
  c.block_rows = 4;
  c.out_w = c.in_w = 8;
  c.out_blocks = 2;
  c.in_row_pitch = c.out_row_pitch = 256;  // 8 of 16 words
  c.in_cb_pitch = c.out_cb_pitch = 1024;
  // first and last pixel of both blocks; a word between the rows, one before and one after all
  world.sram.bad = {0x8000, 0x8000 + 3 * 256 + 127, 0x8400, 0x8400 + 3 * 256 + 112};
  const std::set<uint64_t> kept = {0x8000 + 128, 0x7fff, 0x8400 + 3 * 256 + 128};
  world.sram.bad.insert(kept.begin(), kept.end());
  world.submit({c});
  world.time.run_all();
  ASSERT_EQ(world.records.size(), 1u);
  EXPECT_EQ(world.sram.bad, kept);
}

TEST(DlaEngine, a_fence_orders_commands_without_a_counter) {
  World world;
  fill(world, 0, 0x4000, 9);
  Command second = copy(0x4000, 0x8000, 64);
  second.fence = true;
  world.submit({copy(0, 0x4000, 64), second});
  world.time.run_all();
  EXPECT_EQ(*world.sram.bytes_at(0x8000, 1), 9);
  // Starts one cycle after the end: 1 + 5 + 1023 + 9
  EXPECT_EQ(world.records[1].end - world.records[0].end, 1038);
}

TEST(DlaEngine, waits_on_the_dma_end_in_the_cycle_of_met) {
  World world;
  Command c = copy(0, 0x4000);
  c.wait_in = 4;  // DMA channel 0
  c.wait_in_value = 2;
  world.submit({c});
  world.time.run_until(300);
  EXPECT_EQ(world.engine.frontend().state(), queue::State::kWaiting);
  world.sync.port(PRESIL_QUEUE_DMA0).signal(500, 4, 2);
  world.time.run_all();
  ASSERT_EQ(world.records.size(), 1u);
  EXPECT_EQ(world.records[0].end, 502 + 5 + 127 + 9);
  EXPECT_EQ(world.records[0].cycles[wait_for(Cause::kWaitIn, Signaller::kDma)],
            502 - World::kFirstOffer);
}

TEST(DlaEngine, a_nop_waits_for_all_three_then_signals) {
  World world;
  Command nop;
  nop.wait_weights = 2;
  nop.wait_in = 3;
  nop.wait_out = 4;
  nop.wait_weights_value = nop.wait_in_value = nop.wait_out_value = 1;
  nop.signal = 1;
  nop.signal_add = 65535;
  world.submit({nop});
  for (const uint8_t id : {2, 3, 4}) world.sync.port(PRESIL_QUEUE_HOST).signal(300 * id, id, 1);
  world.time.run_all();
  ASSERT_EQ(world.records.size(), 1u);
  EXPECT_EQ(world.records[0].end, 1202 + 2);
  EXPECT_EQ(world.sync.counter(1), 65535u);
}

TEST(DlaEngine, weights_of_the_next_command_load_while_its_input_is_awaited) {
  World world;
  std::mt19937 random(3);
  Command c;
  do {
    c = test::random_command(random, {}, 1 << 18);
  } while (c.op != Op::kConv || Plan(c, {}).stepped);
  c.wait_in = 4;
  c.wait_in_value = 1;
  world.submit({c});
  world.sync.port(PRESIL_QUEUE_DMA0).signal(1000, 4, 1);
  world.time.run_all();
  ASSERT_EQ(world.records.size(), 1u);
  // Met at 1002: first step 5 later, weights long in.
  Pipeline pipeline;
  Arrival arrival;
  arrival.offered = World::kFirstOffer;
  arrival.in = 1002;
  const Schedule expected = schedule(Plan(c, {}), arrival, pipeline);
  EXPECT_EQ(expected.first_operand, 1007);
  EXPECT_EQ(world.records[0].end, expected.end);
}

TEST(DlaEngine, random_commands_end_when_dla_timing_says_with_the_oracles_values) {
  std::mt19937 random(21);
  for (int round = 0; round < 60; ++round) {
    World world;
    const Command c = test::random_command(random, {}, 1 << 18);
    const std::vector<uint8_t> sram = test::random_sram(random, c, 1 << 18);
    std::copy(sram.begin(), sram.end(), world.sram.bytes().begin());
    world.submit({c});
    world.time.run_all();
    ASSERT_EQ(world.records.size(), 1u);
    EXPECT_EQ(world.records[0].end - World::kFirstOffer, cycles_of(c, {}));
    const std::vector<uint8_t> expected = test::oracle(c, {}, sram);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), world.sram.bytes().begin()));
  }
}

TEST(DlaEngine, sram_base_moves_every_address) {
  World world;
  fill(world, 0x10000, 2048, 5);
  JobEntry job;
  job.sram_base = 0x10000;
  world.submit({copy(0, 0x4000)}, job);
  world.time.run_all();
  EXPECT_EQ(*world.sram.bytes_at(0x14000, 1), 5);
  EXPECT_EQ(*world.sram.bytes_at(0x4000, 1), 0);
}

TEST(DlaEngine, every_cycle_is_counted_once) {
  World world;
  std::vector<Command> commands;
  for (unsigned i = 0; i < 6; ++i) {
    Command c = copy(0, 0x8000, 8 + i);
    c.wait_out = 4;
    c.wait_out_value = static_cast<int32_t>(i / 2);
    commands.push_back(c);
  }
  world.submit(commands);
  for (Cycle t = 400; t < 4000; t += 900) world.sync.port(PRESIL_QUEUE_DMA0).signal(t, 4, 1);
  world.time.run_all();
  world.time.run_until(5000);
  world.submit(commands);
  world.time.run_until(9000);
  ASSERT_EQ(world.records.size(), 12u);
  Cycle before = 0;
  for (const CommandRecord& r : world.records) {
    EXPECT_EQ(r.cycles.total(), r.end - std::max(before, r.offered));
    before = r.end;
  }
  world.write(PRESIL_DLA_REG_COUNTERS_CONTROL, PRESIL_DLA_COUNTERS_CONTROL_SNAPSHOT_MASK);
  const CountersView view = world.engine.bank().counters();
  EXPECT_EQ(view.cycles(), 9000u);
  uint64_t sum = view.run() + view.stall_feature() + view.stall_weights() + view.stall_post() +
                 view.start() + view.fetch() + view.idle();
  for (unsigned i = 0; i < 4; ++i) {
    sum += view.wait_in(i) + view.wait_weights(i) + view.wait_out(i);
  }
  EXPECT_EQ(sum, 9000u);
  EXPECT_EQ(view.commands(), 12u);
  EXPECT_EQ(view.run(), view.steps());
  EXPECT_EQ(view.fetch(), 2u * World::kFirstOffer);
  world.write(PRESIL_DLA_REG_COUNTERS_CONTROL,
              PRESIL_DLA_COUNTERS_CONTROL_SNAPSHOT_MASK | PRESIL_DLA_COUNTERS_CONTROL_CLEAR_MASK);
  world.time.run_until(9100);
  world.write(PRESIL_DLA_REG_COUNTERS_CONTROL, PRESIL_DLA_COUNTERS_CONTROL_SNAPSHOT_MASK);
  EXPECT_EQ(view.cycles(), 100u);
}

TEST(DlaEngine, registers_show_the_configuration) {
  SocConfig config;
  config.dla.macs_k = 32;
  config.dla.acc_depth = 256;
  config.sram.bytes = 1 << 19;
  World world(config);
  EXPECT_EQ(world.engine.bank().array_macs_k(), 32);
  EXPECT_EQ(world.engine.bank().acc_depth(), 256);
  EXPECT_EQ(world.engine.bank().ports_out_ports(), 2);
  EXPECT_EQ(world.read(PRESIL_DLA_REG_SRAM), 1u << 19);
  EXPECT_EQ(world.read(PRESIL_DLA_REG_CAPABILITY), 0u);
}

// ---- bad commands, stop and abort

TEST(DlaEngine, a_bad_command_stops_the_queue_and_names_word_and_rule) {
  World world;
  Command good = copy(0, 0x4000), bad = good;
  good.signal = 1;
  good.signal_add = 1;
  bad.signal = 1;
  bad.signal_add = 1;
  bad.kernel_h = 2;  // R3
  JobEntry job;
  job.tag = 8;
  world.submit({good, bad, good}, job);
  world.time.run_all();
  EXPECT_EQ(world.records.size(), 1u);
  EXPECT_EQ(world.sync.counter(1), 1u);
  EXPECT_TRUE(world.irq);
  const queue::View queue = world.engine.bank().queue();
  EXPECT_EQ(world.engine.frontend().state(), queue::State::kError);
  EXPECT_EQ(queue.error_code(), queue::ErrorCode::kRuleBroken);
  EXPECT_EQ(queue.error_rule(), 3);
  EXPECT_EQ(queue.error_word(), 8);
  EXPECT_EQ(queue.error_command_index(), 1u);
  EXPECT_EQ(queue.error_job_tag(), 8u);
}

TEST(DlaEngine, an_address_at_the_end_of_the_sram_is_taken_and_the_next_word_refused) {
  const uint32_t bytes = SramConfig().bytes;
  World world;
  world.submit({copy(0, bytes - 2048)});
  world.time.run_all();
  EXPECT_EQ(world.records.size(), 1u);
  world.submit({copy(0, bytes - 2048 + 16)});
  world.time.run_all();
  EXPECT_EQ(world.records.size(), 1u);
  const queue::View queue = world.engine.bank().queue();
  EXPECT_EQ(queue.error_code(), queue::ErrorCode::kAddressRange);
  EXPECT_EQ(queue.error_word(), 15);
  EXPECT_EQ(queue.error_address(), bytes + 16u);
}

TEST(DlaEngine, a_counter_above_the_jobs_is_refused) {
  World world;
  Command c = copy(0, 0x4000);
  JobEntry job;
  job.sync_count = 4;
  c.signal = 5;
  world.submit({c}, job);
  world.time.run_all();
  EXPECT_TRUE(world.records.empty());
  EXPECT_EQ(world.engine.bank().queue().error_code(), queue::ErrorCode::kSyncLimit);
}

TEST(DlaEngine, abort_drops_what_is_in_flight_and_start_runs_the_job_again) {
  World world;
  fill(world, 0, 0x4000, 3);
  Command c = copy(0, 0x4000, 64);
  c.signal = 1;
  c.signal_add = 1;
  world.submit({c, c});
  world.time.run_until(World::kFirstOffer + 500);
  const uint32_t control = PRESIL_DLA_REG_QUEUE + PRESIL_QUEUE_REG_CONTROL;
  world.write(control, PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_ABORT_MASK);
  world.time.run_until(5000);
  EXPECT_TRUE(world.records.empty());
  EXPECT_EQ(*world.sram.bytes_at(0x4000, 1), 0);
  EXPECT_EQ(world.sync.counter(1), 0u);
  EXPECT_EQ(world.engine.frontend().state(), queue::State::kStopped);
  world.write(control, PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_START_MASK);
  world.time.run_all();
  EXPECT_EQ(world.records.size(), 2u);
  EXPECT_EQ(world.sync.counter(1), 2u);
  EXPECT_EQ(*world.sram.bytes_at(0x4000, 1), 3);
}

TEST(DlaEngine, stop_finishes_what_was_offered) {
  World world;
  const Command c = copy(0, 0x4000, 64);
  world.submit({c, c, c, c});
  world.time.run_until(World::kFirstOffer + 500);
  world.write(PRESIL_DLA_REG_QUEUE + PRESIL_QUEUE_REG_CONTROL,
              PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_STOP_MASK);
  world.time.run_all();
  EXPECT_EQ(world.records.size(), 2u);
  EXPECT_EQ(world.engine.frontend().state(), queue::State::kStopped);
}

}  // namespace
}  // namespace presil::dla
