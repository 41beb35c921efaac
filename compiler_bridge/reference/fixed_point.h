// The integer arithmetic that both rule sets are made of. Names are the field's: a multiplier is a
// Q31 fraction, a shift is positive to the left.
#pragma once

#include <cstdint>
#include <limits>

namespace presil::reference {

constexpr int32_t kInt32Max = std::numeric_limits<int32_t>::max();
constexpr int32_t kInt32Min = std::numeric_limits<int32_t>::min();

/// multiplier * 2^(shift - 31), multiplier in [2^30, 2^31) or 0.
struct Scale {
  int32_t multiplier = 0;
  int shift = 0;
};

/// The nearest such number: fraction and exponent of `value` (frexp), fraction * 2^31 rounded to
/// nearest, ties away from zero; a fraction that rounds up to 1 moves into the exponent; below
/// 2^-32 it is 0.
Scale to_scale(double value);

/// round(a * b / 2^31): (p + (p >= 0 ? 2^30 : 1 - 2^30)) / 2^31 truncating, p = a * b;
/// INT32_MIN * INT32_MIN saturates to INT32_MAX.
inline int32_t doubling_high_mul(int32_t a, int32_t b) {
  if (a == kInt32Min && b == kInt32Min) return kInt32Max;
  const int64_t product = static_cast<int64_t>(a) * b;
  const int64_t half = product >= 0 ? int64_t{1} << 30 : 1 - (int64_t{1} << 30);
  return static_cast<int32_t>((product + half) / (int64_t{1} << 31));
}

/// x / 2^exponent rounded to nearest, ties away from zero. exponent 0..31
inline int32_t rounding_shift_right(int32_t x, int exponent) {
  const int64_t half = exponent == 0 ? 0 : int64_t{1} << (exponent - 1);
  const int64_t magnitude = x < 0 ? -static_cast<int64_t>(x) : x;
  const int64_t rounded = (magnitude + half) >> exponent;
  return static_cast<int32_t>(x < 0 ? -rounded : rounded);
}

/// x * 2^exponent, saturating. exponent 0..31
inline int32_t saturating_shift_left(int32_t x, int exponent) {
  const int64_t wide = static_cast<int64_t>(x) * (int64_t{1} << exponent);
  return wide > kInt32Max ? kInt32Max : wide < kInt32Min ? kInt32Min : static_cast<int32_t>(wide);
}

/// The `tflite` rule: rounding_shift_right(doubling_high_mul(x << left, multiplier), right).
inline int32_t multiply(int32_t x, Scale scale) {
  const int left = scale.shift > 0 ? scale.shift : 0;
  const int right = scale.shift > 0 ? 0 : -scale.shift;
  // The product by 2^left keeps its low 32 bits, as in 32-bit arithmetic.
  const auto shifted = static_cast<int32_t>(
      left > 31 ? 0u : static_cast<uint32_t>(static_cast<uint32_t>(x) << left));
  return rounding_shift_right(doubling_high_mul(shifted, scale.multiplier), right);
}

/// As multiply, but of the second rounding the halves go up (LiteRT's library of matrix products).
inline int32_t multiply_up(int32_t x, Scale scale) {
  if (scale.shift >= 0) return multiply(x, scale);
  const int64_t high = multiply(x, {scale.multiplier, 0});
  const int64_t twice = high + (int64_t{1} << (-scale.shift - 1));
  return static_cast<int32_t>(twice >> -scale.shift);
}

/// The `tflite` rule for sums of int64: the multiplier is cut to m = 16 bits (rounded, 32767 where
/// that would be 32768), then (x * m + 2^(14 - shift)) >> (15 - shift), arithmetic, of which the
/// low 32 bits count. The product keeps its low 64 bits.
/// @pre scale.shift <= 14
int32_t multiply_wide(int64_t x, Scale scale);

/// (x * multiplier + 2^(30 - shift)) >> (31 - shift), arithmetic: one rounding, whose halves go up.
/// @pre |x| < 2^47, shift <= 15
int64_t multiply_once(int64_t x, Scale scale);

/// The nearest integer, ties to even, saturated to int32.
int32_t round_even(float x);

inline int32_t clamp(int32_t x, int32_t low, int32_t high) {
  return x < low ? low : x > high ? high : x;
}
inline int8_t to_int8(int32_t x) {
  return static_cast<int8_t>(clamp(x, -128, 127));
}

}  // namespace presil::reference
