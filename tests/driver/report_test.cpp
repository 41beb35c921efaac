// What goes wrong on the hardware, and what the driver then says and does.
#include <gmock/gmock.h>

#include "tests/driver/device_fixture.h"

namespace presil::driver {
namespace {

using ::testing::HasSubstr;

class ReportTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    ASSERT_EQ(load(four_queues()), PRESIL_OK) << text();
  }
};

TEST_F(ReportTest, an_engine_error_names_command_layer_and_rule) {
  engines.silent = {PRESIL_QUEUE_DMA0};
  mock.at(500, [this] { mock.fail(PRESIL_QUEUE_DMA0, queue::ErrorCode::kRuleBroken, 0, 0, 7); });
  EXPECT_EQ(run(), PRESIL_HARDWARE);
  EXPECT_THAT(text(), HasSubstr("dma0 command 0 (layer odd_layer): the hardware stopped: a rule "
                                "between fields is broken (code 9, rule R7, job 0); the job has "
                                "ended without a result"));
  EXPECT_STREQ(error().block, "dma0");
  EXPECT_EQ(error().command, 0);
  EXPECT_STREQ(error().layer, "odd_layer");
}

TEST_F(ReportTest, an_error_of_the_job_entry_names_no_command) {
  engines.silent = {PRESIL_QUEUE_DLA};
  mock.at(500, [this] { mock.fail(PRESIL_QUEUE_DLA, queue::ErrorCode::kBadJob, UINT32_MAX, 0); });
  EXPECT_EQ(run(), PRESIL_HARDWARE);
  EXPECT_THAT(text(), HasSubstr("dla: the hardware stopped: the job entry is not legal"));
  EXPECT_EQ(error().command, -1);
}

TEST_F(ReportTest, after_an_error_the_next_job_runs) {
  engines.silent = {PRESIL_QUEUE_DMA0};
  mock.at(500, [this] { mock.fail(PRESIL_QUEUE_DMA0, queue::ErrorCode::kBusError, 0, 0); });
  ASSERT_EQ(run(), PRESIL_HARDWARE);
  engines.silent.clear();
  EXPECT_EQ(run(), PRESIL_OK) << text();
  EXPECT_EQ(engines.entries[PRESIL_QUEUE_DLA].value_base, 1);
}

TEST_F(ReportTest, a_timeout_tells_which_engine_waits_for_which) {
  engines.silent = {PRESIL_QUEUE_DMA0};
  EXPECT_EQ(run(5000), PRESIL_TIMED_OUT);
  EXPECT_EQ(
      text(),
      "driver: job 0 did not end within 5000 ns; dla command 0 (layer even_layer) waits for "
      "counter 4 to reach 1, it is 0: dma0 command 0 (layer odd_layer) should signal it; host "
      "command 0 (layer even_layer) waits for counter 5 to reach 1, it is 0: dma1 command 0 "
      "(layer even_layer) should signal it; dma0 command 0 (layer odd_layer) runs; dma1 command 0 "
      "(layer even_layer) waits for counter 1 to reach 1, "
      "it is 0: dla command 0 (layer even_layer) should signal it");
  EXPECT_EQ(mock.now_ns, 5000u);
}

TEST_F(ReportTest, a_world_in_which_nothing_can_happen_is_called_a_hang) {
  engines.silent = {PRESIL_QUEUE_DLA, PRESIL_QUEUE_DMA0, PRESIL_QUEUE_DMA0 + 1};
  EXPECT_EQ(run(0), PRESIL_TIMED_OUT);
  EXPECT_THAT(text(), HasSubstr("job 0 hangs: nothing in the system can ever happen again"));
  EXPECT_THAT(text(),
              HasSubstr("dma0 command 0 (layer odd_layer) has all it waits for and does not"));
}

TEST_F(ReportTest, a_job_that_timed_out_can_be_waited_for_again) {
  uint32_t job = 0;
  ASSERT_EQ(presil_job_submit(network, &job), PRESIL_OK);
  EXPECT_EQ(presil_job_wait(network, job, 50), PRESIL_TIMED_OUT);
  EXPECT_EQ(presil_job_wait(network, job, 100000), PRESIL_OK) << text();
}

TEST_F(ReportTest, a_cancelled_job_leaves_the_device_as_if_it_had_run) {
  engines.silent = {PRESIL_QUEUE_DMA0};
  uint32_t job = 0;
  ASSERT_EQ(presil_job_submit(network, &job), PRESIL_OK);
  ASSERT_EQ(presil_job_wait(network, job, 5000), PRESIL_TIMED_OUT);
  EXPECT_EQ(presil_job_cancel(network, job), PRESIL_CANCELLED);
  EXPECT_EQ(mock.queue(PRESIL_QUEUE_DMA0).head(), mock.queue(PRESIL_QUEUE_DMA0).tail());
  engines.silent.clear();
  EXPECT_EQ(run(), PRESIL_OK) << text();
  EXPECT_EQ(presil_job_cancel(network, job), PRESIL_REFUSED);
}

TEST_F(ReportTest, an_engine_that_does_not_stop_blocks_the_device) {
  engines.silent = {PRESIL_QUEUE_DMA0};
  mock.on_abort = [](unsigned) {};
  uint32_t job = 0;
  ASSERT_EQ(presil_job_submit(network, &job), PRESIL_OK);
  EXPECT_EQ(presil_job_cancel(network, job), PRESIL_HARDWARE);
  EXPECT_EQ(text(),
            "driver: job 0 is cancelled, but an engine did not stop; reset the SoC and open it "
            "again");
  EXPECT_EQ(presil_job_submit(network, &job), PRESIL_HARDWARE);
  EXPECT_EQ(text(),
            "driver: an engine did not stop when it was told to; reset the SoC and open it again");
}

TEST_F(ReportTest, a_dropped_signal_is_an_error) {
  mock.at(50, [this] {
    mock.sync.set(PRESIL_SYNC_REG_REFUSED, 70);
    mock.sync.set_irq_status_refused(true);
  });
  EXPECT_EQ(run(), PRESIL_HARDWARE);
  EXPECT_THAT(text(), HasSubstr("sync: a signal to counter 70 was dropped"));
}

TEST_F(ReportTest, a_counter_that_runs_away_is_an_error) {
  mock.at(50, [this] {
    mock.sync.set(PRESIL_SYNC_REG_OVERFLOW, 9);
    mock.sync.set_irq_status_overflow(true);
  });
  EXPECT_EQ(run(), PRESIL_HARDWARE);
  EXPECT_EQ(text(),
            "sync: something waits for a value of counter 9 that is more than 2^30 ahead of it");
}

TEST_F(ReportTest, an_interrupt_that_stays_does_not_keep_the_driver_for_ever) {
  engines.silent = {PRESIL_QUEUE_DMA0};
  // A line that comes back whenever it is cleared.
  mock.queue(PRESIL_QUEUE_DMA0).on_write(PRESIL_QUEUE_REG_IRQ_STATUS, [this](uint32_t, uint32_t) {
    mock.queue(PRESIL_QUEUE_DMA0).set_irq_status_stopped(true);
  });
  mock.at(500, [this] { mock.queue(PRESIL_QUEUE_DMA0).set_irq_status_stopped(true); });
  EXPECT_EQ(run(), PRESIL_HARDWARE);
  EXPECT_THAT(text(), HasSubstr("an interrupt line stays up"));
}

}  // namespace
}  // namespace presil::driver
