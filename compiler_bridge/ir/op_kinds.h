// The operators of the graph: one line per kind. Everything that must know all kinds (enum, text
// form, binary form, arity checks, `presil ops`) is generated from this list; a new kind is one
// line here and its meaning in reference/operators; often it shares its rules with another.
//
// X(Name, spelling in text, attribute struct, inputs, outputs, rule of shapes, rule of types)
//   inputs: names in order; "?" may be absent (id -1 or left out at the end); "..." one or more,
//   results too. rules: functions of shape_case.h, type_case.h
#pragma once

#define PRESIL_OP_KINDS(X)                                                                        \
  X(Conv2d, conv2d, Conv2d, "x, weights, bias?", "y", conv2d, weighted)                           \
  X(DepthwiseConv2d, depthwise_conv2d, DepthwiseConv2d, "x, weights, bias?", "y",                 \
    depthwise_conv2d, weighted_depthwise)                                                         \
  X(TransposeConv2d, transpose_conv2d, TransposeConv2d, "x, weights, bias?", "y",                 \
    transpose_conv2d, weighted)                                                                   \
  X(FullyConnected, fully_connected, FullyConnected, "x, weights, bias?", "y", fully_connected,   \
    weighted)                                                                                     \
  X(BatchMatmul, batch_matmul, BatchMatmul, "a, b", "y", batch_matmul, batch_matmul)              \
  X(Lstm, lstm, Lstm,                                                                             \
    "x, w_input, w_forget, w_cell, w_output, r_input, r_forget, r_cell, r_output, "               \
    "b_input, b_forget, b_cell, b_output, h?, c?",                                                \
    "y, h_last, c_last", lstm, lstm)                                                              \
  X(Svdf, svdf, Svdf, "x, feature_weights, time_weights, bias?, state?", "y, last_state", svdf,   \
    svdf)                                                                                         \
  X(Add, add, Elementwise, "a, b", "y", elementwise, arithmetic)                                  \
  X(Sub, sub, Elementwise, "a, b", "y", elementwise, arithmetic)                                  \
  X(Mul, mul, Elementwise, "a, b", "y", elementwise, arithmetic)                                  \
  X(SquaredDifference, squared_difference, None, "a, b", "y", elementwise, elementwise)           \
  X(Maximum, maximum, None, "a, b", "y", elementwise, chosen)                                     \
  X(Minimum, minimum, None, "a, b", "y", elementwise, chosen)                                     \
  X(FloorDiv, floor_div, None, "a, b", "y", elementwise, whole)                                   \
  X(FloorMod, floor_mod, None, "a, b", "y", elementwise, whole)                                   \
  X(Equal, equal, None, "a, b", "y", elementwise, compared)                                       \
  X(NotEqual, not_equal, None, "a, b", "y", elementwise, compared)                                \
  X(Greater, greater, None, "a, b", "y", elementwise, compared)                                   \
  X(GreaterEqual, greater_equal, None, "a, b", "y", elementwise, compared)                        \
  X(Less, less, None, "a, b", "y", elementwise, compared)                                         \
  X(LessEqual, less_equal, None, "a, b", "y", elementwise, compared)                              \
  X(LogicalAnd, logical_and, None, "a, b", "y", elementwise, logical)                             \
  X(LogicalOr, logical_or, None, "a, b", "y", elementwise, logical)                               \
  X(LogicalNot, logical_not, None, "x", "y", same, logical)                                       \
  X(TopK, top_k, None, "x", "y, indices", top_k, top_k)                                           \
  X(AveragePool2d, average_pool2d, Pool2d, "x", "y", pool2d, kept)                                \
  X(MaxPool2d, max_pool2d, Pool2d, "x", "y", pool2d, kept)                                        \
  X(Cumsum, cumsum, Cumsum, "x", "y", same, cumsum)                                               \
  X(Mean, mean, Reduce, "x", "y", reduce, activations)                                            \
  X(Sum, sum, Reduce, "x", "y", reduce, sum)                                                      \
  X(ReduceMax, reduce_max, Reduce, "x", "y", reduce, picked)                                      \
  X(ReduceMin, reduce_min, Reduce, "x", "y", reduce, picked)                                      \
  X(ReduceProd, reduce_prod, Reduce, "x", "y", reduce, product)                                   \
  X(ArgMax, arg_max, Arg, "x", "y", arg, arg)                                                     \
  X(ArgMin, arg_min, Arg, "x", "y", arg, arg)                                                     \
  X(Softmax, softmax, Softmax, "x", "y", softmax, into_unit)                                      \
  X(Relu, relu, None, "x", "y", same, activations)                                                \
  X(Relu6, relu6, None, "x", "y", same, unary_int8)                                               \
  X(LeakyRelu, leaky_relu, LeakyRelu, "x", "y", same, activations)                                \
  X(HardSwish, hard_swish, None, "x", "y", same, unary_int8)                                      \
  X(Logistic, logistic, None, "x", "y", same, into_unit)                                          \
  X(Tanh, tanh, None, "x", "y", same, into_unit)                                                  \
  X(Div, div, Elementwise, "a, b", "y", elementwise, quotient)                                    \
  X(Pow, pow, None, "a, b", "y", elementwise, floats_alone)                                       \
  X(Prelu, prelu, None, "x, alpha", "y", prelu, prelu)                                            \
  X(Elu, elu, None, "x", "y", same, function)                                                     \
  X(Exp, exp, None, "x", "y", same, interpolated)                                                 \
  X(Log, log, None, "x", "y", same, function)                                                     \
  X(Sqrt, sqrt, None, "x", "y", same, function)                                                   \
  X(Rsqrt, rsqrt, None, "x", "y", same, activations)                                              \
  X(Abs, abs, None, "x", "y", same, activations)                                                  \
  X(Neg, neg, None, "x", "y", same, neg)                                                          \
  X(Square, square, None, "x", "y", same, floats_alone)                                           \
  X(Sin, sin, None, "x", "y", same, floats_alone)                                                 \
  X(Cos, cos, None, "x", "y", same, floats_alone)                                                 \
  X(Floor, floor, None, "x", "y", same, floats_alone)                                             \
  X(Ceil, ceil, None, "x", "y", same, floats_alone)                                               \
  X(Round, round, None, "x", "y", same, floats_alone)                                             \
  X(Sign, sign, None, "x", "y", same, floats_alone)                                               \
  X(ReluN1To1, relu_n1_to_1, None, "x", "y", same, function)                                      \
  X(Gelu, gelu, Gelu, "x", "y", same, interpolated)                                               \
  X(LogSoftmax, log_softmax, None, "x", "y", softmax, log_softmax)                                \
  X(L2Normalize, l2_normalize, Elementwise, "x", "y", softmax, function)                          \
  X(LayerNorm, layer_norm, LayerNorm, "x, gamma, beta", "y", layer_norm, floats_alone)            \
  X(Relu0To1, relu_0_to_1, None, "x", "y", same, function)                                        \
  X(Lut, lut, None, "x, table", "y", lut, lut)                                                    \
  X(Quantize, quantize, Quantize, "x", "y", same, quantize)                                       \
  X(Dequantize, dequantize, None, "x", "y", same, dequantize)                                     \
  X(Reshape, reshape, None, "x", "y", reshape, moved)                                             \
  X(Concat, concat, Concat, "x...", "y", concat, concat)                                          \
  X(Interleave, interleave, Interleave, "x...", "y", interleave, interleave)                      \
  X(Pad, pad, Pad, "x", "y", pad, moved)                                                          \
  X(Transpose, transpose, Transpose, "x", "y", transpose, moved)                                  \
  X(StridedSlice, strided_slice, StridedSlice, "x", "y", strided_slice, moved)                    \
  X(SpaceToDepth, space_to_depth, Blocks, "x", "y", space_to_depth, moved)                        \
  X(DepthToSpace, depth_to_space, Blocks, "x", "y", depth_to_space, moved)                        \
  X(SpaceToBatch, space_to_batch, BatchBlocks, "x", "y", space_to_batch, moved)                   \
  X(BatchToSpace, batch_to_space, BatchBlocks, "x", "y", batch_to_space, moved)                   \
  X(Tile, tile, Tile, "x", "y", tile, moved)                                                      \
  X(MirrorPad, mirror_pad, MirrorPad, "x", "y", mirror_pad, moved)                                \
  X(Gather, gather, Gather, "x, indices", "y", gather, gather)                                    \
  X(GatherNd, gather_nd, None, "x, indices", "y", gather_nd, gather)                              \
  X(ReverseSequence, reverse_sequence, ReverseSequence, "x, lengths", "y", reverse_sequence,      \
    reverse_sequence)                                                                             \
  X(Select, select, None, "condition, a, b", "y", select, select)                                 \
  X(OneHot, one_hot, OneHot, "indices, on, off", "y", one_hot, one_hot)                           \
  X(Cast, cast, None, "x", "y", same, cast)                                                       \
  X(ResizeNearest, resize_nearest, Resize, "x", "y", resize, moved)                               \
  X(ResizeBilinear, resize_bilinear, Resize, "x", "y", resize, kept)                              \
  X(YoloDecode, yolo_decode, YoloDecode, "head, sigmoid_table, exp_table", "rows", yolo_decode,   \
    yolo_decode)                                                                                  \
  X(Nms, nms, Nms, "rows...", "detections, count", nms, nms)                                      \
  X(DetectionPostProcess, detection_post_process, DetectionPostProcess, "boxes, scores, anchors", \
    "y, y_classes, y_scores, count", detection_post_process, detection_post_process)              \
  X(BoxDecode, box_decode, BoxDecode, "x", "rows", box_decode, box_decode)                        \
  X(Rescale, rescale, Rescale, "x, multiplier, shift", "y", rescale, rescale)                     \
  X(ConvSums, conv_sums, ConvSums, "x, weights, bias", "y", conv_sums, conv_sums)                 \
  X(MatmulSums, matmul_sums, MatmulSums, "a, b", "y", matmul_sums, matmul_sums)                   \
  X(MeanPool, mean_pool, MeanPool, "x", "y", mean_pool, mean_pool)                                \
  X(ResizeByRatio, resize_by_ratio, ResizeByRatio, "x", "y", resize_by_ratio, resize_by_ratio)    \
  X(TableBetween, table_between, None, "x, table", "y", same, table_between)                      \
  X(Scatter, scatter, None, "x, indices, updates", "y", scatter, scatter)                         \
  X(BitwiseAnd, bitwise_and, None, "a, b", "y", elementwise, bits)                                \
  X(BitwiseOr, bitwise_or, None, "a, b", "y", elementwise, bits)                                  \
  X(BitwiseXor, bitwise_xor, None, "a, b", "y", elementwise, bits)                                \
  X(ShiftLeft, shift_left, None, "a, b", "y", elementwise, bits)                                  \
  X(ShiftRight, shift_right, ShiftRight, "a, b", "y", elementwise, bits)                          \
  X(ShiftRightLogical, shift_right_logical, None, "a, b", "y", elementwise, bits)                 \
  X(IntDiv, int_div, None, "a, b", "y", elementwise, bits)                                        \
  X(MulShift, mul_shift, MulShift, "a, b", "y", elementwise, mul_shift)                           \
  X(LeadingZeros, leading_zeros, None, "x", "y", same, leading_zeros)                             \
  X(Custom, custom, Custom, "x...", "y...", custom, custom)
