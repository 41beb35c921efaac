// What the DLA computes by the commands of one layer.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler_bridge/layer/operand.h"
#include "compiler_bridge/layer/weights.h"
#include "rtl/dla/dla_command.h"

namespace presil::layer {

/// The element-wise unit after the requantiser (rtl/dla/README.md): a = result, b = `operand`.
struct ElementWise {
  dla::EwOp op = dla::EwOp::kNone;
  dla::EwRule rule = dla::EwRule::kTflite;
  TensorId operand = kNoTensor;
  int32_t a_zero = 0, b_zero = 0, out_zero = 0;
  int32_t a_mult = 0, b_mult = 0, out_mult = 0;
  int32_t a_shift = 0, b_shift = 0, out_shift = 0;
  unsigned left_shift = 0;
  int32_t act_min = -128, act_max = 127;

  template <class Self, class F>
  static void fields(Self& s, F&& f);
};

/// One DLA layer: convolution (a fully connected layer is a 1x1 one), depthwise convolution,
/// pooling (a mean over rows and columns is one window), or a pass of one tensor through the
/// post-processing. Sizes in elements of NHWC tensors with batch 1.
struct DlaLayer {
  static constexpr const char* kWord = "dla";
  static constexpr const char* kEngine = "dla";

  dla::Op op = dla::Op::kConv;
  TensorId input = kNoTensor;
  TensorId output = kNoTensor;
  int in_h = 1, in_w = 1, in_c = 1;     ///< as the command sees the input (a view may differ)
  int out_h = 1, out_w = 1, out_c = 1;  ///< before upsample2
  int kernel_h = 1, kernel_w = 1;
  int stride_y = 1, stride_x = 1;
  int dil_y = 1, dil_x = 1;
  int pad_top = 0, pad_left = 0;  ///< bottom and right follow from the sizes
  int32_t pad_value = 0;   ///< conv: the input's zero point; pass: what a margin holds; pools: 0
  bool upsample2 = false;  ///< each result is written to 2 x 2 pixels
  /// conv: the results are the int32 sums themselves, bias included. 16 channels of a pixel are
  /// four columns of the output, whose channels are `out_c`, a multiple of 16, and hold bytes.
  bool sums = false;

  /// Output channels [g * out_c / groups, ...) of a conv read input channels [g * in_c / groups,
  /// ...) alone; it divides both.
  int groups = 1;
  /// conv: [out_c][kernel_h][kernel_w][in_c / groups]; dwconv: [channel][kernel_h][kernel_w]; else
  /// empty
  Weights weights;
  int32_t weight_zero = 0;
  /// conv 1x1: weights that the graph computes. Pixels of this tensor are output channels, its
  /// channels input channels; it has one row, or, with `weights_by_row`, one for each output row.
  TensorId weights_from = kNoTensor;
  bool weights_by_row = false;
  /// Beside weights_from: the input's zero point, which `bias` cannot hold: the DLA itself adds
  /// -in_zero * sum (w - weight_zero) to it.
  int32_t in_zero = 0;
  /// Beside weights_from: the input is a matrix with 1 on its diagonal of so many pixels and
  /// channels, and output pixel x is channel x of the weights: what they are, transposed. 0: no.
  int diagonal = 0;
  std::vector<int32_t> bias;  ///< per output channel, the input's zero point folded in; sumpool too
  std::vector<int32_t> multiplier;  ///< per output channel; xnnpack: bits of the float32 scale
  std::vector<int8_t> shift;        ///< per output channel, positive is left
  dla::Rule rule = dla::Rule::kDouble;
  uint32_t div_recip = 0;
  uint32_t div_count = 0;
  /// Rule divide: by the number of taps inside the image instead, another one at each border.
  bool divide_inside = false;
  int32_t out_zero = 0, act_min = -128, act_max = 127;
  std::vector<int8_t> lut;  ///< 256 entries by value as uint8, or empty
  ElementWise ew;

  /// Rows and columns of the output for each row and column of results.
  int rows_made() const { return upsample2 ? 2 : 1; }
  int columns_made() const { return upsample2 ? 2 : sums ? kColumnsOfSum : 1; }
  static constexpr int kColumnsOfSum = 4;

  bool has_computed_weights() const { return weights_from != kNoTensor; }
  bool has_operand() const { return ew.operand != kNoTensor; }
  /// Every lane of the output reads its own lane of the input, and no other.
  bool is_lane_wise() const { return op != dla::Op::kConv; }

  Operands operands() const;
  uint64_t weight_bytes() const { return weights.size(); }

  template <class Self, class F>
  static void fields(Self& s, F&& f);
};

/// Strides of one command. Outputs that are farther apart are a tile each, along that axis.
inline constexpr int kMostStride = dla::Command::kStrideXMax;

}  // namespace presil::layer
