// int8 logarithm of the softmax over the last axis; y has steps of 1/16 below 127.
// tflite (TFLite Micro), in fixed point: multiplier m, d and lowest d as in softmax.cpp, beta 1;
//   sum = sum of e(d) rounded to Q19, L = its logarithm in Q26 (below);
//   y = round((multiply(d, m) - L) / 2^22), ties away from zero, + 127, saturated; but -128 where
//   d <= max(lowest d - 1, multiply(L - 2^31, Scale(2^31 / (m's multiplier * 2^m's shift)))).
// The logarithm of a Q19 number z, "*" is doubling_high_mul, fractions Q31, all else said:
//   z has h leading zeros of 32 bits; r_a = 2 * (z << (h - 1)) * sqrt(1/2)), k_a = 12 - h + 1/4;
//   z * sqrt(1/2) has g of 31; r_b = z << g, k_b = 12 - g - 1/4; r = the less, k = the larger, Q25;
//   s = 2^(-1/4), p = (r + s) / 2, q = 2 * (r - s), n = q * r + (q * q * q) * 11/240 2^(1/4);
//   n / (1 + p * (2 s - 1/s + q + q * q * (1/20 2^(1/4))) + q * (1/4 2^(1/4))), by
//   one_over_one_plus; that quotient in Q25 and k * ln 2 are added, to Q26.
// xnnpack: XNNPACK has none; LiteRT's own kernel, in float32 and in this order:
//   sum of exp(-s_x * d) from the left, d = largest x of the row - x, from a table of 256;
//   y = round_even((s_x / s_y) * x - (s_x * largest + ln sum) / s_y) + 127, saturated.
#include <algorithm>
#include <cmath>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/fixed_functions.h"
#include "compiler_bridge/reference/fixed_point.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/softmax.h"

namespace presil::reference::operators {
namespace {

constexpr int kSumBits = 12;  // integer bits of the sum

int zeros_of(int32_t v) {
  int zeros = 0;
  for (auto bits = static_cast<uint32_t>(v); zeros < 32 && (bits >> 31) == 0; bits <<= 1) ++zeros;
  return zeros;
}

int32_t saturated(int64_t v) {
  return static_cast<int32_t>(std::clamp<int64_t>(v, kInt32Min, kInt32Max));
}

/// Q19 to Q26.
int32_t logarithm(int32_t z) {
  constexpr int32_t kLn2 = 1488522236, kRoot4 = 1805811301, kRoot2 = 1518500250;
  constexpr int32_t kN = 117049297, kD = 127690142, kI = 1057819769, kF = 638450708;
  constexpr int kAccumulated = 25;  // fraction bits of k and of the sum
  constexpr int64_t kQuarter = 1 << (kAccumulated - 2);
  const auto power = [&](int whole, int64_t quarter) {
    return saturated(int64_t{saturating_shift_left(whole, kAccumulated)} + quarter);
  };
  const int h = zeros_of(z);
  const int32_t normal = saturating_shift_left(z, h - 1);
  const int32_t r_a = saturating_shift_left(doubling_high_mul(normal, kRoot2), 1);
  const int32_t k_a = power(kSumBits - h, kQuarter);
  const int g = zeros_of(doubling_high_mul(z, kRoot2)) - 1;
  const int32_t r_b = saturating_shift_left(z, g);
  const int32_t k_b = power(kSumBits - g, -kQuarter);
  const int32_t r = std::min(r_a, r_b), k = std::max(k_a, k_b);

  const int64_t both = int64_t{r} + kRoot4;
  const auto p = static_cast<int32_t>((both + (both >= 0 ? 1 : -1)) / 2);
  const int32_t q = 2 * (r - kRoot4);
  const int32_t square = doubling_high_mul(q, q);
  const int32_t n = doubling_high_mul(q, r) + doubling_high_mul(doubling_high_mul(q, square), kN);
  const int32_t d =
      doubling_high_mul(p, kI + q + doubling_high_mul(kD, square)) + doubling_high_mul(kF, q);
  const int32_t share =
      doubling_high_mul(rounding_shift_right(n, 31 - kAccumulated), one_over_one_plus(d));
  return saturating_shift_left(doubling_high_mul(k, kLn2) + share, 1);
}

void in_fixed_point(const Case& c) {
  const double real =
      std::min(static_cast<double>(c.in().quantization.scale()) * (1 << 26), 2147483647.0);
  const Scale scale = to_scale(real);
  const auto lowest =
      static_cast<int32_t>(-std::floor(31.0 * std::ldexp(1.0, 26) / std::ldexp(1.0, scale.shift)));
  // The quotient of a power of two, which is cut to a whole number, and the multiplier.
  const double power = scale.shift <= 31 ? std::ldexp(1.0, 31 - scale.shift) : 0;
  const Scale reverse = to_scale(power / static_cast<double>(scale.multiplier));
  for_each_row(c, [&](const Row& row) {
    int32_t sum = 0;
    for (int64_t i = 0; i < row.length; ++i) {
      const int32_t d = row.x[i] - row.largest;
      if (d < lowest) continue;
      sum += rounding_shift_right(exp_of_negative(multiply(d, scale), 5), kSumBits);
    }
    const int32_t log = logarithm(sum);
    const int32_t least = std::max(lowest - 1, multiply(log + kInt32Min, reverse));
    for (int64_t i = 0; i < row.length; ++i) {
      const int32_t d = row.x[i] - row.largest;
      row.y[i] =
          d > least ? to_int8(rounding_shift_right(multiply(d, scale) - log, 22) + 127) : -128;
    }
  });
}

void in_float(const Case& c) {
  const float scale = c.in().quantization.scale(), step = c.out().quantization.scale();
  const ExponentialTable e(scale);
  for_each_row(c, [&](const Row& row) {
    const auto log = static_cast<float>(std::log(static_cast<double>(e.sum(row))));
    const float ratio = scale / step;
    const float offset = (scale * static_cast<float>(row.largest) + log) / step;
    for (int64_t i = 0; i < row.length; ++i) {
      const float steps = ratio * static_cast<float>(row.x[i]) - offset;
      row.y[i] = to_int8(clamp(round_even(steps), -1024, 1024) + 127);
    }
  });
}

}  // namespace

void log_softmax(const Case& c) {
  if (c.floats()) return log_softmax_float(c);
  c.tflite() ? in_fixed_point(c) : in_float(c);
}

}  // namespace presil::reference::operators
