// The driver's whole life on the simulated SoC: open, capabilities, networks one after another,
// jobs, counters, buffers.
#include <cstring>
#include <set>

#include "rtl/soc/address_map.h"
#include "tests/soc/platform_fixture.h"

namespace presil::tests {
namespace {

TEST_F(PlatformTest, capabilities_are_those_of_the_configuration) {
  const presil_capability c = presil_device_capability(device);
  EXPECT_EQ(c.isa_version, 1);
  EXPECT_EQ(c.dla_macs_k, config.dla.macs_k);
  EXPECT_EQ(c.dla_macs_c, config.dla.macs_c);
  EXPECT_EQ(c.dla_acc_depth, config.dla.acc_depth);
  EXPECT_EQ(c.dma_channels, config.dma.channels);
  EXPECT_EQ(c.counters, config.sync.counters - 1);  // id 0 means none
  EXPECT_EQ(c.sram_bytes, config.sram.bytes);
}

TEST_F(PlatformTest, jobs_with_different_inputs_run_one_after_another) {
  load(digits());
  for (uint32_t seed = 0; seed < 3; ++seed) {
    ASSERT_EQ(run(seed), PRESIL_OK) << text();
    EXPECT_EQ(job, seed);
    expect_exact(seed);
  }
}

TEST_F(PlatformTest, one_network_follows_another_on_the_same_device) {
  for (const Subject* subject : {&digits(), &digits_with_boxes(), &digits()}) {
    load(*subject);
    for (uint32_t seed = 0; seed < 2; ++seed) {
      ASSERT_EQ(run(seed), PRESIL_OK) << text();
      expect_exact(seed);
    }
    unload();
  }
}

TEST_F(PlatformTest, a_device_that_was_closed_opens_again) {
  load(digits());
  ASSERT_EQ(run(1), PRESIL_OK) << text();
  unload();
  presil_close(device);
  SetUp();
  load(digits());
  ASSERT_EQ(run(2), PRESIL_OK) << text();
  expect_exact(2);
}

// What a counter block calls cycles is all that its other counters name, one cause a cycle.
TEST_F(PlatformTest, causes_of_a_block_add_up_to_its_cycles) {
  load(digits());
  ASSERT_EQ(run(0), PRESIL_OK) << text();
  const std::set<std::string> no_cause = {"cycles", "commands", "steps", "bytes_read",
                                          "bytes_written"};
  for (const char* block : {"dla", "dma0", "dma1"}) {
    std::vector<presil_counter> counters(presil_counters(device, block, nullptr, 0));
    ASSERT_EQ(
        presil_counters(device, block, counters.data(), static_cast<uint32_t>(counters.size())),
        counters.size());
    uint64_t cycles = 0, sum = 0, busy = 0;
    for (const presil_counter& c : counters) {
      if (!std::strcmp(c.name, "cycles")) cycles = c.cycles;
      if (!std::strcmp(c.name, "run")) busy = c.cycles;
      if (no_cause.count(c.name) == 0) sum += c.cycles;
    }
    EXPECT_GT(busy, 0u) << block;
    EXPECT_EQ(sum, cycles) << block;
  }
}

TEST_F(PlatformTest, buffers_are_memory_of_the_soc_and_come_back) {
  presil_buffer first, second, again;
  ASSERT_EQ(presil_buffer_alloc(device, 5000, &first), PRESIL_OK);
  ASSERT_EQ(presil_buffer_alloc(device, 1, &second), PRESIL_OK);
  EXPECT_EQ(first.address % 4096, 0u);
  EXPECT_EQ(second.address % 4096, 0u);
  EXPECT_GE(first.address, uint64_t{PRESIL_DRAM_BASE});
  std::memset(first.host, 0x5a, 5000);
  EXPECT_EQ(soc.system(first.address)[4999], 0x5a) << "engines see other bytes than the host";
  const uint64_t address = first.address;
  presil_buffer_free(device, &first);
  EXPECT_EQ(first.host, nullptr);
  ASSERT_EQ(presil_buffer_alloc(device, 5000, &again), PRESIL_OK);
  EXPECT_EQ(again.address, address);
  presil_buffer_free(device, &again);
  presil_buffer_free(device, &second);
}

TEST_F(PlatformTest, more_memory_than_there_is_is_refused) {
  presil_buffer buffer;
  EXPECT_EQ(presil_buffer_alloc(device, size_t{1} << 40, &buffer), PRESIL_NO_MEMORY);
  EXPECT_EQ(text(), "driver: no memory for a buffer of 1099511627776 bytes");
}

}  // namespace
}  // namespace presil::tests
