// The queue itself, with an engine that takes what it is offered and ends it a while later.
#include "models/common/queue_frontend.h"

#include <gtest/gtest.h>

#include "tests/dma/dma_tile.h"

namespace presil {
namespace {

using dma::Command;
using dma::DmaTile;

struct QueueTest : ::testing::Test {
  /// nops, whose tags count up from `tag`
  static std::vector<Command> nops(unsigned count, uint32_t tag = 0) {
    std::vector<Command> commands(count, Command::make(dma::Op::kNop));
    for (Command& command : commands) command.tag = tag++;
    return commands;
  }
  uint32_t state() { return tile.read(0, PRESIL_QUEUE_REG_STATUS); }
  uint32_t error() { return tile.read(0, PRESIL_QUEUE_REG_ERROR) & 0xff; }
  DmaTile tile{dma::fixed_latency()};
};

TEST_F(QueueTest, jobs_run_in_order_round_the_ring) {
  for (unsigned job = 0; job < 11; ++job) {  // a ring of 4
    tile.submit(0, nops(3, 10 * job));
    if (job % 3 == 2) tile.time.run_all();
  }
  tile.time.run_all();
  ASSERT_EQ(tile.records.size(), 33u);
  for (unsigned i = 0; i < 33; ++i) EXPECT_EQ(tile.records[i].tag, i / 3 * 10 + i % 3);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_HEAD), 11u);
  EXPECT_EQ(state(), PRESIL_QUEUE_STATE_IDLE);
}

TEST_F(QueueTest, head_and_tail_count_modulo_65536) {
  tile.write(0, PRESIL_QUEUE_REG_HEAD, 65534);
  tile.write(0, PRESIL_QUEUE_REG_TAIL, 65534);
  for (unsigned job = 0; job < 4; ++job) tile.submit(0, nops(1, job));
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_TAIL), 2u);
  tile.time.run_all();
  EXPECT_EQ(tile.records.size(), 4u);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_HEAD), 2u);
}

TEST_F(QueueTest, a_full_ring_is_taken_and_one_more_is_an_overrun) {
  for (unsigned job = 0; job < 4; ++job) tile.submit(0, nops(1));
  EXPECT_EQ(error(), 0u);
  tile.write(0, PRESIL_QUEUE_REG_TAIL, 5);
  tile.time.run_all();
  EXPECT_EQ(error(), PRESIL_QUEUE_ERROR_CODE_RING_OVERRUN);
  EXPECT_EQ(state(), PRESIL_QUEUE_STATE_ERROR);
}

TEST_F(QueueTest, fetches_overlap_commands_while_the_prefetch_runs_ahead) {
  std::vector<Command> loads;
  for (uint32_t i = 0; i < 8; ++i) loads.push_back(dma::load_row(4096 * i, 4096 * i, 4096, i));
  tile.submit(0, loads);
  tile.time.run_all();
  for (uint32_t i = 1; i < 8; ++i) {
    // offered while the one before still loads: its data follow without a gap but for the fetch's
    // own 2 atoms
    EXPECT_LT(tile.records[i].offered, tile.records[i - 1].end);
    EXPECT_LE(tile.records[i].end - tile.records[i - 1].end, 16 * 20 + 2 * 10);
  }
}

TEST_F(QueueTest, short_commands_come_at_half_a_fetch_latency) {
  tile.submit(0, nops(20));
  tile.time.run_all();
  // two reads outstanding, 57 cycles each
  const Cycle took = tile.records[19].offered - tile.records[3].offered;
  EXPECT_NEAR(static_cast<double>(took) / 16, 57.0 / 2, 2.0);
}

TEST_F(QueueTest, a_second_job_is_fetched_under_the_first) {
  tile.submit(0, {dma::load_row(0, 0, 20000, 1)});
  tile.submit(0, {dma::load_row(0, 0x8000, 20000, 2)});
  tile.time.run_all();
  EXPECT_LT(tile.record(2)->offered, tile.record(1)->end);
  EXPECT_EQ(tile.record(2)->doorbell, 0);
}

TEST_F(QueueTest, a_barrier_holds_the_job_until_every_counter_has_come_to_its_base) {
  JobEntry job = tile.place(0, nops(1, 5));
  job.barrier = true;
  job.sync_count = 3;
  job.value_base = 10;
  tile.ring(0, job);
  tile.sync.port(0).signal(0, 1, 10);
  tile.sync.port(0).signal(0, 2, 9);
  tile.sync.port(0).signal(0, 3, 30);
  tile.time.run_until(1000);
  EXPECT_TRUE(tile.records.empty());
  EXPECT_EQ(state(), PRESIL_QUEUE_STATE_WAITING);
  tile.sync.port(0).signal(1000, 2, 1);
  tile.time.run_all();
  ASSERT_EQ(tile.records.size(), 1u);
  EXPECT_EQ(tile.records[0].offered, 1002);
}

// Fetched long before: it begins when it is offered, as one that has just come.
TEST_F(QueueTest, a_copy_that_a_barrier_holds_begins_when_the_barrier_opens) {
  JobEntry job = tile.place(0, {dma::load_row(0, 0x8000, 256)});
  job.barrier = true;
  job.sync_count = 1;
  job.value_base = 10;
  tile.ring(0, job);
  tile.sync.port(0).signal(5000, 1, 10);
  tile.time.run_all();
  ASSERT_EQ(tile.records.size(), 1u);
  EXPECT_EQ(tile.records[0].offered, 5002);  // signal to met: 2
  EXPECT_EQ(tile.records[0].start, 5002);
  EXPECT_GT(tile.records[0].end, 5002 + 4 + 40);  // first take, latency of the DRAM
}

TEST_F(QueueTest, interrupts_of_jobs_and_commands_are_levels_until_cleared) {
  bool line = false;
  tile.unit.on_interrupt([&](bool level) { line = level; });
  tile.write(0, PRESIL_QUEUE_REG_IRQ_ENABLE, PRESIL_QUEUE_IRQ_STATUS_JOB_DONE_MASK);
  auto commands = nops(2);
  commands[0].irq = true;
  JobEntry job = tile.place(0, commands);
  job.irq_at_end = true;
  tile.ring(0, job);
  tile.time.run_until(57 + 57 + 4);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_IRQ_STATUS), PRESIL_QUEUE_IRQ_STATUS_COMMAND_DONE_MASK);
  EXPECT_FALSE(line);  // not enabled
  tile.time.run_all();
  EXPECT_TRUE(line);
  tile.write(0, PRESIL_QUEUE_REG_IRQ_STATUS, PRESIL_QUEUE_IRQ_STATUS_JOB_DONE_MASK);
  EXPECT_FALSE(line);
}

TEST_F(QueueTest, bad_job_entries_are_refused_when_their_turn_comes) {
  const auto refusal = [&](auto change) {
    DmaTile fresh;
    fresh.submit(0, nops(2, 50));
    JobEntry job = fresh.place(0, nops(1, 60));
    change(job);
    fresh.ring(0, job);
    fresh.time.run_all();
    EXPECT_EQ(fresh.records.size(), 2u);
    EXPECT_EQ(fresh.read(0, PRESIL_QUEUE_REG_STATUS), PRESIL_QUEUE_STATE_ERROR);
    EXPECT_EQ(fresh.read(0, PRESIL_QUEUE_REG_HEAD), 1u);
    EXPECT_EQ(fresh.read(0, PRESIL_QUEUE_REG_ERROR_COMMAND_INDEX), 0xffffffffu);
    return fresh.read(0, PRESIL_QUEUE_REG_ERROR) & 0xff;
  };
  EXPECT_EQ(refusal([](JobEntry& job) { job.valid = false; }), PRESIL_QUEUE_ERROR_CODE_BAD_JOB);
  EXPECT_EQ(refusal([](JobEntry& job) { job.command_count = 0; }), PRESIL_QUEUE_ERROR_CODE_BAD_JOB);
  EXPECT_EQ(refusal([](JobEntry& job) { job.stream_address += 128; }),
            PRESIL_QUEUE_ERROR_CODE_BAD_JOB);
  EXPECT_EQ(refusal([](JobEntry& job) { job.isa_version = 9; }),
            PRESIL_QUEUE_ERROR_CODE_BAD_VERSION);
  EXPECT_EQ(refusal([](JobEntry& job) { job.context = 4; }), PRESIL_QUEUE_ERROR_CODE_BAD_CONTEXT);
  EXPECT_EQ(refusal([](JobEntry& job) { job.sync_base = 24; }),
            PRESIL_QUEUE_ERROR_CODE_BAD_CONTEXT);
}

TEST_F(QueueTest, the_counters_of_a_context_are_its_drivers) {
  tile.write(0, PRESIL_QUEUE_REG_CONTEXT(1), 10u | 20u << 8);
  JobEntry job = tile.place(0, nops(1));
  job.context = 1;
  job.sync_base = 9;
  job.sync_count = 11;  // 10 .. 20
  tile.ring(0, job);
  tile.time.run_all();
  EXPECT_EQ(tile.records.size(), 1u);
  job.sync_count = 12;
  tile.ring(0, job);
  tile.time.run_all();
  EXPECT_EQ(error(), PRESIL_QUEUE_ERROR_CODE_BAD_CONTEXT);
}

TEST_F(QueueTest, a_stream_where_there_is_no_memory_is_a_fetch_error_with_its_address) {
  JobEntry job = tile.place(0, nops(1));
  job.stream_address = 0x7000000000;
  tile.ring(0, job);
  tile.time.run_all();
  EXPECT_EQ(error(), PRESIL_QUEUE_ERROR_CODE_FETCH_ERROR);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_ERROR_ADDRESS_HI), 0x70u);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_ERROR_COMMAND_INDEX), 0u);
}

TEST_F(QueueTest, a_disabled_queue_begins_no_job) {
  tile.write(0, PRESIL_QUEUE_REG_CONTROL, 0);
  tile.submit(0, nops(1));
  tile.time.run_all();
  EXPECT_TRUE(tile.records.empty());
  EXPECT_EQ(state(), PRESIL_QUEUE_STATE_IDLE);
  tile.write(0, PRESIL_QUEUE_REG_CONTROL, PRESIL_QUEUE_CONTROL_ENABLE_MASK);
  tile.time.run_all();
  EXPECT_EQ(tile.records.size(), 1u);
}

TEST_F(QueueTest, head_moves_only_when_nothing_is_in_progress) {
  tile.submit(0, {dma::load_row(0, 0, 4096)});
  tile.time.run_until(200);
  tile.write(0, PRESIL_QUEUE_REG_HEAD, 1);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_HEAD), 0u);
  tile.time.run_all();
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_HEAD), 1u);
}

}  // namespace
}  // namespace presil
