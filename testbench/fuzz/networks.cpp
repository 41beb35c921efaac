#include "testbench/fuzz/networks.h"

#include "testbench/fuzz/chain.h"
#include "tests/import/lstm_file.h"

namespace presil::fuzz {
namespace {

file::Conv2DT conv(int stride) {
  file::Conv2DT options;
  options.padding = file::Padding_Same;
  options.stride_h = options.stride_w = stride;
  options.activation = file::Fused_Relu;
  return options;
}

file::Conv2DT valid() {
  file::Conv2DT options = conv(1);
  options.padding = file::Padding_Valid;
  return options;
}

file::Pool2DT pool() {
  file::Pool2DT options;
  options.padding = file::Padding_Valid;
  options.stride_h = options.stride_w = options.filter_h = options.filter_w = 2;
  return options;
}

File classifier() {
  Chain net({1, 8, 8, 3});
  net.then(file::Builtin_CONV_2D, {1, 4, 4, 16}, conv(2),
           {net.weights({16, 3, 3, 3}), net.bias(16)});
  file::DepthwiseConv2DT depthwise;
  depthwise.stride_h = depthwise.stride_w = depthwise.depth_multiplier = 1;
  net.then(file::Builtin_DEPTHWISE_CONV_2D, {1, 4, 4, 16}, depthwise,
           {net.weights({1, 3, 3, 16}), net.bias(16)});
  net.then(file::Builtin_MAX_POOL_2D, {1, 2, 2, 16}, pool());
  net.then(file::Builtin_AVERAGE_POOL_2D, {1, 1, 1, 16}, pool());
  net.then(file::Builtin_RESHAPE, {1, 16}, {net.integers({1, 16})});
  net.then(file::Builtin_FULLY_CONNECTED, {1, 10}, file::FullyConnectedT{},
           {net.weights({10, 16}), net.bias(10)});
  file::SoftmaxT softmax;
  softmax.beta = 1;
  net.then(file::Builtin_SOFTMAX, {1, 10}, softmax).quantised(1.0f / 256, -128);
  return net.bytes();
}

File residual() {
  Chain net({1, 6, 6, 16});
  const int x = net.last();
  net.then(file::Builtin_CONV_2D, {1, 6, 6, 16}, conv(1),
           {net.weights({16, 1, 1, 16}), net.bias(16)});
  net.then(file::Builtin_ADD, {1, 6, 6, 16}, file::AddT{}, {x});
  file::ConcatenationT concat;
  concat.axis = 3;
  net.then(file::Builtin_CONCATENATION, {1, 6, 6, 32}, concat, {x});
  file::LeakyReluT leaky;
  leaky.alpha = 0.1f;
  net.then(file::Builtin_LEAKY_RELU, {1, 6, 6, 32}, leaky);
  net.then(file::Builtin_RESIZE_NEAREST_NEIGHBOR, {1, 12, 12, 32}, file::ResizeNearestT{},
           {net.integers({12, 12})});
  return net.bytes();
}

File shapes() {
  Chain net({1, 5, 7, 4});
  net.then(file::Builtin_PAD, {1, 7, 9, 4}, {net.matrix(4, {0, 0, 1, 1, 1, 1, 0, 0})});
  net.then(file::Builtin_TRANSPOSE, {1, 9, 7, 4}, {net.integers({0, 2, 1, 3})});
  net.then(file::Builtin_STRIDED_SLICE, {1, 4, 7, 4}, file::StridedSliceT{},
           {net.integers({0, 1, 0, 0}), net.integers({1, 9, 7, 4}), net.integers({1, 2, 1, 1})});
  file::SplitVT split;
  split.results = 1;
  net.then(file::Builtin_SPLIT_V, {1, 4, 7, 4}, split, {net.integers({-1}), net.integers({3})});
  net.then(file::Builtin_RESIZE_BILINEAR, {1, 8, 14, 4}, file::ResizeBilinearT{},
           {net.integers({8, 14})});
  file::ReducerT mean;
  mean.keep_dims = true;
  net.then(file::Builtin_MEAN, {1, 1, 1, 4}, mean, {net.integers({1, 2})});
  net.then(file::Builtin_LOGISTIC, {1, 1, 1, 4}).quantised(1.0f / 256, -128);
  net.then(file::Builtin_TANH, {1, 1, 1, 4}).quantised(1.0f / 128, 0);
  return net.bytes();
}

File elementwise() {
  Chain net({1, 3, 5, 8});
  const int x = net.last();
  net.then(file::Builtin_MUL, {1, 3, 5, 8}, file::MulT{}, {x});
  net.then(file::Builtin_SUB, {1, 3, 5, 8}, file::SubT{}, {x});
  net.then(file::Builtin_RELU, {1, 3, 5, 8});
  net.then(file::Builtin_QUANTIZE, {1, 3, 5, 8});
  return net.bytes();
}

/// As old networks are: uint8 throughout, weights with a zero point.
File bytes_above_0() {
  Chain net({1, 6, 6, 3}, file::TensorType_Uint8);
  net.then(file::Builtin_CONV_2D, {1, 3, 3, 8}, conv(2), {net.weights({8, 3, 3, 3}), net.bias(8)});
  file::DepthwiseConv2DT depthwise;
  depthwise.stride_h = depthwise.stride_w = depthwise.depth_multiplier = 1;
  depthwise.activation = file::Fused_Relu6;
  net.then(file::Builtin_DEPTHWISE_CONV_2D, {1, 3, 3, 8}, depthwise,
           {net.weights({1, 3, 3, 8}), net.bias(8)});
  const int sum = net.last();
  net.then(file::Builtin_LOGISTIC, {1, 3, 3, 8}).quantised(1.0f / 256, 0);
  net.then(file::Builtin_MUL, {1, 3, 3, 8}, file::MulT{}, {sum});
  net.then(file::Builtin_ADD, {1, 3, 3, 8}, file::AddT{}, {sum});
  net.then(file::Builtin_PAD, {1, 4, 4, 8}, {net.matrix(4, {0, 0, 0, 1, 0, 1, 0, 0})});
  net.then(file::Builtin_AVERAGE_POOL_2D, {1, 2, 2, 8}, pool());
  net.then(file::Builtin_MAX_POOL_2D, {1, 1, 1, 8}, pool());
  net.then(file::Builtin_RESHAPE, {1, 8}, {net.integers({1, 8})});
  net.then(file::Builtin_FULLY_CONNECTED, {1, 5}, file::FullyConnectedT{},
           {net.weights({5, 8}), net.bias(5)});
  file::SoftmaxT softmax;
  softmax.beta = 1;
  net.then(file::Builtin_SOFTMAX, {1, 5}, softmax).quantised(1.0f / 256, 0);
  return net.bytes();
}

/// Floats at both ends; parameters of 64 bits; a scale for each channel; groups and dilation.
File floats_outside() {
  Chain net({1, 7, 7, 8}, file::TensorType_Float32);
  net.type(file::TensorType_Int8).then(file::Builtin_QUANTIZE, {1, 7, 7, 8});
  net.then(file::Builtin_CONV_2D, {1, 7, 7, 8}, conv(1),
           {net.weights_by_channel({8, 3, 3, 4}, 0), net.bias(8)});
  file::DepthwiseConv2DT depthwise;
  depthwise.stride_h = depthwise.stride_w = 1;
  depthwise.depth_multiplier = depthwise.dilation_h = depthwise.dilation_w = 2;
  net.then(file::Builtin_DEPTHWISE_CONV_2D, {1, 7, 7, 16}, depthwise,
           {net.weights_by_channel({1, 3, 3, 16}, 3), net.bias(16)});
  net.then(file::Builtin_HARD_SWISH, {1, 7, 7, 16});
  net.then(file::Builtin_RELU6, {1, 7, 7, 16});
  net.then(file::Builtin_PADV2, {1, 8, 9, 16},
           {net.long_matrix(4, {0, 0, 1, 0, 1, 1, 0, 0}), net.value(-5)});
  net.then(file::Builtin_STRIDED_SLICE, {1, 4, 9, 16}, file::StridedSliceT{},
           {net.long_integers({0, 0, 0, 0}), net.long_integers({1, 8, 9, 16}),
            net.long_integers({1, 2, 1, 1})});
  file::ReducerT mean;
  net.then(file::Builtin_MEAN, {1, 16}, mean, {net.long_integers({1, 2})});
  net.type(file::TensorType_Float32).then(file::Builtin_DEQUANTIZE, {1, 16});
  return net.bytes();
}

/// Products of computed matrices: a head of attention, and weights that are computed.
File attention() {
  Chain net({1, 6, 8});
  const int x = net.last();
  const auto dense = [&](Shape result) {
    file::FullyConnectedT options;
    net.then(file::Builtin_FULLY_CONNECTED, std::move(result), options,
             {net.weights({8, 8}), net.bias(8)});
    return net.last();
  };
  const int k = dense({1, 6, 8});
  dense({1, 6, 8});
  file::BatchMatMulT transposed;
  transposed.adj_y = true;
  net.then(file::Builtin_BATCH_MATMUL, {1, 6, 6}, transposed, {k});
  file::SoftmaxT softmax;
  softmax.beta = 1;
  net.then(file::Builtin_SOFTMAX, {1, 6, 6}, softmax).quantised(1.0f / 256, -128);
  net.then(file::Builtin_BATCH_MATMUL, {1, 6, 8}, file::BatchMatMulT{}, {x});
  net.then(file::Builtin_RESHAPE, {6, 8}, {net.integers({6, 8})});
  net.then(file::Builtin_FULLY_CONNECTED, {6, 6}, file::FullyConnectedT{}, {net.last()});
  return net.bytes();
}

/// Activations of 16 bits.
File wide() {
  Chain net({1, 6, 6, 4}, file::TensorType_Int16);
  net.then(file::Builtin_CONV_2D, {1, 3, 3, 8}, conv(2),
           {net.weights({8, 3, 3, 4}), net.long_bias(8)});
  const int x = net.last();
  file::DepthwiseConv2DT depthwise;
  depthwise.stride_h = depthwise.stride_w = depthwise.depth_multiplier = 1;
  net.then(file::Builtin_DEPTHWISE_CONV_2D, {1, 3, 3, 8}, depthwise,
           {net.weights({1, 3, 3, 8}), net.long_bias(8)});
  file::LeakyReluT leaky;
  leaky.alpha = 0.25f;
  net.then(file::Builtin_LEAKY_RELU, {1, 3, 3, 8}, leaky);
  net.then(file::Builtin_ADD, {1, 3, 3, 8}, file::AddT{}, {x});
  net.then(file::Builtin_MUL, {1, 3, 3, 8}, file::MulT{}, {x});
  file::ConcatenationT concat;
  concat.axis = 3;
  net.then(file::Builtin_CONCATENATION, {1, 3, 3, 16}, concat, {x});
  net.then(file::Builtin_RESHAPE, {9, 16}, {net.integers({9, 16})});
  net.then(file::Builtin_FULLY_CONNECTED, {9, 5}, file::FullyConnectedT{},
           {net.weights({5, 16}), net.long_bias(5)});
  net.type(file::TensorType_Int8).then(file::Builtin_QUANTIZE, {9, 5});
  return net.bytes();
}

/// Floats, with weights of every kind that files have for them.
File floats() {
  Chain net({1, 6, 6, 4}, file::TensorType_Float32);
  net.then(file::Builtin_CONV_2D, {1, 3, 3, 8}, conv(2),
           {net.floats({8, 3, 3, 4}), net.floats({8})});
  file::DepthwiseConv2DT depthwise;
  depthwise.stride_h = depthwise.stride_w = depthwise.depth_multiplier = 1;
  net.then(file::Builtin_DEPTHWISE_CONV_2D, {1, 3, 3, 8}, depthwise,
           {net.floats({1, 3, 3, 8}), net.floats({8}, true)});
  const int x = net.last();
  net.then(file::Builtin_CONV_2D, {1, 3, 3, 8}, conv(1),
           {net.weights({8, 1, 1, 8}), net.floats({8})});
  net.then(file::Builtin_LOGISTIC, {1, 3, 3, 8});
  net.then(file::Builtin_MUL, {1, 3, 3, 8}, file::MulT{}, {x});
  net.then(file::Builtin_MEAN, {1, 8}, file::ReducerT{}, {net.integers({1, 2})});
  net.then(file::Builtin_FULLY_CONNECTED, {1, 5}, file::FullyConnectedT{},
           {net.floats({5, 8}, true), net.floats({5})});
  file::SoftmaxT softmax;
  softmax.beta = 1;
  net.then(file::Builtin_SOFTMAX, {1, 5}, softmax);
  net.type(file::TensorType_Int8).then(file::Builtin_QUANTIZE, {1, 5});
  return net.bytes();
}

/// One axis more, and split along it.
File stacked() {
  Chain net({1, 4, 6, 8});
  net.then(file::Builtin_EXPAND_DIMS, {1, 1, 4, 6, 8}, {net.integers({1})});
  net.then(file::Builtin_SQUEEZE, {1, 4, 6, 8});
  const int x = net.last();
  file::StackT stack;
  stack.values_count = 2, stack.axis = 1;
  net.then(file::Builtin_PACK, {1, 2, 4, 6, 8}, stack, {x});
  net.unpacked(2, 1, {1, 4, 6, 8});
  return net.bytes();
}

/// Blocks between space, channels and batch; a convolution that is stated by them as dilated.
File blocks() {
  Chain net({1, 4, 6, 4});
  file::SpaceToDepthT deep;
  deep.block_size = 2;
  net.then(file::Builtin_SPACE_TO_DEPTH, {1, 2, 3, 16}, deep);
  file::DepthToSpaceT wide;
  wide.block_size = 2;
  net.then(file::Builtin_DEPTH_TO_SPACE, {1, 4, 6, 4}, wide);
  net.then(file::Builtin_SPACE_TO_BATCH_ND, {4, 4, 5, 4},
           {net.integers({2, 2}), net.matrix(2, {2, 2, 2, 2})});
  net.then(file::Builtin_CONV_2D, {4, 2, 3, 8}, valid(), {net.weights({8, 3, 3, 4}), net.bias(8)});
  net.then(file::Builtin_BATCH_TO_SPACE_ND, {1, 4, 6, 8},
           {net.integers({2, 2}), net.matrix(2, {0, 0, 0, 0})});
  net.then(file::Builtin_SPACE_TO_BATCH_ND, {3, 2, 6, 8},
           {net.integers({3}), net.matrix(1, {1, 1})});
  net.then(file::Builtin_BATCH_TO_SPACE_ND, {1, 5, 6, 8},
           {net.integers({3}), net.matrix(1, {0, 1})});
  return net.bytes();
}

/// What picks, repeats and mirrors, with parameters that are constants or known from the file.
File picked() {
  Chain net({2, 3, 4});
  file::GatherT gather;
  gather.axis = 1;
  net.then(file::Builtin_GATHER, {2, 2, 4}, gather, {net.integers({2, 0})});
  net.then(file::Builtin_TILE, {2, 4, 4}, {net.integers({1, 2, 1})});
  net.then(file::Builtin_MIRROR_PAD, {2, 6, 4}, file::MirrorPadT{},
           {net.matrix(3, {0, 0, 1, 1, 0, 0})});
  net.then(file::Builtin_REVERSE_V2, {2, 6, 4}, {net.integers({1})});
  net.then(file::Builtin_SLICE, {2, 3, 4}, {net.integers({0, 2, 0}), net.integers({-1, 3, 4})});
  net.then(file::Builtin_BROADCAST_TO, {5, 2, 3, 4}, {net.integers({5, 2, 3, 4})});
  net.then(file::Builtin_GATHER_ND, {2, 3, 4}, {net.matrix(2, {4, 1, 0, 0})});
  file::StridedSliceT slice;
  slice.ellipsis_mask = 1, slice.new_axis_mask = 2, slice.offset = true;
  net.then(file::Builtin_STRIDED_SLICE, {2, 3, 1, 2}, slice,
           {net.integers({0, 0, 1}), net.integers({0, 0, 2}), net.integers({1, 1, 1})});
  net.type(file::TensorType_Float32).then(file::Builtin_CAST, {2, 3, 1, 2});
  net.type(file::TensorType_Bool).then(file::Builtin_CAST, {2, 3, 1, 2});
  const int condition = net.last();
  net.type(file::TensorType_Int32).then(file::Builtin_CAST, {2, 3, 1, 2});
  const int numbers = net.last();
  file::OneHotT one_hot;
  one_hot.axis = -1;
  net.then(file::Builtin_ONE_HOT, {2, 3, 1, 2, 3}, one_hot,
           {net.scalar(3), net.scalar(7), net.scalar(-1)});
  net.then(file::Builtin_SHAPE, {5});
  net.then(file::Builtin_RANK, {});
  net.from(net.integers({2}));
  net.then(file::Builtin_FILL, {2}, {net.scalar(1)});
  const int filled = net.last();
  net.from(net.scalar(0)).then(file::Builtin_RANGE, {2}, {net.scalar(4), net.scalar(2)});
  net.then(file::Builtin_ZEROS_LIKE, {2});
  net.from(filled).then(file::Builtin_EMBEDDING_LOOKUP, {2, 3, 1, 2}, {numbers});
  const int rows = net.last();
  net.from(condition).then(file::Builtin_SELECT_V2, {2, 3, 1, 2}, {rows, numbers});
  return net.bytes();
}

/// A detector: heads of unlike scales joined, and its end.
File detector(bool regular) {
  Chain net({1, 4, 4, 8}, file::TensorType_Uint8);
  const int x = net.last();
  net.then(file::Builtin_CONV_2D, {1, 4, 4, 4}, conv(1), {net.weights({4, 1, 1, 8}), net.bias(4)});
  net.then(file::Builtin_RESHAPE, {1, 16, 4}, {net.integers({1, 16, 4})}).quantised(0.5f, 3);
  const int first = net.last();
  net.from(x).then(file::Builtin_CONV_2D, {1, 2, 2, 4}, conv(2),
                   {net.weights({4, 1, 1, 8}), net.bias(4)});
  net.quantised(0.25f, 100);
  net.then(file::Builtin_RESHAPE, {1, 4, 4}, {net.integers({1, 4, 4})}).quantised(0.25f, 100);
  file::ConcatenationT concat;
  concat.axis = 1;
  net.then(file::Builtin_CONCATENATION, {1, 20, 4}, concat, {first}).quantised(0.375f, 50);
  const int boxes = net.last();
  net.then(file::Builtin_LOGISTIC, {1, 20, 4}).quantised(1.0f / 256, 0);
  return net.detections(boxes, net.last(), 20, 3, regular);
}

/// Results larger than their inputs: in phases, and with too many of them for that.
File larger() {
  Chain net({1, 3, 4, 8});
  file::TransposeConvT options;
  options.padding = file::Padding_Same;
  options.stride_h = options.stride_w = 2;
  net.transposed({1, 6, 8, 16}, net.weights({16, 3, 3, 8}), options);
  options.stride_h = options.stride_w = 9;
  net.transposed({1, 54, 72, 2}, net.weights({2, 2, 3, 16}), options);
  return net.bytes();
}

}  // namespace

std::vector<File> small_networks() {
  return {classifier(),
          residual(),
          shapes(),
          elementwise(),
          bytes_above_0(),
          floats_outside(),
          attention(),
          wide(),
          larger(),
          stacked(),
          floats(),
          blocks(),
          picked(),
          functions(),
          reductions(),
          numbers(),
          float_functions(),
          choices(),
          detector(false),
          detector(true),
          import::lstm_file().bytes()};
}

}  // namespace presil::fuzz
