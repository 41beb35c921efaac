// What operators of a TFLite file become in the graph.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler_bridge/import/tflite.h"
#include "models/base/refusal.h"
#include "tests/import/tflite_file.h"

namespace presil::import {
namespace {

using ir::OpKind;

ir::Graph import(const TfliteFile& f) {
  return import_tflite(f.bytes(), "test");
}

std::string refusal(const TfliteFile& f) {
  try {
    import(f);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}

const ir::Conv2d& conv(const ir::Graph& graph) {
  return graph.ops.at(0).as<ir::Conv2d>();
}

TEST(TfliteOps, same_padding_at_stride_one_is_symmetric) {
  const auto graph = import(conv_file(8, 8, 3, 3, 3, 4, file::Padding_Same, 1, {1, 8, 8, 4}));
  // (8 - 1) * 1 + 3 - 8 = 2 missing: one before, one after
  EXPECT_EQ(conv(graph).pad_top, 1);
  EXPECT_EQ(conv(graph).pad_bottom, 1);
  EXPECT_EQ(conv(graph).pad_left, 1);
  EXPECT_EQ(conv(graph).pad_right, 1);
  EXPECT_EQ(conv(graph).act, ir::Activation::kRelu6);
}

TEST(TfliteOps, same_padding_at_stride_two_on_an_even_size_is_at_the_end_only) {
  const auto graph = import(conv_file(8, 8, 3, 3, 3, 4, file::Padding_Same, 2, {1, 4, 4, 4}));
  // (4 - 1) * 2 + 3 - 8 = 1 missing: none before, one after
  EXPECT_EQ(conv(graph).pad_top, 0);
  EXPECT_EQ(conv(graph).pad_bottom, 1);
}

TEST(TfliteOps, same_padding_counts_dilation) {
  const auto graph = import(conv_file(9, 9, 1, 3, 3, 1, file::Padding_Same, 1, {1, 9, 9, 1}, 2));
  // (9 - 1) + 5 - 9 = 4 missing
  EXPECT_EQ(conv(graph).pad_top, 2);
  EXPECT_EQ(conv(graph).pad_bottom, 2);
  EXPECT_EQ(conv(graph).dilation_h, 2);
}

TEST(TfliteOps, same_padding_never_goes_below_zero) {
  const auto graph = import(conv_file(4, 4, 1, 1, 1, 1, file::Padding_Same, 2, {1, 2, 2, 1}));
  EXPECT_EQ(conv(graph).pad_top, 0);
  EXPECT_EQ(conv(graph).pad_bottom, 0);
}

TEST(TfliteOps, valid_padding_is_none) {
  const auto graph = import(conv_file(8, 8, 3, 3, 3, 4, file::Padding_Valid, 1, {1, 6, 6, 4}));
  EXPECT_EQ(conv(graph).pad_top, 0);
  EXPECT_EQ(conv(graph).pad_right, 0);
}

TEST(TfliteOps, fewer_weight_channels_than_input_channels_are_groups) {
  auto f = conv_file(4, 4, 2, 1, 1, 4, file::Padding_Valid, 1, {1, 4, 4, 4});
  f.tensor(0).shape = {1, 4, 4, 4};
  EXPECT_EQ(conv(import(f)).groups, 2);
}

TEST(TfliteOps, operators_are_named_by_their_result_and_know_their_place) {
  const auto graph = import(conv_file(4, 4, 1, 1, 1, 1, file::Padding_Same, 1, {1, 4, 4, 1}));
  EXPECT_EQ(graph.name, "test");
  EXPECT_EQ(graph.ops[0].name, "y");
  EXPECT_EQ(graph.ops[0].source_ops, std::vector<int>{0});
  EXPECT_EQ(graph.numerics, ir::Numerics::kTflite);
}

TEST(TfliteOps, scales_per_channel_keep_their_axis_and_one_is_per_tensor) {
  auto f = conv_file(4, 4, 1, 1, 1, 2, file::Padding_Same, 1, {1, 4, 4, 2});
  f.tensor(1).quantization->scale = {0.25f, 0.125f};
  f.tensor(1).quantization->zero_point = {0, 0};
  f.tensor(2).quantization = std::make_unique<file::QuantizationT>();
  f.tensor(2).quantization->scale = {1, 2};
  f.tensor(2).quantization->quantized_dimension = 3;  // as some files have it for a vector
  const auto graph = import(f);
  EXPECT_EQ(graph.tensor(graph.ops[0].input(1)).quantization.axis, 0);
  EXPECT_EQ(graph.tensor(graph.ops[0].input(2)).quantization.axis, 0);
  EXPECT_TRUE(graph.tensor(graph.ops[0].input(0)).quantization.per_tensor());
}

TEST(TfliteOps, an_absent_bias_stays_absent) {
  auto f = conv_file(4, 4, 1, 1, 1, 1, file::Padding_Same, 1, {1, 4, 4, 1});
  f.op().inputs[2] = -1;
  const auto graph = import(f);
  EXPECT_EQ(graph.ops[0].input(2), ir::kAbsent);
  EXPECT_EQ(graph.tensors.size(), 3u);  // the bias that nothing reads is gone
}

TEST(TfliteOps, an_old_file_states_the_operator_in_the_short_number_alone) {
  auto f = conv_file(4, 4, 1, 1, 1, 1, file::Padding_Same, 1, {1, 4, 4, 1});
  f.model.operator_codes[0]->code = file::Builtin_ADD;  // 0, the default of a field not there
  EXPECT_EQ(import(f).ops[0].kind, OpKind::kConv2d);
}

/// x -> op(x, parameters) -> y
TfliteFile unary(file::Builtin code, std::vector<int32_t> x, std::vector<int32_t> y,
                 const std::vector<std::vector<int32_t>>& parameters = {}) {
  TfliteFile f;
  const int in = f.add_tensor("x", std::move(x));
  const int out = f.add_tensor("y", std::move(y));
  std::vector<int32_t> inputs = {in};
  for (const auto& values : parameters) inputs.push_back(f.add_integers("p", values));
  f.add_op(code, inputs, {out});
  f.graph().inputs = {in};
  f.graph().outputs = {out};
  return f;
}

TEST(TfliteOps, parameters_in_tensors_become_attributes) {
  // Paddings are pairs per axis; the border is x's zero point.
  const auto pad =
      import(unary(file::Builtin_PAD, {1, 4, 4, 2}, {1, 7, 4, 2}, {{0, 0, 1, 2, 0, 0, 0, 0}}));
  EXPECT_EQ(pad.ops[0].inputs.size(), 1u);
  EXPECT_EQ(pad.ops[0].as<ir::Pad>().before, (std::vector<int64_t>{0, 1, 0, 0}));
  EXPECT_EQ(pad.ops[0].as<ir::Pad>().after, (std::vector<int64_t>{0, 2, 0, 0}));
  EXPECT_EQ(pad.ops[0].as<ir::Pad>().value, 3);

  const auto transpose = import(unary(file::Builtin_TRANSPOSE, {2, 3, 4}, {4, 2, 3}, {{-1, 0, 1}}));
  EXPECT_EQ(transpose.ops[0].as<ir::Transpose>().perm, (std::vector<int64_t>{2, 0, 1}));

  auto f = unary(file::Builtin_MEAN, {1, 4, 4, 2}, {1, 2}, {{2, -3}});
  f.op().options.Set(file::ReducerT());
  EXPECT_EQ(import(f).ops[0].as<ir::Reduce>().axes, (std::vector<int64_t>{1, 2}));

  f = unary(file::Builtin_RESIZE_NEAREST_NEIGHBOR, {1, 4, 4, 2}, {1, 8, 8, 2}, {{8, 8}});
  file::ResizeNearestT resize;
  resize.half_pixel_centers = true;
  f.op().options.Set(std::move(resize));
  EXPECT_TRUE(import(f).ops[0].as<ir::Resize>().half_pixel_centers);
}

TEST(TfliteOps, slices_count_from_the_end_and_masks_open_edges) {
  auto f =
      unary(file::Builtin_STRIDED_SLICE, {10, 6, 4}, {4, 2}, {{1, -1, 2}, {-1, 0, 3}, {2, -3, 1}});
  file::StridedSliceT options;
  options.end_mask = 2;          // axis 1 runs to its edge: 5, 2
  options.shrink_axis_mask = 4;  // axis 2 is index 2 alone
  f.op().options.Set(std::move(options));
  const auto graph = import(f);
  const auto& slice = graph.ops[0].as<ir::StridedSlice>();
  EXPECT_EQ(slice.begin, (std::vector<int64_t>{1, 5, 2}));
  EXPECT_EQ(slice.size, (std::vector<int64_t>{4, 2, 1}));  // 1, 3, 5, 7 of 1 .. 9
  EXPECT_EQ(slice.step, (std::vector<int64_t>{2, -3, 1}));
}

/// SPLIT or SPLIT_V of [2,7,3] into results of these shapes; `sizes` empty: SPLIT.
TfliteFile split_file(const std::vector<std::vector<int32_t>>& results, int axis,
                      const std::vector<int32_t>& sizes) {
  TfliteFile f;
  const int x = f.add_tensor("x", {2, 7, 3});
  const int where = f.add_integers("axis", {axis});
  std::vector<int32_t> inputs = {where, x}, outputs;
  if (!sizes.empty()) inputs = {x, f.add_integers("sizes", sizes), where};
  for (size_t i = 0; i < results.size(); ++i) {
    outputs.push_back(f.add_tensor("y" + std::to_string(i), results[i]));
  }
  set_results(
      f.add_op(sizes.empty() ? file::Builtin_SPLIT : file::Builtin_SPLIT_V, inputs, outputs),
      outputs.size());
  f.graph().inputs = {x}, f.graph().outputs = outputs;
  return f;
}

TEST(TfliteOps, a_split_is_a_slice_for_each_result) {
  const auto graph = import(split_file({{2, 7, 1}, {2, 7, 1}, {2, 7, 1}}, -1, {}));
  ASSERT_EQ(graph.ops.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    const ir::Op& op = graph.ops[static_cast<size_t>(i)];
    EXPECT_EQ(op.kind, OpKind::kStridedSlice);
    EXPECT_EQ(op.name, "y" + std::to_string(i));
    EXPECT_EQ(op.source_ops, std::vector<int>{0});
    EXPECT_EQ(op.as<ir::StridedSlice>().begin, (std::vector<int64_t>{0, 0, i}));
    EXPECT_EQ(op.as<ir::StridedSlice>().size, (std::vector<int64_t>{2, 7, 1}));
  }
}

TEST(TfliteOps, sizes_of_a_split_may_differ_and_one_may_be_what_is_left) {
  const auto graph = import(split_file({{2, 1, 3}, {2, 4, 3}, {2, 2, 3}}, 1, {1, -1, 2}));
  ASSERT_EQ(graph.ops.size(), 3u);
  EXPECT_EQ(graph.ops[1].as<ir::StridedSlice>().begin, (std::vector<int64_t>{0, 1, 0}));
  EXPECT_EQ(graph.ops[1].as<ir::StridedSlice>().size, (std::vector<int64_t>{2, 4, 3}));
  EXPECT_EQ(graph.ops[2].as<ir::StridedSlice>().begin, (std::vector<int64_t>{0, 5, 0}));
}

TEST(TfliteOps, a_pack_gives_its_inputs_an_axis_and_concatenates_them_along_it) {
  TfliteFile f;
  const int a = f.add_tensor("a", {2, 3}), b = f.add_tensor("b", {2, 3});
  const int y = f.add_tensor("y", {2, 3, 2});
  file::StackT options;
  options.values_count = 2, options.axis = -1;
  f.add_op(file::Builtin_PACK, {a, b}, {y}).options.Set(std::move(options));
  f.graph().inputs = {a, b}, f.graph().outputs = {y};
  const auto graph = import(f);
  ASSERT_EQ(graph.ops.size(), 3u);
  EXPECT_EQ(graph.ops[0].kind, OpKind::kReshape);
  EXPECT_EQ(graph.tensor(graph.ops[1].output()).shape, (std::vector<int64_t>{2, 3, 1}));
  EXPECT_EQ(graph.ops[2].as<ir::Concat>().axis, 2);
  EXPECT_EQ(graph.ops[2].source_ops, std::vector<int>{0});
  f.tensor(b).quantization->scale = {0.25f};
  EXPECT_THAT(refusal(f), testing::HasSubstr("its input 1 is int8[2,3] q(0.25, 3), y is "
                                             "int8[2,3,2] q(0.5, 3), inputs must have one shape"));
  f.op().inputs[1] = -1;
  EXPECT_THAT(refusal(f), testing::HasSubstr("its input 1 is missing"));
  f.op().options.AsStack()->axis = 3;
  EXPECT_THAT(refusal(f), testing::HasSubstr("axis is 3, must be -3..2"));
}

TEST(TfliteOps, an_unpack_is_a_slice_for_each_result) {
  TfliteFile f;
  const int x = f.add_tensor("x", {2, 3});
  const int a = f.add_tensor("a", {3}), b = f.add_tensor("b", {3});
  file::UnstackT options;
  options.num = 2;
  f.add_op(file::Builtin_UNPACK, {x}, {a, b}).options.Set(std::move(options));
  f.graph().inputs = {x}, f.graph().outputs = {a, b};
  const auto graph = import(f);
  ASSERT_EQ(graph.ops.size(), 2u);
  EXPECT_EQ(graph.ops[1].name, "b");
  EXPECT_EQ(graph.ops[1].as<ir::StridedSlice>().begin, (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(graph.ops[1].as<ir::StridedSlice>().size, (std::vector<int64_t>{1, 3}));
  f.op().outputs.pop_back(), f.graph().outputs.pop_back();
  EXPECT_THAT(refusal(f), testing::HasSubstr("it takes axis 0 of [2,3] apart into 1 results"));
  f.op().outputs = {a, b}, f.tensor(b).shape = {2};
  EXPECT_THAT(refusal(f), testing::HasSubstr("its result 1 is [2], its options make it [3]"));
}

TEST(TfliteOps, squeeze_and_expand_dims_are_reshapes) {
  TfliteFile f;
  const int x = f.add_tensor("x", {1, 3, 1}), y = f.add_tensor("y", {3});
  const int z = f.add_tensor("z", {3, 1});
  f.add_op(file::Builtin_SQUEEZE, {x}, {y});
  f.add_op(file::Builtin_EXPAND_DIMS, {y, f.add_integers("axis", {1})}, {z});
  f.graph().inputs = {x}, f.graph().outputs = {z};
  const auto graph = import(f);
  ASSERT_EQ(graph.ops.size(), 2u);
  EXPECT_EQ(graph.ops[0].kind, OpKind::kReshape);
  EXPECT_EQ(graph.ops[1].kind, OpKind::kReshape);
  EXPECT_EQ(graph.ops[1].inputs.size(), 1u);
}

TEST(TfliteOps, depthwise_multiplier_follows_from_the_channels) {
  TfliteFile f;
  const int x = f.add_tensor("x", {1, 4, 4, 2});
  const int w =
      f.add_constant("w", {1, 3, 3, 6}, file::TensorType_Int8, std::vector<int8_t>(54, 1));
  const int y = f.add_tensor("y", {1, 2, 2, 6});
  file::DepthwiseConv2DT options;
  options.padding = file::Padding_Valid;
  options.stride_h = options.stride_w = 1;
  f.add_op(file::Builtin_DEPTHWISE_CONV_2D, {x, w}, {y}).options.Set(std::move(options));
  f.graph().inputs = {x}, f.graph().outputs = {y};
  EXPECT_EQ(import(f).ops[0].as<ir::DepthwiseConv2d>().multiplier, 3);
}

// [1,h,w,3] -> TRANSPOSE_CONV, 2 channels, stride 2 -> y.
TfliteFile transposed(int h, int w, int kh, int kw, file::Padding padding, std::vector<int32_t> y) {
  TfliteFile f;
  const int shape = f.add_integers("shape", y);
  const int weights = f.add_constant("w", {2, kh, kw, 3}, file::TensorType_Int8,
                                     std::vector<int8_t>(static_cast<size_t>(2 * kh * kw * 3), 1));
  const int x = f.add_tensor("x", {1, h, w, 3});
  const int result = f.add_tensor("y", std::move(y));
  file::TransposeConvT options;
  options.padding = padding;
  options.stride_h = options.stride_w = 2;
  options.activation = file::Fused_Relu;
  f.add_op(file::Builtin_TRANSPOSE_CONV, {shape, weights, x}, {result}).options.Set(options);
  f.graph().inputs = {x};
  f.graph().outputs = {result};
  return f;
}

TEST(TfliteOps, a_transposed_convolution_is_padded_as_the_convolution_back_would_be) {
  // Back from 8 and 7 columns by a kernel of 4 at stride 2: (4 - 1) * 2 + 4 - 8 = 2, 3 missing.
  const auto graph = import(transposed(4, 4, 4, 4, file::Padding_Same, {1, 8, 7, 2}));
  EXPECT_EQ(graph.tensor(graph.ops.at(0).input(0)).name, "x");
  EXPECT_EQ(graph.tensor(graph.ops[0].input(1)).name, "w");
  const auto& a = graph.ops[0].as<ir::TransposeConv2d>();
  EXPECT_EQ(a.pad_top, 1);
  EXPECT_EQ(a.pad_bottom, 1);
  EXPECT_EQ(a.pad_left, 1);
  EXPECT_EQ(a.pad_right, 2);
  EXPECT_EQ(a.act, ir::Activation::kRelu);
  const auto valid = import(transposed(4, 4, 3, 1, file::Padding_Valid, {1, 9, 8, 2}));
  EXPECT_EQ(valid.ops[0].as<ir::TransposeConv2d>().pad_bottom, 0);
  EXPECT_EQ(valid.ops[0].as<ir::TransposeConv2d>().pad_right, -1);
}

TEST(TfliteOps, a_transposed_convolution_that_xnnpack_does_not_take_has_a_vector) {
  const auto vector = [](const TfliteFile& f) {
    return import(f).ops.at(0).as<ir::TransposeConv2d>().vector;
  };
  EXPECT_EQ(vector(transposed(4, 4, 2, 1, file::Padding_Same, {1, 8, 8, 2})), 8);
  EXPECT_EQ(vector(transposed(4, 4, 1, 2, file::Padding_Same, {1, 8, 8, 2})), 8);
  EXPECT_EQ(vector(transposed(4, 4, 2, 2, file::Padding_Same, {1, 8, 8, 2})), 0);
  EXPECT_EQ(vector(transposed(4, 4, 1, 1, file::Padding_Valid, {1, 8, 8, 2})), 0);
}

TEST(TfliteOps, a_transposed_convolution_of_another_size_is_refused) {
  auto f = transposed(4, 4, 4, 4, file::Padding_Same, {1, 12, 8, 2});
  EXPECT_THAT(refusal(f), testing::HasSubstr("y has an extent of 12 where x has 4, stride 2 and "
                                             "kernel 4 must be the size that a convolution maps"));
  f = transposed(4, 4, 4, 4, file::Padding_Same, {1, 8, 8, 2});
  f.tensor(3).shape = {1, 8, 7, 2};
  EXPECT_THAT(refusal(f), testing::HasSubstr("output_shape is [1,8,8,2], y is [1,8,7,2]"));
  f = transposed(4, 4, 4, 4, file::Padding_Same, {1, 8, 8, 2});
  f.tensor(2).type = file::TensorType_Int32;
  EXPECT_THAT(refusal(f), testing::HasSubstr("its input is int32[1,4,4,3]"));
}

// a [2,3] x b [3,4] -> y [2,4].
TfliteFile product(std::vector<int32_t> a, std::vector<int32_t> b, bool adj_x, bool adj_y) {
  TfliteFile f;
  const int x = f.add_tensor("a", std::move(a)), w = f.add_tensor("b", std::move(b));
  const int y = f.add_tensor("y", {2, 4});
  file::BatchMatMulT options;
  options.adj_x = adj_x, options.adj_y = adj_y;
  f.add_op(file::Builtin_BATCH_MATMUL, {x, w}, {y}).options.Set(std::move(options));
  f.graph().inputs = {x, w}, f.graph().outputs = {y};
  return f;
}

TEST(TfliteOps, a_product_of_matrices_says_which_of_them_lies_transposed) {
  const auto graph = import(product({3, 2}, {3, 4}, true, false));
  EXPECT_EQ(graph.ops.at(0).kind, OpKind::kBatchMatmul);
  EXPECT_TRUE(graph.ops[0].as<ir::BatchMatmul>().transpose_a);
  EXPECT_FALSE(graph.ops[0].as<ir::BatchMatmul>().transpose_b);
  EXPECT_TRUE(
      import(product({2, 3}, {4, 3}, false, true)).ops[0].as<ir::BatchMatmul>().transpose_b);
  auto f = product({2, 3}, {3, 4}, false, false);
  f.tensor(0).type = file::TensorType_Uint8;
  EXPECT_THAT(refusal(f), testing::HasSubstr("its input is uint8, must be int8 or int16"));
  f = product({2, 3}, {4, 3}, false, false);
  EXPECT_THAT(refusal(f), testing::HasSubstr("rows of a have 3 values, columns of b 4"));
  f = product({2, 3}, {3, 4}, false, false);
  f.op().options.Reset();
  EXPECT_THAT(refusal(f), testing::HasSubstr("its options are missing; export the file again"));
  f = product({2, 3}, {3, 4}, false, false);
  f.tensor(1).shape_signature = {-1, -1};
  EXPECT_THAT(refusal(f), testing::HasSubstr("input \"b\" leaves axis 1 open"));
}

TEST(TfliteOps, a_fully_connected_takes_weights_that_are_computed) {
  TfliteFile f;
  const int x = f.add_tensor("x", {2, 3}), w = f.add_tensor("w", {4, 3});
  const int y = f.add_tensor("y", {2, 4});
  f.add_op(file::Builtin_FULLY_CONNECTED, {x, w}, {y}).options.Set(file::FullyConnectedT{});
  f.graph().inputs = {x, w}, f.graph().outputs = {y};
  const auto graph = import(f);
  EXPECT_EQ(graph.tensor(graph.ops.at(0).input(1)).quantization.zero_point(), 3);
  EXPECT_FALSE(graph.tensor(graph.ops[0].input(1)).is_constant());
}

TEST(TfliteOps, every_importable_operator_stands_once_in_the_order_of_its_number) {
  const auto list = importable_ops();
  EXPECT_GE(list.size(), 20u);
  std::vector<int> numbers;
  for (const ImportableOp& op : list) {
    EXPECT_FALSE(op.types.empty()) << op.tflite;
    for (int i = 0; i < 160; ++i) {
      const std::string builtin = file::EnumNameBuiltin(static_cast<file::Builtin>(i));
      if (op.tflite.substr(0, op.tflite.find(':')) == builtin) numbers.push_back(i);  // CUSTOM:name
    }
  }
  ASSERT_EQ(numbers.size(), list.size());
  for (size_t i = 1; i < numbers.size(); ++i) EXPECT_LT(numbers[i - 1], numbers[i]);
}

}  // namespace
}  // namespace presil::import
