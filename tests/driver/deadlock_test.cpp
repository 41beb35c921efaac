// Streams that never end, as the check finds them before any hardware is touched: twelve by hand,
// each by the sentence that names queue, command and counter.
#include <gmock/gmock.h>

#include "tests/driver/device_fixture.h"

namespace presil::driver {
namespace {

using ::testing::HasSubstr;

constexpr uint8_t kDla = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DLA);
constexpr uint8_t kHost = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_HOST);
constexpr uint8_t kDma0 = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DMA0), kDma1 = kDma0 + 1;

/// dma0 to dla to dma1 to host, each a command that waits for the one before.
class DeadlockTest : public DeviceTest {
 protected:
  LoadableMaker m = four_queues();
  void expect_refused(const std::string& why) { EXPECT_THAT(refusal(m), HasSubstr(why)); }
};

TEST_F(DeadlockTest, a_command_waits_for_itself) {
  m.dma[0][0].wait0 = kDma0, m.dma[0][0].wait0_value = 1;
  expect_refused("it stays at 0, because dma0 command 0 waits too");
}

TEST_F(DeadlockTest, a_command_waits_for_a_later_one_of_its_queue) {
  m.job_span = 2;
  const auto twice = [](auto& stream) { stream.push_back(stream[0]); };
  twice(m.dma[0]), twice(m.dla), twice(m.dma[1]), twice(m.host);
  m.dma[0][0].wait0 = kDma0, m.dma[0][0].wait0_value = 2;
  expect_refused("it stays at 0, because dma0 command 0 waits too");
}

TEST_F(DeadlockTest, two_queues_wait_for_each_other) {
  m.dma[0][0].wait0 = kDla, m.dma[0][0].wait0_value = 1;
  expect_refused(
      "dla command 0 (layer even_layer): waits until counter 4 (dma0) is 1, which never "
      "happens: it stays at 0, because dma0 command 0 waits too");
}

TEST_F(DeadlockTest, three_queues_wait_in_a_circle) {
  m.dma[0][0].wait0 = kDma1, m.dma[0][0].wait0_value = 1;
  expect_refused("because dma0 command 0 waits too");
}

TEST_F(DeadlockTest, an_engine_and_the_host_wait_for_each_other) {
  m.dma[0][0].wait1 = kHost, m.dma[0][0].wait1_value = 1;
  expect_refused("because dma0 command 0 waits too");
}

TEST_F(DeadlockTest, a_value_is_one_too_high) {
  m.dma[1][0].wait0_value = 2;
  expect_refused("stays at 0, because dma1 command 0 waits too");  // the host waits for it
}

TEST_F(DeadlockTest, a_value_is_far_too_high) {
  m.host[0].wait0_value = 1 << 30;
  expect_refused("is 1073741824, which never happens");
}

TEST_F(DeadlockTest, a_queue_without_a_stream_is_waited_for) {
  m.dla[0].wait_out = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DMA0 + 3);
  m.dla[0].wait_out_value = 1;
  expect_refused("wait_out is counter 7, which no stream of the loadable signals");
}

TEST_F(DeadlockTest, a_counter_beyond_those_of_the_loadable_is_waited_for) {
  m.dla[0].wait_weights = 12, m.dla[0].wait_weights_value = 1;
  expect_refused("wait_weights is counter 12, the loadable has counters 1..11");
}

TEST_F(DeadlockTest, a_signal_is_missing) {
  m.dla[0].signal = 0, m.dla[0].signal_add = 0;
  expect_refused("dla command 0: the signals of this stream add up to 0, must be job_span, 1");
}

TEST_F(DeadlockTest, a_signal_goes_to_another_queue_s_counter) {
  m.dla[0].signal = kDma1;
  expect_refused("signal is counter 5, must be 0 or the queue's own, 1");
}

TEST_F(DeadlockTest, the_end_of_a_queue_is_not_signalled) {
  m.host.push_back(host::Command::make(host::Op::kNop));
  expect_refused("the last command of a stream must signal");
}

}  // namespace
}  // namespace presil::driver
