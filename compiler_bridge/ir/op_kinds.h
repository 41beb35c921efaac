// The operators of the graph: one line per kind. Everything that must know all kinds (enum, text
// form, binary form, arity checks, `presil ops`) is generated from this list; a new kind is one
// line here, its shape rule in shape.cpp and its meaning in reference/.
//
// X(Name, spelling in text, attribute struct, inputs, outputs)
//   inputs: names in order; "?" may be absent (id -1 or left out at the end); "..." one or more.
#pragma once

#define PRESIL_OP_KINDS(X)                                                                        \
  X(Conv2d, conv2d, Conv2d, "x, weights, bias?", "y")                                             \
  X(DepthwiseConv2d, depthwise_conv2d, DepthwiseConv2d, "x, weights, bias?", "y")                 \
  X(TransposeConv2d, transpose_conv2d, TransposeConv2d, "x, weights, bias?", "y")                 \
  X(FullyConnected, fully_connected, FullyConnected, "x, weights, bias?", "y")                    \
  X(BatchMatmul, batch_matmul, BatchMatmul, "a, b", "y")                                          \
  X(Lstm, lstm, Lstm,                                                                             \
    "x, w_input, w_forget, w_cell, w_output, r_input, r_forget, r_cell, r_output, "               \
    "b_input, b_forget, b_cell, b_output, h?, c?",                                                \
    "y, h_last, c_last")                                                                          \
  X(Add, add, Elementwise, "a, b", "y")                                                           \
  X(Sub, sub, Elementwise, "a, b", "y")                                                           \
  X(Mul, mul, Elementwise, "a, b", "y")                                                           \
  X(AveragePool2d, average_pool2d, Pool2d, "x", "y")                                              \
  X(MaxPool2d, max_pool2d, Pool2d, "x", "y")                                                      \
  X(Mean, mean, Mean, "x", "y")                                                                   \
  X(Softmax, softmax, Softmax, "x", "y")                                                          \
  X(Relu, relu, None, "x", "y")                                                                   \
  X(Relu6, relu6, None, "x", "y")                                                                 \
  X(LeakyRelu, leaky_relu, LeakyRelu, "x", "y")                                                   \
  X(HardSwish, hard_swish, None, "x", "y")                                                        \
  X(Logistic, logistic, None, "x", "y")                                                           \
  X(Tanh, tanh, None, "x", "y")                                                                   \
  X(Lut, lut, None, "x, table", "y")                                                              \
  X(Quantize, quantize, None, "x", "y")                                                           \
  X(Dequantize, dequantize, None, "x", "y")                                                       \
  X(Reshape, reshape, None, "x", "y")                                                             \
  X(Concat, concat, Concat, "x...", "y")                                                          \
  X(Interleave, interleave, Interleave, "x...", "y")                                              \
  X(Pad, pad, Pad, "x", "y")                                                                      \
  X(Transpose, transpose, Transpose, "x", "y")                                                    \
  X(StridedSlice, strided_slice, StridedSlice, "x", "y")                                          \
  X(ResizeNearest, resize_nearest, Resize, "x", "y")                                              \
  X(ResizeBilinear, resize_bilinear, Resize, "x", "y")                                            \
  X(YoloDecode, yolo_decode, YoloDecode, "head, sigmoid_table, exp_table", "rows")                \
  X(Nms, nms, Nms, "rows...", "detections, count")                                                \
  X(DetectionPostProcess, detection_post_process, DetectionPostProcess, "boxes, scores, anchors", \
    "y, y_classes, y_scores, count")
