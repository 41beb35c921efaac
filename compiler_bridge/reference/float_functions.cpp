#include "compiler_bridge/reference/float_functions.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace presil::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLn2 = 0x1.62e42fefa39efp-1;
constexpr double kHalfPi = 0x1.921fb54442d18p+0;

/// The bits of 2 / pi after the point, 32 a word.
constexpr uint32_t kTwoOverPi[] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                   0xdb629599, 0x3c439041, 0xfe5163ab};

/// A quarter of a turn and what is left of it.
struct Angle {
  uint32_t quarter;  ///< modulo 4
  double rest;       ///< radians, |rest| <= pi / 4
};

uint64_t word(int i) {
  return i < 0 ? 0 : kTwoOverPi[i];
}

/// x >= 0 and finite. x * 2 / pi modulo 4: the integer x * 2^-e times four words of 2 / pi, from
/// the one before which all are whole turns.
Angle reduced(float x) {
  if (x <= 0x1.921fb6p-1f) return {0, static_cast<double>(x)};
  int e;
  const auto m = static_cast<uint64_t>(std::ldexp(std::frexp(x, &e), 24));
  e -= 24;
  const int first = (e + 62) / 32 - 2;  // e - 32 * first is 2..33
  uint64_t low = 0, high = 0;           // 128 bits, whose lowest weighs 2^(e - 32 * (first + 4))
  for (int i = 0; i < 4; ++i) {
    const uint64_t product = m * word(first + i);  // below 2^56
    const int shift = 32 * (3 - i);
    if (shift >= 64) {
      high += product << (shift - 64);
      continue;
    }
    const uint64_t part = product << shift;
    low += part;
    high += (shift == 0 ? 0 : product >> 32) + (low < part ? 1 : 0);
  }
  const int point = 128 + 32 * first - e;  // 95..126
  const uint64_t fraction = high << (128 - point) | low >> (point - 64);
  const bool up = fraction >> 63 != 0;  // to the nearest quarter
  const double part = up ? -static_cast<double>(~fraction + 1) : static_cast<double>(fraction);
  const auto quarter = static_cast<uint32_t>((high >> (point - 64)) + (up ? 1 : 0)) % 4;
  return {quarter, std::ldexp(part, -64) * kHalfPi};
}

double sine_sum(double r) {
  double s = 1;
  for (int n = 17; n >= 3; n -= 2) s = 1 - s * (r * r) / (n * (n - 1));
  return s * r;
}

double cosine_sum(double r) {
  double s = 1;
  for (int n = 16; n >= 2; n -= 2) s = 1 - s * (r * r) / (n * (n - 1));
  return s;
}

double at_quarter(uint32_t quarter, double rest) {
  const double value = quarter % 2 == 0 ? sine_sum(rest) : cosine_sum(rest);
  return quarter >= 2 ? -value : value;
}

}  // namespace

double natural_log(double v) {
  if (v == 0) return -kInfinity;
  if (!(v > 0)) return kNan;
  if (v == kInfinity) return v;
  int k;
  double m = std::frexp(v, &k);
  if (m < 0x1.6a09e667f3bcdp-1) m *= 2, --k;
  const double s = (m - 1) / (m + 1), z = s * s;
  double t = 1.0 / 23;
  for (int n = 21; n >= 1; n -= 2) t = t * z + 1.0 / n;
  return 2 * s * t + k * kLn2;
}

double exponential_double(double v) {
  if (v != v) return v;
  if (v > 700) v = 700;
  if (v < -700) v = -700;
  const double n = std::floor(v * 0x1.71547652b82fep+0 + 0.5);
  const double r = (v - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  double t = 1;
  for (int k = 13; k >= 1; --k) t = 1 + t * r / k;
  return std::ldexp(t, static_cast<int>(n));
}

float power_of(float base, float exponent) {
  if (exponent == 0 || base == 1) return 1.0f;
  if (base != base || exponent != exponent) return static_cast<float>(kNan);
  const bool whole = std::floor(exponent) == exponent;
  const bool odd =
      whole && std::fabs(exponent) < 0x1p24f && std::floor(exponent / 2) * 2 != exponent;
  if (base < 0 && !whole && !std::isinf(base)) return static_cast<float>(kNan);
  const double log = natural_log(std::fabs(static_cast<double>(base)));
  // 1 to the power of infinity: the product would be no number.
  const double product = log == 0 ? 0 : static_cast<double>(exponent) * log;
  const auto size = static_cast<float>(exponential_double(product));
  return odd && std::signbit(base) ? -size : size;
}

float sine_of(float x) {
  if (!std::isfinite(x)) return static_cast<float>(kNan);
  if (x == 0) return x;
  const Angle angle = reduced(std::fabs(x));
  const auto value = static_cast<float>(at_quarter(angle.quarter, angle.rest));
  return std::signbit(x) ? -value : value;
}

float cosine_of(float x) {
  if (!std::isfinite(x)) return static_cast<float>(kNan);
  const Angle angle = reduced(std::fabs(x));
  return static_cast<float>(at_quarter((angle.quarter + 1) % 4, angle.rest));
}

double error_function(double v) {
  if (v != v) return v;
  if (std::fabs(v) >= 6) return v < 0 ? -1 : 1;
  double s = 1;
  for (int n = 2 * 120 + 1; n >= 3; n -= 2) s = 1 + s * (2 * v * v) / n;
  return 0x1.20dd750429b6dp+0 * exponential_double(-v * v) * v * s;
}

}  // namespace presil::reference
