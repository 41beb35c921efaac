// The order of float operations, in single precision, rounded to nearest even, nothing contracted:
//   sum16     lane j of 16 adds terms j, j + 16, ... from +0; t[j] += t[j + h], h = 8, 4, 2, 1
//   products  s = bias; s = fused(x, w, s) by ascending index
//   within    max(v, low) where low is above -infinity, min(v, high) where high is below infinity
//   max, min  what is no number is left out, +0 is above -0
//   results   that are no number become 0x7fc00000
#pragma once

#include <cstdint>
#include <cstring>

#include "driver/kernels/host/kernel.h"

namespace presil::kernels {

inline float from_bits(uint32_t u) {
  float f;
  std::memcpy(&f, &u, sizeof f);
  return f;
}
inline uint32_t to_bits(float f) {
  uint32_t u;
  std::memcpy(&u, &f, sizeof u);
  return u;
}

inline bool is_nan(float v) {
  return !(v == v);
}
inline float infinity() {
  return from_bits(0x7f800000u);
}
inline float number_or_nan(float v) {
  return is_nan(v) ? from_bits(0x7fc00000u) : v;
}
inline float magnitude(float v) {
  return from_bits(to_bits(v) & 0x7fffffffu);
}
inline float with_sign(float v, float sign) {
  return from_bits((to_bits(v) & 0x7fffffffu) | (to_bits(sign) & 0x80000000u));
}

/// Floats in the order of their values, -0 below +0, as integers.
inline int32_t ordinal(float v) {
  const int32_t i = static_cast<int32_t>(to_bits(v));
  return i < 0 ? INT32_MIN - i - 1 : i;
}
inline float max_number(float a, float b) {
  return is_nan(a) ? b : is_nan(b) || ordinal(a) >= ordinal(b) ? a : b;
}
inline float min_number(float a, float b) {
  return is_nan(a) ? b : is_nan(b) || ordinal(a) <= ordinal(b) ? a : b;
}

/// The clamp of `low` and `high`, and what is no number as it is written.
inline float within(float v, float low, float high) {
  if (low > -infinity()) v = max_number(v, low);
  if (high < infinity()) v = min_number(v, high);
  return number_or_nan(v);
}

/// The whole number next to x, below or at it. From 2^23 on x is one.
inline float floor_f32(float x) {
  if (!(magnitude(x) < 0x1p23f)) return x;
  const float cut = static_cast<float>(static_cast<int32_t>(x));
  return with_sign(cut > x ? cut - 1.0f : cut, x);
}

/// a * b + c rounded once. The product is exact in double; its sum with c is rounded to odd, so
/// that rounding it to single sees on which side of a half the exact one lies.
inline float fused(float a, float b, float c) {
#if defined(__FP_FAST_FMAF) || defined(__ARM_FEATURE_FMA) || defined(__riscv_f)
  return __builtin_fmaf(a, b, c);  // an instruction here
#else
  const double p = static_cast<double>(a) * static_cast<double>(b), d = static_cast<double>(c);
  double s = p + d;
  const double of_d = s - p;
  const double rest = (p - (s - of_d)) + (d - of_d);
  uint64_t bits;
  std::memcpy(&bits, &s, sizeof bits);
  if (rest != 0 && (bits & 1) == 0) {
    bits += (rest > 0) == (s > 0) ? 1 : ~uint64_t{0};
    std::memcpy(&s, &bits, sizeof s);
  }
  return static_cast<float>(s);
#endif
}

/// sum16 of term(0) .. term(n - 1).
template <class Term>
float sum16(uint64_t n, Term&& term) {
  float lane[16] = {};
  for (uint64_t i = 0; i < n; ++i) lane[i & 15] += term(i);
  for (uint32_t j = 0; j < 8; ++j) lane[j] += lane[j + 8];
  for (uint32_t j = 0; j < 4; ++j) lane[j] += lane[j + 4];
  for (uint32_t j = 0; j < 2; ++j) lane[j] += lane[j + 2];
  return lane[0] + lane[1];
}

/// exp(x): 0 below -87.3, infinity above 0x1.62e42ep+6. n = fused(x, log2(e), m) - m with m =
/// 12582912, a whole number; r = fused(n, 2.1219444e-4, fused(n, -0.693359375, x)); q =
/// 1.98756915e-4 and q = fused(q, r, c) for c = 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2,
/// 1.6666665459e-1, 0.5; fused(q, r * r, r + 1) * 2^n.
float exp_f32(float x);
/// exp(x) - 1: fused(q, x * x, x) for |x| < 0.34375, with r = x; else exp_f32(x) - 1.
float expm1_f32(float x);
/// e = exp(-|x|), p = 1 / (1 + e); e * p below 0, else p.
float logistic_f32(float x);
/// m = expm1(2 |x|); m / (m + 2), 1 for |x| >= 10; the sign of x.
float tanh_f32(float x);

// Products of one row with several, side by side for speed; each sum keeps its order.
constexpr uint32_t kSideBySide = 8;

/// Rows that are multiplied at once; after the last the last again, whose sum is not used.
struct Rows {
  const float* row[kSideBySide];

  Rows(const float* first, int64_t step, int64_t count) {
    for (uint32_t j = 0; j < kSideBySide; ++j) row[j] = first + (j < count ? j : count - 1) * step;
  }
  /// sum[j] = fused(x[i], row j[from + i], sum[j]).
  void add(float* sum, const float* x, int64_t from, int64_t n) const {
    for (int64_t i = 0; i < n; ++i) {
      for (uint32_t j = 0; j < kSideBySide; ++j) sum[j] = fused(x[i], row[j][from + i], sum[j]);
    }
  }
};

inline int64_t at_once(int64_t left) {
  return left < kSideBySide ? left : kSideBySide;
}

inline void check_bounds(float low, float high, Check& c) {
  if (!(low <= high)) c.refuse("bounds of the clamp in order", -1, 0, 1);
}
inline void check_floats(const Task& task, Check& c) {
  for (uint32_t i = 0; i < task.count; ++i) c.dtype(i, PRESIL_FLOAT32);
}

}  // namespace presil::kernels
