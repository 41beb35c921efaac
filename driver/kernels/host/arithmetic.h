// The integer rules of rtl/dla/README.md as scalar functions, total over their arguments.
#pragma once

#include <cstdint>
#include <cstring>

#include "driver/kernels/host/kernels.h"

namespace presil::kernels {

/// Sums wrap as the hardware's do.
inline int32_t wrap_add(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
inline int32_t wrap_mul(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}

inline int64_t clamp(int64_t v, int64_t low, int64_t high) {
  return v < low ? low : v > high ? high : v;
}
inline int32_t saturate32(int64_t v) {
  return static_cast<int32_t>(clamp(v, INT32_MIN, INT32_MAX));
}

/// High half of 2 * x * m, rounded: (p + (p >= 0 ? 2^30 : 1 - 2^30)) / 2^31, truncating.
inline int32_t doubling_high_multiply(int32_t x, int32_t m) {
  if (x == INT32_MIN && m == INT32_MIN) return INT32_MAX;
  const int64_t p = static_cast<int64_t>(x) * m;
  const int64_t nudge = p >= 0 ? int64_t{1} << 30 : 1 - (int64_t{1} << 30);
  return static_cast<int32_t>((p + nudge) / (int64_t{1} << 31));
}

/// x / 2^n to the nearest integer, halves away from zero. n is 0..62.
inline int32_t rounding_divide_pot(int32_t x, int n) {
  if (n == 0) return x;
  const int64_t magnitude = x < 0 ? -static_cast<int64_t>(x) : x;
  const int64_t q = (magnitude + (int64_t{1} << (n - 1))) >> n;
  return static_cast<int32_t>(x < 0 ? -q : q);
}

/// Rule `double`: shift > 0 is left, before the multiplication; shift < 0 right, after it.
/// Shifts beyond -31..30 act as the nearest of these.
inline int32_t double_rounding(int32_t x, int32_t multiplier, int shift) {
  const int left = shift <= 0 ? 0 : shift > 30 ? 30 : shift;
  const int right = shift >= 0 ? 0 : shift < -31 ? 31 : -shift;
  const int32_t shifted = static_cast<int32_t>(static_cast<uint32_t>(x) << left);
  return rounding_divide_pot(doubling_high_multiply(shifted, multiplier), right);
}

/// Rule `double_up`: as `double`, but halves of the shift go up.
inline int32_t double_rounding_up(int32_t x, int32_t multiplier, int shift) {
  const int right = shift >= 0 ? 0 : shift < -31 ? 31 : -shift;
  const int64_t high = double_rounding(x, multiplier, shift > 0 ? shift : 0);
  return static_cast<int32_t>(right == 0 ? high : (high + (int64_t{1} << (right - 1))) >> right);
}

/// To the nearest integer, halves to even, saturating; NaN becomes the lowest value.
inline int32_t round_even(float v) {
  if (!(v > -2147483648.0f)) return INT32_MIN;
  if (v >= 2147483648.0f) return INT32_MAX;
  const int32_t whole = static_cast<int32_t>(v);     // towards zero
  const float rest = v - static_cast<float>(whole);  // exact: both have the same exponent or less
  const bool odd = (whole & 1) != 0;
  if (rest > 0.5f || (rest == 0.5f && odd)) return whole + 1;
  if (rest < -0.5f || (rest == -0.5f && odd)) return whole - 1;
  return whole;
}

/// To the nearest integer, halves away from zero, saturating; NaN becomes the lowest value.
inline int32_t round_away(float v) {
  if (!(v > -2147483648.0f)) return INT32_MIN;
  if (v >= 2147483648.0f) return INT32_MAX;
  const int32_t whole = static_cast<int32_t>(v);
  const float rest = v - static_cast<float>(whole);
  return rest >= 0.5f ? whole + 1 : rest <= -0.5f ? whole - 1 : whole;
}

/// Rule `float`: the product of float32(x) and the scale whose bits are `multiplier`, rounded to
/// even.
inline int32_t float_requantise(int32_t x, int32_t multiplier) {
  float scale;
  std::memcpy(&scale, &multiplier, sizeof scale);
  return round_even(static_cast<float>(x) * scale);
}

/// Rule `fixed8`: (x * multiplier + 128) >> 8, the shift arithmetic.
inline int32_t rule_fixed8(int32_t x, int32_t multiplier) {
  return saturate32((static_cast<int64_t>(x) * multiplier + 128) >> 8);
}

/// Rule `once` of an int32: one rounding, halves up, saturated. Shifts beyond -31..30 act as the
/// nearest of these.
inline int32_t rule_once(int32_t x, int32_t multiplier, int shift) {
  const int places = 31 - (shift < -31 ? -31 : shift > 30 ? 30 : shift);
  const int64_t half = int64_t{1} << (places - 1);
  return saturate32((static_cast<int64_t>(x) * multiplier + half) >> places);
}

inline int32_t apply_rule(uint32_t rule, int32_t x, int32_t multiplier, int shift) {
  if (rule == PRESIL_RULE_FLOAT) return float_requantise(x, multiplier);
  if (rule == PRESIL_RULE_FIXED8) return rule_fixed8(x, multiplier);
  if (rule == PRESIL_RULE_ONCE) return rule_once(x, multiplier, shift);
  if (rule == PRESIL_RULE_DOUBLE_UP) return double_rounding_up(x, multiplier, shift);
  return double_rounding(x, multiplier, shift);
}

/// What follows every rule: the zero point, then the clamp.
inline int8_t finish(int32_t v, int32_t zero, int32_t act_min, int32_t act_max) {
  return static_cast<int8_t>(clamp(static_cast<int64_t>(v) + zero, act_min, act_max));
}

}  // namespace presil::kernels
