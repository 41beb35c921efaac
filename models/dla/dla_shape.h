// What a command's fields say about its loops: which inputs it reads, how a depthwise or pooling
// window is cut into chunks for the 4 x 4 tap window of the array. Of the words of
// rtl/dla/README.md only.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rtl/dla/dla_command.h"

namespace presil::dla {

/// Bytes of the parameters of 16 channels: bias int32 x 16, multiplier int32 x 16, shift int8 x 16.
inline constexpr uint32_t kParameterBytes = 144;

/// Conv, dwconv and sumpool read channel parameters; pass does unless it keeps the low byte.
inline bool reads_parameters(const Command& c) {
  return c.op == Op::kConv || c.op == Op::kDwconv || c.op == Op::kSumpool ||
         (c.op == Op::kPass && c.rule != Rule::kNone);
}
inline bool reads_weights(const Command& c) {
  return c.op == Op::kConv || c.op == Op::kDwconv;
}
/// A second operand, or partial sums.
inline bool reads_second(const Command& c) {
  return c.ew_op != EwOp::kNone || c.acc_init == AccInit::kInt32;
}
/// Bytes of a pixel and block of 16 channels at the output, and at the second operand.
inline unsigned output_pixel_bytes(const Command& c) {
  return c.out_type == OutType::kInt32 ? 64 : 16;
}
inline unsigned second_pixel_bytes(const Command& c) {
  return c.acc_init == AccInit::kInt32 ? 64 : 16;
}

inline constexpr unsigned kTapRows = 4, kTapColumns = 4;

/// Columns of a chunk: dilated columns come one at a time.
inline unsigned chunk_width(const Command& c) {
  return c.dil_x > 1 ? 1 : kTapColumns;
}
inline unsigned chunk_rows(const Command& c) {
  return (c.kernel_h + kTapRows - 1) / kTapRows;
}
inline unsigned chunk_columns(const Command& c) {
  return (c.kernel_w + chunk_width(c) - 1) / chunk_width(c);
}
/// Kernel columns of chunk column `cx`.
inline unsigned columns_of(const Command& c, unsigned cx) {
  return std::min(chunk_width(c), c.kernel_w - cx * chunk_width(c));
}
/// Kernel rows of chunk row `cy`.
inline unsigned rows_of(const Command& c, unsigned cy) {
  return std::min(kTapRows, c.kernel_h - cy * kTapRows);
}

struct Tap {
  unsigned chunk_row, chunk_column;
  unsigned lane;  ///< of the weight set's rows
};

/// Columns enter the window at its right end, so a chunk of kc columns uses the last kc of each
/// four lanes.
inline Tap tap_of(const Command& c, unsigned ky, unsigned kx) {
  const unsigned cx = kx / chunk_width(c);
  const unsigned x = kx % chunk_width(c);
  return {ky / kTapRows, cx, kTapColumns * (ky % kTapRows) + kTapColumns - columns_of(c, cx) + x};
}

}  // namespace presil::dla
