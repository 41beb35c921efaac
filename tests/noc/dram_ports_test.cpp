// Crossbars of several tiles at one DRAM: each gets its share, none more than there is.
#include "models/noc/dram_ports.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "models/noc/crossbar.h"

namespace presil::noc {
namespace {

constexpr unsigned kTiles = 3;
constexpr unsigned kBurst = 256;

/// Masters that always have reads outstanding, one in each tile.
class DramPortsTest : public ::testing::Test {
 protected:
  DramPortsTest() {
    for (unsigned t = 0; t < kTiles; ++t) {
      maps.push_back(std::make_unique<memory::SystemBytes>(sram, dram, t));
      tiles.push_back(std::make_unique<Crossbar>(config, 1000, time, *maps[t], &ports));
    }
  }
  /// A tile asks for `bursts` one after another in its own part of the DRAM, `outstanding` at once.
  void stream(unsigned tile, unsigned bursts, unsigned outstanding, bool write = false) {
    for (unsigned i = 0; i < outstanding && i < bursts; ++i) next(tile, bursts, write);
  }
  void next(unsigned tile, unsigned bursts, bool write) {
    if (asked[tile] == bursts) return;
    const uint64_t address = PRESIL_DRAM_BASE + (tile << 24) + uint64_t{kBurst} * asked[tile]++;
    tiles[tile]
        ->port(PRESIL_QUEUE_DLA)
        .request({time.now(), address, kBurst, write, PRESIL_QUEUE_DLA},
                 [=](const BurstTimes& times) {
                   ++done[tile];
                   last[tile] = times.last;
                   time.at(std::max(time.now(), times.last), Phase::kEngine,
                           [=] { next(tile, bursts, write); });
                 });
  }

  SocConfig config;
  Timeline time;
  memory::Sram sram{config.sram};
  memory::Bytes dram{config.dram.bytes};
  DramPorts ports{config.dram, 1000, time};
  std::vector<std::unique_ptr<memory::SystemBytes>> maps;
  std::vector<std::unique_ptr<Crossbar>> tiles;
  std::array<unsigned, kTiles> asked{}, done{};
  std::array<Cycle, kTiles> last{};
};

TEST_F(DramPortsTest, a_tile_alone_has_it_as_with_a_dram_of_its_own) {
  stream(1, 500, 8);
  time.run_all();
  const Cycle shared = last[1];
  Timeline other_time;
  Crossbar own(config, 1000, other_time, *maps[1]);
  unsigned asked_of_own = 0;
  Cycle last_of_own = 0;
  std::function<void()> ask = [&] {
    if (asked_of_own == 500) return;
    const uint64_t address = PRESIL_DRAM_BASE + (1u << 24) + uint64_t{kBurst} * asked_of_own++;
    own.port(PRESIL_QUEUE_DLA)
        .request({other_time.now(), address, kBurst, false, PRESIL_QUEUE_DLA},
                 [&](const BurstTimes& times) {
                   last_of_own = times.last;
                   other_time.at(std::max(other_time.now(), times.last), Phase::kEngine,
                                 [&] { ask(); });
                 });
  };
  for (unsigned i = 0; i < 8; ++i) ask();
  other_time.run_all();
  EXPECT_EQ(shared, last_of_own);
  EXPECT_EQ(ports.statistics().tiles[1].waited_ps, 0);
  EXPECT_EQ(ports.statistics().tiles[1].reads, 500u);
  EXPECT_EQ(ports.statistics().tiles[0].reads, 0u);
}

TEST_F(DramPortsTest, all_get_the_same_share_and_together_no_more_than_the_peak) {
  for (unsigned t = 0; t < kTiles; ++t) stream(t, 100'000, 24);
  time.run_until(200'000);
  const double bytes = static_cast<double>(done[0] + done[1] + done[2]) * kBurst;
  EXPECT_LE(bytes / 200'000, 12.8);
  EXPECT_GE(bytes / 200'000, 6.4);
  const double mean = (done[0] + done[1] + done[2]) / 3.0;
  for (unsigned t = 0; t < kTiles; ++t) {
    EXPECT_NEAR(done[t], mean, 0.1 * mean) << "tile " << t;
    EXPECT_GT(ports.statistics().tiles[t].waited_ps, 0);
  }
}

TEST_F(DramPortsTest, a_tile_that_asks_now_and_then_is_not_kept_out) {
  stream(0, 100'000, 64);
  stream(1, 100'000, 64);
  stream(2, 300, 1);
  time.run_until(300'000);
  EXPECT_EQ(done[2], 300u);
}

TEST_F(DramPortsTest, writes_have_their_entries_back) {
  for (unsigned t = 0; t < kTiles; ++t) stream(t, 400, 16, true);
  time.run_all();
  for (unsigned t = 0; t < kTiles; ++t) {
    EXPECT_EQ(done[t], 400u);
    EXPECT_EQ(ports.statistics().tiles[t].writes, 400u);
    EXPECT_EQ(ports.statistics().tiles[t].atoms_written, 400u * kBurst / memory::kAtomBytes);
  }
  EXPECT_EQ(ports.places(DramPorts::kWrite), config.dram.write_queue);
  EXPECT_EQ(ports.places(DramPorts::kRead), config.dram.read_queue);
}

}  // namespace
}  // namespace presil::noc
