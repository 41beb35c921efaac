#include <gtest/gtest.h>

#include <numeric>

#include "compiler_bridge/plan/pack.h"

namespace presil::plan {
namespace {

/// 17 output channels, 3 input channels, 2 x 1 kernel; weight of (k, ky, c) is 10 * ky + c + k.
layer::DlaLayer small_conv() {
  layer::DlaLayer layer;
  layer.in_c = 3, layer.out_c = 17, layer.kernel_h = 2, layer.kernel_w = 1;
  layer.weight_zero = 7;
  std::vector<int8_t> weights;
  for (int k = 0; k < 17; ++k) {
    for (int ky = 0; ky < 2; ++ky) {
      for (int c = 0; c < 3; ++c) weights.push_back(static_cast<int8_t>(10 * ky + c + k));
    }
    layer.bias.push_back(0x01020304 + k);
    layer.multiplier.push_back(k);
    layer.shift.push_back(static_cast<int8_t>(-k));
  }
  layer.weights = weights;
  return layer;
}

TEST(PlanPack, convolution_sets_are_in_loop_order_with_the_zero_point_in_padding_lanes) {
  const layer::DlaLayer layer = small_conv();
  const DlaConfig config;
  const std::vector<plan::Run> run = {{0, 2, 0, 1, 0}};
  const ParameterBlock parameter_block = parameter_block_of(layer, false, run, config);
  const RunParameterBlock& shape = parameter_block.runs.at(0);
  // 2 x 144 B of parameters; [kb 2][cb 1][ky 2][kx 1] sets of 256 B.
  EXPECT_EQ(shape.weights, 288u);
  EXPECT_EQ(shape.cb_pitch, 512u);
  EXPECT_EQ(shape.kb_pitch, 512u);
  EXPECT_EQ(parameter_block.bytes, 288u + 1024u);
  const auto bytes =
      pack_parameter_block(layer, false, Lanes::dense(3), Lanes::dense(17), run, config);
  ASSERT_EQ(bytes.size(), parameter_block.bytes);
  const auto weight = [&](int kb, int ky, int k, int c) {
    return static_cast<int8_t>(bytes[size_t(288 + kb * 512 + ky * 256 + k * 16 + c)]);
  };
  EXPECT_EQ(weight(0, 0, 5, 2), 7);  // 0 + 2 + 5
  EXPECT_EQ(weight(0, 1, 5, 2), 17);
  EXPECT_EQ(weight(1, 1, 0, 0), 26);  // channel 16
  EXPECT_EQ(weight(0, 0, 5, 3), 7);   // no such input channel: the zero point
  EXPECT_EQ(weight(1, 0, 1, 0), 7);   // no such output channel
}

TEST(PlanPack, parameters_are_bias_multiplier_shift_of_16_channels) {
  const auto bytes = pack_parameter_block(small_conv(), false, Lanes::dense(3), Lanes::dense(17),
                                          {{0, 2, 0, 1, 0}}, DlaConfig{});
  EXPECT_EQ(bytes[0], 4);
  EXPECT_EQ(bytes[3], 1);           // bias of channel 0, little-endian
  EXPECT_EQ(bytes[64 + 4 * 9], 9);  // multiplier of channel 9
  EXPECT_EQ(static_cast<int8_t>(bytes[128 + 9]), -9);
  EXPECT_EQ(bytes[144 + 64], 16);     // channel 16 is lane 0 of block 1
  EXPECT_EQ(bytes[144 + 64 + 4], 0);  // padding lanes hold nothing
}

TEST(PlanPack, a_range_of_blocks_is_a_part_of_the_whole) {
  const layer::DlaLayer layer = small_conv();
  const auto whole = pack_parameter_block(layer, false, Lanes::dense(3), Lanes::dense(17),
                                          {{0, 2, 0, 1, 0}}, DlaConfig{});
  const auto second = pack_parameter_block(layer, false, Lanes::dense(3), Lanes::dense(17),
                                           {{1, 2, 0, 1, 0}}, DlaConfig{});
  EXPECT_TRUE(std::equal(second.begin(), second.begin() + 144, whole.begin() + 144));
  EXPECT_TRUE(std::equal(second.begin() + 144, second.end(), whole.begin() + 288 + 512));
}

TEST(PlanPack, input_channels_follow_the_lanes_of_a_concatenation) {
  // channel 0 in lane 0, channels 1 and 2 in lanes 16 and 17
  Lanes in = Lanes::dense(1);
  in.append(Lanes::dense(2));
  ASSERT_EQ(in.blocks(), 2);
  const auto bytes = pack_parameter_block(small_conv(), false, in, Lanes::dense(17),
                                          {{0, 1, 0, 2, 0}}, DlaConfig{});
  const auto weight = [&](int cb, int ky, int k, int c) {
    return static_cast<int8_t>(bytes[size_t(144 + cb * 512 + ky * 256 + k * 16 + c)]);
  };
  EXPECT_EQ(weight(0, 0, 4, 0), 4);
  EXPECT_EQ(weight(0, 0, 4, 1), 7);   // padding between the parts
  EXPECT_EQ(weight(1, 1, 4, 1), 16);  // channel 2: 10 + 2 + 4
}

TEST(PlanPack, packed_lanes_hold_kernel_columns_times_channels) {
  layer::DlaLayer layer;
  layer.in_c = 3, layer.out_c = 1, layer.kernel_h = 1, layer.kernel_w = 7;  // 21 lanes: 2 chunks
  std::vector<int8_t> weights(21);
  std::iota(weights.begin(), weights.end(), int8_t{1});
  layer.weights = weights;
  layer.bias = {0}, layer.multiplier = {0}, layer.shift = {0};
  const auto bytes = pack_parameter_block(layer, true, Lanes::dense(3), Lanes::dense(1),
                                          {{0, 1, 0, 1, 0}}, DlaConfig{});
  ASSERT_EQ(bytes.size(), 144u + 2 * 256u);
  EXPECT_EQ(bytes[144 + 15], 16);
  EXPECT_EQ(bytes[144 + 256 + 4], 21);  // the last tap
  EXPECT_EQ(bytes[144 + 256 + 5], 0);   // beyond the kernel
}

TEST(PlanPack, depthwise_taps_lie_at_the_right_of_the_window) {
  layer::DlaLayer layer;
  layer.op = dla::Op::kDwconv;
  layer.in_c = layer.out_c = 1, layer.kernel_h = layer.kernel_w = 3;
  layer.weights = std::vector<int8_t>{1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto bytes = pack_parameter_block(layer, false, Lanes::dense(1), Lanes::dense(1),
                                          {{0, 1, 0, 1, 0}}, DlaConfig{});
  // tap (r, x) of 3 columns is lane 4 r + 1 + x
  EXPECT_EQ(bytes[144 + 0], 0);
  EXPECT_EQ(bytes[144 + 1], 1);
  EXPECT_EQ(bytes[144 + 3], 3);
  EXPECT_EQ(bytes[144 + 5], 4);
  EXPECT_EQ(bytes[144 + 11], 9);
}

TEST(PlanPack, a_wider_array_takes_two_blocks_in_a_set) {
  DlaConfig config;
  config.macs_k = config.macs_c = 32;
  const auto bytes = pack_parameter_block(small_conv(), false, Lanes::dense(3), Lanes::dense(17),
                                          {{0, 2, 0, 1, 0}}, config);
  // parameters of 32 channels, then [kb 1][cb 1][ky 2] sets of 32 x 32
  ASSERT_EQ(bytes.size(), 288u + 2 * 1024u);
  EXPECT_EQ(bytes[288 + 1024 + 16 * 32 + 2], 28);  // ky 1, channel 16, input channel 2
}

/// 2 groups of 24 channels, 1x1; weight of (k, c of the group) is 2 c + k, modulo 128.
layer::DlaLayer two_groups() {
  layer::DlaLayer layer;
  std::vector<int8_t> weights;
  layer.in_c = layer.out_c = 48, layer.groups = 2, layer.weight_zero = -1;
  for (int k = 0; k < 48; ++k) {
    for (int c = 0; c < 24; ++c) weights.push_back(static_cast<int8_t>((2 * c + k) % 128));
    layer.bias.push_back(k), layer.multiplier.push_back(k), layer.shift.push_back(0);
  }
  layer.weights = weights;
  return layer;
}

TEST(PlanPack, weights_of_a_group_lie_in_the_lanes_of_its_channels_runs_one_after_another) {
  // block 0: group 0, channels 0..23; block 1: both groups; block 2: group 1, channels 24..47
  const std::vector<plan::Run> runs = {{0, 1, 0, 2, 0}, {1, 2, 0, 3, 0}, {2, 3, 1, 2, 0}};
  const layer::DlaLayer layer = two_groups();
  const ParameterBlock parameter_block = parameter_block_of(layer, false, runs, DlaConfig{});
  const uint32_t params = 3 * 144;
  EXPECT_EQ(parameter_block.runs[1].params, 144u);
  EXPECT_EQ(parameter_block.runs[0].weights, params);
  EXPECT_EQ(parameter_block.runs[1].weights, params + 2 * 256);
  EXPECT_EQ(parameter_block.runs[2].weights, params + 5 * 256);
  const Lanes lanes = Lanes::dense(48);
  const auto bytes = pack_parameter_block(layer, false, lanes, lanes, runs, DlaConfig{});
  ASSERT_EQ(bytes.size(), params + 7 * 256);
  for (size_t r = 0; r < 3; ++r) {
    for (int k = 0; k < 16; ++k) {
      for (int lane = 0; lane < 16 * runs[r].in_blocks; ++lane) {
        const int out = 16 * runs[r].b0 + k, in = 16 * runs[r].c0 + lane;
        const bool same_group = out / 24 == in / 24;
        const size_t set = parameter_block.runs[r].weights + size_t(lane / 16) * 256;
        EXPECT_EQ(static_cast<int8_t>(bytes[set + size_t(k * 16 + lane % 16)]),
                  same_group ? (2 * (in % 24) + out) % 128 : -1)
            << out << " from " << in;
      }
    }
  }
}

TEST(PlanPack, a_run_that_steps_holds_what_its_blocks_read_and_no_more) {
  layer::DlaLayer layer = two_groups();  // as 3 groups of 16
  layer.groups = 3;
  layer.weights = std::vector<int8_t>(layer.weights.data(), layer.weights.data() + 48 * 16);
  const Lanes lanes = Lanes::dense(48);
  const auto bytes =
      pack_parameter_block(layer, false, lanes, lanes, {{0, 3, 0, 1, 1}}, DlaConfig{});
  ASSERT_EQ(bytes.size(), 3u * 144 + 3 * 256);
  for (size_t i = 0; i < 48 * 16; ++i) {
    EXPECT_EQ(static_cast<int8_t>(bytes[3 * 144 + i]), layer.weights[i]);
  }
}

}  // namespace
}  // namespace presil::plan
