// Argument blocks, region tables and tiles of layers of the DSP.
#include <gmock/gmock.h>
#include <presil/dsp_kernel.h>

#include <cstring>

#include "compiler_bridge/plan/dsp_arguments.h"
#include "compiler_bridge/plan/dsp_plan.h"
#include "models/base/refusal.h"
#include "rtl/dsp/dsp_view.h"

namespace presil::plan {
namespace {

using layer::DspLayer;
using layer::DspOperand;
using Cut = DspOperand::Cut;
using testing::ElementsAre;

/// Rows of 5 int8, a table for all, rows of 3 float32, 24 bytes of scratch, 7 bytes of parameters.
DspLayer layer_of(int64_t rows) {
  DspLayer layer;
  layer.kernel = "k";
  layer.inputs = {{0, Cut::kRows, ir::DType::kInt8, {5}, false},
                  {1, Cut::kWhole, ir::DType::kFloat32, {2, 2}, true}};
  layer.outputs = {{2, Cut::kRows, ir::DType::kFloat32, {3}, false}};
  layer.params = {1, 2, 3, 4, 5, 6, 7};
  layer.rows = rows;
  layer.scratch_bytes = 24;
  layer.cost = {"softmax_f32", {5}};
  return layer;
}

template <class T>
T at(const std::vector<uint8_t>& bytes, uint64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

TEST(PlanDsp, an_argument_block_holds_header_tensors_shapes_and_parameters) {
  const std::vector<uint8_t> block = argument_block(layer_of(40), 8);
  EXPECT_EQ(block.size(), argument_bytes(layer_of(40)));
  EXPECT_EQ(block.size() % 16, 0u);
  const auto header = at<presil_dsp_header>(block, 0);
  EXPECT_EQ(header.magic, PRESIL_DSP_MAGIC);
  EXPECT_EQ(header.n_in, 2);
  EXPECT_EQ(header.n_out, 1);
  EXPECT_EQ(header.params_bytes, 7u);
  EXPECT_EQ(header.params_offset % 16, 0u);
  EXPECT_EQ(header.scratch_region, 3u);
  EXPECT_EQ(header.scratch_bytes, 24u);
  EXPECT_EQ(std::memcmp(block.data() + header.params_offset, "\1\2\3\4\5\6\7", 7), 0);
  const int64_t shapes[3][2] = {{8, 5}, {2, 2}, {8, 3}};
  const int bits[] = {8, 32, 32}, code[] = {0, 2, 2};
  for (uint64_t i = 0; i < 3; ++i) {
    const auto tensor = at<presil_dsp_tensor>(block, sizeof header + i * sizeof(presil_dsp_tensor));
    EXPECT_EQ(tensor.region, i);
    EXPECT_EQ(tensor.device_type, PRESIL_DSP_DEVICE);
    EXPECT_EQ(tensor.ndim, 2);
    EXPECT_EQ(tensor.bits, bits[i]);
    EXPECT_EQ(tensor.code, code[i]);
    EXPECT_EQ(tensor.lanes, 1);
    EXPECT_EQ(tensor.byte_offset, 0u);
    for (uint64_t axis = 0; axis < 2; ++axis) {
      EXPECT_EQ(at<int64_t>(block, tensor.shape + 8 * axis), shapes[i][axis]);
    }
    EXPECT_EQ(at<int64_t>(block, tensor.strides), shapes[i][1]);
    EXPECT_EQ(at<int64_t>(block, tensor.strides + 8), 1);
  }
}

View view_of(int rows, int columns, int blocks) {
  View view;
  view.rows = rows, view.columns = columns, view.blocks = blocks;
  view.row_pitch = uint32_t(columns + 1) * 16, view.block_pitch = view.row_pitch * uint32_t(rows);
  return view;
}

/// Shape, then strides.
std::vector<int64_t> axes_of(const std::vector<uint8_t>& block, uint64_t tensor) {
  const auto t =
      at<presil_dsp_tensor>(block, sizeof(presil_dsp_header) + tensor * sizeof(presil_dsp_tensor));
  std::vector<int64_t> axes;
  for (const uint64_t from : {t.shape, t.strides}) {
    for (uint64_t k = 0; k < uint64_t(t.ndim); ++k)
      axes.push_back(at<int64_t>(block, from + 8 * k));
  }
  return axes;
}

TEST(PlanDsp, a_tensor_by_lanes_is_blocks_of_16_channels) {
  DspLayer layer;
  layer.inputs = {{0, Cut::kRows, ir::DType::kInt8, {20}, false, DspOperand::Blocks::kLanes, true},
                  {1, Cut::kWhole, ir::DType::kInt8, {256}, true}};
  layer.outputs = {
      {2, Cut::kRows, ir::DType::kInt8, {20}, false, DspOperand::Blocks::kLanes, true}};
  layer.rows = 15, layer.columns = 5;
  const auto block = argument_block(layer, 15, {view_of(3, 5, 2), view_of(3, 5, 2)});
  EXPECT_EQ(block.size(), argument_bytes(layer));
  EXPECT_THAT(axes_of(block, 0), ElementsAre(1, 2, 3, 5, 16, 576, 288, 96, 16, 1));
  EXPECT_THAT(axes_of(block, 1), ElementsAre(256, 1));
  EXPECT_EQ(axes_of(block, 2), axes_of(block, 0));
}

TEST(PlanDsp, rows_of_channels_are_pixels_in_both_forms) {
  DspLayer layer;
  layer.inputs = {{0, Cut::kRows, ir::DType::kInt8, {10}, false, DspOperand::Blocks::kRows, true}};
  layer.outputs = {
      {1, Cut::kRows, ir::DType::kInt8, {10}, false, DspOperand::Blocks::kRows, false}};
  layer.rows = 15, layer.columns = 5;
  const auto block = argument_block(layer, 15, {view_of(3, 5, 1)});
  EXPECT_EQ(block.size(), argument_bytes(layer));
  EXPECT_THAT(axes_of(block, 0), ElementsAre(3, 5, 10, 96, 16, 1));
  EXPECT_THAT(axes_of(block, 1), ElementsAre(3, 5, 10, 50, 10, 1));
}

TEST(PlanDsp, what_is_stored_costs_no_bytes_and_no_transfers_and_the_host_has_to_move_it) {
  const SocConfig config;
  DspLayer moved = layer_of(400);
  moved.host_kernel = "k";
  DspLayer stored = moved;
  stored.inputs.front().stored = stored.outputs.front().stored = true;
  const DspChoice choice = choose_dsp(stored, moved_operands(stored), 1 << 20, config);
  EXPECT_EQ(choice.tiles, 1);
  EXPECT_EQ(choice.moved, 0u);
  EXPECT_EQ(choice.bytes, dsp_parameter_block(stored, 1).bytes + 32);  // scratch
  EXPECT_LT(dsp_cycles(stored, moved_operands(stored), config),
            dsp_cycles(moved, moved_operands(moved), config));
  EXPECT_GT(host_cycles(stored, moved_operands(stored), true, config),
            host_cycles(moved, moved_operands(moved), true, config));
}

TEST(PlanDsp, the_host_waits_for_an_interrupt_where_an_engine_makes_what_it_reads) {
  SocConfig config;
  config.host.cycles_interrupt = 321;
  DspLayer layer = layer_of(400);
  layer.host_kernel = "k";
  const MovedOperands moved = moved_operands(layer);
  EXPECT_EQ(host_cycles(layer, moved, true, config),
            host_cycles(layer, moved, false, config) + 321);
}

TEST(PlanDsp, a_region_table_says_space_rights_and_tensor) {
  const std::vector<uint8_t> table =
      region_table({{kSram, 0x40, 10, true, false, 7}, {region_space(3), 5, 9, true, true, -1}});
  ASSERT_EQ(table.size(), 2 * sizeof(presil_dsp_region));
  const auto first = at<presil_dsp_region>(table, 0);
  EXPECT_EQ(first.offset, 0x40u);
  EXPECT_EQ(first.bytes, 10u);
  EXPECT_EQ(first.what, PRESIL_DSP_REGION_SPACE_SRAM | PRESIL_DSP_REGION_READ | 7u << 16);
  EXPECT_EQ(first.reserved, 0u);
  const auto second = at<presil_dsp_region>(table, sizeof first);
  EXPECT_EQ(second.what, 3u | PRESIL_DSP_REGION_READ | PRESIL_DSP_REGION_WRITE | 0xffffu << 16);
}

TEST(PlanDsp, a_region_beyond_4_gib_is_refused) {
  try {
    region_table({{region_space(3), 0xfffffff0u, 32, true, false, 1}});
    FAIL() << "accepted";
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), testing::HasSubstr("a region table has 4 GiB"));
  }
}

TEST(PlanDsp, tiles_are_even_and_have_two_tables_and_one_for_the_rest) {
  const DspLayer layer = layer_of(10);
  EXPECT_EQ(rows_of_tile(layer, 4), 3);
  const DspParameterBlock even = dsp_parameter_block(layer, 5),
                          rest = dsp_parameter_block(layer, 4);
  EXPECT_EQ(even.args, even.last_args);
  EXPECT_THAT(even.constants, ElementsAre(0, 0, 16));
  EXPECT_EQ(even.bytes - even.tables, 2 * even.table_bytes);
  EXPECT_EQ(rest.last_args - rest.args, argument_bytes(layer));
  EXPECT_EQ(rest.bytes - rest.tables, 3 * rest.table_bytes);
  EXPECT_EQ(rest.table(3, false), rest.tables + 2 * rest.table_bytes);
  EXPECT_EQ(rest.table(2, true), rest.tables);
}

/// Rows of an image of 9 by windows of 3, every 2, one row of margin; {pad, rows of x} and params.
TEST(PlanDsp, a_tile_of_an_image_has_the_rows_that_its_windows_cover) {
  DspLayer layer = layer_of(5);
  layer.inputs.front().cut = Cut::kWindow;
  layer.inputs.front().image = layer.outputs.front().image = true;
  layer.params = std::vector<uint8_t>(12, 0);
  layer.window = {2, 3, 1, 9, 8};
  const auto rows = [&](int64_t first, int64_t count) {
    const OperandRows own = operand_rows(layer, layer.inputs.front(), first, count);
    return std::make_pair(own.first, own.count);
  };
  EXPECT_EQ(rows(0, 5), std::make_pair(int64_t{0}, int64_t{9}));
  EXPECT_EQ(rows(0, 2), std::make_pair(int64_t{0}, int64_t{4}));
  EXPECT_EQ(rows(2, 2), std::make_pair(int64_t{3}, int64_t{5}));
  EXPECT_EQ(rows(4, 1), std::make_pair(int64_t{7}, int64_t{2}));
  EXPECT_EQ(most_bytes(layer, layer.inputs.front(), 2), 5u * 5);
  for (const int64_t first : {0, 2}) {
    const auto block = argument_block(layer, 2, {}, first);
    EXPECT_THAT(axes_of(block, 0),
                ElementsAre(1, first == 0 ? 4 : 5, 5, first == 0 ? 20 : 25, 5, 1));
    EXPECT_THAT(axes_of(block, 2), ElementsAre(1, 2, 3, 6, 3, 1));
    const auto header = at<presil_dsp_header>(block, 0);
    EXPECT_EQ(at<int32_t>(block, header.params_offset + 8), first == 0 ? 1 : 0);
  }
  const DspParameterBlock parameter_block = dsp_parameter_block(layer, 3);
  EXPECT_EQ(parameter_block.tables - parameter_block.args, 3 * argument_bytes(layer));
  EXPECT_EQ(parameter_block.arguments(2, false), parameter_block.args + 2 * argument_bytes(layer));
  EXPECT_EQ(parameter_block.bytes - parameter_block.tables, 3 * parameter_block.table_bytes);
}

TEST(PlanDsp, weights_laid_out_anew_say_so_by_their_strides) {
  DspLayer layer = layer_of(4);
  layer.inputs[1].strides = {1, 2};
  EXPECT_THAT(axes_of(argument_block(layer, 4), 1), ElementsAre(2, 2, 1, 2));
  layer.by_row = true;
  layer.inputs[0].shape = {1, 5};
  EXPECT_THAT(axes_of(argument_block(layer, 1), 0), ElementsAre(1, 5, 5, 1));
  EXPECT_EQ(choose_dsp(layer, moved_operands(layer), 1 << 20, SocConfig{}).tiles, 4);
}

TEST(PlanDsp, a_part_of_what_stays_in_the_sram_is_another_place_for_each_tile) {
  const DspLayer layer = layer_of(10);
  MovedOperands moved = moved_operands(layer);
  EXPECT_FALSE(dsp_parameter_block(layer, moved, 4).table_by_tile);
  moved.back() = false;
  const DspParameterBlock parameter_block = dsp_parameter_block(layer, moved, 4);
  EXPECT_EQ(parameter_block.bytes - parameter_block.tables, 4 * parameter_block.table_bytes);
  EXPECT_EQ(parameter_block.table(2, true),
            parameter_block.tables + 2 * parameter_block.table_bytes);
  EXPECT_EQ(parameter_block.table(3, false),
            parameter_block.tables + 3 * parameter_block.table_bytes);
}

TEST(PlanDsp, less_room_makes_more_tiles_until_a_row_does_not_fit) {
  const SocConfig config;
  const DspLayer layer = layer_of(4000);
  int64_t before = 0;
  for (const uint64_t budget : {1u << 20, 64u << 10, 16u << 10, 4u << 10, 1u << 10}) {
    const DspChoice choice = choose_dsp(layer, moved_operands(layer), budget, config);
    EXPECT_GE(choice.tiles, before) << budget;
    EXPECT_LE(choice.bytes, budget);
    before = choice.tiles;
  }
  EXPECT_GT(before, 10);
  EXPECT_EQ(choose_dsp(layer, moved_operands(layer), 256, config).tiles, 0);
}

TEST(PlanDsp, a_layer_with_a_whole_result_is_not_cut) {
  DspLayer layer = layer_of(4000);
  layer.outputs.front().cut = Cut::kWhole;
  EXPECT_EQ(choose_dsp(layer, moved_operands(layer), 1 << 20, SocConfig{}).tiles, 1);
  EXPECT_EQ(choose_dsp(layer, moved_operands(layer), 4 << 10, SocConfig{}).tiles, 0);
}

}  // namespace
}  // namespace presil::plan
