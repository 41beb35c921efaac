#include "models/noc/crossbar.h"

#include <gtest/gtest.h>

#include <vector>

namespace presil::noc {
namespace {

constexpr uint64_t kDram = PRESIL_DRAM_BASE;

// A DRAM of one latency: the sums are the crossbar's own.
SocConfig fixed_latency() {
  SocConfig soc;
  soc.dram.setting = DramSetting::kIdeal;
  soc.dram.ideal_latency_ps = 40000;
  return soc;
}

struct CrossbarTest : ::testing::Test {
  BurstTimes isolated_read(unsigned input, uint64_t address, unsigned bytes) {
    BurstTimes answer;
    Burst burst{time.now(), address, bytes, false, static_cast<uint8_t>(input)};
    crossbar.port(input).request(burst, [&](const BurstTimes& times) { answer = times; });
    time.run_all();
    return answer;
  }
  SocConfig config = fixed_latency();
  Timeline time;
  memory::Sram sram{config.sram};
  memory::Bytes dram{config.dram.bytes};
  memory::SystemBytes map{sram, dram};
  Crossbar crossbar{config, 1000, time, map};
};

TEST_F(CrossbarTest, a_lone_64_byte_read_takes_request_latency_response_and_four_beats) {
  time.run_until(100);
  const BurstTimes times = isolated_read(0, kDram, 64);
  EXPECT_EQ(times.first, 100 + 4 + 40 + 4);
  EXPECT_EQ(times.last, times.first + 3);
}

TEST_F(CrossbarTest, beats_come_as_the_atoms_do) {
  // Atoms 5 cycles apart, 4 beats each: first beat of atom 3 at + 15, its last at + 18.
  EXPECT_EQ(isolated_read(0, kDram, 256).last, 4 + 40 + 4 + 15 + 3);
}

TEST_F(CrossbarTest, an_unaligned_burst_has_edge_beats) {
  // 8 bytes across a beat boundary inside one atom: two beats
  const BurstTimes times = isolated_read(0, kDram + 12, 8);
  EXPECT_EQ(times.last - times.first, 1);
}

TEST_F(CrossbarTest, a_slow_master_holds_the_return_port) {
  BurstTimes slow, next;
  Burst burst{0, kDram, 16, false, 0};
  burst.cycles = 30;
  crossbar.read(0, burst, [&](const BurstTimes& times) { slow = times; });
  crossbar.read(1, Burst{0, kDram + 64, 16, false, 1},
                [&](const BurstTimes& times) { next = times; });
  time.run_all();
  EXPECT_EQ(slow.last, slow.first + 29);
  EXPECT_EQ(next.first, slow.last + 1);
}

TEST_F(CrossbarTest, requests_of_one_cycle_are_granted_round_robin_whatever_the_order_of_asking) {
  for (const bool reversed : {false, true}) {
    Timeline fresh;
    Crossbar xbar(config, 1000, fresh, map);
    std::vector<unsigned> order;
    std::vector<unsigned> inputs = {0, 4, 11};
    if (reversed) inputs = {11, 4, 0};
    for (int round = 0; round < 2; ++round) {
      for (const unsigned input : inputs) {
        xbar.read(input, Burst{0, kDram + 64 * input, 64, false, 0},
                  [&order, input](const BurstTimes&) { order.push_back(input); });
      }
    }
    fresh.run_all();
    EXPECT_EQ(order, (std::vector<unsigned>{0, 4, 11, 0, 4, 11}));
  }
}

TEST_F(CrossbarTest, one_grant_a_cycle) {
  std::vector<Cycle> first;
  for (unsigned input = 0; input < 3; ++input) {  // the SRAM window shows arrival times directly
    crossbar.read(input, Burst{0, PRESIL_TILE_SRAM, 16, false, 0},
                  [&](const BurstTimes& times) { first.push_back(times.first); });
  }
  time.run_all();
  // 4 request + 2 window + 4 response, then one cycle after another
  EXPECT_EQ(first, (std::vector<Cycle>{10, 11, 12}));
}

TEST_F(CrossbarTest, b_comes_on_arrival_eight_cycles_after_the_last_beat) {
  WriteTimes answer;
  WriteBurst write;
  write.burst = Burst{1, kDram, 256, true, 3};
  write.data_first = 6;
  crossbar.write(Crossbar::kDmaData, write, [&](const WriteTimes& times) { answer = times; });
  time.run_all();
  EXPECT_EQ(answer.aw, 1);
  EXPECT_EQ(answer.w_first, 6);
  EXPECT_EQ(answer.w_last, 6 + 15);
  EXPECT_EQ(answer.b, answer.w_last + 4 + 4);
}

TEST_F(CrossbarTest, a_burst_that_is_sent_later_arrives_four_cycles_after_its_last_beat) {
  WriteTimes answer, next;
  WriteBurst write;
  write.burst = Burst{1, kDram, 256, true, 3};
  write.sent_later = true;
  crossbar.write(Crossbar::kDmaData, write, [&](const WriteTimes& times) { answer = times; });
  time.run_until(100);
  EXPECT_EQ(answer.aw, 1);
  EXPECT_EQ(answer.w_first, 2);
  EXPECT_EQ(crossbar.dram_statistics().writes, 0u);
  crossbar.sent(answer.token, 100);
  time.run_until(104);
  EXPECT_EQ(crossbar.dram_statistics().writes, 1u);
  // The W port was taken until then.
  write.burst.at = time.now();
  write.sent_later = false;
  write.data_first = 0;
  crossbar.write(Crossbar::kDmaData, write, [&](const WriteTimes& times) { next = times; });
  time.run_all();
  EXPECT_EQ(next.w_first, 105);
}

TEST_F(CrossbarTest, a_beat_that_the_dma_does_not_take_holds_both_ends_of_its_way) {
  crossbar.hold_dma_sink(300);
  BurstTimes data, fetch;
  crossbar.read(Crossbar::kDmaData, Burst{0, kDram, 16, false, PRESIL_QUEUE_DMA0},
                [&](const BurstTimes& times) { data = times; });
  time.run_all();
  EXPECT_EQ(data.first, 300);
  fetch = isolated_read(PRESIL_QUEUE_DLA, kDram + 64, 16);
  EXPECT_GT(fetch.first, data.last);
}

TEST_F(CrossbarTest, aw_waits_for_a_place_in_the_write_queue) {
  std::vector<WriteTimes> answers;
  // 17 bursts of one atom, W at one a cycle: the DRAM needs 5 cycles for each
  for (int i = 0; i < 17; ++i) {
    WriteBurst write;
    write.burst = Burst{0, kDram + 64ull * i, 16, true, 3};
    crossbar.write(Crossbar::kDmaData, write, [&](const WriteTimes& t) { answers.push_back(t); });
  }
  time.run_all();
  ASSERT_EQ(answers.size(), 17u);
  for (int i = 0; i < 15; ++i) EXPECT_EQ(answers[i + 1].aw, answers[i].aw + 1);
  // first W at 1, arrival 5, decided at once: its entry is free from 5 on, 15 AWs have gone since 0
  EXPECT_EQ(answers[16].aw, 16);
}

TEST_F(CrossbarTest, full_write_queue_stops_aw_at_the_pace_of_the_dram) {
  std::vector<Cycle> aw;
  for (int i = 0; i < 60; ++i) {
    WriteBurst write;
    write.burst = Burst{0, kDram + 64ull * i, 16, true, 3};
    crossbar.write(Crossbar::kDmaData, write, [&](const WriteTimes& t) { aw.push_back(t.aw); });
  }
  time.run_all();
  ASSERT_EQ(aw.size(), 60u);
  EXPECT_EQ(aw[59] - aw[58], 5);  // an atom leaves every 5 cycles
}

TEST_F(CrossbarTest, reads_of_an_id_return_in_order_whatever_the_dram_decides_first) {
  for (const uint8_t second_id : {uint8_t{3}, uint8_t{4}}) {
    Timeline fresh;
    config.dram.setting = DramSetting::kReal;
    Crossbar xbar(config, 1000, fresh, map);
    xbar.read(0, Burst{0, kDram, 64, false, 3}, [](const BurstTimes&) {});
    fresh.run_all();  // the row of address 0 is open
    std::vector<unsigned> order;
    const Cycle at = fresh.now();
    const auto ask = [&](uint64_t offset, uint8_t id, unsigned tag) {
      xbar.read(Crossbar::kDmaData, Burst{at, kDram + offset, 64, false, id},
                [&order, tag](const BurstTimes&) { order.push_back(tag); });
    };
    ask(1024, 3, 0);  // another bank, closed
    ask(64, second_id, 1);
    fresh.run_all();
    if (second_id == 3)
      EXPECT_EQ(order, (std::vector<unsigned>{0, 1}));
    else
      EXPECT_EQ(order, (std::vector<unsigned>{1, 0}));
  }
}

TEST_F(CrossbarTest, nothing_at_an_address_answers_an_error) {
  EXPECT_TRUE(isolated_read(0, 0x1000, 16).error);
  EXPECT_TRUE(isolated_read(0, kDram + config.dram.bytes - 8, 16).error);
  EXPECT_FALSE(isolated_read(0, kDram + config.dram.bytes - 16, 16).error);
}

TEST_F(CrossbarTest, a_port_write_ends_its_data_when_asked) {
  BurstTimes answer;
  time.run_until(50);
  crossbar.port(1).request(Burst{60, kDram, 64, true, 1}, [&](const BurstTimes& t) { answer = t; });
  time.run_all();
  EXPECT_EQ(answer.first, 60 + 8);
}

}  // namespace
}  // namespace presil::noc
