// The inner loops of the DLA's values: what the host's vector unit does, chosen at run time among
// the instruction sets the binary was built for. Every target gives the same values.
// Sizes: a word is 16 channels of one pixel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace presil::dla {

inline constexpr size_t kLanes = 16;              ///< channels of a word
inline constexpr size_t kSetBytes = 16 * kLanes;  ///< a weight set of 16 output x 16 input channels

/// How an accumulator becomes a byte; constants of 16 channels, laid out for the loops.
struct RequantiseLanes {
  enum class Rule : uint8_t { kDouble, kFloat, kDivide, kSingle, kLowByte };
  Rule rule = Rule::kLowByte;
  int32_t multiplier[kLanes] = {};  ///< kDouble, kSingle: integer; kFloat: the bits of the scale
  int32_t left[kLanes] = {}, right[kLanes] = {};  ///< kDouble: shifts 0..31; kSingle: right 1..62
  uint32_t reciprocal = 0, half = 0;              ///< kDivide
  int32_t zero = 0, min = -128, max = 127;
};

/// Scale of one rule-double multiplication: (x << left) * multiplier, then >> right.
struct DoubleScale {
  int32_t multiplier = 0, left = 0, right = 0;
};

/// Element-wise operation of a word with a second one.
struct ElementWise {
  enum class Kind : uint8_t { kTwiceScaled, kMultiplyAdd, kProductDouble, kProductFloat };
  Kind kind = Kind::kTwiceScaled;
  bool subtract = false;  ///< kTwiceScaled
  int32_t a_zero = 0, b_zero = 0, out_zero = 0, min = -128, max = 127;
  int32_t left = 0;       ///< kTwiceScaled: common shift before scaling
  DoubleScale a, b, out;  ///< kTwiceScaled; out also kProductDouble
  int32_t a_multiplier = 0, b_multiplier = 0, addend = 0, shift = 0;  ///< kMultiplyAdd
  int32_t scale_bits = 0;                                             ///< kProductFloat
};

/// The loops of one instruction set.
struct VectorLoops {
  /// Widens `pixels` words, `step` bytes apart, to int16 words one after the other.
  void (*widen)(const uint8_t* from, ptrdiff_t step, size_t pixels, int16_t* to);
  /// A set [k][c] int8, rows `pitch` bytes apart, becomes [c / 2][k][c % 2] int16, less `zero`.
  void (*pair_weights)(const uint8_t* set, size_t pitch, int zero, int16_t* pairs);
  /// acc[p][k] = from[p * from_step + k] + sum over sets s and channels c of
  /// x[offset[s] + 16 * p + c] * w[s][c][k]. A step of 0 starts every pixel from the same word;
  /// `from` may be `acc`, with a step of 16.
  void (*convolve)(const int16_t* x, const ptrdiff_t* offset, size_t sets, const int16_t* pairs,
                   size_t pixels, const int32_t* from, size_t from_step, int32_t* acc);
  /// acc[p][k] = from[p * from_step + k] + sum over taps t of x[offset[t] + 16 * p + k] * w[t][k];
  /// |w| <= 255, |x| <= 128.
  void (*convolve_lanes)(const int16_t* x, const ptrdiff_t* offset, size_t taps, const int16_t* w,
                         size_t pixels, const int32_t* from, size_t from_step, int32_t* acc);
  void (*requantise)(const int32_t* acc, size_t pixels, const RequantiseLanes& lanes, int8_t* y);
  /// y = y op b
  void (*element_wise)(int8_t* y, const int8_t* b, size_t pixels, const ElementWise& e);
};

/// Those of the best instruction set of this machine.
const VectorLoops& vector_loops();

/// The same in plain C++: what the others are measured by, and used where there is no vector unit.
VectorLoops plain_loops();

/// Every set this machine can run, best first; the last is the plain one.
std::vector<std::pair<std::string, VectorLoops>> all_vector_loops();

}  // namespace presil::dla
