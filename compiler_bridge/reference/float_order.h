// What operators of float32 mean: single operations of IEEE 754, rounded to nearest even, in an
// order that is stated, so that every program that follows the words computes the same bits. Both
// rule sets share them. Nothing is contracted; fma is a product and a sum rounded once, written
// where it is meant. No function of a mathematical library but those that are exact (fma, sqrt,
// floor, ceil, nearbyint).
//
//   sum16      of n terms: lane j adds terms j, j + 16, ... from +0; then t[j] += t[j + h] for
//              h = 8, 4, 2, 1
//   products   s = bias (or +0), then s = fma(x, w, s) by ascending index
//   clamp      a bound that is infinite does nothing; max(v, low), then min(v, high)
//   max, min   what is no number is left out; +0 is above -0
//   results    that are no number are 0x7fc00000
#pragma once

#include <cstring>

#include "compiler_bridge/ir/attributes.h"

namespace presil::reference {

inline float float_of(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline uint32_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// A result as it is written.
inline float settled(float v) {
  return v == v ? v : float_of(0x7fc00000);
}

struct Bounds {
  float low, high;
};
Bounds bounds_of(ir::Activation act);

/// The clamp, then settled.
inline float clamped(float v, const Bounds& b) {
  constexpr float kInfinity = __builtin_huge_valf();
  if (b.low > -kInfinity) v = v > b.low ? v : b.low;
  if (b.high < kInfinity) v = v < b.high ? v : b.high;
  return settled(v);
}

float larger(float a, float b);
float smaller(float a, float b);

class Sum16 {
 public:
  void add(float term) {
    m_lanes[m_next] += term;
    m_next = (m_next + 1) % 16;
  }
  float total() const;

 private:
  float m_lanes[16] = {};
  unsigned m_next = 0;
};

// Functions of one value; NaN gives NaN. Constants are in float_order.cpp.

/// 0 below -87.3, infinity above 88.7228317; else n = fma(x, log2 e, 1.5 * 2^23) - 1.5 * 2^23, a
/// whole number; r = x - n * ln 2 by two fma, ln 2 in two parts; q a polynomial of degree 5 by fma,
/// p = fma(q, r * r, r + 1); p * 2^n.
float exponential(float x);
/// exp(x) - 1: where |x| < 0.34375 fma(q, x * x, x) with the polynomial of x, else exponential(x)
/// - 1.
float exponential_less_one(float x);
/// e = exponential(-|x|), p = 1 / (1 + e); e * p below 0, else p.
float logistic_of(float x);
/// m = exponential_less_one(2 |x|), m / (m + 2), 1 from |x| = 10 on; x's sign.
float tanh_of(float x);

}  // namespace presil::reference
