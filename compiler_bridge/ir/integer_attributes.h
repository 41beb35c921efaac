// Attributes of operators on integers as they are stored: what zero points and scales say of their
// tensors plays no part (TOSA 1.0, sections of its operators).
#pragma once

#include <cstdint>
#include <vector>

namespace presil::ir {

/// Integers as they are stored, brought to another type (TOSA's RESCALE):
/// ((x - in_zero) * multiplier + half) >> shift, + out_zero, saturated to y. multiplier (int32, or
/// int16: 16 bits of scale) and shift (int8, 2..62) have one entry, or one for each index of the
/// last axis. half is 2^(shift - 1); round_twice: where shift is above 31, 2^30 more for values
/// from 0 on, 2^30 less below. Unsigned: the bits of x, or of y, are those of an unsigned number.
struct Rescale {
  int in_zero = 0, out_zero = 0;
  bool round_twice = false;
  bool in_unsigned = false, out_unsigned = false;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("in_zero", s.in_zero), f("out_zero", s.out_zero), f("round_twice", s.round_twice);
    f("in_unsigned", s.in_unsigned), f("out_unsigned", s.out_unsigned);
  }
};

/// Sums of a convolution over two or three axes of space, as integers: sum (x - in_zero) *
/// (weights - weight_zero) + bias. stride, dilation, before, after: one entry an axis of space. x
/// [n, space.., in], weights [out, kernel.., in], bias [out] or [1]; depthwise: weights [kernel..,
/// in, m], bias [in * m], channel c * m + i reads c. transposed: as TransposeConv2d, with before
/// and after cut off (negative: added).
struct ConvSums {
  std::vector<int64_t> stride, dilation, before, after;
  int in_zero = 0, weight_zero = 0;
  bool depthwise = false, transposed = false;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("stride", s.stride), f("dilation", s.dilation);
    f("before", s.before), f("after", s.after);
    f("in_zero", s.in_zero), f("weight_zero", s.weight_zero);
    f("depthwise", s.depthwise), f("transposed", s.transposed);
  }
};

/// a [n, h, k], b [n, k, w]: sums of (a - a_zero) * (b - b_zero), y [n, h, w].
struct MatmulSums {
  int a_zero = 0, b_zero = 0;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("a_zero", s.a_zero), f("b_zero", s.b_zero);
  }
};

/// The mean of n values inside the image, by TOSA's reciprocal: with k = 32 - leading zeros of
/// n - 1, m = ((2^30 + 1) << k) / n, y = (sum (x - in_zero) * m + half) >> (30 + k), half
/// 2^(29 + k), + out_zero, saturated.
struct MeanPool {
  int kernel_h = 1, kernel_w = 1;
  int stride_h = 1, stride_w = 1;
  int pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  int in_zero = 0, out_zero = 0;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("kernel_h", s.kernel_h), f("kernel_w", s.kernel_w);
    f("stride_h", s.stride_h), f("stride_w", s.stride_w);
    f("pad_top", s.pad_top), f("pad_left", s.pad_left);
    f("pad_bottom", s.pad_bottom), f("pad_right", s.pad_right);
    f("in_zero", s.in_zero), f("out_zero", s.out_zero);
  }
};

/// NHWC images by ratios (TOSA's RESIZE). scale: y numerator, y denominator, x numerator, x
/// denominator; offset and border y, x. y has ((h - 1) * numerator - offset + border) /
/// denominator + 1 rows, columns alike. Row r is at r * denominator + offset, in numerators of a
/// row of x. nearest: the closer one, halves the later; else the four around it, weighted by
/// numerators: y is wider by both numerators.
struct ResizeByRatio {
  std::vector<int64_t> scale, offset, border;
  bool nearest = false;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("scale", s.scale), f("offset", s.offset), f("border", s.border), f("nearest", s.nearest);
  }
};

/// round: the last bit that is shifted out is added.
struct ShiftRight {
  bool round = false;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("round", s.round);
  }
};

/// a * b of two int32 in 64 bits, + 2^(shift - 1), >> shift; shift 1..63.
struct MulShift {
  int shift = 1;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("shift", s.shift);
  }
};

}  // namespace presil::ir
