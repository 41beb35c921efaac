#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>

#include "compiler_bridge/plan/choose_tiling.h"
#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/dla_word.h"
#include "compiler_bridge/plan/search.h"
#include "compiler_bridge/plan/tile_counts.h"
#include "compiler_bridge/plan/tiling.h"

namespace presil::plan {
namespace {

layer::DlaLayer conv(int size, int kernel, int stride, int pad) {
  layer::DlaLayer layer;
  layer.in_h = layer.in_w = size;
  layer.kernel_h = layer.kernel_w = kernel;
  layer.stride_y = layer.stride_x = stride;
  layer.pad_top = layer.pad_left = pad;
  layer.out_h = layer.out_w = (size + 2 * pad - kernel) / stride + 1;
  layer.in_c = layer.out_c = 32;
  return layer;
}

TEST(PlanTiling, every_output_is_in_exactly_one_tile) {
  const layer::DlaLayer layer = conv(30, 3, 1, 1);
  for (const bool outer : {true, false}) {
    std::set<std::tuple<int, int, int>> seen;
    for (const Tile& t : tiles_of(layer, {{0, 5, 0, 3, 0}}, {7, 11, 2, outer, 2})) {
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
    layer::DlaLayer layer = conv(pick(4, 20), pick(1, 3), pick(1, 2), 0);
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

/// A depthwise 3x3 layer of 16 channels on 16 x 16 pixels, alone, its input in `rows` of that
/// pitch.
Cycle depthwise_cycles(bool odd_rows) {
  layer::DlaLayer layer = conv(16, 3, 1, 1);
  layer.op = dla::Op::kDwconv;
  layer.in_c = layer.out_c = 16;
  BlockedBuffer image;
  image.extent = {16, 16, 16};
  image.blocks = 1;
  image.odd_rows = odd_rows;
  const Tile tile{0, 16, 0, 16, 0, 1};
  RunViews views;
  views.input.rows = views.input.columns = views.output.rows = views.output.columns = 16;
  views.input.row_pitch = views.output.row_pitch = image.row_pitch();
  views.input.block_pitch = views.output.block_pitch = image.block_pitch();
  views.output.base = 0x4000;
  const plan::Run run{0, 1, 0, 1, 1};
  views.parameter_block = parameter_block_of(layer, false, {run}, DlaConfig{}).runs.at(0);
  views.parameter_block_at = 0x8000;
  return compute_cycles(dla_word(layer, false, tile, run, window_of(layer, tile), views, 16, {}),
                        {})
      .first;
}

// 16 rows x (3 + 15) columns = 288 steps: 29 to the first + 288 - 1 + 9 to the last word. With an
// even pitch of 16 words the 3 rows of a column lie in one bank: of each row, 16 columns inside the
// image take 3 cycles instead of 1, in the first and last row, of 2 rows inside, 2: 14 * 32 + 2 *
// 16 = 480 cycles more. So short a command is played with all its ports: 2 words written meet the
// columns of the odd pitch; with the even one the writer has time, and the 3 columns that the
// feature FIFO holds besides the first, empty one are read, 1 cycle late each, before the first
// step.
TEST(PlanTiling, an_odd_row_pitch_spares_tap_windows_their_bank_conflicts) {
  EXPECT_EQ(depthwise_cycles(true), 325 + 2);
  EXPECT_EQ(depthwise_cycles(false), 325 + 480 - 3);
}

/// A 3x3 convolution of 32 channels on 16 x 16 pixels on an array of 32 lanes, alone.
Cycle wide_cycles(int blocks_at_once) {
  DlaConfig config;
  config.macs_k = config.macs_c = 32;
  config.weight_ports = 2;
  config.post_lanes = 32;
  layer::DlaLayer layer = conv(16, 3, 1, 1);
  layer.in_c = layer.out_c = 32;
  BlockedBuffer image;
  image.extent = {16, 16, 32};
  image.blocks = 2;
  image.blocks_at_once = blocks_at_once;
  const Tile tile{0, 16, 0, 16, 0, 2};
  RunViews views;
  views.input.rows = views.input.columns = views.output.rows = views.output.columns = 16;
  views.input.blocks = 2;
  views.input.row_pitch = views.output.row_pitch = image.row_pitch();
  views.input.block_pitch = views.output.block_pitch = image.block_pitch();
  views.output.base = 0x4000;
  const plan::Run run{0, 2, 0, 2, 0};
  views.parameter_block = parameter_block_of(layer, false, {run}, config).runs.at(0);
  views.parameter_block_at = 0x8000;
  return compute_cycles(
             dla_word(layer, false, tile, run, window_of(layer, tile), views, 16, config), config)
      .first;
}

// Blocks of 256 words lie in the same banks: a step whose tap is inside the image reads two words
// of one bank. Inside are (16 + 15 + 15) x (16 + 15 + 15) = 2116 of the 9 * 256 steps.
TEST(PlanTiling, blocks_read_at_once_lie_in_different_banks) {
  EXPECT_EQ(wide_cycles(1) - wide_cycles(2), 2116);
  BlockedBuffer image;
  image.extent = {4, 3, 64};
  image.blocks = 4;
  image.odd_rows = true;
  for (int at_once : {1, 2, 3, 4}) {
    image.blocks_at_once = at_once;
    const uint32_t row = image.row_pitch() / 16, block = image.block_pitch() / 16;
    std::set<uint32_t> banks;
    for (uint32_t b = 0; b < uint32_t(at_once); ++b) {
      for (uint32_t r = 0; r < 4; ++r) banks.insert((b * block + r * row) % 16);
    }
    EXPECT_EQ(banks.size(), size_t(4 * at_once)) << block;
  }
}

TEST(PlanCost, weights_ahead_of_a_layer_hide_as_far_as_the_memory_has_time) {
  LayersCost hidden(2);
  hidden.add({0, 100, 0});
  hidden.add({90, 50, 0});
  EXPECT_EQ(hidden.total(), 150);  // 90 under the 100 of the first
  hidden.add({80, 10, 0});
  EXPECT_EQ(hidden.total(), 180);  // the memory is done at 90 + 80

  LayersCost busy(2);
  busy.add({0, 100, 60});  // what comes and goes meanwhile takes the memory 60
  busy.add({90, 50, 0});
  EXPECT_EQ(busy.total(), 200);

  LayersCost near(1);
  for (const Cycle ahead : {0, 10, 90}) near.add({ahead, 100, 0});
  EXPECT_EQ(near.total(), 300);  // from the second's start at 100 on: 90 under its 100
  near.add({110, 100, 0});
  EXPECT_EQ(near.total(), 410);
}

TEST(PlanCost, a_layer_may_be_chosen_for_what_comes_after_it) {
  // Three layers of 10 cycles, whose weights take the memory 0, 50 and 60: they end at 50 + 60
  // + 10.
  const std::vector<LayerCost> former = {{0, 10}, {50, 10}, {60, 10}};
  LayersCost cost(2, former);
  EXPECT_EQ(cost.end_with({0, 10}), 120);
  EXPECT_EQ(cost.end_with({0, 10, 40}), 160);  // 40 of the memory come before the weights
  // Weights that come in turn hold those of the second layer back to 5 cycles before the end at
  // 100.
  EXPECT_EQ(cost.end_with({0, 100, 0, 5}), 95 + 50 + 60 + 10);
  cost.add({0, 10});
  EXPECT_EQ(cost.end_with({50, 10}), 120);
  cost.add({50, 10});
  EXPECT_EQ(cost.end_with({60, 10}), 120);
  EXPECT_EQ(cost.total(), 60);

  LayersCost near(1, former);  // the third one's weights wait until the second one has begun at 50
  EXPECT_EQ(near.end_with({0, 10}), 120);
  EXPECT_EQ(near.end_with({0, 200}), 200 + 10 + 60);  // 60 from 200 on, the second layer's start
}

TEST(PlanCost, a_layer_takes_its_first_tile_its_last_one_and_the_slowest_stream_between_them) {
  TileCost cost;
  cost.tiles = cost.commands = cost.sums = 10;
  cost.compute = 1000, cost.load = 500, cost.store = 300, cost.memory = 700;
  cost.first = 60, cost.last = 40;
  EXPECT_EQ(cost.total(), 60 + 1000 + 40);  // computing
  cost.load = 2000, cost.memory = 1800;
  EXPECT_EQ(cost.total(), 60 + 9 * 200 + 100 + 40);  // loads, 200 each
  cost.load = 500, cost.memory = 700, cost.fill = 300;
  EXPECT_EQ(cost.total(), 60 + 9 * (100 + 300) / 2 + 100 + 40);  // two buffers, filled again
  cost.depth = 1;
  EXPECT_EQ(cost.total(), 60 + 9 * (100 + 300) + 100 + 40);
}

TEST(PlanCost, an_input_that_arrives_hides_under_the_first_range_of_output_channels_alone) {
  TileCost cost;
  cost.tiles = cost.commands = cost.sums = 10;
  cost.compute = 1000, cost.load = cost.memory = cost.arriving = 800;
  cost.ranges = 5;
  EXPECT_EQ(cost.total(), 800 + 4 * 200 + 100);
  cost.ranges = 1;
  EXPECT_EQ(cost.total(), 1000);
}

TEST(PlanTiling, a_part_of_a_padded_average_has_one_number_of_taps) {
  layer::DlaLayer layer = conv(10, 3, 1, 1);
  layer.op = dla::Op::kSumpool;
  layer.divide_inside = true;
  std::vector<int> ends;
  for (const Part& part : row_parts(layer, 5)) ends.push_back(part.end);
  EXPECT_EQ(ends, (std::vector<int>{1, 6, 9, 10}));
  EXPECT_EQ(taps_inside(layer, {0, 1, 0, 1, 0, 1}), 4);
  EXPECT_EQ(taps_inside(layer, {1, 6, 0, 1, 0, 1}), 6);
  EXPECT_EQ(taps_inside(layer, {6, 9, 1, 9, 0, 1}), 9);
  layer.divide_inside = false;
  EXPECT_EQ(row_parts(layer, 5).size(), 2u);
}

// 4 rows of data, 3 rows of margin after them: a tile of those reads row 3 and sees 3 rows before.
TEST(PlanTiling, a_tile_after_the_image_sees_padding_only) {
  layer::DlaLayer layer = conv(4, 1, 1, 0);
  layer.op = dla::Op::kPass;
  layer.out_h = 7;
  const Window w = window_of(layer, {4, 7, 0, 4, 0, 1});
  EXPECT_EQ(w.y0, 3);
  EXPECT_EQ(w.rows(), 1);
  EXPECT_EQ(w.pad_top, 3);
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

/// 16 channels on 8 x 8 pixels to 64, 3x3, all by tiles of 4 rows; sums in parts of 2 of 4 blocks.
struct Counted {
  explicit Counted(const Tiling& tiling) {
    layer.in_c = layer.out_c = 64;
    for (BlockedBuffer* buffer : {&input, &output}) {
      buffer->extent = {8, 8, 64};
      buffer->blocks = 4;
    }
    shape.layer = &layer;
    shape.input = &input, shape.output = &output;
    shape.stream_input = shape.stream_output = true;
    shape.runs = {{0, 4, 0, 4, 0}};
    counts = count(shape, tiling, channels_of(shape, tiling, DlaConfig()));
  }
  layer::DlaLayer layer = conv(8, 3, 1, 1);
  BlockedBuffer input, output;
  LayerShape shape;
  TileCounts counts;
};

TEST(PlanTiling, parts_that_fit_their_buffers_are_loaded_once_for_all_pixels) {
  // 2 tiles of pixels, 4 ranges of a block, 2 parts each.
  const bool ranges_outer = true;
  const TileCounts two = Counted({4, 8, 1, ranges_outer, 2, 2}).counts;
  EXPECT_EQ(two.parts, 16);
  EXPECT_EQ(two.parameter_block_loads, 8);  // each part of each range
  EXPECT_EQ(two.border_loads, 2 * 3);       // both entries are in use until a range has ended
  EXPECT_EQ(two.input_loads, 16);           // 4 windows go through 2 entries
  const TileCounts one = Counted({4, 8, 1, ranges_outer, 1, 2}).counts;
  EXPECT_EQ(one.parameter_block_loads, 16);
  EXPECT_EQ(one.border_loads, 0);
  const TileCounts four = Counted({4, 8, 1, ranges_outer, 4, 2}).counts;
  EXPECT_EQ(four.border_loads, 0);  // two entries are free for the next range
  EXPECT_EQ(four.input_loads, 4);   // all windows stay
  // Pixels outside: 8 parts of weights go through 2 entries, the 2 of a pixel's input stay.
  const TileCounts pixels = Counted({4, 8, 1, !ranges_outer, 2, 2}).counts;
  EXPECT_EQ(pixels.parameter_block_loads, 16);
  EXPECT_EQ(pixels.input_loads, 4);
  EXPECT_EQ(pixels.blocks_loaded, 4);
}

TEST(PlanTiling, a_menu_gets_faster_as_it_gets_larger) {
  const layer::DlaLayer layer = conv(64, 3, 1, 1);
  BlockedBuffer in, out;
  in.extent = out.extent = {64, 64, 32};
  in.blocks = out.blocks = 2;
  LayerShape shape;
  shape.layer = &layer;
  shape.input = &in;
  shape.output = &out;
  shape.stream_input = shape.stream_output = true;
  shape.runs = {{0, 2, 0, 2, 0}};
  const auto menu = tiling_menu(shape, Cut::kRows, SocConfig{});
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

/// All of it comes and goes by tiles.
LayerShape streamed(const layer::DlaLayer& layer, const BlockedBuffer& storage) {
  LayerShape shape;
  shape.layer = &layer;
  shape.input = shape.output = &storage;
  shape.stream_input = shape.stream_output = true;
  shape.runs = {{0, 2, 0, 2, 0}};
  return shape;
}

TEST(PlanTiling, a_search_looks_at_layers_that_are_alike_once) {
  const layer::DlaLayer layer = conv(64, 3, 1, 1), same = conv(64, 3, 1, 1),
                        other = conv(64, 5, 1, 2);
  BlockedBuffer storage;
  storage.extent = {64, 64, 32};
  storage.blocks = 2;
  const SocConfig config;
  Search search;
  const auto* menu = &search.menu(streamed(layer, storage), Cut::kColumns, config);
  const uint64_t once = search.spent();
  EXPECT_GT(once, 100u);
  EXPECT_EQ(&search.menu(streamed(same, storage), Cut::kColumns, config), menu);
  EXPECT_EQ(search.spent(), once);
  EXPECT_NE(&search.menu(streamed(other, storage), Cut::kColumns, config), menu);
  EXPECT_GT(search.spent(), once);
}

TEST(PlanTiling, a_search_without_units_looks_at_halves_and_still_at_the_smallest) {
  const layer::DlaLayer layer = conv(64, 3, 1, 1);
  BlockedBuffer storage;
  storage.extent = {64, 64, 32};
  storage.blocks = 2;
  const SocConfig config;
  Search none(0), usual;
  const auto coarse = none.menu(streamed(layer, storage), Cut::kColumns, config);
  const auto fine = usual.menu(streamed(layer, storage), Cut::kColumns, config);
  EXPECT_LT(4 * none.spent(), usual.spent());
  EXPECT_EQ(coarse.front().bytes, fine.front().bytes);
  EXPECT_EQ(least_bytes(streamed(layer, storage), Cut::kColumns, config, 0), fine.front().bytes);
}

}  // namespace
}  // namespace presil::plan
