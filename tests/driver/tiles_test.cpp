// Two tiles on the mock: a device each, registers by the tile's number, one image of a network.
#include <gmock/gmock.h>

#include <algorithm>
#include <memory>

#include "tests/driver/device_fixture.h"

namespace presil::driver {
namespace {

using ::testing::HasSubstr;

/// y = x + 1 by four queues, from the input to the output.
LoadableMaker plus_one() {
  LoadableMaker m = four_queues();
  m.change_image = [offset = m.host[0].tensors_offset](std::vector<uint8_t>& image) {
    image[offset + offsetof(presil_host_tensor, region)] = PRESIL_REGION_INPUTS;
  };
  return m;
}

/// Tile 3 beside the fixture's tile 0, with the same memory.
class Tiles : public DeviceTest {
 protected:
  static constexpr unsigned kOther = 3;

  void SetUp() override {
    DeviceTest::SetUp();
    mock.host.set_tiles_count(4);
    ASSERT_EQ(presil_open_tile(other_mock.port(), kOther, other_storage.data(),
                               bytes_of(other_storage), &other),
              PRESIL_OK)
        << presil_error(other)->text;
  }
  void TearDown() override {
    presil_close(other);
    EXPECT_EQ(other_mock.bus_errors, 0u);
    DeviceTest::TearDown();
  }
  presil_status load_other(const std::vector<uint8_t>& file, presil_network* same) {
    return presil_network_load_shared(other, same, file.data(), file.size(),
                                      other_network_storage.data(), bytes_of(other_network_storage),
                                      &other_network);
  }
  static void expect_output(const presil_network* n, uint8_t value) {
    const auto* output = static_cast<const uint8_t*>(presil_network_output(n, 0));
    EXPECT_TRUE(std::all_of(output, output + 256, [&](uint8_t byte) { return byte == value; }))
        << unsigned{output[0]};
  }
  static presil_status run(presil_network* n, uint8_t value) {
    std::memset(presil_network_input(n, 0), value, 256);
    uint32_t job = 0;
    const presil_status status = presil_job_submit(n, &job);
    return status == PRESIL_OK ? presil_job_wait(n, job, 1000000) : status;
  }

  MockPort other_mock{kOther, &mock};
  MockEngines other_engines{other_mock};
  Buffer other_storage = Buffer(device_storage.size());
  Buffer other_network_storage = Buffer(network_storage.size());
  presil_device* other = nullptr;
  presil_network* other_network = nullptr;
};

TEST_F(Tiles, a_device_says_which_tile_it_is_and_how_many_there_are) {
  EXPECT_EQ(presil_device_tile(device), 0u);
  EXPECT_EQ(presil_device_tile(other), kOther);
  EXPECT_EQ(presil_device_tiles(device), 4u);
  EXPECT_EQ(presil_device_tiles(other), 1u);  // as its register says
  EXPECT_EQ(presil_device_tiles(nullptr), 0u);
}

TEST_F(Tiles, registers_are_those_of_the_tile) {
  const std::vector<uint8_t> file = plus_one().finish();
  ASSERT_EQ(load(file), PRESIL_OK) << text();
  ASSERT_EQ(load_other(file, network), PRESIL_OK) << presil_error(other)->text;
  other_mock.writes.clear();
  ASSERT_EQ(run(other_network, 7), PRESIL_OK) << presil_error(other)->text;
  expect_output(other_network, 8);
  ASSERT_FALSE(other_mock.writes.empty());
  for (const MockPort::Write& write : other_mock.writes)
    EXPECT_EQ(write.address >> PRESIL_TILE_SHIFT, kOther) << std::hex << write.address;
}

TEST_F(Tiles, another_tile_than_the_port_reaches_does_not_open) {
  MockPort wrong(kOther, &mock);
  wrong.host.set_id_tile(1);
  presil_device* opened = nullptr;
  Buffer storage(device_storage.size());
  EXPECT_EQ(presil_open_tile(wrong.port(), kOther, storage.data(), bytes_of(storage), &opened),
            PRESIL_HARDWARE);
  EXPECT_THAT(presil_error(opened)->text, HasSubstr("of tile 3 its register id says tile 1"));
  EXPECT_EQ(presil_open_tile(wrong.port(), 8192, storage.data(), bytes_of(storage), &opened),
            PRESIL_REFUSED);
  EXPECT_THAT(presil_error(opened)->text, HasSubstr("the tile is 8192, must be 0..8191"));
}

TEST_F(Tiles, the_image_is_there_once_and_stays_until_the_last_has_gone) {
  const std::vector<uint8_t> file = plus_one().finish();
  ASSERT_EQ(load(file), PRESIL_OK) << text();
  const size_t alone = mock.allocations();
  ASSERT_EQ(load_other(file, network), PRESIL_OK) << presil_error(other)->text;
  EXPECT_EQ(presil_network_region_address(other_network, PRESIL_REGION_CONSTANTS),
            presil_network_region_address(network, PRESIL_REGION_CONSTANTS));
  EXPECT_NE(presil_network_region_address(other_network, PRESIL_REGION_INPUTS),
            presil_network_region_address(network, PRESIL_REGION_INPUTS));
  ASSERT_EQ(run(network, 1), PRESIL_OK) << text();
  presil_network_unload(network);
  network = nullptr;
  ASSERT_EQ(run(other_network, 40), PRESIL_OK) << presil_error(other)->text;
  expect_output(other_network, 41);
  presil_network_unload(other_network);
  EXPECT_LT(mock.allocations(), alone);
  EXPECT_EQ(mock.allocations(), 2u) << "the rings of two devices are left";
}

TEST_F(Tiles, the_other_one_may_go_first) {
  const std::vector<uint8_t> file = plus_one().finish();
  ASSERT_EQ(load(file), PRESIL_OK) << text();
  ASSERT_EQ(load_other(file, network), PRESIL_OK) << presil_error(other)->text;
  presil_network_unload(other_network);
  ASSERT_EQ(run(network, 9), PRESIL_OK) << text();
  expect_output(network, 10);
}

TEST_F(Tiles, an_image_of_other_bytes_is_not_used) {
  ASSERT_EQ(load(plus_one()), PRESIL_OK) << text();
  LoadableMaker changed = plus_one();
  changed.scratch_bytes = 8192;
  const size_t memory = mock.allocations();
  EXPECT_EQ(load_other(changed.finish(), network), PRESIL_REFUSED);
  EXPECT_THAT(presil_error(other)->text, HasSubstr("is not loaded, or is of other bytes"));
  EXPECT_EQ(load_other(plus_one().finish(), nullptr), PRESIL_REFUSED);
  EXPECT_THAT(presil_error(other)->text, HasSubstr("is NULL"));
  EXPECT_EQ(mock.allocations(), memory);
  presil_network_unload(network);
  EXPECT_EQ(load_other(plus_one().finish(), network), PRESIL_REFUSED);  // it is loaded no more
  network = nullptr;
}

TEST_F(Tiles, an_error_of_one_leaves_the_other_alone) {
  const std::vector<uint8_t> file = plus_one().finish();
  ASSERT_EQ(load(file), PRESIL_OK) << text();
  ASSERT_EQ(load_other(file, network), PRESIL_OK) << presil_error(other)->text;
  other_engines.silent.insert(PRESIL_QUEUE_DLA);
  const size_t writes = mock.writes.size();
  EXPECT_EQ(run(other_network, 1), PRESIL_TIMED_OUT);
  EXPECT_EQ(presil_job_cancel(other_network, 0), PRESIL_CANCELLED) << presil_error(other)->text;
  EXPECT_EQ(mock.writes.size(), writes) << "registers of the other tile";
  ASSERT_EQ(run(network, 2), PRESIL_OK) << text();
  expect_output(network, 3);
  other_engines.silent.clear();
  ASSERT_EQ(run(other_network, 4), PRESIL_OK) << presil_error(other)->text;
  expect_output(other_network, 5);
}

}  // namespace
}  // namespace presil::driver
