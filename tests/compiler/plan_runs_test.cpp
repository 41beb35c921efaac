// Which input blocks each output block of a layer reads, and the tiles that are cut from that.
#include <gtest/gtest.h>

#include <ostream>
#include <random>

#include "compiler_bridge/plan/runs.h"
#include "compiler_bridge/plan/tiling.h"

namespace presil::plan {

void PrintTo(const Run& r, std::ostream* os) {
  *os << "blocks " << r.b0 << ".." << r.b1 - 1 << " from " << r.c0 << ", " << r.in_blocks
      << " each, step " << r.step;
}

namespace {

using Runs = std::vector<Run>;

Runs runs(int groups, int in_c, int out_c, unsigned lanes = 16) {
  layer::DlaLayer layer;
  layer.groups = groups, layer.in_c = in_c, layer.out_c = out_c;
  DlaConfig config;
  config.macs_k = config.macs_c = lanes;
  return runs_of(layer, false, Lanes::dense(in_c), Lanes::dense(out_c), config);
}

TEST(PlanRuns, without_groups_every_output_reads_every_input) {
  EXPECT_EQ(runs(1, 40, 70), (Runs{{0, 5, 0, 3, 0}}));
  EXPECT_EQ(runs(1, 40, 70, 32), (Runs{{0, 5, 0, 3, 0}}));
}

TEST(PlanRuns, groups_of_16_channels_are_one_walk_along_the_diagonal) {
  EXPECT_EQ(runs(32, 512, 512), (Runs{{0, 32, 0, 1, 1}}));
  EXPECT_EQ(runs(8, 256, 128), (Runs{{0, 8, 0, 2, 2}}));
}

TEST(PlanRuns, small_groups_share_a_block_and_walk_too) {
  EXPECT_EQ(runs(32, 128, 128), (Runs{{0, 8, 0, 1, 1}}));
}

TEST(PlanRuns, groups_of_several_output_blocks_are_a_run_each) {
  EXPECT_EQ(runs(4, 128, 128),
            (Runs{{0, 2, 0, 2, 0}, {2, 4, 2, 2, 0}, {4, 6, 4, 2, 0}, {6, 8, 6, 2, 0}}));
}

TEST(PlanRuns, a_block_with_channels_of_two_groups_reads_both) {
  EXPECT_EQ(runs(2, 48, 48), (Runs{{0, 1, 0, 2, 0}, {1, 2, 0, 3, 0}, {2, 3, 1, 2, 0}}));
}

TEST(PlanRuns, a_wide_array_makes_two_blocks_at_once_and_does_not_step) {
  EXPECT_EQ(runs(4, 64, 64, 32), (Runs{{0, 2, 0, 2, 0}, {2, 4, 2, 2, 0}}));
  EXPECT_EQ(runs(2, 96, 96, 32), (Runs{{0, 2, 0, 3, 0}, {2, 4, 0, 6, 0}, {4, 6, 3, 3, 0}}));
}

TEST(PlanRuns, a_step_is_at_most_what_the_command_can_say) {
  EXPECT_EQ(runs(3, 3 * 255 * 16, 48), (Runs{{0, 3, 0, 255, 255}}));
  EXPECT_EQ(runs(3, 3 * 256 * 16, 48),
            (Runs{{0, 1, 0, 256, 0}, {1, 2, 256, 256, 0}, {2, 3, 512, 256, 0}}));
}

TEST(PlanRuns, channels_are_looked_for_where_a_concatenation_has_put_them) {
  Lanes in = Lanes::dense(24);  // channels 0..23 in blocks 0, 1; 24..47 in blocks 2, 3
  in.append(Lanes::dense(24));
  layer::DlaLayer layer;
  layer.groups = 2, layer.in_c = 48, layer.out_c = 32;
  EXPECT_EQ(runs_of(layer, false, in, Lanes::dense(32), DlaConfig{}), (Runs{{0, 2, 0, 2, 2}}));
}

// Products (output channel, input channel) of the layer, each in exactly one tile's run.
TEST(PlanRuns, tiles_of_any_cut_make_every_output_from_all_of_its_inputs_once) {
  std::mt19937 random(11);
  const auto pick = [&](int low, int high) {
    return low + static_cast<int>(random() % unsigned(high - low + 1));
  };
  for (int trial = 0; trial < 400; ++trial) {
    layer::DlaLayer layer;
    layer.groups = pick(1, 12);
    layer.in_c = layer.groups * pick(1, 40), layer.out_c = layer.groups * pick(1, 40);
    DlaConfig config;
    config.macs_k = config.macs_c = trial % 2 == 0 ? 16 : 32;
    const int unit = static_cast<int>(config.macs_k) / 16;
    const Runs all =
        runs_of(layer, false, Lanes::dense(layer.in_c), Lanes::dense(layer.out_c), config);
    const Tiling tiling{1, 1, unit * pick(1, 5), true, 1, trial % 3 == 0 ? unit * pick(1, 4) : 0};
    std::vector<int> made(size_t(layer.out_c) * size_t(layer.in_c), 0);
    int first_runs = 0;
    for (const Tile& tile : block_tiles(all, tiling)) {
      EXPECT_EQ(tile.runs.front().b0, tile.b0);
      EXPECT_EQ(tile.runs.back().b1, tile.b1);
      first_runs += tile.first ? 1 : 0;
      for (const auto& run : tile.runs) {
        EXPECT_EQ(run.b0 % unit, 0);
        for (int k = 16 * run.b0; k < std::min(16 * run.b1, layer.out_c); ++k) {
          const int c0 = run.c0 + (k / 16 - run.b0) * run.step;
          EXPECT_LE(tile.c0(), c0);
          EXPECT_GE(tile.c1(), c0 + run.in_blocks);
          for (int c = 16 * c0; c < std::min(16 * (c0 + run.in_blocks), layer.in_c); ++c) {
            ++made[size_t(k) * size_t(layer.in_c) + size_t(c)];
          }
        }
      }
    }
    EXPECT_GT(first_runs, 0);
    const int outputs = layer.out_c / layer.groups, inputs = layer.in_c / layer.groups;
    for (int k = 0; k < layer.out_c; ++k) {
      for (int c = 0; c < layer.in_c; ++c) {
        const int times = made[size_t(k) * size_t(layer.in_c) + size_t(c)];
        ASSERT_LE(times, 1);
        ASSERT_GE(times, k / outputs == c / inputs ? 1 : 0) << k << " from " << c;
      }
    }
  }
}

}  // namespace
}  // namespace presil::plan
