#include <gtest/gtest.h>

#include "compiler_bridge/plan/tile_walk.h"

namespace presil::plan {
namespace {

constexpr double kNear = 1e-3;  // cycles

TEST(TileWalk, one_tile_is_loaded_computed_and_stored) {
  TileWalk walk;
  walk.load_latency = 5, walk.store_latency = 7;
  EXPECT_NEAR(walk.cycles({{100, 30, 40}}), 5 + 100 + 30 + 7 + 40, kNear);
  walk.first_compute = 120;
  EXPECT_NEAR(walk.cycles({{100, 30, 40}}), 120 + 30 + 7 + 40, kNear);
}

TEST(TileWalk, where_computing_takes_longest_loads_and_stores_hide_under_it) {
  const TileWalk walk;
  EXPECT_NEAR(walk.cycles({{10, 100, 20}, {10, 100, 20}, {10, 100, 20}}), 10 + 300 + 20, kNear);
}

TEST(TileWalk, one_buffer_is_filled_computed_and_filled_again) {
  TileWalk walk;
  walk.depth = 1;
  // Load 0..10, compute ..40, store ..60 beside load ..50 of the next: both half as fast from 40
  // on, so that the load ends at 60 and the store, of which 10 are left then, at 70; that compute
  // begins when its output buffer is free at 70, ends at 100, its store at 120.
  EXPECT_NEAR(walk.cycles({{10, 30, 20}, {10, 30, 20}}), 120, kNear);
}

TEST(TileWalk, a_memory_that_reads_and_writes_at_once_has_half_of_its_time_for_each) {
  TileWalk walk;
  // Loads end at 40 and 80, then one has no buffer until 0 is computed at 50: it is not last.
  // Stores of tile 0 go from 50 on, beside load 1 (30 left): until 110, when 10 of the store are
  // left, which load 2 (its buffer free since 50) shares: until 130. 30 are left of load 2: 160, or
  // later where store 1 (tile 1 computed at 120) shares them: from 130 on both, load 2 until 190.
  // Store 1 has 10 left: 200, when tile 2 is computed, which is stored until 240.
  const std::vector<WalkedTile> tiles(3, {40, 10, 40});
  EXPECT_NEAR(walk.cycles(tiles), 240, kNear);
  // Together they take a tenth more of both: 11/10 of the 140 cycles from 50 to 190.
  walk.beside = 1.1;
  EXPECT_NEAR(walk.cycles(tiles), 240 + 14, kNear);
}

TEST(TileWalk, a_kept_input_comes_without_turns) {
  TileWalk walk;
  walk.depth = 1;
  const std::vector<WalkedTile> tiles(3, {10, 100, 0});
  EXPECT_NEAR(walk.cycles(tiles), 3 * 110, kNear);
  walk.fills_turns = false;
  EXPECT_NEAR(walk.cycles(tiles), 10 + 3 * 100, kNear);
}

TEST(TileWalk, a_short_last_tile_leaves_little_to_store) {
  const TileWalk walk;
  EXPECT_NEAR(walk.cycles({{40, 10, 40}, {10, 2, 10}}), 40 + 10 + 40 + 10, kNear);
}

}  // namespace
}  // namespace presil::plan
