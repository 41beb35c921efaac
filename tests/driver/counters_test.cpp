// Counters of a job: which a row has, that such a job is alone, and an array that is refused. What
// they count is compared with the models' own accounts in tests/python/counters_test.py.
#include <gmock/gmock.h>

#include "tests/driver/device_fixture.h"

namespace presil::driver {
namespace {

using ::testing::HasSubstr;

class Counters : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    ASSERT_EQ(load(four_queues()), PRESIL_OK) << text();
    ASSERT_EQ(presil_network_set_in_flight(network, 2), PRESIL_OK) << text();
    row.resize(presil_network_counters(network, nullptr, 0), 77);
  }
  presil_status start(uint64_t* counters, uint32_t rows, uint32_t& job) {
    presil_job_options options{};
    options.counters = counters;
    options.counter_rows = rows;
    return presil_job_start(network, &options, &job);
  }
  presil_job_state state(uint32_t job) {
    presil_job_info info{};
    EXPECT_EQ(presil_job_poll(network, job, &info), PRESIL_OK) << text();
    return info.state;
  }
  std::vector<uint64_t> row;
};

TEST_F(Counters, a_row_has_the_counters_of_the_queues_that_are_used) {
  std::vector<presil_counter_name> names(row.size());
  EXPECT_EQ(presil_network_counters(network, names.data(), static_cast<uint32_t>(names.size())),
            names.size());
  std::vector<std::string> blocks;
  for (const presil_counter_name& n : names) {
    if (blocks.empty() || blocks.back() != n.block) blocks.emplace_back(n.block);
  }
  EXPECT_THAT(blocks, ::testing::ElementsAre("dla", "dma0", "dma1"));  // the host has no registers
  presil_counter counters[64];
  const uint32_t of_dla = presil_counters(device, "dla", counters, 64);
  for (uint32_t i = 0; i < of_dla; ++i) EXPECT_STREQ(names[i].name, counters[i].name);
  names[1].name = "untouched";
  EXPECT_EQ(presil_network_counters(network, names.data(), 1), names.size());
  EXPECT_STREQ(names[1].name, "untouched");
}

TEST_F(Counters, each_number_is_what_the_counter_has_gone_on_by) {
  uint32_t job = 0;
  ASSERT_EQ(start(row.data(), 1, job), PRESIL_OK) << text();
  EXPECT_EQ(presil_job_wait(network, job, 0), PRESIL_OK) << text();
  for (const uint64_t n : row) EXPECT_EQ(n, 0u);  // the mock's stand still
}

TEST_F(Counters, such_a_job_has_the_engines_for_itself) {
  uint32_t before = 0, counted = 0;
  ASSERT_EQ(start(nullptr, 0, before), PRESIL_OK);
  ASSERT_EQ(start(row.data(), 1, counted), PRESIL_OK);
  EXPECT_EQ(state(before), PRESIL_JOB_RUNNING);
  EXPECT_EQ(state(counted), PRESIL_JOB_QUEUED);
  EXPECT_EQ(presil_job_wait(network, before, 0), PRESIL_OK);
  uint32_t after = 0;
  ASSERT_EQ(start(nullptr, 0, after), PRESIL_OK);
  EXPECT_EQ(state(counted), PRESIL_JOB_RUNNING);
  EXPECT_EQ(state(after), PRESIL_JOB_QUEUED);
  EXPECT_EQ(presil_job_wait(network, counted, 0), PRESIL_OK);
  EXPECT_EQ(presil_job_wait(network, after, 0), PRESIL_OK);
}

TEST_F(Counters, an_array_too_small_is_refused) {
  uint32_t job = 0;
  EXPECT_EQ(start(row.data(), 0, job), PRESIL_REFUSED);
  EXPECT_THAT(text(), HasSubstr("the array of counters has 0 rows, requires 1: one from each layer "
                                "border to the next"));
}

TEST_F(Counters, no_network_has_none) {
  EXPECT_EQ(presil_network_counters(nullptr, nullptr, 0), 0u);
  EXPECT_EQ(presil_network_counters(network, nullptr, 3), 0u);
}

}  // namespace
}  // namespace presil::driver
