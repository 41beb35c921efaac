// Engines that join when a program runs: what is said of their numbers, and which cannot join.
#include <gtest/gtest.h>

#include <string>

#include "driver/core/engine.h"

namespace presil::driver {
namespace {

presil_engine_description described(const char* name, uint32_t kind, uint32_t first,
                                    uint32_t queues, uint32_t instances = 1, uint32_t next = 0) {
  presil_engine_description d = *presil_dma_description();  // its contract serves as another's
  d.name = name;
  d.kind = kind;
  d.first_queue = first;
  d.queues = queues;
  d.instances = instances;
  d.next_queue = next;
  return d;
}

bool accepts(const uint32_t*, const presil_limits*, presil_finding*) {
  return true;
}

class JoinedEngines : public testing::Test {
 protected:
  ~JoinedEngines() override { presil_leave_engine_drivers(); }
};

TEST_F(JoinedEngines, NumbersOfNobodySaySo) {
  for (const unsigned queue :
       {PRESIL_OWN_QUEUES + 0u, PRESIL_QUEUES - 1u, PRESIL_QUEUES + 0u, 255u}) {
    EXPECT_EQ(presil_kind_of_queue(queue), PRESIL_ENGINE_NONE);
    EXPECT_STREQ(presil_queue_name(queue), "queue");
    EXPECT_EQ(presil_engine_of(queue), nullptr);
    EXPECT_EQ(presil_engine_driver_of(queue), nullptr);
  }
  EXPECT_EQ(presil_engine_description_of(PRESIL_ENGINE_KINDS), nullptr);
  EXPECT_EQ(presil_engine_description_of(PRESIL_ENGINE_NONE), nullptr);
  EXPECT_EQ(presil_first_queue(PRESIL_ENGINE_KINDS, 0), unsigned{PRESIL_QUEUES});
}

TEST_F(JoinedEngines, AllOfPresilHaveTheirNumbersStill) {
  EXPECT_STREQ(presil_queue_name(0), "dla");
  EXPECT_STREQ(presil_queue_name(13), "dla3");
  EXPECT_EQ(PRESIL_OWN_QUEUES, 14);
  EXPECT_EQ(PRESIL_QUEUES, 22);
  EXPECT_EQ(presil_kind_of_queue(6), PRESIL_ENGINE_DMA);
  EXPECT_EQ(presil_channel_of_queue(6), 3u);
}

TEST_F(JoinedEngines, OneQueueHasTheNameOfItsEngine) {
  const auto toy = described("toy", 4, 14, 1);
  ASSERT_TRUE(presil_join_engine(&toy));
  EXPECT_EQ(presil_kind_of_queue(14), 4u);
  EXPECT_EQ(presil_instance_of_queue(14), 0u);
  EXPECT_STREQ(presil_queue_name(14), "toy");
  EXPECT_EQ(presil_first_queue(4, 0), 14u);
  EXPECT_EQ(presil_first_queue(4, 1), unsigned{PRESIL_QUEUES});
  EXPECT_EQ(presil_engine_of(14), &toy);
  EXPECT_EQ(presil_engine_description_of(4), &toy);
  EXPECT_EQ(presil_kind_of_queue(15), PRESIL_ENGINE_NONE);
}

TEST_F(JoinedEngines, SeveralQueuesAreNumbered) {
  const auto toy = described("toy", 31, 19, 3);  // the last that a tile has
  ASSERT_TRUE(presil_join_engine(&toy));
  EXPECT_STREQ(presil_queue_name(19), "toy0");
  EXPECT_STREQ(presil_queue_name(21), "toy2");
  EXPECT_EQ(presil_channel_of_queue(21), 2u);
}

TEST_F(JoinedEngines, InstancesHaveQueuesAndNamesOfTheirOwn) {
  const auto toy = described("toy", 4, 14, 1, 3, 16);
  ASSERT_TRUE(presil_join_engine(&toy));
  EXPECT_EQ(presil_joined_instances(&toy), 3u);
  EXPECT_STREQ(presil_queue_name(14), "toy");
  EXPECT_STREQ(presil_queue_name(15), "queue");
  EXPECT_STREQ(presil_queue_name(16), "toy1");
  EXPECT_STREQ(presil_queue_name(17), "toy2");
  EXPECT_EQ(presil_instance_of_queue(17), 2u);
  EXPECT_EQ(presil_first_queue(4, 2), 17u);
  EXPECT_EQ(presil_first_queue(4, 3), unsigned{PRESIL_QUEUES});
  EXPECT_EQ(presil_kind_of_queue(16), 4u);
  const auto between = described("between", 5, 15, 1), meets = described("meets", 6, 17, 1);
  EXPECT_TRUE(presil_join_engine(&between));
  EXPECT_FALSE(presil_join_engine(&meets));
}

TEST_F(JoinedEngines, InstancesWithSeveralQueuesAreNumberedTwice) {
  const auto toy = described("toy", 4, 14, 2, 2, 18);
  ASSERT_TRUE(presil_join_engine(&toy));
  EXPECT_STREQ(presil_queue_name(15), "toy1");  // as dma1 is queue 1 of dma
  EXPECT_STREQ(presil_queue_name(18), "toy1_0");
  EXPECT_STREQ(presil_queue_name(19), "toy1_1");
  EXPECT_EQ(presil_instance_of_queue(19), 1u);
  EXPECT_EQ(presil_channel_of_queue(19), 1u);
  EXPECT_EQ(presil_first_queue(4, 1), 18u);
}

TEST_F(JoinedEngines, OfInstancesJoinThoseWhoseQueuesATileHas) {
  const auto toy = described("toy", 4, 20, 1, 4, 21);  // 20, 21, and 22, 23 beyond the last
  ASSERT_TRUE(presil_join_engine(&toy));
  EXPECT_EQ(presil_joined_instances(&toy), 2u);
  EXPECT_STREQ(presil_queue_name(21), "toy1");
  EXPECT_EQ(presil_first_queue(4, 2), unsigned{PRESIL_QUEUES});
}

TEST_F(JoinedEngines, NumbersThatAreTakenOrOutsideAreRefused) {
  const auto toy = described("toy", 4, 15, 2);
  ASSERT_TRUE(presil_join_engine(&toy));
  const presil_engine_description others[] = {described("own_kind", PRESIL_ENGINE_DMA, 18, 1),
                                              described("same_kind", 4, 18, 1),
                                              described("no_kind", 32, 18, 1),
                                              described("own_queue", 5, 13, 1),
                                              described("same_queue", 5, 16, 1),
                                              described("overlaps", 5, 14, 2),
                                              described("too_high", 5, 21, 2),
                                              described("too_many", 5, 14, 9),
                                              described("none", 5, 18, 0)};
  for (const auto& other : others) {
    EXPECT_FALSE(presil_join_engine(&other)) << other.name;
    EXPECT_EQ(presil_kind_of_queue(18), PRESIL_ENGINE_NONE) << other.name;
  }
  const auto beside = described("beside", 5, 17, 1);
  EXPECT_TRUE(presil_join_engine(&beside));
}

TEST_F(JoinedEngines, TheListCanBeForgotten) {
  const auto toy = described("toy", 4, 14, 1);
  const presil_engine_driver driver = {nullptr, accepts, nullptr, nullptr,
                                       nullptr, nullptr, false,   nullptr};
  ASSERT_TRUE(presil_join_engine(&toy));
  ASSERT_TRUE(presil_join_engine_driver(4, &driver));
  presil_leave_engine_drivers();
  EXPECT_EQ(presil_engine_of(14), nullptr);
  ASSERT_TRUE(presil_join_engine(&toy));
  EXPECT_EQ(presil_engine_driver_of(14), nullptr);
}

TEST_F(JoinedEngines, ADriverJoinsOnceAndAfterItsEngine) {
  const presil_engine_driver driver = {nullptr, accepts, nullptr, nullptr,
                                       nullptr, nullptr, false,   nullptr};
  const presil_engine_driver other = driver, unchecked{};
  EXPECT_FALSE(presil_join_engine_driver(4, &driver)) << "no such engine";
  EXPECT_FALSE(presil_join_engine_driver(PRESIL_ENGINE_DLA, &driver)) << "presil's own";
  const auto toy = described("toy", 4, 14, 1);
  ASSERT_TRUE(presil_join_engine(&toy));
  EXPECT_FALSE(presil_join_engine_driver(4, &unchecked));
  EXPECT_TRUE(presil_join_engine_driver(4, &driver));
  EXPECT_TRUE(presil_join_engine_driver(4, &driver)) << "the same again";
  EXPECT_FALSE(presil_join_engine_driver(4, &other));
  EXPECT_EQ(presil_engine_driver_of(14), &driver);
}

}  // namespace
}  // namespace presil::driver
