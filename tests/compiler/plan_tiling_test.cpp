#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>

#include "compiler_bridge/plan/choose_tiling.h"
#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/tiling.h"

namespace presil::plan {
namespace {

DlaLayer conv(int size, int kernel, int stride, int pad) {
  DlaLayer layer;
  layer.in_h = layer.in_w = size;
  layer.kernel_h = layer.kernel_w = kernel;
  layer.stride_y = layer.stride_x = stride;
  layer.pad_top = layer.pad_left = pad;
  layer.out_h = layer.out_w = (size + 2 * pad - kernel) / stride + 1;
  layer.in_c = layer.out_c = 32;
  return layer;
}

TEST(PlanTiling, every_output_is_in_exactly_one_tile) {
  const DlaLayer layer = conv(30, 3, 1, 1);
  for (const bool outer : {true, false}) {
    std::set<std::tuple<int, int, int>> seen;
    for (const Tile& t : tiles_of(layer, 5, {7, 11, 2, outer, 2})) {
      for (int y = t.y0; y < t.y1; ++y) {
        for (int x = t.x0; x < t.x1; ++x) {
          for (int b = t.b0; b < t.b1; ++b) EXPECT_TRUE(seen.insert({y, x, b}).second);
        }
      }
    }
    EXPECT_EQ(seen.size(), 30u * 30u * 5u);
  }
}

TEST(PlanTiling, a_window_holds_every_pixel_that_its_tile_reads_and_no_row_more) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 500; ++trial) {
    const auto pick = [&](int low, int high) {
      return low + static_cast<int>(random() % unsigned(high - low + 1));
    };
    DlaLayer layer = conv(pick(4, 20), pick(1, 3), pick(1, 2), 0);
    layer.dil_y = layer.dil_x = 1;
    layer.pad_top = layer.pad_left = pick(0, layer.kernel_h - 1);
    layer.out_h = (layer.in_h + layer.pad_top - layer.kernel_h) / layer.stride_y + 1;
    const int y0 = pick(0, layer.out_h - 1), y1 = pick(y0 + 1, layer.out_h);
    const Window w = window_of(layer, {y0, y1, 0, 1, 0, 1});
    int first = layer.in_h, last = -1;
    for (int y = y0; y < y1; ++y) {
      for (int k = 0; k < layer.kernel_h; ++k) {
        const int row = y * layer.stride_y - layer.pad_top + k;
        if (row < 0 || row >= layer.in_h) continue;
        first = std::min(first, row), last = std::max(last, row);
        // As the command will count: row 0 of the window, pad_top rows above it.
        EXPECT_EQ((y - y0) * layer.stride_y - w.pad_top + k + w.y0, row);
      }
    }
    EXPECT_EQ(w.y0, first);
    EXPECT_EQ(w.y1, last + 1);
    EXPECT_LE(w.rows(), window_rows(layer, y1 - y0));
  }
}

TEST(PlanTiling, rows_of_a_block_are_even_and_fit_the_accumulators) {
  // 12 columns: 10 rows would fit 128 pixels; two blocks of 6 instead of 10 and 2
  EXPECT_EQ(block_rows(conv(12, 1, 1, 0), 12, 12, DlaConfig{}), 6);
  EXPECT_EQ(block_rows(conv(128, 1, 1, 0), 128, 128, DlaConfig{}), 1);
}

TEST(PlanTiling, parts_are_nearly_equal_and_fewer_than_asked_for_never_come) {
  EXPECT_EQ(part_sizes(10), (std::vector<int>{10, 5, 4, 3, 2, 1}));
  EXPECT_EQ(part_sizes(5, 2), (std::vector<int>{6, 4, 2}));
}

TEST(PlanTiling, a_menu_gets_faster_as_it_gets_larger) {
  const DlaLayer layer = conv(64, 3, 1, 1);
  Storage in, out;
  in.extent = out.extent = {64, 64, 32};
  in.blocks = out.blocks = 2;
  LayerShape shape;
  shape.layer = &layer;
  shape.input = &in;
  shape.output = &out;
  shape.stream_input = shape.stream_output = true;
  shape.blocks = shape.in_blocks = 2;
  const auto menu = tiling_menu(shape, false, SocConfig{});
  ASSERT_GT(menu.size(), 3u);
  for (size_t i = 1; i < menu.size(); ++i) {
    EXPECT_GT(menu[i].bytes, menu[i - 1].bytes);
    EXPECT_LT(menu[i].cycles, menu[i - 1].cycles);
  }
  // A gate from both sides.
  EXPECT_EQ(choose_tiling(menu, menu[2].bytes), &menu[2]);
  EXPECT_EQ(choose_tiling(menu, menu[2].bytes - 1), &menu[1]);
  EXPECT_EQ(choose_tiling(menu, menu[0].bytes - 1), nullptr);
}

}  // namespace
}  // namespace presil::plan
