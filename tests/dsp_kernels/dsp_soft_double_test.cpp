// The doubles that the DSP makes of integers, on the host, against the host's own.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "driver/kernels/dsp/soft_double.h"

namespace presil::dsp {
namespace {

using Random = std::mt19937_64;

uint32_t bits_of(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
uint64_t bits_of(double x) {
  uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

/// Exponents of which products are from no float any more to denormal ones, short fractions, zeros.
double any_double(Random& random) {
  uint64_t bits = random() & ~(uint64_t{2047} << 52);
  if (random() % 4 == 0) bits &= ~uint64_t{0} << 40;
  bits |= (900 + random() % 220) << 52;
  if (random() % 16 == 0) bits &= uint64_t{1} << 63;
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
float any_float(Random& random) {
  auto bits = static_cast<uint32_t>(random()) & 0x807fffff;
  if (random() % 8 != 0) bits |= static_cast<uint32_t>(100 + random() % 50) << 23;
  if (random() % 16 == 0) bits &= 0x80000000;
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

TEST(DspSoftDouble, products_and_sums_rounded_to_float_are_the_hosts) {
  Random random(1);
  for (int i = 0; i < 1000000; ++i) {
    const double a = any_double(random);
    const float b = any_float(random);
    float c = any_float(random);
    const double product = a * static_cast<double>(b);
    if (random() % 4 == 0) {  // what is left of it is little
      c = static_cast<float>(-product);
      if (random() % 2 != 0) c = std::nextafter(c, 0.0f);
    }
    if (!std::isfinite(c)) continue;
    const Real real = Real::of_double_bits(bits_of(a)) * Real::of_float(b);
    ASSERT_EQ(bits_of(real.to_float()), bits_of(static_cast<float>(product))) << a << " * " << b;
    const double sum = product + static_cast<double>(c);
    ASSERT_EQ(bits_of((real + Real::of_float(c)).to_float()), bits_of(static_cast<float>(sum)))
        << a << " * " << b << " + " << c;
  }
}

TEST(DspSoftDouble, quotients_are_the_hosts) {
  Random random(2);
  for (int i = 0; i < 200000; ++i) {
    const double a = any_double(random), b = any_double(random);
    if (b == 0) continue;
    const auto by = static_cast<uint32_t>(1 + random() % 255);
    const auto value = [](const Real& r) {
      const double size = std::ldexp(static_cast<double>(r.m), r.exponent);
      return r.negative ? -size : size;
    };
    const Real x = Real::of_double_bits(bits_of(a));
    ASSERT_EQ(value(x / Real::of_double_bits(bits_of(b))), a / b) << a << " / " << b;
    ASSERT_EQ(value(x.divided_by(by)), a / by) << a << " / " << by;
  }
}

}  // namespace
}  // namespace presil::dsp
