#include "models/dma/dma_timing.h"

#include <gtest/gtest.h>

#include "tests/dma/dma_tile.h"

namespace presil::dma {
namespace {

struct DmaTiming : ::testing::Test {
  const CommandRecord& run_one(const Command& command) {
    tile.submit(0, {command});
    tile.time.run_all();
    EXPECT_EQ(tile.records.size(), 1u);
    return tile.records.front();
  }
  DmaTile tile{fixed_latency()};
};

TEST_F(DmaTiming, cold_doorbell_to_offer_is_two_fetches) {
  const CommandRecord& record = run_one(load_row(0, 0, 256));
  // AR 4, read latency 40, response 4, second atom 5, three more beats: last beat at 56, usable at
  // 57; twice.
  EXPECT_EQ(record.doorbell, 0);
  EXPECT_EQ(record.offered, 57 + 57);
}

TEST_F(DmaTiming, load_of_one_burst) {
  const CommandRecord& record = run_one(load_row(0, 0, 256));
  // take 4 after the words, AR 1, request 4, latency 40, response 4, beats 15 + 3, completion 5
  EXPECT_EQ(record.end - record.offered, 4 + 1 + 4 + 40 + 4 + 18 + 5);
}

TEST_F(DmaTiming, load_of_four_bursts_streams_at_the_drams_pace) {
  const CommandRecord& record = run_one(load_row(0, 0, 1024));
  EXPECT_EQ(record.end - record.offered, 4 + 1 + 4 + 40 + 4 + 3 * 20 + 18 + 5);
}

TEST_F(DmaTiming, a_long_load_is_bound_by_the_dram_not_by_credits) {
  // 8 bursts outstanding cover 8 * 20 = 160 cycles; a round trip is 72: 12.8 B a cycle
  const CommandRecord& record = run_one(load_row(0, 0, 16384));
  EXPECT_EQ(record.end - record.offered, 4 + 1 + 4 + 40 + 4 + 63 * 20 + 18 + 5);
}

TEST_F(DmaTiming,
       lengths_of_packed_copies_are_divided_one_channel_after_another_the_highest_first) {
  Command pad = load_row(0, 0x1000, 48);
  pad.pack = Pack::kPad;
  pad.elem_bytes = 3;
  pad.dst_row_bytes = 256;
  for (unsigned c = 0; c < 3; ++c) {
    pad.tag = c;
    pad.dst_base = 0x1000 * c;
    tile.submit(c, {pad});
  }
  tile.time.run_all();
  ASSERT_EQ(tile.records.size(), 3u);
  // Fetches of channel 0 come first: it is divided before the others are offered.
  const Cycle first = tile.record(0)->offered;
  EXPECT_EQ(tile.record(0)->start, first + 22);
  EXPECT_LT(tile.record(2)->offered, first + 22);
  EXPECT_EQ(tile.record(2)->start, first + 44);
  EXPECT_EQ(tile.record(1)->start, first + 66);
}

TEST_F(DmaTiming, one_outstanding_burst_is_bound_by_latency) {
  SocConfig soc = fixed_latency();
  soc.dma.bursts_per_channel = 1;
  DmaTile slow(soc);
  slow.submit(0, {load_row(0, 0, 1024)});
  slow.time.run_all();
  // round trip: take, AR 1, request 4, latency 40, response 4, beats 18, credit 1 = 68 to the next
  // take
  EXPECT_EQ(slow.records[0].end - slow.records[0].offered, 4 + 3 * 68 + 67 + 5);
  EXPECT_GE(slow.records[0].cycles[Cause::kReadCredit], 3 * (68 - 19));
}

TEST_F(DmaTiming, a_stream_is_paced_by_the_dram_and_its_first_burst_by_latency) {
  const CommandRecord& record = run_one(load_row(0, 0, 16384));
  // 64 bursts of 20 cycles on the data bus against 16 at the SRAM port; the last gives way 2 before
  EXPECT_EQ(record.cycles[Cause::kRun], 64 * 20 - 1);
  EXPECT_EQ(record.dram_paced[Cause::kRun], record.cycles[Cause::kRun]);
  EXPECT_EQ(record.cycles[Cause::kReadCredit], 4 + 40 + 4);
  EXPECT_EQ(record.dram_paced[Cause::kReadCredit], 0);
}

TEST_F(DmaTiming, a_dram_faster_than_the_sram_port_does_not_set_the_pace) {
  for (const unsigned channels : {1u, 2u}) {
    SocConfig soc = fixed_latency();
    soc.dram.peak_mb_per_s = 25600;  // 10 cycles of all channels against 16
    soc.dram.channels = channels;
    DmaTile fast(soc);
    fast.submit(0, {load_row(0, 0, 16384)});
    fast.time.run_all();
    EXPECT_EQ(fast.records[0].dram_paced[Cause::kRun], 0);
  }
}

TEST_F(DmaTiming, one_outstanding_burst_waits_for_latency_not_for_the_bus) {
  SocConfig soc = fixed_latency();
  soc.dma.bursts_per_channel = 1;
  DmaTile slow(soc);
  slow.submit(0, {load_row(0, 0, 1024)});
  slow.time.run_all();
  EXPECT_EQ(slow.records[0].dram_paced[Cause::kReadCredit], 0);
}

TEST_F(DmaTiming, short_rows_wait_for_whole_atoms_where_enough_of_them_are_outstanding) {
  Command rows = load_row(0, 0, 16);
  rows.src_stride[0] = 64;
  rows.dst_stride[0] = 16;
  rows.src_n[0] = rows.dst_n[0] = 64;
  for (const unsigned outstanding : {16u, 2u}) {
    SocConfig soc = fixed_latency();
    soc.dma.bursts_per_channel = outstanding;
    DmaTile tile_of(soc);
    tile_of.submit(0, {rows});
    tile_of.time.run_all();
    const CommandRecord& record = tile_of.records[0];
    // 63 gaps of 4 between atoms of 5 cycles; of 2 outstanding the round trip is what takes time
    const Cycle gaps = record.cycles[Cause::kReadCredit] - (4 + 40 + 4);
    const Cycle paced = record.dram_paced[Cause::kReadCredit];
    if (outstanding == 16) {
      EXPECT_GE(paced, 63 * 4 * 9 / 10);
    } else {
      EXPECT_LE(paced, gaps / 3);
    }
  }
}

TEST_F(DmaTiming, store_of_256_bytes) {
  const CommandRecord& record = run_one(store_row(0, 0, 256));
  // pick 4 after the words, first W 6, 15 more, arrival 4, B 4
  EXPECT_EQ(record.end - record.offered, 4 + 6 + 15 + 8);
}

TEST_F(DmaTiming, stores_go_at_words_plus_four) {
  const CommandRecord& record = run_one(store_row(0, 0, 1024));
  EXPECT_EQ(record.end - record.offered, 4 + 3 * 20 + 6 + 15 + 8);
}

TEST_F(DmaTiming, local_copy_moves_16_words_in_20_cycles) {
  Command c = store_row(0, 0, 1024);
  c.dst_space = Space::kSram;
  c.dst_base = 0x8000;
  const CommandRecord& record = run_one(c);
  // picks every 20, first word 6 after the last pick, 15 more, completion 5
  EXPECT_EQ(record.end - record.offered, 4 + 3 * 20 + 6 + 15 + 5);
}

TEST_F(DmaTiming, local_copy_of_narrow_rows_pays_a_word_a_row) {
  // im2col of DS-CNN's first layer: 125 pixels of 10 rows of 4 bytes: 1250 words, 78 pieces of 16
  // and one of 2
  Command c = Command::make(Op::kCopy);
  c.src_row_bytes = 4;
  c.src_n = {10, 125, 1, 1};
  c.src_stride = {16, 4, 0, 0};
  c.dst_base = 0x8000;
  c.dst_row_bytes = 48;
  c.dst_n = {125, 1, 1, 1};
  c.dst_stride = {48, 0, 0, 0};
  c.pack = Pack::kPad;
  c.elem_bytes = 40;
  const CommandRecord& record = run_one(c);
  // 22 until its elements are checked, 2 from there to the first pick
  EXPECT_EQ(record.end - record.offered, 22 + 2 + 78 * 20 + 6 + 1 + 5);
}

TEST_F(DmaTiming, a_load_to_narrow_rows_is_bound_by_the_sram_port) {
  // 256 B from DRAM to 64 rows of 4 bytes: 64 words of the SRAM port, not 16 beats
  Command c = load_row(0, 0, 256);
  c.dst_row_bytes = 4;
  c.dst_n = {64, 1, 1, 1};
  c.dst_stride = {16, 0, 0, 0};
  const CommandRecord& record = run_one(c);
  EXPECT_EQ(record.end - record.offered, 4 + 1 + 4 + 40 + 4 + 63 + 5);
}

TEST_F(DmaTiming, unaligned_load_is_cut_at_256_byte_boundaries) {
  const CommandRecord& record = run_one(load_row(0xf0, 0, 32));
  // two bursts of 16 B, an atom each: 5 cycles apart
  EXPECT_EQ(record.end - record.offered, 4 + 1 + 4 + 40 + 4 + 5 + 5);
}

TEST_F(DmaTiming, dependent_command_takes_four_cycles_after_its_signallers_completion) {
  Command first = load_row(0, 0, 256, 1), second = load_row(256, 4096, 256, 2);
  first.signal = 4;
  first.signal_add = 1;
  second.wait0 = 4;
  second.wait0_value = 1;
  tile.submit(0, {first});
  tile.submit(1, {second});
  tile.time.run_all();
  const Cycle t = tile.record(1)->end;
  EXPECT_EQ(tile.record(2)->start, t + 2);  // signal 1, counter 1
  // iterators 1, burst register 1, then as any load from its take
  EXPECT_EQ(tile.record(2)->end, t + 2 + 2 + 1 + 4 + 40 + 4 + 18 + 5);
  EXPECT_GT(tile.record(2)->cycles[wait_for(Cause::kWait, Signaller::kDma)], 0);
}

TEST_F(DmaTiming, loads_of_a_channel_follow_each_other_without_a_gap) {
  tile.submit(0, {load_row(0, 0, 2048, 1), load_row(4096, 4096, 2048, 2)});
  tile.time.run_all();
  // last take + 4 is hidden under the DRAM's 20 cycles a burst
  EXPECT_EQ(tile.record(2)->end - tile.record(1)->end, 8 * 20);
}

TEST_F(DmaTiming, a_change_of_direction_drains) {
  tile.submit(0, {load_row(0, 0, 256, 1), store_row(4096, 4096, 256, 2)});
  tile.time.run_all();
  EXPECT_EQ(tile.record(2)->start, tile.record(1)->end);
  EXPECT_EQ(tile.record(2)->end - tile.record(1)->end, 2 + 6 + 15 + 8);
}

TEST_F(DmaTiming, a_fence_drains) {
  Command fenced = load_row(4096, 4096, 256, 2);
  fenced.fence = true;
  tile.submit(0, {load_row(0, 0, 256, 1), fenced});
  tile.time.run_all();
  EXPECT_EQ(tile.record(2)->end - tile.record(1)->end, 2 + 1 + 4 + 40 + 4 + 18 + 5);
}

TEST_F(DmaTiming, two_channels_share_the_dram_and_say_so) {
  tile.submit(0, {load_row(0, 0, 8192, 1)});
  tile.submit(1, {load_row(8192, 8192, 8192, 2)});
  tile.time.run_all();
  const CommandRecord &a = *tile.record(1), &b = *tile.record(2);
  // 64 bursts of 20 cycles between them; the first is ahead by the 8 bursts that it had under way
  // before the second's command was fetched
  EXPECT_EQ(b.end - a.offered, 4 + 1 + 4 + 40 + 4 + 63 * 20 + 18 + 5);
  EXPECT_EQ(b.end - a.end, 8 * 20);
  EXPECT_GT(a.cycles[Cause::kDramBusy], 300);
  EXPECT_GT(b.cycles[Cause::kDramBusy], 300);
}

TEST_F(DmaTiming, total_read_credits_bound_all_channels_together) {
  SocConfig soc = fixed_latency();
  soc.dma.bursts_total = 2;
  DmaTile slow(soc);
  for (unsigned c = 0; c < 4; ++c) slow.submit(c, {load_row(8192 * c, 8192 * c, 8192, c)});
  slow.time.run_all();
  Cycle end = 0;
  for (const auto& record : slow.records) end = std::max(end, record.end);
  // 128 bursts, two per round trip of 68 + 20 (the second waits for the first's atoms): no more
  // than 256 B in 34
  EXPECT_GT(end, 128 / 2 * 68);
}

TEST(DmaTimingOnRows, cold_fetches_and_a_lone_load_open_a_row_each) {
  DmaTile real;
  real.submit(0, {load_row(0, 0, 256)});
  real.time.run_all();
  const CommandRecord& record = real.records.at(0);
  // a fetch of a closed row: 57 as above + tRCD 18.125, rounded up; ring, stream, then the data
  EXPECT_EQ(record.offered, 2 * (57 + 19));
  EXPECT_EQ(record.end - record.offered, 4 + 1 + 4 + 19 + 40 + 4 + 18 + 5);
  EXPECT_EQ(record.cycles[Cause::kDramRow], 18);
}

TEST(DmaTimingOnRows, refresh_is_charged_as_such) {
  SocConfig soc;
  soc.dram.refresh = DramRefresh::kAllBanks;
  DmaTile real(soc);
  real.time.run_until(3904 - 2 * 76 - 30);
  real.submit(0, {load_row(0, 0, 4096)});
  real.time.run_all();
  // open rows closed (up to tRAS + tRP, 61), tRFCab 280, the row opened again 18
  const auto cycles = static_cast<double>(real.records.at(0).cycles[Cause::kDramRefresh]);
  EXPECT_GE(cycles, 280);
  EXPECT_LE(cycles, 280 + 61 + 18);
}

TEST_F(DmaTiming, every_cycle_of_a_command_has_one_cause) {
  tile.submit(
      0, {load_row(0, 0, 5000, 1), load_row(9999, 5000, 7, 2), store_row(0, 1 << 20, 5000, 3)});
  tile.submit(1, {store_row(0, 2 << 20, 3333, 4), load_row(0, 0x20000, 100, 5)});
  tile.time.run_all();
  ASSERT_EQ(tile.records.size(), 5u);
  for (unsigned c = 0; c < 2; ++c) {
    Cycle previous = -1;
    for (const CommandRecord& record : tile.records) {
      if (record.queue != PRESIL_QUEUE_DMA0 + c) continue;
      Cycle at = std::max(previous, record.offered);
      EXPECT_EQ(record.cycles.total(), record.end - at);
      for (const Segment& segment : record.segments) {
        EXPECT_EQ(segment.begin, at);
        at = segment.end;
      }
      EXPECT_EQ(at, record.end);
      previous = record.end;
    }
  }
}

TEST_F(DmaTiming, isolated_cycles_tell_a_schedule_what_the_model_will_take) {
  const SocConfig soc;  // rows and refresh as they are
  Command upsample = Command::make(Op::kCopy);
  upsample.src_row_bytes = 16;
  upsample.src_n = {2, 64, 2, 4};
  upsample.src_stride = {0, 16, 0, 1024};
  upsample.dst_row_bytes = 16384;
  upsample.dst_base = 0x8000;
  for (const Command& command :
       {load_row(0, 0, 256), load_row(0, 0, 65536), load_row(100, 7, 3000), store_row(0, 0, 256),
        store_row(0, 0, 65536), store_row(3, 5, 999), upsample}) {
    DmaTile alone(soc);
    alone.submit(0, {command});
    alone.time.run_all();
    const CommandRecord& record = alone.records.at(0);
    const Cycle took =
        record.end - record.offered - cycles_command_to_take - record.cycles[Cause::kDramRefresh];
    const Cycle told = isolated_cycles(command, soc);
    EXPECT_NEAR(static_cast<double>(told), static_cast<double>(took),
                3 + 0.03 * static_cast<double>(took))  // of it the rows that a refresh closed
        << command.to_text();
  }
}

TEST_F(DmaTiming, on_a_slow_bus_a_copy_inside_the_dram_takes_its_bytes_twice) {
  SocConfig soc;
  soc.dram.peak_mb_per_s = 400;  // 64 bytes in 160 cycles
  Command move = load_row(0, 0, 4096);
  move.dst_space = Space::kSystem;
  move.dst_base = 0x10000;
  const Cycle told = isolated_cycles(move, soc);
  EXPECT_GE(told, 2 * 64 * 160);
  EXPECT_LE(told, 2 * 64 * 160 + 200);
}

}  // namespace
}  // namespace presil::dma
