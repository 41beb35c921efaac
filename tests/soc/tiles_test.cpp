// Two tiles of a SoC, each with the driver as a host of its own: exact side by side, slowed down by
// their one DRAM, and right while the other one fails.
#include <gmock/gmock.h>

#include <cstring>
#include <memory>
#include <vector>

#include "tests/soc/platform_fixture.h"

namespace presil::tests {
namespace {

using ::testing::HasSubstr;

SocConfig two_tiles() {
  SocConfig config;
  set_parameter(config, "tiles", "2");
  return config;
}

/// SystemC elaborates once per process.
platform::Soc& two() {
  static platform::Soc soc{two_tiles()};
  return soc;
}

/// A program on a tile.
class OnTile {
 public:
  explicit OnTile(unsigned tile, OnTile* same = nullptr)
      : m_subject(digits()),
        m_device_storage(presil_device_bytes() / sizeof(std::max_align_t) + 1),
        m_network_storage(presil_network_bytes() / sizeof(std::max_align_t) + 1) {
    EXPECT_EQ(presil_open_tile(two().port(tile), tile, m_device_storage.data(),
                               bytes_of(m_device_storage), &device),
              PRESIL_OK)
        << text();
    const std::vector<uint8_t>& file = m_subject.loadable;
    const presil_status loaded =
        same == nullptr
            ? presil_network_load(device, file.data(), file.size(), m_network_storage.data(),
                                  bytes_of(m_network_storage), &network)
            : presil_network_load_shared(device, same->network, file.data(), file.size(),
                                         m_network_storage.data(), bytes_of(m_network_storage),
                                         &network);
    EXPECT_EQ(loaded, PRESIL_OK) << text();
  }
  OnTile(const OnTile&) = delete;
  OnTile& operator=(const OnTile&) = delete;
  ~OnTile() {
    presil_network_unload(network);
    presil_close(device);
  }

  void run(uint32_t seed) {
    const auto inputs = random_inputs(m_subject.graph, seed);
    std::memcpy(presil_network_input(network, 0), inputs[0].data.data(), inputs[0].data.size());
    begin = two().now();
    status = presil_job_submit(network, &job);
    if (status == PRESIL_OK) status = presil_job_wait(network, job, 0);
    end = two().now();
  }
  void expect_exact(uint32_t seed) const {
    ASSERT_EQ(status, PRESIL_OK) << text();
    const auto expected = reference::run(m_subject.graph, random_inputs(m_subject.graph, seed));
    for (uint32_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(std::memcmp(presil_network_output(network, i), expected[i].data.data(),
                            expected[i].data.size()),
                0)
          << "output " << i << " of seed " << seed;
    }
  }
  std::string text() const { return presil_error(device)->text; }
  Cycle cycles() const { return end - begin; }

  presil_device* device = nullptr;
  presil_network* network = nullptr;
  presil_status status = PRESIL_OK;
  uint32_t job = 0;
  Cycle begin = 0, end = 0;

 private:
  static size_t bytes_of(const std::vector<std::max_align_t>& s) {
    return s.size() * sizeof(std::max_align_t);
  }
  const Subject& m_subject;
  std::vector<std::max_align_t> m_device_storage, m_network_storage;
};

class TilesTest : public ::testing::Test {
 protected:
  void both(uint32_t seed) {
    two().run({[&] { a.run(seed); }, [&] { b.run(seed + 1); }});
  }
  OnTile a{0}, b{1, &a};
};

TEST_F(TilesTest, registers_say_which_tile_and_of_how_many) {
  EXPECT_EQ(presil_device_tiles(a.device), 2u);
  EXPECT_EQ(presil_device_tiles(b.device), 2u);
  EXPECT_EQ(presil_device_tile(b.device), 1u);
  EXPECT_EQ(presil_device_capability(b.device).sram_bytes, SocConfig{}.sram.bytes);
}

TEST_F(TilesTest, a_tile_that_the_soc_does_not_have_does_not_open) {
  std::vector<std::max_align_t> storage(presil_device_bytes() / sizeof(std::max_align_t) + 1);
  presil_device* device = nullptr;
  EXPECT_EQ(presil_open_tile(two().port(1), 2, storage.data(),
                             storage.size() * sizeof(std::max_align_t), &device),
            PRESIL_HARDWARE);
  EXPECT_THAT(presil_error(device)->text, HasSubstr("at the place of tile 2"));
}

TEST_F(TilesTest, samples_side_by_side_are_exact) {
  both(100);
  a.expect_exact(100);
  b.expect_exact(101);
  EXPECT_LT(std::max(a.begin, b.begin), std::min(a.end, b.end)) << "they overlap in time";
}

TEST_F(TilesTest, the_image_is_in_the_dram_once) {
  EXPECT_EQ(presil_network_region_address(a.network, PRESIL_REGION_CONSTANTS),
            presil_network_region_address(b.network, PRESIL_REGION_CONSTANTS));
}

TEST_F(TilesTest, two_are_faster_than_one_and_each_slower_than_alone) {
  a.run(7);
  const Cycle alone = a.cycles();
  const Cycle before[] = {two().tile_dram(0).waited, two().tile_dram(1).waited};
  both(8);
  const Cycle together = std::max(a.end, b.end) - std::min(a.begin, b.begin);
  EXPECT_GT(a.cycles(), alone);
  EXPECT_GT(b.cycles(), alone);
  EXPECT_LT(together, 2 * alone * 3 / 4);
  EXPECT_GT(two().tile_dram(0).waited, before[0]);
  EXPECT_GT(two().tile_dram(1).waited, before[1]);
}

TEST_F(TilesTest, a_tile_alone_does_not_wait_for_others) {
  const Cycle before = two().tile_dram(1).waited;
  b.run(3);
  b.expect_exact(3);
  EXPECT_EQ(two().tile_dram(1).waited, before);
}

TEST_F(TilesTest, bytes_are_counted_by_tile) {
  const auto before = two().tile_dram(0), other = two().tile_dram(1);
  const auto all = two().dram_counts();
  both(4);
  const auto after = two().tile_dram(0), other_after = two().tile_dram(1);
  EXPECT_EQ(after.bytes_read - before.bytes_read, other_after.bytes_read - other.bytes_read);
  EXPECT_EQ(after.bytes_read - before.bytes_read + other_after.bytes_read - other.bytes_read,
            two().dram_counts().bytes_read - all.bytes_read);
}

TEST_F(TilesTest, each_tile_tells_its_own_commands) {
  std::vector<CommandRecord> of_a, of_b;
  two().observe([&](const CommandRecord& record) { of_a.push_back(record); }, 0);
  two().observe([&](const CommandRecord& record) { of_b.push_back(record); }, 1);
  two().run({[] {}, [&] { b.run(5); }});
  EXPECT_TRUE(of_a.empty());
  EXPECT_FALSE(of_b.empty());
  const size_t commands = of_b.size();
  both(6);
  EXPECT_EQ(of_a.size(), commands);
  EXPECT_EQ(of_b.size(), 2 * commands);
  for (unsigned t : {0u, 1u}) two().observe([](const CommandRecord&) {}, t);
}

TEST_F(TilesTest, an_error_of_one_leaves_the_other_right) {
  two().fail_bursts([](const Burst& burst) { return burst.master == PRESIL_QUEUE_DMA0; }, 1);
  both(20);
  two().fail_bursts({}, 1);
  EXPECT_EQ(b.status, PRESIL_HARDWARE);
  EXPECT_THAT(b.text(), HasSubstr("dma0"));
  a.expect_exact(20);
  both(30);  // and it goes on
  a.expect_exact(30);
  b.expect_exact(31);
}

TEST_F(TilesTest, a_hang_of_one_is_seen_when_nothing_else_can_happen) {
  two().fail_bursts({}, 0);
  QueueFrontend* const dla = two().queue(PRESIL_QUEUE_DLA, 1);
  ASSERT_NE(dla, nullptr);
  ASSERT_NE(dla, two().queue(PRESIL_QUEUE_DLA, 0));
  dla->stand(true, false);
  both(40);
  dla->stand(false, false);
  EXPECT_EQ(b.status, PRESIL_TIMED_OUT);
  a.expect_exact(40);
  presil_job_cancel(b.network, b.job);
  both(50);
  a.expect_exact(50);
  b.expect_exact(51);
}

TEST_F(TilesTest, what_a_program_throws_comes_out_when_the_others_have_ended) {
  EXPECT_THROW(two().run({[] { throw std::runtime_error("of tile 0"); }, [&] { b.run(60); }}),
               std::runtime_error);
  b.expect_exact(60);
}

}  // namespace
}  // namespace presil::tests
