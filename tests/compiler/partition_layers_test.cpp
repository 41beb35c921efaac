// What becomes one layer, and that its integers are right: graphs as text, every tensor compared
// under both rule sets.
#include <gmock/gmock.h>

#include "compiler_bridge/layer/dma_layer.h"
#include "compiler_bridge/layer/in_place_layer.h"
#include "driver/kernels/host/kernels.h"
#include "models/base/refusal.h"
#include "tests/compiler/partition_check.h"

namespace presil::partition {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(PartitionConvolution, padding_stride_dilation_and_clamp_are_the_command_s) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,9,8,5] q(0.5, -3)
    const %w : int8[7,3,2,5] q([0.01, 0.02, 0.03, 0.005, 0.01, 0.02, 0.04], 0, axis=0) = random 7
    const %b : int32[7] = random 8
    %y "net/first/BiasAdd" = conv2d(%x, %w, %b) {stride_h=2, stride_w=1, dilation_h=2, dilation_w=3, pad_top=2, pad_left=1, pad_bottom=2, pad_right=2, act=relu6} from [0] : int8[1,5,8,7] q(0.05, -128)
    output %y
  })");
  ASSERT_THAT(p.layers(), ElementsAre("first: conv2d"));
  const layer::DlaLayer& layer = p.dla(0);
  EXPECT_EQ(layer.pad_value, -3);
  EXPECT_EQ(layer.act_min, -128);
  EXPECT_EQ(layer.act_max, -8);  // -128 + 6 / 0.05
  EXPECT_EQ(layer.stride_y, 2);
  EXPECT_EQ(layer.dil_x, 3);
  EXPECT_EQ(p.partition.layers[0].macs, 5u * 8 * 7 * 3 * 2 * 5);
}

TEST(PartitionConvolution, one_weight_scale_and_no_bias_serve_every_channel) {
  expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,4,3] q(0.5, 12)
    const %w : int8[2,3,3,3] q(0.02, 0) = random 7
    %y = conv2d(%x, %w) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} : int8[1,4,4,2] q(1.5, 7)
    output %y
  })");
}

TEST(PartitionConvolution, table_add_and_upsampling_join_in_that_order) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,6,6,4] q(0.5, -3)
    input %r : int8[1,6,6,8] q(0.3, 5)
    const %w : int8[8,1,1,4] q(0.02, 0) = random 7
    %a = conv2d(%x, %w) : int8[1,6,6,8] q(0.8, 4)
    %l = leaky_relu(%a) {alpha=0.1} : int8[1,6,6,8] q(0.7, -20)
    %s = add(%r, %l) {act=relu} : int8[1,6,6,8] q(0.75, -90)
    %u = resize_nearest(%s) : int8[1,12,12,8] q(0.75, -90)
    output %u
  })");
  ASSERT_THAT(p.layers(), ElementsAre("a: conv2d+leaky_relu+add+resize_nearest"));
  EXPECT_TRUE(p.dla(0).upsample2);
  EXPECT_EQ(p.dla(0).ew.operand, p.imported.inputs[1]);
  EXPECT_EQ(p.partition.placements[2].reason(), "fused into conv2d 'a'");
  EXPECT_EQ(p.partition.placements[2].engine, "dla");
}

TEST(PartitionConvolution, a_result_that_others_read_too_is_not_fused_away) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,4,4] q(0.5, -3)
    const %w : int8[4,1,1,4] q(0.02, 0) = random 7
    %a = conv2d(%x, %w) : int8[1,4,4,4] q(0.8, 4)
    %l = leaky_relu(%a) {alpha=0.1} : int8[1,4,4,4] q(0.7, -20)
    %m = max_pool2d(%a) {kernel_h=2, kernel_w=2} : int8[1,3,3,4] q(0.8, 4)
    output %l, %m
  })");
  EXPECT_THAT(p.layers(), ElementsAre("a: conv2d", "l: leaky_relu", "m: max_pool2d"));
}

TEST(PartitionConvolution, an_output_of_the_graph_is_not_fused_away) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,4,4] q(0.5, -3)
    const %w : int8[4,1,1,4] q(0.02, 0) = random 7
    %a = conv2d(%x, %w) : int8[1,4,4,4] q(0.8, 4)
    %l = leaky_relu(%a) {alpha=0.1} : int8[1,4,4,4] q(0.7, -20)
    output %l, %a
  })");
  EXPECT_THAT(p.layers(), ElementsAre("a: conv2d", "l: leaky_relu"));
}

// The projection comes later in the file, yet the 3x3 convolution has nine times the work.
TEST(PartitionPool, averages_divide_exactly_and_maxima_pass) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,9,9,6] q(0.5, -3)
    %m = max_pool2d(%x) {kernel_h=3, kernel_w=2, stride_h=1, stride_w=1, pad_top=1, pad_left=1, pad_bottom=1, pad_right=0, act=relu} : int8[1,9,9,6] q(0.5, -3)
    %a = average_pool2d(%m) {kernel_h=3, kernel_w=3, stride_h=2, stride_w=3} : int8[1,4,3,6] q(0.5, -3)
    %g = average_pool2d(%a) {kernel_h=4, kernel_w=3, stride_h=9, stride_w=9} : int8[1,1,1,6] q(0.5, -3)
    output %g
  })");
  ASSERT_THAT(p.layers(), ElementsAre("m: max_pool2d", "a: average_pool2d", "g: average_pool2d"));
  EXPECT_EQ(p.dla(2).stride_y, 1);  // one row: a stride of 9 is never walked
  EXPECT_EQ(p.dla(2).div_count, 12u);
  EXPECT_EQ(p.dla(2).div_recip, 357913942u);  // floor(2^32 / 12) + 1
}

TEST(PartitionPool, ties_go_up_by_a_lift_of_every_tap) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,6,6] q(0.5, -3)
    %a = average_pool2d(%x) {kernel_h=2, kernel_w=3, stride_w=3, ties_up=true, act=relu} : int8[1,3,2,6] q(0.5, -3)
    output %a
  })");
  EXPECT_EQ(p.dla(0).bias[0], 6 * 128);
  EXPECT_EQ(p.dla(0).out_zero, -128);
}

TEST(PartitionPool, averages_at_the_border_are_of_the_taps_inside) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,5,6,6] q(0.5, -3)
    %a = average_pool2d(%x) {kernel_h=3, kernel_w=2, stride_h=1, stride_w=2, pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} : int8[1,5,4,6] q(0.5, -3)
    output %a
  })");
  EXPECT_TRUE(p.dla(0).divide_inside);
  EXPECT_EQ(p.dla(0).pad_top, 1);
}

TEST(PartitionDepthwise, table_and_add_join_it_as_a_convolution) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,9,8,3] q(0.5, -3)
    input %r : int8[1,5,8,3] q(0.3, 5)
    const %w : int8[1,5,2,3] q([0.01, 0.02, 0.03], 0, axis=3) = random 7
    const %b : int32[3] = random 8
    %a = depthwise_conv2d(%x, %w, %b) {stride_h=2, dilation_w=3, pad_top=2, pad_left=2, pad_bottom=2, pad_right=1, act=relu6} : int8[1,5,8,3] q(0.05, -128)
    %l = leaky_relu(%a) {alpha=0.1} : int8[1,5,8,3] q(0.07, -20)
    %s = add(%r, %l) : int8[1,5,8,3] q(0.75, -90)
    output %s
  })");
  ASSERT_THAT(p.layers(), ElementsAre("a: depthwise_conv2d+leaky_relu+add"));
  const layer::DlaLayer& layer = p.dla(0);
  EXPECT_EQ(layer.op, dla::Op::kDwconv);
  EXPECT_EQ(layer.pad_value, -3);
  EXPECT_EQ(p.partition.layers[0].macs, 5u * 8 * 3 * 10);
}

TEST(PartitionDepthwise, filters_of_one_channel_are_a_convolution) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,6,6,1] q(0.5, -3)
    const %w : int8[1,3,3,8] q([0.02, 0.01, 0.02, 0.03, 0.02, 0.02, 0.01, 0.02], 0, axis=3) = random 7
    %y = depthwise_conv2d(%x, %w) {stride_h=2, stride_w=2, pad_bottom=1, pad_right=1, multiplier=8, act=relu} : int8[1,3,3,8] q(0.4, -100)
    output %y
  })");
  EXPECT_EQ(p.dla(0).op, dla::Op::kConv);
}

// Several filters a channel: as many groups as channels. One filter each: the tap window.
TEST(PartitionConvolution, groups_are_one_layer_with_the_weights_of_the_file) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,6,5,6] q(0.5, -3)
    const %w : int8[4,2,3,3] q([0.02, 0.01, 0.02, 0.03], 0, axis=0) = random 7
    const %d : int8[1,3,3,8] q(0.02, 0) = random 5
    %y = conv2d(%x, %w) {groups=2, pad_left=1, pad_right=1} : int8[1,5,5,4] q(0.9, 10)
    %z = depthwise_conv2d(%y, %d) {stride_w=2, pad_top=1, multiplier=2} : int8[1,4,2,8] q(0.9, 1)
    const %v : int8[8,3,3,1] q(0.02, 4) = random 6
    %t = conv2d(%z, %v) {groups=8, pad_top=2, pad_left=2} : int8[1,4,2,8] q(0.9, 1)
    output %t
  })");
  ASSERT_THAT(p.layers(), ElementsAre("y: conv2d", "z: depthwise_conv2d", "t: conv2d"));
  EXPECT_EQ(p.dla(0).weights.size(), 4u * 2 * 3 * 3);
  EXPECT_EQ(p.dla(0).groups, 2);
  EXPECT_EQ(p.dla(1).groups, 4);
  EXPECT_EQ(p.dla(1).op, dla::Op::kConv);
  EXPECT_EQ(p.dla(2).op, dla::Op::kDwconv);
  EXPECT_EQ(p.partition.layers[0].macs, 5u * 5 * 4 * 18);
}

TEST(PartitionPad, a_margin_that_no_window_takes_is_a_pass) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,3,4,5] q(0.5, -3)
    %p = pad(%x) {before=[0,2,0,0], after=[0,1,3,0], value=9} : int8[1,6,7,5] q(0.5, -3)
    %y = leaky_relu(%p) {alpha=0.1} : int8[1,6,7,5] q(0.7, -20)
    output %y
  })");
  ASSERT_THAT(p.layers(), ElementsAre("p: pad+leaky_relu"));
  EXPECT_EQ(p.dla(0).pad_top, 2);
  EXPECT_EQ(p.dla(0).pad_value, 9);
}

TEST(PartitionMean, over_rows_and_columns_is_a_sum_with_a_scale) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,7,5,20] q(0.5, -3)
    %m = mean(%x) {axes=[1,2], keep_dims=true} : int8[1,1,1,20] q(0.2, 3)
    %n = mean(%x) {axes=[1,2]} : int8[1,20] q(0.7, -8)
    output %m, %n
  })");
  ASSERT_THAT(p.layers(), ElementsAre("m: mean", "n: mean"));
  EXPECT_EQ(p.dla(0).op, dla::Op::kSumpool);
  EXPECT_EQ(p.dla(0).rule, dla::Rule::kDouble);
  EXPECT_EQ(p.dla(0).bias[19], 3 * 35);
}

// Weights of 1 for each of the channels; their zero points, 20 times 3, are the bias.
TEST(PartitionMean, over_channels_is_a_product_by_ones) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,7,5,20] q(0.5, -3)
    %m = mean(%x) {axes=[3], keep_dims=true} : int8[1,7,5,1] q(0.2, 3)
    output %m
  })");
  ASSERT_THAT(p.layers(), ElementsAre("m: mean"));
  EXPECT_EQ(p.dla(0).op, dla::Op::kConv);
  EXPECT_EQ(p.dla(0).kernel_h, 1);
  EXPECT_EQ(p.dla(0).kernel_w, 1);
  EXPECT_EQ(p.dla(0).out_c, 1);
  ASSERT_EQ(p.dla(0).weights.size(), 20u);
  for (size_t i = 0; i < 20; ++i) EXPECT_EQ(p.dla(0).weights[i], 1);
  EXPECT_THAT(p.dla(0).bias, ElementsAre(60));
}

TEST(PartitionReduce, sums_are_means_without_a_count_and_the_largest_is_a_pool) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,7,5,20] q(0.5, -3)
    %s = sum(%x) {axes=[1,2]} : int8[1,20] q(5, 4)
    %m = reduce_max(%x) {axes=[1,2], keep_dims=true} : int8[1,1,1,20] q(0.5, -3)
    output %s, %m
  })");
  ASSERT_THAT(p.layers(), ElementsAre("s: sum", "m: reduce_max"));
  EXPECT_EQ(p.dla(0).op, dla::Op::kSumpool);
  EXPECT_EQ(p.dla(0).rule, dla::Rule::kDouble);
  EXPECT_EQ(p.dla(1).op, dla::Op::kMaxpool);
  EXPECT_EQ(p.dla(1).kernel_h, 7);
}

TEST(PartitionDense, a_flattened_image_is_one_kernel_as_large_as_it) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,3,5] q(0.5, -3)
    const %w : int8[7,60] q(0.02, 0) = random 7
    const %b : int32[7] = random 5
    %f = reshape(%x) : int8[1,60] q(0.5, -3)
    %y = fully_connected(%f, %w, %b) {act=relu} : int8[1,7] q(1.5, -100)
    output %y
  })");
  ASSERT_THAT(p.layers(), ElementsAre("y: fully_connected"));
  EXPECT_EQ(p.dla(0).kernel_h, 4);
  EXPECT_EQ(p.dla(0).kernel_w, 3);
  EXPECT_EQ(p.dla(0).input, p.imported.inputs[0]);
  EXPECT_EQ(p.partition.placements[0].reason(), "fused into fully_connected 'y'");
}

TEST(PartitionDense, rows_are_pixels_and_long_images_become_rows_by_a_view) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,20,3,2] q(0.5, -3)
    const %w : int8[7,120] q([0.02, 0.02, 0.02, 0.01, 0.02, 0.02, 0.02], 0, axis=0) = random 7
    const %v : int8[4,7] q(0.02, 0) = random 8
    %f = reshape(%x) : int8[1,120] q(0.5, -3)
    %y = fully_connected(%f, %w) : int8[1,7] q(1.5, -10)
    %z = fully_connected(%y, %v) : int8[1,4] q(1.5, 0)
    output %z
  })");
  EXPECT_THAT(p.layers(), ElementsAre("f: reshape", "y: fully_connected", "z: fully_connected"));
  expect_exact(R"(graph "g" tflite {
    input %x : int8[6,5] q(0.5, -3)
    const %w : int8[7,5] q(0.02, 0) = random 7
    %y = fully_connected(%x, %w) : int8[6,7] q(1.5, -10)
    output %y
  })");
}

TEST(PartitionConcat, inputs_made_by_the_dla_are_written_side_by_side) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,4,4] q(0.5, -3)
    const %w : int8[3,1,1,4] q(0.02, 0) = random 7
    const %v : int8[5,1,1,4] q(0.02, 0) = random 8
    const %u : int8[2,1,1,8] q(0.02, 0) = random 9
    %a = conv2d(%x, %w) : int8[1,4,4,3] q(0.8, 4)
    %b = conv2d(%x, %v) {act=relu} : int8[1,4,4,5] q(0.8, 4)
    %c = concat(%a, %b) {axis=3} : int8[1,4,4,8] q(0.8, 4)
    %d = conv2d(%c, %u) : int8[1,4,4,2] q(0.8, 4)
    output %d
  })");
  EXPECT_THAT(p.layers(), ElementsAre("a: conv2d", "b: conv2d", "c: concat", "d: conv2d"));
  EXPECT_EQ(p.partition.placements[2].engine, "dla");
}

TEST(PartitionConcat, what_cannot_be_written_in_place_is_copied_or_requantised_there) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,4,4] q(0.5, -3)
    const %w : int8[3,1,1,4] q(0.02, 0) = random 7
    %a = conv2d(%x, %w) : int8[1,4,4,3] q(0.5, -3)
    %b = conv2d(%x, %w) : int8[1,4,4,3] q(0.9, 7)
    %c = concat(%a, %x, %b, %a) {axis=3} : int8[1,4,4,13] q(0.5, -3)
    output %c
  })");
  // a in place; the graph's input copied; b through a table where it is made; the second a copied
  EXPECT_THAT(p.layers(), ElementsAre("a: conv2d", "b: conv2d+quantize", "c: copy", "c#2: copy",
                                      "c#3: concat"));
  const auto& concat = *p.partition.layers[4].work.as<layer::InPlaceLayer>();
  EXPECT_EQ(origin(p.imported, concat.inputs[1]), ir::kAbsent);
}

TEST(PartitionResize, alone_it_is_a_pass_and_other_sizes_go_to_the_host) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,3,4,5] q(0.5, -3)
    %a = resize_nearest(%x) {half_pixel_centers=true} : int8[1,6,8,5] q(0.5, -3)
    %b = resize_nearest(%a) : int8[1,9,8,5] q(0.5, -3)
    output %a, %b
  })");
  EXPECT_THAT(p.layers(), ElementsAre("a: resize_nearest", "b: resize_nearest"));
  EXPECT_TRUE(p.dla(0).upsample2);
  EXPECT_THAT(p.partition.placements[1].reason(), HasSubstr("exactly twice the rows and columns"));
}

TEST(PartitionHost, every_kernel_gets_tensors_and_attributes_in_its_order) {
  expect_exact(R"(graph "g" tflite {
    input %x : int8[1,6,6,4] q(0.5, -3)
    const %dw : int8[1,3,3,8] q([0.02, 0.01, 0.02, 0.03, 0.02, 0.02, 0.01, 0.02], 0, axis=3) = random 7
    const %db : int32[8] = random 6
    const %gw : int8[4,3,3,4] q(0.02, 0) = random 5
    %d = depthwise_conv2d(%x, %dw, %db) {stride_h=1, stride_w=2, pad_top=1, pad_bottom=1, pad_left=1, pad_right=0, multiplier=2, act=relu} : int8[1,6,3,8] q(0.4, -100)
    %c = conv2d(%d, %gw) {groups=2, pad_top=1, pad_bottom=1, pad_left=1, pad_right=1} : int8[1,6,3,4] q(1.4, 10)
    %p = pad(%c) {before=[0,1,0,1], after=[0,0,2,0], value=-7} : int8[1,7,5,5] q(1.4, 10)
    %m = mean(%p) {axes=[1,2], keep_dims=true} : int8[1,1,1,5] q(0.7, 3)
    %n = mean(%p) {axes=[3], keep_dims=false} : int8[1,7,5] q(0.9, 3)
    %t = transpose(%n) {perm=[2,0,1]} : int8[5,1,7] q(0.9, 3)
    %s = strided_slice(%t) {begin=[3,0,6], size=[2,1,3], step=[-2,1,-2]} : int8[2,3] q(0.9, 3)
    %f = softmax(%s) {beta=0.7} : int8[2,3] q(0.00390625, -128)
    %r = reshape(%f) : int8[6] q(0.00390625, -128)
    %q = dequantize(%r) : float32[6]
    %u = quantize(%q) : uint8[6] q(0.005, 3)
    %v = quantize(%u) : int8[6] q(0.007, -30)
    %b = resize_bilinear(%p) {half_pixel_centers=true} : int8[1,11,10,5] q(1.4, 10)
    output %m, %v, %b, %r
  })");
}

TEST(PartitionConv, several_images_are_convolved_one_after_another) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[2,6,6,4] q(0.5, -3)
    const %dw : int8[1,3,3,8] q([0.02, 0.01, 0.02, 0.03, 0.02, 0.02, 0.01, 0.02], 0, axis=3) = random 7
    const %gw : int8[4,3,3,4] q(0.02, 0) = random 5
    %d = depthwise_conv2d(%x, %dw) {stride_h=1, stride_w=2, pad_top=1, pad_bottom=1, pad_left=1, pad_right=0, multiplier=2, act=relu} : int8[2,6,3,8] q(0.4, -100)
    %c = conv2d(%d, %gw) {groups=2, pad_top=1, pad_bottom=1, pad_left=1, pad_right=1} : int8[2,6,3,4] q(1.4, 10)
    output %c
  })");
  EXPECT_THAT(p.layers(), ElementsAre("x: strided_slice", "d: depthwise_conv2d", "c#2: conv2d",
                                      "x#2: strided_slice", "d#2: depthwise_conv2d", "c#3: conv2d",
                                      "c: concat"));
  const auto engine = [&](size_t i) { return p.partition.layers[i].engine(); };
  for (const size_t i : {1u, 2u, 4u, 5u}) EXPECT_EQ(engine(i), std::string("dla"));
}

TEST(PartitionHost, a_detector_s_tail_decodes_and_suppresses_there) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,4,8] q(0.5, -3)
    const %w : int8[14,1,1,8] q(0.01, 0) = random 7
    const %sg : float32[256] = random 3
    const %ex : float32[256] = random 4
    %h = conv2d(%x, %w) : int8[1,4,4,14] q(0.8, 4)
    %k = yolo_decode(%h, %sg, %ex) {stride=8, classes=2, anchors=[10, 12, 20, 24]} : float32[32,6]
    %d, %n = nms(%k) {score=0.1, iou=0.5, max=10} : float32[10,6], int32[1]
    output %d, %n
  })");
  ASSERT_EQ(p.partition.layers.size(), 3u);
  const layer::HostLayer& nms = p.host(2);
  ASSERT_EQ(nms.outputs.size(), 3u);  // scratch, detections, count
  EXPECT_EQ(p.graph.tensor(nms.outputs[0]).elements(), 32 * 2);
  EXPECT_EQ(p.partition.placements[2].reason(), "dla: does not compute nms");
}

TEST(PartitionView, between_input_and_output_bytes_are_copied) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,4,8] q(0.5, -3)
    %y = reshape(%x) : int8[1,128] q(0.5, -3)
    output %y
  })");
  EXPECT_EQ(p.partition.layers[0].work.as<layer::DmaLayer>()->moves[0].bytes.row, 128);
  EXPECT_EQ(p.partition.placements[0].engine, "dma");
  EXPECT_THAT(p.partition.placements[0].reason(), HasSubstr("else they are copied"));
}

TEST(PartitionPlacements, tell_of_every_imported_op_also_of_those_folded_away) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,6,6,4] q(0.5, -3)
    const %w : int8[4,3,3,4] q(0.02, 0) = random 7
    %p = pad(%x) {before=[0,1,1,0], after=[0,1,1,0], value=-3} from [0] : int8[1,8,8,4] q(0.5, -3)
    %y = conv2d(%p, %w) from [1] : int8[1,6,6,4] q(1.8, 4)
    %z = relu(%y) from [2] : int8[1,6,6,4] q(1.8, 4)
    %n = relu(%x) from [3] : int8[1,6,6,4] q(0.5, -3)
    output %z
  })");
  ASSERT_THAT(p.layers(), ElementsAre("y: conv2d"));
  ASSERT_EQ(p.partition.placements.size(), 4u);
  EXPECT_EQ(p.partition.placements[0].op, "pad");
  EXPECT_EQ(p.partition.placements[0].reason(), "folded into conv2d 'y'");
  EXPECT_EQ(p.partition.placements[0].engine, "dla");
  EXPECT_EQ(p.partition.placements[1].reason(), "within the dla's limits");
  EXPECT_EQ(p.partition.placements[2].reason(), "folded into conv2d 'y'");
  EXPECT_EQ(p.partition.placements[2].engine, "dla");
  EXPECT_EQ(p.partition.placements[3].engine, "none");
  EXPECT_EQ(p.partition.placements[3].layer, -1);
  EXPECT_THAT(p.partition.layers[0].source_ops, ElementsAre(0, 1, 2));
}

std::string refusal(const std::string& lines, const std::string& numerics = "tflite") {
  try {
    partitioned(ir::parse("graph \"g\" " + numerics + " {" + lines + "}"));
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}

TEST(PartitionBad, an_op_that_runs_nowhere_is_named_with_every_reason) {
  EXPECT_EQ(
      refusal(R"(
    input %x : int8[1,8] q(0.5, 0)
    %y "end" = softmax(%x) : int8[1,8] q(0.5, 0)
    output %y)"),
      "partition: softmax \"end\" runs nowhere: dla: does not "
      "compute softmax; dma: does not compute softmax; host: y is int8[1,8] q(0.5, 0), must be "
      "of q(1/256, -128)");
}

TEST(PartitionBad, softmax_has_steps_of_1_256_and_under_tflite_short_rows) {
  const auto softmax = [](const std::string& row, const char* q, const char* numerics) {
    return refusal("input %x : int8[2," + row + "] q(0.5, -3)\n%y = softmax(%x) : int8[2," + row +
                       "] " + q + "\noutput %y",
                   numerics);
  };
  EXPECT_EQ(softmax("4095", "q(0.00390625, -128)", "tflite"), "taken");
  EXPECT_EQ(softmax("4096", "q(0.00390625, -128)", "xnnpack"), "taken");
  EXPECT_THAT(softmax("4096", "q(0.00390625, -128)", "tflite"),
              HasSubstr("host: values in a row of int8 under tflite numerics is 4096, must be "
                        "1..4095"));
  EXPECT_THAT(softmax("9", "q(0.0039, -128)", "xnnpack"),
              HasSubstr("host: y is int8[2,9] q(0.0039, -128), must be of q(1/256, -128)"));
}

TEST(PartitionBad, scales_that_no_integers_express_are_refused_by_the_op) {
  const std::string rest =
      ", must be less than 2^30; its quantisation is damaged, export the "
      "network again";
  EXPECT_EQ(refusal(R"(
    input %x : int8[1,4,4,8] q(1e9, 0)
    const %w : int8[4,1,1,8] q(2, 0) = random 1
    %y "wild" = conv2d(%x, %w) : int8[1,4,4,4] q(1, 0)
    output %y)"),
            "compiler: conv2d \"wild\": a ratio of its scales is 2e+09" + rest);
  EXPECT_EQ(refusal(R"(
    input %x : int8[1,4,4,8] q(1e30, 0)
    %y "wild" = leaky_relu(%x) {alpha=0.1} : int8[1,4,4,8] q(1e-30, 0)
    output %y)"),
            "compiler: leaky_relu \"wild\": a ratio of its scales is 1e+59" + rest);
}

TEST(PartitionBad, scales_that_xnnpack_cannot_express_are_refused_by_the_op) {
  EXPECT_THAT(refusal(R"(
    input %x : int8[1,4,4,8] q(1e30, 0)
    const %w : int8[4,1,1,8] q(1e30, 0) = random 1
    %y "wild" = conv2d(%x, %w) : int8[1,4,4,4] q(1, 0)
    output %y)",
                      "xnnpack"),
              HasSubstr("conv2d \"wild\": a ratio of its scales is inf, must be less than 2^30"));
  EXPECT_THAT(refusal(R"(
    input %x : int8[1,4,4,8] q(1e10, 0)
    %y "wild" = leaky_relu(%x) {alpha=1} : int8[1,4,4,8] q(1, 0)
    output %y)",
                      "xnnpack"),
              HasSubstr("leaky_relu \"wild\": a ratio of its scales is 1e+10, must be less than "
                        "2^30"));
  EXPECT_THAT(refusal(R"(
    input %x : int8[1,4,4,8] q(1e38, 0)
    %y "wild" = hard_swish(%x) : int8[1,4,4,8] q(1e38, 0)
    output %y)",
                      "xnnpack"),
              HasSubstr("hard_swish \"wild\": a ratio of its scales is inf, must be less than"));
  EXPECT_THAT(refusal(R"(
    input %x : int8[1,4,4,8] q(3e38, 0)
    %y "wild" = logistic(%x) : int8[1,4,4,8] q(1, 0)
    output %y)",
                      "xnnpack"),
              HasSubstr("logistic \"wild\": a ratio of its scales is -inf, must be less than"));
}

}  // namespace
}  // namespace presil::partition
