#include <gtest/gtest.h>

#include <random>

#include "tests/dma/dma_tile.h"

namespace presil::dma {
namespace {

TEST(DmaChannel, results_are_visible_at_completion_and_before_the_signal) {
  DmaTile tile;
  *tile.data(0) = 42;
  Command c = load_row(0, 0x100, 256, 1);
  c.signal = 4;
  c.signal_add = 1;
  bool seen = false;
  tile.unit.on_command([&](const CommandRecord& record) {
    seen = true;
    EXPECT_EQ(tile.time.now(), record.end);
    EXPECT_EQ(tile.sram.data()[0x100], 42);
    EXPECT_EQ(tile.sync.counter(4), 0u);
  });
  tile.submit(0, {c});
  tile.time.run_until(57 + 57 + 76 - 1);  // fetches, one burst
  EXPECT_FALSE(seen);
  EXPECT_EQ(tile.sram.data()[0x100], 0);
  tile.time.run_all();
  EXPECT_TRUE(seen);
  EXPECT_EQ(tile.sync.counter(4), 1u);
}

TEST(DmaChannel, the_job_relocates_everything) {
  DmaTile tile;
  *tile.data(0x2000 + 5) = 7;
  Command c = load_row(5, 0x10, 16, 1);
  c.wait0 = 2;
  c.wait0_value = 3;
  c.signal = 1;
  c.signal_add = 9;
  JobEntry job = tile.place(0, {c});
  job.region_base[0] += 0x2000;
  job.sram_base = 0x1000;
  job.sync_base = 20;
  job.value_base = 100;
  tile.ring(0, job);
  tile.time.run_until(1000);
  EXPECT_TRUE(tile.records.empty());
  const auto waits = tile.sync.pending();
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].id, 22);
  EXPECT_EQ(waits[0].value, 103u);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_STATUS), PRESIL_QUEUE_STATE_WAITING);
  tile.sync.port(0).signal(1000, 22, 103);
  tile.time.run_all();
  ASSERT_EQ(tile.records.size(), 1u);
  EXPECT_EQ(tile.records[0].job, 100u);
  EXPECT_EQ(tile.sram.data()[0x1010], 7);
  EXPECT_EQ(tile.sync.counter(21), 9u);
}

TEST(DmaChannel, both_waits_must_be_met_and_each_is_charged_to_its_signaller) {
  DmaTile tile;
  Command c = load_row(0, 0, 16, 1);
  c.wait0 = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DLA);
  c.wait1 = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_HOST);
  c.wait0_value = c.wait1_value = 1;
  tile.submit(0, {c});
  tile.time.run_until(300);
  tile.sync.port(0).signal(300, c.wait0, 1);
  tile.time.run_until(500);
  EXPECT_TRUE(tile.records.empty());
  tile.sync.port(2).signal(500, c.wait1, 1);
  tile.time.run_all();
  const CommandRecord& record = tile.records.at(0);
  EXPECT_EQ(record.start, 502);
  EXPECT_EQ(record.cycles[wait_for(Cause::kWait, Signaller::kDla)], 302 - record.offered);
  EXPECT_EQ(record.cycles[wait_for(Cause::kWait, Signaller::kHost)], 200);
}

TEST(DmaChannel, a_copy_from_system_to_system_moves_the_bytes_in_order) {
  DmaTile tile;
  std::mt19937 random(3);
  for (int i = 0; i < 5000; ++i) *tile.data(i) = static_cast<uint8_t>(random());
  Command c = load_row(3, 0, 4000, 1);
  c.dst_space = Space::kSystem;
  c.dst_base = 0x8077;
  c.dst_row_bytes = 40;
  c.dst_n[0] = 100;
  c.dst_stride[0] = 50;
  tile.submit(0, {c});
  tile.time.run_all();
  ASSERT_EQ(tile.records.size(), 1u);
  for (int i = 0; i < 4000; ++i)
    ASSERT_EQ(*tile.data(0x8077 + i / 40 * 50 + i % 40), *tile.data(3 + i));
  EXPECT_EQ(tile.records[0].dram_read_bytes, 4000u);
  EXPECT_EQ(tile.records[0].dram_written_bytes, 4000u);
}

TEST(DmaChannel, a_padding_copy_from_system_to_system_does_not_lock_up) {
  DmaTile tile;
  Command c = load_row(0, 0, 3000, 1);
  c.dst_space = Space::kSystem;
  c.dst_base = 0x10000;
  c.pack = Pack::kPad;
  c.elem_bytes = 3;
  c.dst_row_bytes = 16000;
  Command back = c;
  back.tag = 2;
  back.fence = true;  // reads what the first writes
  back.src_base = 0x10000;
  back.src_row_bytes = 16000;
  back.dst_base = 0x20000;
  back.dst_row_bytes = 3000;
  back.pack = Pack::kDrop;
  for (int i = 0; i < 3000; ++i) *tile.data(i) = static_cast<uint8_t>(i * 13);
  tile.submit(0, {c, back});
  tile.time.run_all();
  ASSERT_EQ(tile.records.size(), 2u);
  for (int i = 0; i < 3000; ++i) ASSERT_EQ(*tile.data(0x20000 + i), static_cast<uint8_t>(i * 13));
}

TEST(DmaChannel, fill_writes_its_pattern_by_address) {
  DmaTile tile;
  Command c = Command::make(Op::kFill);
  c.dst_space = Space::kSystem;
  c.dst_base = 0x101;
  c.dst_row_bytes = 600;
  c.pattern = 0x04030201;
  Command local = Command::make(Op::kFill);
  local.dst_base = 0x33;
  local.dst_row_bytes = 600;
  local.pattern = 0x04030201;
  tile.submit(0, {c, local});
  tile.time.run_all();
  EXPECT_EQ(*tile.data(0x101), 2);
  EXPECT_EQ(*tile.data(0x101 + 599), static_cast<uint8_t>((0x101 + 599) % 4 + 1));
  EXPECT_EQ(tile.sram.data()[0x33], 4);
  EXPECT_EQ(*tile.data(0x101 + 600), 0);
}

TEST(DmaChannel, a_refused_command_stops_the_queue_after_those_before_it_with_registers_set) {
  DmaTile tile;
  bool line = false;
  tile.unit.on_interrupt([&](bool level) { line = level; });
  tile.write(0, PRESIL_QUEUE_REG_IRQ_ENABLE, PRESIL_QUEUE_IRQ_STATUS_ERROR_MASK);
  Command bad = load_row(0, 0, 64, 2);
  bad.dst_row_bytes = 65;
  Command after = load_row(0, 0x9000, 64, 3);
  *tile.data(0) = 1;
  tile.submit(0, {load_row(0, 0, 4096, 1), bad, after});
  tile.time.run_all();
  EXPECT_EQ(tile.records.size(), 1u);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_STATUS), PRESIL_QUEUE_STATE_ERROR);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_ERROR),
            PRESIL_QUEUE_ERROR_CODE_STREAM_LENGTH | 16u << PRESIL_QUEUE_ERROR_WORD_SHIFT);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_ERROR_COMMAND_INDEX), 1u);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_ERROR_JOB_TAG), 100u);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_HEAD), 0u);
  EXPECT_EQ(tile.sram.data()[0x9000], 0);
  EXPECT_TRUE(line);
}

TEST(DmaChannel, after_an_error_the_driver_moves_head_and_the_next_job_runs) {
  DmaTile tile;
  Command bad = load_row(0, 0, 64);
  bad.src_region = 3;  // limit 0
  tile.submit(0, {bad});
  tile.submit(0, {load_row(0, 0, 64, 7)});
  tile.time.run_all();
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_ERROR) & 0xff, PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE);
  EXPECT_TRUE(tile.records.empty());
  tile.write(0, PRESIL_QUEUE_REG_HEAD, 1);
  tile.write(0, PRESIL_QUEUE_REG_CONTROL,
             PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_START_MASK);
  tile.time.run_all();
  ASSERT_EQ(tile.records.size(), 1u);
  EXPECT_EQ(tile.records[0].tag, 7u);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_ERROR), 0u);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_STATUS), PRESIL_QUEUE_STATE_IDLE);
}

TEST(DmaChannel, a_bus_error_stops_the_queue_and_blames_the_address) {
  DmaTile tile;
  Command c = load_row(0, 0, 512, 1);
  c.signal = 1;
  c.signal_add = 1;
  JobEntry job = tile.place(0, {c, load_row(512, 512, 512, 2)});
  job.region_base[0] =
      PRESIL_DRAM_BASE + tile.config.dram.bytes - 256;  // the second burst is outside
  tile.ring(0, job);
  tile.time.run_all();
  EXPECT_TRUE(tile.records.empty());
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_STATUS), PRESIL_QUEUE_STATE_ERROR);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_ERROR) & 0xff, PRESIL_QUEUE_ERROR_CODE_BUS_ERROR);
  EXPECT_EQ(tile.sync.counter(1), 0u);
}

TEST(DmaChannel, abort_drains_drops_and_sends_no_signal) {
  DmaTile tile;
  Command c = load_row(0, 0, 60000, 1);
  c.signal = 1;
  c.signal_add = 1;
  *tile.data(0) = 99;
  tile.submit(0, {c});
  tile.time.run_until(400);
  tile.write(0, PRESIL_QUEUE_REG_CONTROL,
             PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_ABORT_MASK);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_STATUS), PRESIL_QUEUE_STATE_DRAINING);
  const Cycle end = tile.time.run_all();
  EXPECT_LT(end, 400 + 1000);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_STATUS), PRESIL_QUEUE_STATE_STOPPED);
  EXPECT_TRUE(tile.records.empty());
  EXPECT_EQ(tile.sram.data()[0], 0);
  EXPECT_EQ(tile.sync.counter(1), 0u);
  // the job at head runs again from its first command
  tile.write(0, PRESIL_QUEUE_REG_CONTROL,
             PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_START_MASK);
  tile.time.run_all();
  EXPECT_EQ(tile.records.size(), 1u);
  EXPECT_EQ(tile.sync.counter(1), 1u);
}

TEST(DmaChannel, abort_ends_a_wait_for_a_signal_that_never_comes) {
  DmaTile tile;
  Command c = load_row(0, 0, 64, 1);
  c.wait0 = 1;
  c.wait0_value = 1;
  tile.submit(0, {c});
  tile.time.run_all();
  EXPECT_EQ(tile.sync.pending().size(), 1u);
  tile.write(0, PRESIL_QUEUE_REG_CONTROL, PRESIL_QUEUE_CONTROL_ABORT_MASK);
  tile.time.run_all();
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_STATUS), PRESIL_QUEUE_STATE_STOPPED);
  EXPECT_TRUE(tile.sync.pending().empty());
}

TEST(DmaChannel, stop_finishes_what_is_in_flight) {
  DmaTile tile;
  std::vector<Command> commands;
  for (uint32_t i = 0; i < 20; ++i) commands.push_back(load_row(0, 0, 4096, i));
  tile.submit(0, commands);
  tile.time.run_until(500);
  tile.write(0, PRESIL_QUEUE_REG_CONTROL,
             PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_STOP_MASK);
  tile.time.run_all();
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_STATUS), PRESIL_QUEUE_STATE_STOPPED);
  EXPECT_GT(tile.records.size(), 0u);
  EXPECT_LT(tile.records.size(), 6u);
  EXPECT_EQ(tile.read(0, PRESIL_QUEUE_REG_HEAD), 0u);
}

TEST(DmaChannel, counters_of_a_snapshot_add_up_at_any_moment) {
  DmaTile tile;
  Command waits = load_row(0, 0x8000, 3000, 3);
  waits.wait0 = 1;
  waits.wait0_value = 1;
  tile.submit(0, {load_row(0, 0, 5000, 1), store_row(0, 0x10000, 5000, 2), waits});
  auto view = tile.unit.bank().counters(0);
  for (Cycle now = 10; now < 3000; now += 37) {
    tile.time.run_until(now);
    if (now > 2000 && tile.sync.counter(1) == 0) tile.sync.port(0).signal(now, 1, 1);
    tile.unit.bank().write(PRESIL_DMA_REG_COUNTERS(0) + PRESIL_DMA_COUNTERS_REG_CONTROL,
                           PRESIL_DMA_COUNTERS_CONTROL_SNAPSHOT_MASK);
    uint64_t sum = view.run() + view.read_credit() + view.dram_row() + view.dram_turnaround() +
                   view.dram_refresh() + view.dram_busy() + view.write_queue() + view.sram_port() +
                   view.fetch() + view.drain() + view.idle();
    for (unsigned e = 0; e < 4; ++e) sum += view.wait(e);
    ASSERT_EQ(sum, view.cycles());
    ASSERT_EQ(view.cycles(), static_cast<uint64_t>(now));
    ASSERT_LE(view.idle(), static_cast<uint64_t>(now));
  }
  EXPECT_EQ(view.commands(), 3u);
  EXPECT_EQ(view.bytes_read(), 128u + 3 * 128 + 8000);
  EXPECT_EQ(view.bytes_written(), 5000u);
  EXPECT_GT(view.wait(0), 500u);  // counter 1: the DLA's
}

TEST(DmaChannel, a_snapshot_counts_what_is_being_fetched_and_clear_begins_anew) {
  DmaTile tile(fixed_latency());
  const uint32_t control = PRESIL_DMA_REG_COUNTERS(0) + PRESIL_DMA_COUNTERS_REG_CONTROL;
  auto view = tile.unit.bank().counters(0);
  tile.submit(0, {load_row(0, 0, 5000, 1)});
  tile.time.run_until(100);  // the doorbell rang at 0, the command is offered at 57 + 57
  tile.unit.bank().write(control, PRESIL_DMA_COUNTERS_CONTROL_SNAPSHOT_MASK);
  EXPECT_EQ(view.fetch(), 100u);
  EXPECT_EQ(view.idle(), 0u);
  tile.time.run_until(1000);
  ASSERT_EQ(tile.records.size(), 1u);
  tile.unit.bank().write(control, PRESIL_DMA_COUNTERS_CONTROL_CLEAR_MASK);
  tile.time.run_until(1234);
  tile.unit.bank().write(control, PRESIL_DMA_COUNTERS_CONTROL_SNAPSHOT_MASK);
  EXPECT_EQ(view.cycles(), 234u);
  EXPECT_EQ(view.idle(), 234u);
  EXPECT_EQ(view.run() + view.fetch(), 0u);
  EXPECT_EQ(view.commands() + view.bytes_read() + view.bytes_written(), 0u);
}

TEST(DmaChannel, channels_that_are_not_there_read_zero_and_ignore_writes) {
  SocConfig soc;
  soc.dma.channels = 2;
  DmaTile tile(soc);
  tile.write(2, PRESIL_QUEUE_REG_RING_SIZE_LOG2, 5);
  EXPECT_EQ(tile.read(2, PRESIL_QUEUE_REG_RING_SIZE_LOG2), 0u);
  EXPECT_EQ(tile.unit.bank().id_queues(), 2);
}

/// Mixed loads, stores, copies on all channels with waits across them: what happened, as numbers.
std::vector<Cycle> mixed_run(unsigned seed, DmaTile& tile) {
  std::mt19937 random(seed);
  for (unsigned c = 0; c < 4; ++c) {
    std::vector<Command> commands;
    for (unsigned i = 0; i < 12; ++i) {
      const uint32_t bytes = 1 + random() % 9000;
      const uint32_t sram = 0x40000 * c + random() % 0x10000;
      const uint64_t dram = 0x400000 * c + random() % 0x100000;
      Command command = random() % 2 ? load_row(dram, sram, bytes) : store_row(sram, dram, bytes);
      if (random() % 5 == 0) {
        command = store_row(sram, 0, bytes);
        command.dst_space = Space::kSram;
        command.dst_base = 0x40000 * c + 0x20000;
      }
      command.tag = 100 * c + i;
      command.fence = random() % 6 == 0;
      command.signal = static_cast<uint8_t>(4 + c);
      command.signal_add = 1;
      if (i > 0 && random() % 3 == 0) {  // what another channel has done before
        command.wait0 = static_cast<uint8_t>(4 + random() % 4);
        command.wait0_value = static_cast<int32_t>(random() % i);
      }
      commands.push_back(command);
    }
    tile.submit(c, commands);
  }
  tile.time.run_all();
  std::vector<Cycle> result;
  for (const CommandRecord& record : tile.records) {
    result.insert(result.end(), {record.queue, record.tag, record.offered, record.start, record.end,
                                 record.cycles.busy(), record.cycles.total()});
  }
  return result;
}

TEST(DmaChannel, the_same_streams_take_the_same_cycles_twice) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    DmaTile first, second;
    const auto a = mixed_run(seed, first), b = mixed_run(seed, second);
    ASSERT_EQ(first.records.size(), 48u) << "seed " << seed;
    ASSERT_EQ(a, b);
    ASSERT_EQ(std::memcmp(first.sram.data(), second.sram.data(), 1 << 20), 0);
  }
}

SocConfig soc_of(unsigned clock_mhz, unsigned peak_mb_per_s, unsigned data_bytes,
                 unsigned channels) {
  SocConfig soc;
  soc.clock_mhz = clock_mhz;
  soc.dram.peak_mb_per_s = peak_mb_per_s;
  soc.noc.data_bytes = data_bytes;
  soc.dma.channels = channels;
  return soc;
}

TEST(DmaChannel, commands_end_in_order_and_their_causes_fill_the_time_whatever_the_sizes) {
  for (const SocConfig& soc : {SocConfig{}, soc_of(400, 1600, 8, 4), soc_of(1000, 25600, 32, 4),
                               soc_of(333, 3333, 16, 4)}) {
    for (unsigned seed = 100; seed < 110; ++seed) {
      DmaTile tile(soc);
      mixed_run(seed, tile);
      ASSERT_EQ(tile.records.size(), 48u);
      for (unsigned c = 0; c < 4; ++c) {
        Cycle previous = -1;
        uint32_t next = 0;
        for (const CommandRecord& record : tile.records) {
          if (record.queue != PRESIL_QUEUE_DMA0 + c) continue;
          ASSERT_EQ(record.index, next++);
          ASSERT_EQ(record.cycles.total(), record.end - std::max(previous, record.offered));
          ASSERT_GE(record.start, record.offered);
          ASSERT_GT(record.end, previous);
          previous = record.end;
        }
        // doorbell at 0: fetch, then work
        EXPECT_EQ(tile.unit.channel(c).attribution().total(), previous);
      }
    }
  }
}

TEST(DmaChannel, abort_at_any_moment_stops_soon_and_what_comes_after_is_whole) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    DmaTile tile;
    mixed_run(seed, tile);
    tile.records.clear();
    const Cycle begin = tile.time.now();
    std::vector<Command> commands;
    for (unsigned i = 0; i < 6; ++i) {
      Command command = random() % 2 ? load_row(512 * i, 0x2000 * i, 1 + random() % 6000, i)
                                     : store_row(0x2000 * i, 0x10000 * i, 1 + random() % 6000, i);
      if (random() % 4 == 0) {  // through memory
        command.src_space = command.dst_space = Space::kSystem;
        command.dst_base = 0x80000;
      }
      commands.push_back(command);
    }
    tile.submit(1, commands);
    tile.time.run_until(begin + random() % 3000);
    const Cycle aborted = tile.time.now();
    tile.write(1, PRESIL_QUEUE_REG_CONTROL,
               PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_ABORT_MASK);
    ASSERT_LT(tile.time.run_all(), aborted + 1000);
    ASSERT_EQ(tile.read(1, PRESIL_QUEUE_REG_STATUS), PRESIL_QUEUE_STATE_STOPPED);
    tile.records.clear();
    const uint32_t done =
        tile.read(1, PRESIL_QUEUE_REG_HEAD) == tile.read(1, PRESIL_QUEUE_REG_TAIL);
    tile.write(1, PRESIL_QUEUE_REG_CONTROL,
               PRESIL_QUEUE_CONTROL_ENABLE_MASK | PRESIL_QUEUE_CONTROL_START_MASK);
    tile.time.run_all();
    ASSERT_EQ(tile.records.size(), done ? 0u : 6u) << "seed " << seed;
  }
}

}  // namespace
}  // namespace presil::dma
