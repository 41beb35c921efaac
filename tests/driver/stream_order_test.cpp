// All streams together: signals add up, no wait is without end.
#include <gmock/gmock.h>

#include "tests/driver/device_fixture.h"

namespace presil::driver {
namespace {

using ::testing::HasSubstr;
using StreamOrderTest = DeviceTest;

TEST_F(StreamOrderTest, the_signals_of_a_queue_add_up_to_job_span) {
  LoadableMaker m = four_queues();
  m.dma[0][0].signal_add = 2;
  EXPECT_THAT(
      refusal(m),
      HasSubstr("dma0 command 0: the signals of this stream add up to 2, must be job_span, 1"));
  m.job_span = 2;
  EXPECT_THAT(
      refusal(m),
      HasSubstr("dla command 0: the signals of this stream add up to 1, must be job_span, 2"));
}

TEST_F(StreamOrderTest, job_span_has_a_range) {
  LoadableMaker m = four_queues();
  m.job_span = 0;
  EXPECT_THAT(refusal(m), HasSubstr("job_span is 0, must be 1..1048576"));
  m.job_span = (1 << 20) + 1;
  EXPECT_THAT(refusal(m), HasSubstr("job_span is 1048577, must be 1..1048576"));
}

TEST_F(StreamOrderTest, the_last_command_signals) {
  LoadableMaker m = four_queues();
  m.dma[0].push_back(dma::Command::make(dma::Op::kNop));
  EXPECT_THAT(refusal(m), HasSubstr("dma0 command 1: the last command of a stream must signal"));
}

TEST_F(StreamOrderTest, a_value_that_no_signal_reaches_is_refused) {
  LoadableMaker m = four_queues();
  m.dla[0].wait_in_value = 2;
  EXPECT_EQ(
      refusal(m),
      "dla command 0 (layer even_layer): waits until counter 4 (dma0) is 2, which never happens: "
      "it stays at 1");
  EXPECT_STREQ(error().field, "wait_in_value");
}

TEST_F(StreamOrderTest, queues_that_wait_for_each_other_are_refused) {
  LoadableMaker m = four_queues();
  m.dma[0][0].wait0 = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DLA);
  m.dma[0][0].wait0_value = 1;
  EXPECT_EQ(
      refusal(m),
      "dla command 0 (layer even_layer): waits until counter 4 (dma0) is 1, which never happens: "
      "it stays at 0, because dma0 command 0 waits too");
}

TEST_F(StreamOrderTest, values_of_the_job_before_are_there_already) {
  LoadableMaker m = four_queues();
  m.dma[0][0].wait0 = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DLA);
  m.dma[0][0].wait0_value = -1;
  m.dma[0][0].wait1 = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DMA0 + 1);
  m.dma[0][0].wait1_value = 0;
  EXPECT_EQ(load(m), PRESIL_OK) << text();
}

TEST_F(StreamOrderTest, a_counter_that_nobody_signals_cannot_be_waited_for) {
  LoadableMaker m = four_queues();
  m.dma[0][0].wait0 = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DMA0 + 2);
  EXPECT_THAT(refusal(m), HasSubstr("wait0 is counter 6, which no stream of the loadable signals"));
}

TEST_F(StreamOrderTest, order_between_queues_does_not_matter_to_the_walk) {
  // Two steps through all queues and back.
  LoadableMaker m = four_queues();
  m.job_span = 2;
  const auto twice = [](auto& stream) { stream.push_back(stream[0]); };
  twice(m.dma[0]), twice(m.dla), twice(m.dma[1]), twice(m.host);
  m.dma[0][1].wait0 = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_HOST);
  m.dma[0][1].wait0_value = 1;
  m.dla[1].wait_in_value = m.dma[1][1].wait0_value = m.host[1].wait0_value = 2;
  EXPECT_EQ(load(m), PRESIL_OK) << text();
}

}  // namespace
}  // namespace presil::driver
