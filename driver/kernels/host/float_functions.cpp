#include "driver/kernels/host/float_functions.h"

namespace presil::kernels {
namespace {

double from_bits64(uint64_t u) {
  double d;
  std::memcpy(&d, &u, sizeof d);
  return d;
}
uint64_t to_bits64(double d) {
  uint64_t u;
  std::memcpy(&u, &d, sizeof u);
  return u;
}

/// 2^n for n in -1022..1023.
double power_of_two(int n) {
  return from_bits64(static_cast<uint64_t>(n + 1023) << 52);
}

bool is_whole(float v) {
  const float size = magnitude(v);
  return size >= 0x1p23f || static_cast<float>(static_cast<int32_t>(v)) == v;
}
bool is_odd(float v) {
  return magnitude(v) < 0x1p24f && is_whole(v) && (static_cast<int32_t>(v) & 1) != 0;
}

// x * 2 / pi modulo 4, to the nearest whole number, and the rest as an angle.
struct Turn {
  unsigned quarter;
  double rest;
};

Turn turn_of(float x) {
  static const uint32_t kWords[7] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                     0xdb629599, 0x3c439041, 0xfe5163ab};
  if (x <= 0x1.921fb6p-1f) return {0, static_cast<double>(x)};
  const uint32_t bits = to_bits(x);
  const uint64_t m = (bits & 0x7fffff) | 0x800000;
  const int e = static_cast<int>(bits >> 23) - 150;  // x = m * 2^e
  int first = -1;                                    // word -1 is 0
  while (e - 32 * first >= 34) ++first;
  // Schoolbook multiplication by four words into five digits of 32 bits, lowest first.
  uint32_t digit[5] = {};
  uint64_t carry = 0;
  for (int i = 3; i >= 0; --i) {
    carry += m * (first + i < 0 ? 0 : kWords[first + i]);
    digit[3 - i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  digit[4] = static_cast<uint32_t>(carry);
  // Bit `point` weighs 1; 64 bits follow it.
  const int point = 128 + 32 * first - e;
  const auto bits_from = [&digit](int from) {
    uint64_t value = 0;
    for (int i = 63; i >= 0; --i) {
      const int at = from + i;
      value = value << 1 | (at < 160 ? digit[at / 32] >> (at % 32) & 1u : 0u);
    }
    return value;
  };
  const uint64_t fraction = bits_from(point - 64);
  const unsigned whole = static_cast<unsigned>(bits_from(point));
  const double part =
      fraction >> 63 ? -static_cast<double>(uint64_t{0} - fraction) : static_cast<double>(fraction);
  return {(whole + (fraction >> 63 ? 1u : 0u)) & 3u,
          part * power_of_two(-64) * 0x1.921fb54442d18p+0};
}

// The sum of the series from the term in r^n on; first power 1 (sine) or 0 (cosine).
double series(double r, int n) {
  double s = 1;
  for (; n > 1; n -= 2) s = 1 - s * (r * r) / (n * (n - 1));
  return n == 1 ? s * r : s;
}

float wave(const Turn& turn, unsigned ahead) {
  const unsigned quarter = (turn.quarter + ahead) & 3u;
  const double value = series(turn.rest, quarter & 1u ? 16 : 17);
  return static_cast<float>(quarter & 2u ? -value : value);
}

bool is_finite(float v) {
  return magnitude(v) < infinity();
}

}  // namespace

double log_f64(double v) {
  if (v == 0) return -static_cast<double>(infinity());
  if (!(v > 0)) return static_cast<double>(from_bits(0x7fc00000u));
  if (v > 0x1.fffffffffffffp+1023) return v;
  int k = 0;
  if (v < 0x1p-1022) v *= 0x1p54, k = -54;
  const uint64_t bits = to_bits64(v);
  k += static_cast<int>(bits >> 52) - 1022;
  double m = from_bits64((bits & 0xfffffffffffffull) | uint64_t{1022} << 52);  // 1/2 and up
  if (m < 0x1.6a09e667f3bcdp-1) m = m + m, k -= 1;
  const double s = (m - 1) / (m + 1), z = s * s;
  double t = 1.0 / 23;
  for (int n = 21; n > 0; n -= 2) t = t * z + 1.0 / n;
  return 2 * s * t + k * 0x1.62e42fefa39efp-1;
}

double exp_f64(double v) {
  if (!(v == v)) return v;
  v = v > 700 ? 700 : v < -700 ? -700 : v;
  const double near = v * 0x1.71547652b82fep+0 + 0.5;
  int n = static_cast<int>(near);
  if (static_cast<double>(n) > near) --n;
  const double r = (v - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  double t = 1;
  for (int k = 13; k > 0; --k) t = 1 + t * r / k;
  return t * power_of_two(n);
}

float pow_f32(float base, float exponent) {
  if (exponent == 0.0f || base == 1.0f) return 1.0f;
  if (is_nan(base) || is_nan(exponent)) return from_bits(0x7fc00000u);
  const bool below = (to_bits(base) >> 31) != 0;
  if (below && base != 0.0f && is_finite(base) && !is_whole(exponent)) {
    return from_bits(0x7fc00000u);
  }
  const double log = log_f64(static_cast<double>(magnitude(base)));
  const double size = exp_f64(log == 0 ? 0 : static_cast<double>(exponent) * log);
  return static_cast<float>(below && is_odd(exponent) ? -size : size);
}

float sin_f32(float x) {
  if (!is_finite(x)) return from_bits(0x7fc00000u);
  if (x == 0.0f) return x;
  const float value = wave(turn_of(magnitude(x)), 0);
  return x < 0.0f ? -value : value;
}

float cos_f32(float x) {
  if (!is_finite(x)) return from_bits(0x7fc00000u);
  return wave(turn_of(magnitude(x)), 1);
}

double erf_f64(double v) {
  if (!(v == v)) return v;
  if (v >= 6 || v <= -6) return v > 0 ? 1 : -1;
  double s = 1;
  for (int n = 241; n > 1; n -= 2) s = 1 + s * (2 * v * v) / n;
  return 0x1.20dd750429b6dp+0 * exp_f64(-v * v) * v * s;
}

}  // namespace presil::kernels
