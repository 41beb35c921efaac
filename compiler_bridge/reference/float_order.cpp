#include "compiler_bridge/reference/float_order.h"

#include <cmath>
#include <limits>

namespace presil::reference {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2.
float exponential_tail(float r) {
  float q = 0x1.a0d2cep-13f;              // 1.9875691500e-4
  for (const float c : {0x1.6e879cp-10f,  // 1.3981999507e-3
                        0x1.11121p-7f,    // 8.3334519073e-3
                        0x1.555382p-5f,   // 4.1665795894e-2
                        0x1.555554p-3f,   // 1.6666665459e-1
                        0x1p-1f}) {       // 5.0000001201e-1
    q = std::fma(q, r, c);
  }
  return q;
}

}  // namespace

Bounds bounds_of(ir::Activation act) {
  switch (act) {
    case ir::Activation::kRelu:
      return {0.0f, kInfinity};
    case ir::Activation::kRelu6:
      return {0.0f, 6.0f};
    case ir::Activation::kReluN1To1:
      return {-1.0f, 1.0f};
    default:
      return {-kInfinity, kInfinity};
  }
}

float larger(float a, float b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

float smaller(float a, float b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

float Sum16::total() const {
  float t[16];
  std::memcpy(t, m_lanes, sizeof t);
  for (int h = 8; h > 0; h /= 2) {
    for (int j = 0; j < h; ++j) t[j] += t[j + h];
  }
  return t[0];
}

float exponential(float x) {
  if (x != x) return settled(x);
  if (x < -87.3f) return 0.0f;
  if (x > 0x1.62e42ep+6f) return kInfinity;
  constexpr float kWhole = 12582912.0f;  // 1.5 * 2^23: a sum with it has no digits after the point
  float n = std::fma(x, 0x1.715476p+0f, kWhole);
  const uint32_t power = bits_of(n) - bits_of(kWhole);
  n -= kWhole;
  float r = std::fma(n, -0.693359375f, x);
  r = std::fma(n, 0x1.bd0106p-13f, r);  // 2.12194440e-4: the rest of ln 2
  const float p = std::fma(exponential_tail(r), r * r, r + 1.0f);
  return float_of(bits_of(p) + (power << 23));
}

float exponential_less_one(float x) {
  if (std::fabs(x) < 0.34375f) return std::fma(exponential_tail(x), x * x, x);
  return exponential(x) - 1.0f;
}

float logistic_of(float x) {
  const float e = exponential(-std::fabs(x));
  const float p = 1.0f / (1.0f + e);
  return x < 0.0f ? e * p : p;
}

float tanh_of(float x) {
  if (x != x) return settled(x);
  const float a = std::fabs(x);
  const float m = exponential_less_one(2.0f * a);
  return std::copysign(a >= 10.0f ? 1.0f : m / (m + 2.0f), x);
}

}  // namespace presil::reference
