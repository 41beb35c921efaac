#include "models/sync/sync_unit.h"

#include <gtest/gtest.h>

#include <string>

namespace presil::sync {
namespace {

class SyncUnitTest : public ::testing::Test {
 protected:
  void write(uint32_t offset, uint32_t value) {
    ASSERT_EQ(unit.bank().write(offset, value), Access::kOk);
  }
  uint32_t read(uint32_t offset) {
    uint32_t value = 0;
    EXPECT_EQ(unit.bank().read(offset, value), Access::kOk);
    return value;
  }
  void set_count(uint8_t id, uint32_t value) {
    write(PRESIL_SYNC_REG_CONTROL, PRESIL_SYNC_CONTROL_SET_ENABLE_MASK);
    write(PRESIL_SYNC_REG_COUNT(id), value);
  }
  Timeline time;
  SyncUnit unit{SyncConfig{}, time};
  CounterPort& dla = unit.port(PRESIL_QUEUE_DLA);
  CounterPort& dma = unit.port(PRESIL_QUEUE_DMA0);
};

TEST_F(SyncUnitTest, a_signal_is_seen_two_cycles_after_completion) {
  Cycle met = -1;
  dma.when_met(PRESIL_QUEUE_DMA0, 0, 1, 3, [&](Cycle now) { met = now; });
  dla.signal(100, 1, 2);
  time.run_until(102);
  EXPECT_EQ(unit.counter(1), 2u);
  EXPECT_EQ(met, -1);  // 2 < 3
  dla.signal(110, 1, 1);
  time.run_until(111);
  EXPECT_FALSE(dma.met(1, 3));
  time.run_until(112);  // 110 + signal register 1 + counter register 1
  EXPECT_TRUE(dma.met(1, 3));
  EXPECT_EQ(met, 112);
}

TEST_F(SyncUnitTest, signals_of_all_engines_in_one_cycle_are_added) {
  dla.signal(5, 1, 1);
  dma.signal(5, 1, 10);
  unit.port(PRESIL_QUEUE_HOST).signal(5, 1, 100);
  time.run_until(7);
  EXPECT_EQ(unit.counter(1), 111u);
}

TEST_F(SyncUnitTest, a_condition_that_holds_is_answered_at_once) {
  Cycle met = -1;
  time.run_until(50);
  dma.when_met(PRESIL_QUEUE_DMA0, 1, 2, 0, [&](Cycle now) { met = now; });
  EXPECT_EQ(met, 50);
  met = -1;
  dma.when_met(PRESIL_QUEUE_DMA0, 1, 2, static_cast<uint32_t>(-7), [&](Cycle now) { met = now; });
  EXPECT_EQ(met, 50);  // a negative value: the previous job has come so far
}

TEST_F(SyncUnitTest, values_compare_across_the_wrap_up_to_2_31_apart) {
  set_count(1, 0xfffffffe);
  EXPECT_FALSE(dma.met(1, 1));  // 3 to go
  EXPECT_TRUE(dma.met(1, 0xfffffffe));
  EXPECT_TRUE(dma.met(1, 0x7ffffffe + 1u));  // 2^31 - 1 after
  EXPECT_FALSE(dma.met(1, 0x7ffffffe));      // 2^31 after: cannot be told from 2^31 ahead
  Cycle met = -1;
  dma.when_met(PRESIL_QUEUE_DMA0, 0, 1, 1, [&](Cycle now) { met = now; });
  dla.signal(0, 1, 3);
  time.run_until(10);
  EXPECT_EQ(unit.counter(1), 1u);
  EXPECT_EQ(met, 2);
}

TEST_F(SyncUnitTest, a_compare_slot_drives_the_interrupt_four_cycles_after_completion) {
  bool line = false;
  Cycle rose = -1;
  unit.on_interrupt([&](bool level) {
    line = level;
    if (level) rose = time.now();
  });
  write(PRESIL_SYNC_REG_IRQ_ENABLE, 0xff);
  write(PRESIL_SYNC_REG_SLOT(2) + PRESIL_SYNC_SLOT_REG_VALUE, 5);
  write(PRESIL_SYNC_REG_SLOT(2) + PRESIL_SYNC_SLOT_REG_CONTROL,
        1 | PRESIL_SYNC_SLOT_CONTROL_ENABLE_MASK);
  dla.signal(20, 1, 5);
  time.run_until(100);
  EXPECT_EQ(rose, 24);  // counter 2, compare register 1, status 1
  EXPECT_EQ(read(PRESIL_SYNC_REG_IRQ_STATUS), 1u << 2);
  EXPECT_FALSE(unit.bank().slot(2).control_enable());  // fires once
  write(PRESIL_SYNC_REG_IRQ_STATUS, 1u << 2);
  EXPECT_FALSE(line);
  dla.signal(time.now(), 1, 5);
  time.run_until(200);
  EXPECT_FALSE(line);
}

TEST_F(SyncUnitTest, a_slot_written_anew_does_not_fire_for_its_old_value) {
  write(PRESIL_SYNC_REG_IRQ_ENABLE, 0xff);
  write(PRESIL_SYNC_REG_SLOT(0) + PRESIL_SYNC_SLOT_REG_CONTROL,
        1 | PRESIL_SYNC_SLOT_CONTROL_ENABLE_MASK);
  write(PRESIL_SYNC_REG_SLOT(0) + PRESIL_SYNC_SLOT_REG_VALUE, 9);
  write(PRESIL_SYNC_REG_SLOT(0) + PRESIL_SYNC_SLOT_REG_CONTROL,
        1 | PRESIL_SYNC_SLOT_CONTROL_ENABLE_MASK);
  time.run_until(10);
  EXPECT_EQ(read(PRESIL_SYNC_REG_IRQ_STATUS), 0u);
}

TEST_F(SyncUnitTest, the_hang_report_names_every_unmet_wait_and_forgets_withdrawn_ones) {
  dma.when_met(PRESIL_QUEUE_DMA0 + 1, 1, 4, 7, [](Cycle) { FAIL(); });
  dla.when_met(PRESIL_QUEUE_DLA, 2, 3, 9, [](Cycle) { FAIL(); });
  auto waits = unit.pending();
  ASSERT_EQ(waits.size(), 2u);
  EXPECT_EQ(waits[0].queue, PRESIL_QUEUE_DLA);
  EXPECT_EQ(waits[0].id, 3);
  EXPECT_EQ(waits[0].value, 9u);
  EXPECT_EQ(waits[1].port, 1);
  // DMA channel 1, wait 1: port 8 + 2 + 1
  EXPECT_EQ(read(PRESIL_SYNC_REG_WAIT_PORT(11) + PRESIL_SYNC_WAIT_PORT_REG_VALUE), 7u);
  const uint32_t state = read(PRESIL_SYNC_REG_WAIT_PORT(11) + PRESIL_SYNC_WAIT_PORT_REG_STATE);
  EXPECT_EQ(state & 0xff, 4u);
  EXPECT_TRUE(state & PRESIL_SYNC_WAIT_PORT_STATE_WAITING_MASK);
  dma.withdraw(PRESIL_QUEUE_DMA0 + 1, 1);
  dla.signal(0, 4, 100);
  time.run_until(10);
  EXPECT_EQ(unit.pending().size(), 1u);
}

TEST_F(SyncUnitTest, the_last_signaller_is_known_by_its_link) {
  dla.signal(0, 1, 1);
  dma.signal(3, 1, 1);
  time.run_until(10);
  dla.when_met(PRESIL_QUEUE_DLA, 0, 1, 100, [](Cycle) {});
  const uint32_t state = read(PRESIL_SYNC_REG_WAIT_PORT(0) + PRESIL_SYNC_WAIT_PORT_REG_STATE);
  EXPECT_EQ((state & PRESIL_SYNC_WAIT_PORT_STATE_SIGNALLER_MASK) >> 12,
            static_cast<uint32_t>(Engine::kDma));
}

TEST_F(SyncUnitTest, count_is_set_only_with_the_right_and_releases_waits) {
  Cycle met = -1;
  time.run_until(30);
  dma.when_met(PRESIL_QUEUE_DMA0, 0, 1, 4, [&](Cycle now) { met = now; });
  write(PRESIL_SYNC_REG_COUNT(1), 4);
  EXPECT_EQ(unit.counter(1), 0u);
  EXPECT_TRUE(read(PRESIL_SYNC_REG_IRQ_STATUS) & PRESIL_SYNC_IRQ_STATUS_REFUSED_MASK);
  set_count(1, 4);
  EXPECT_EQ(read(PRESIL_SYNC_REG_COUNT(1)), 4u);
  EXPECT_EQ(met, 30);
}

TEST_F(SyncUnitTest, signals_above_the_limit_are_dropped_and_flagged) {
  write(PRESIL_SYNC_REG_LIMIT, 10);
  dla.signal(0, 10, 1);
  dma.signal(0, 11, 1);
  time.run_until(5);
  EXPECT_EQ(unit.counter(10), 1u);
  EXPECT_EQ(unit.counter(11), 0u);
  EXPECT_TRUE(read(PRESIL_SYNC_REG_IRQ_STATUS) & PRESIL_SYNC_IRQ_STATUS_REFUSED_MASK);
  const uint32_t refused = read(PRESIL_SYNC_REG_REFUSED);
  EXPECT_EQ(refused & 0xff, 11u);
  EXPECT_EQ(refused >> 8, static_cast<uint32_t>(Engine::kDma));
}

TEST_F(SyncUnitTest, after_a_reset_all_counters_are_there_and_0) {
  set_count(1, 5);
  unit.reset();
  EXPECT_EQ(read(PRESIL_SYNC_REG_LIMIT) & 0xff, SyncConfig{}.counters - 1);
  EXPECT_EQ(unit.counter(1), 0u);
}

TEST_F(SyncUnitTest, a_wait_for_a_value_more_than_2_30_ahead_is_flagged_as_overflow) {
  const auto overflow = [&] {
    return (read(PRESIL_SYNC_REG_IRQ_STATUS) & PRESIL_SYNC_IRQ_STATUS_OVERFLOW_MASK) != 0;
  };
  set_count(1, 10);
  time.run_until(20);
  dma.when_met(PRESIL_QUEUE_DMA0, 0, 1, 10 + (1u << 30), [](Cycle) {});  // far, but ahead
  time.run_until(25);
  EXPECT_FALSE(overflow());
  dma.when_met(PRESIL_QUEUE_DMA0, 1, 1, 11 + (1u << 30), [](Cycle) {});
  time.run_until(25);
  EXPECT_FALSE(overflow());
  time.run_until(26);  // the flag shows one cycle after the question
  EXPECT_TRUE(overflow());
  EXPECT_EQ(read(PRESIL_SYNC_REG_OVERFLOW), 1u);
  write(PRESIL_SYNC_REG_IRQ_STATUS, PRESIL_SYNC_IRQ_STATUS_OVERFLOW_MASK);
  EXPECT_TRUE(overflow());  // it still asks
  dma.withdraw(PRESIL_QUEUE_DMA0, 1);
  write(PRESIL_SYNC_REG_IRQ_STATUS, PRESIL_SYNC_IRQ_STATUS_OVERFLOW_MASK);
  time.run_until(40);
  EXPECT_FALSE(overflow());
}

TEST_F(SyncUnitTest, a_value_that_lies_2_31_back_is_flagged_as_overflow) {
  set_count(1, 0x80000010u);
  dma.when_met(PRESIL_QUEUE_DMA0, 0, 1, 0x11, [](Cycle) {});  // 2^31 - 1 after: met
  time.run_until(5);
  EXPECT_EQ(read(PRESIL_SYNC_REG_IRQ_STATUS), 0u);
  dma.when_met(PRESIL_QUEUE_DMA0, 0, 1, 0x10, [](Cycle) { FAIL(); });
  time.run_until(10);
  EXPECT_EQ(read(PRESIL_SYNC_REG_IRQ_STATUS), uint32_t{PRESIL_SYNC_IRQ_STATUS_OVERFLOW_MASK});
}

TEST_F(SyncUnitTest, a_slot_under_way_is_not_begun_anew_by_further_signals) {
  write(PRESIL_SYNC_REG_SLOT(0) + PRESIL_SYNC_SLOT_REG_VALUE, 1);
  write(PRESIL_SYNC_REG_SLOT(0) + PRESIL_SYNC_SLOT_REG_CONTROL,
        1 | PRESIL_SYNC_SLOT_CONTROL_ENABLE_MASK);
  for (Cycle t = 10; t < 20; ++t) dla.signal(t, 1, 1);
  time.run_until(13);
  EXPECT_EQ(read(PRESIL_SYNC_REG_IRQ_STATUS), 0u);
  time.run_until(14);
  EXPECT_EQ(read(PRESIL_SYNC_REG_IRQ_STATUS), 1u);
}

TEST_F(SyncUnitTest, the_first_refusal_of_a_cycle_is_that_of_the_first_queue) {
  unit.port(PRESIL_QUEUE_DMA0).signal(4, 0, 1);
  dla.signal(4, 99, 1);
  time.run_until(6);
  EXPECT_EQ(read(PRESIL_SYNC_REG_REFUSED), 99u | uint32_t(Engine::kDla) << 8);
}

TEST_F(SyncUnitTest, host_signal_register_adds_as_an_engine_does) {
  time.run_until(8);
  write(PRESIL_SYNC_REG_SIGNAL, 5u | 300u << 16);
  time.run_until(9);
  EXPECT_EQ(unit.counter(5), 0u);
  time.run_until(10);
  EXPECT_EQ(unit.counter(5), 300u);
}

}  // namespace
}  // namespace presil::sync
