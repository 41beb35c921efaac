// Jobs on the mock: entries, doorbells, the host's queue, one network after another.
#include <gmock/gmock.h>

#include "tests/common/shown.h"
#include "tests/driver/device_fixture.h"

namespace presil::driver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class JobTest : public DeviceTest {
 protected:
  void load_four_queues() { ASSERT_EQ(load(four_queues()), PRESIL_OK) << text(); }
};

TEST_F(JobTest, a_job_runs_to_its_end_and_the_host_task_computes) {
  load_four_queues();
  for (int i = 0; i < 256; ++i) region(PRESIL_REGION_SCRATCH)[i] = static_cast<uint8_t>(i);
  ASSERT_EQ(run(), PRESIL_OK) << text();
  for (int i = 0; i < 256; ++i) {
    ASSERT_EQ(static_cast<const uint8_t*>(presil_network_output(network, 0))[i], (i + 1) % 256);
  }
}

TEST_F(JobTest, an_entry_says_everything_the_stream_leaves_open) {
  load_four_queues();
  ASSERT_EQ(run(), PRESIL_OK) << text();
  ASSERT_EQ(run(), PRESIL_OK) << text();
  const JobEntry& e = engines.entries[PRESIL_QUEUE_DMA0];
  EXPECT_TRUE(e.valid);
  EXPECT_TRUE(e.stop_on_error);
  EXPECT_FALSE(e.barrier);
  EXPECT_EQ(e.tag, 1u);        // the second job
  EXPECT_EQ(e.value_base, 1);  // one job_span
  EXPECT_EQ(e.sync_base, 0);
  EXPECT_EQ(e.sync_count, 11);
  EXPECT_EQ(e.command_count, 1u);
  EXPECT_EQ(e.stream_address % 256, 0u);
  for (uint32_t r = 0; r < 4; ++r) {
    EXPECT_EQ(e.region_base[r], presil_network_region_address(network, r)) << r;
    EXPECT_EQ(e.region_limit[r], 1) << r;  // a page each
  }
  EXPECT_EQ(e.region_base[4], 0u);
  EXPECT_EQ(e.region_limit[4], 0);
}

TEST_F(JobTest, queues_without_a_stream_hear_nothing) {
  load_four_queues();
  ASSERT_EQ(run(), PRESIL_OK) << text();
  EXPECT_EQ(mock.queue(PRESIL_QUEUE_DMA0).tail(), 1);
  EXPECT_EQ(mock.queue(PRESIL_QUEUE_DMA0 + 2).tail(), 0);
}

TEST_F(JobTest, the_host_waits_invalidates_computes_cleans_spends_and_signals) {
  load_four_queues();
  uint32_t job = 0;
  ASSERT_EQ(presil_job_submit(network, &job), PRESIL_OK);
  mock.trace.clear();
  ASSERT_EQ(presil_job_wait(network, job, 0), PRESIL_OK) << text();
  EXPECT_THAT(mock.trace, ElementsAre("wait 5", "invalidate", "clean", "spend lut_i8", "signal 3+1",
                                      "invalidate", "invalidate"));  // then outputs and scratch
  ASSERT_EQ(mock.tasks.size(), 1u);
  EXPECT_EQ(mock.tasks[0].kernel, uint32_t{PRESIL_KERNEL_LUT_I8});
  EXPECT_EQ(mock.tasks[0].tag, 1u);
  EXPECT_EQ(mock.tasks[0].elements, 256u);
  EXPECT_EQ(mock.tasks[0].bytes, 3u * 256u);
}

// A negative value is of a job before it: in the first job every counter has reached it. A fence
// and an interrupt ask for nothing more of a queue whose tasks run one after the other.
TEST_F(JobTest, host_tasks_that_only_wait_go_by_both_counters_and_signal_nothing) {
  LoadableMaker maker = four_queues();
  host::Command last = maker.host.at(0), nop = host::Command::make(host::Op::kNop);
  nop.tag = 2;
  nop.fence = nop.irq = true;
  nop.wait0 = nop.wait1 = last.wait0;
  nop.wait0_value = -1;
  nop.wait1_value = 1;
  host::Command early = nop;
  early.tag = 3;
  early.wait1_value = -1;
  last.wait0 = 0;
  last.wait0_value = 0;
  maker.host = {nop, early, last};
  ASSERT_EQ(load(maker), PRESIL_OK) << text();
  uint32_t job = 0;
  ASSERT_EQ(presil_job_submit(network, &job), PRESIL_OK);
  mock.trace.clear();
  ASSERT_EQ(presil_job_wait(network, job, 0), PRESIL_OK) << text();
  EXPECT_THAT(mock.trace, ElementsAre("wait 5", "spend nop", "spend nop", "invalidate", "clean",
                                      "spend lut_i8", "signal 3+1", "invalidate", "invalidate"));
  presil::test::Shown shown("host", {"model"});
  for (const host::Command& c : maker.host) shown.command(c.to_text());
}

TEST_F(JobTest, caches_are_cleaned_before_the_first_doorbell) {
  load_four_queues();
  size_t cleaned = 0;
  mock.on_doorbell = [&](unsigned) {
    if (cleaned == 0) cleaned = mock.trace.size();
  };
  mock.trace.clear();
  uint32_t job = 0;
  ASSERT_EQ(presil_job_submit(network, &job), PRESIL_OK);
  EXPECT_EQ(cleaned, 4u);  // inputs and three entries
}

TEST_F(JobTest, a_network_runs_again_without_setting_counters) {
  load_four_queues();
  ASSERT_EQ(run(), PRESIL_OK);
  mock.writes.clear();
  ASSERT_EQ(run(), PRESIL_OK);
  for (const auto& w : mock.writes) {
    const uint64_t count = PRESIL_TILE_SYNC + PRESIL_SYNC_REG_COUNT(0);
    EXPECT_FALSE(w.address >= count && w.address < count + 1024) << std::hex << w.address;
  }
  EXPECT_EQ(mock.count(PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DLA)), 2u);
}

TEST_F(JobTest, another_network_begins_where_the_first_ended) {
  load_four_queues();
  ASSERT_EQ(run(), PRESIL_OK);
  presil_network* const first = network;
  Buffer second_storage(network_storage.size());
  const auto file = four_queues().finish();
  ASSERT_EQ(presil_network_load(device, file.data(), file.size(), second_storage.data(),
                                bytes_of(second_storage), &network),
            PRESIL_OK);
  mock.signal(PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DMA0), 77);  // a counter astray
  ASSERT_EQ(run(), PRESIL_OK) << text();
  EXPECT_EQ(engines.entries[PRESIL_QUEUE_DLA].value_base, 1);
  EXPECT_EQ(mock.count(PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DMA0)), 2u);
  std::swap(network, const_cast<presil_network*&>(first));
  ASSERT_EQ(run(), PRESIL_OK) << text();
  EXPECT_EQ(engines.entries[PRESIL_QUEUE_DLA].value_base, 2);
}

TEST_F(JobTest, the_ring_wraps) {
  load_four_queues();
  for (uint32_t i = 0; i < 9; ++i) {
    ASSERT_EQ(run(), PRESIL_OK) << i << text();
    EXPECT_EQ(engines.entries[PRESIL_QUEUE_DLA].tag, i);
  }
}

TEST_F(JobTest, counters_wrap) {
  load_four_queues();
  LoadableMaker m = four_queues();
  m.job_span = 1 << 16;
  for (auto* stream : {&m.dma[0], &m.dma[1]}) {
    (*stream)[0].signal_add = 1;
    stream->push_back(dma::Command::make(dma::Op::kNop));
    (*stream)[1].signal = (*stream)[0].signal, (*stream)[1].signal_add = 65535;
  }
  m.dla[0].signal_add = 1;
  m.dla.push_back(dla::Command::make(dla::Op::kNop));
  m.dla[1].signal = 1, m.dla[1].signal_add = 65535;
  m.host[0].signal_add = 1;
  m.host.push_back(host::Command::make(host::Op::kNop));
  m.host[1].signal = 3, m.host[1].signal_add = 65535;
  presil_network_unload(network);
  ASSERT_EQ(load(m), PRESIL_OK) << text();
  for (int i = 0; i < (1 << 16) + 2; ++i) {
    mock.trace.clear();
    mock.writes.clear();
    mock.tasks.clear();
    ASSERT_EQ(run(), PRESIL_OK) << i << text();
  }
  EXPECT_EQ(mock.count(1), 2u << 16);  // 2^32 and two jobs
}

TEST_F(JobTest, one_job_at_a_time) {
  load_four_queues();
  uint32_t job = 0, other = 0;
  ASSERT_EQ(presil_job_submit(network, &job), PRESIL_OK);
  mock.writes.clear();
  EXPECT_EQ(presil_job_submit(network, &other), PRESIL_REFUSED);
  EXPECT_THAT(text(), HasSubstr("job 0 is in flight"));
  EXPECT_TRUE(mock.writes.empty());
  EXPECT_EQ(presil_job_wait(network, 1, 0), PRESIL_REFUSED);
  EXPECT_EQ(presil_job_wait(network, job, 0), PRESIL_OK);
  EXPECT_EQ(presil_job_wait(network, job, 0), PRESIL_REFUSED);
  EXPECT_THAT(text(), HasSubstr("job 0 of this network is not in flight"));
}

TEST_F(JobTest, host_nops_wait_and_signal) {
  LoadableMaker m = four_queues();
  m.host[0].op = host::Op::kNop;
  m.host[0].kernel_id = 0;
  m.host[0].tensors_offset = m.host[0].tensors_bytes = 0;
  ASSERT_EQ(load(m), PRESIL_OK) << text();
  ASSERT_EQ(run(), PRESIL_OK) << text();
  EXPECT_STREQ(mock.tasks[0].kernel_name, "nop");
  EXPECT_EQ(mock.tasks[0].elements, 0u);
}

TEST_F(JobTest, a_signal_between_look_and_slot_is_not_lost) {
  load_four_queues();
  // The counter arrives just when the slot's value is written: the slot was not yet on.
  bool once = true;
  mock.sync.on_write(PRESIL_SYNC_REG_SLOT_VALUE(0), [&](uint32_t, uint32_t) {
    if (once) mock.sync.set(PRESIL_SYNC_REG_COUNT(5), 1);
    once = false;
  });
  engines.silent = {PRESIL_QUEUE_DMA0 + 1};
  uint32_t job = 0;
  ASSERT_EQ(presil_job_submit(network, &job), PRESIL_OK);
  EXPECT_EQ(presil_job_wait(network, job, 100000), PRESIL_OK) << text();
}

}  // namespace
}  // namespace presil::driver
