// Functions of one int8 value.
#pragma once

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/fixed_point.h"

namespace presil::reference {

/// y[i] = f(x[i]), f from int8 as int to a value that is saturated to int8.
template <class F>
void for_each_value(const Case& c, F f) {
  const int8_t* x = c.read<int8_t>();
  int8_t* y = c.write<int8_t>();
  const int64_t count = c.in().elements();
  for (int64_t i = 0; i < count; ++i) y[i] = to_int8(f(static_cast<int32_t>(x[i])));
}

/// The `xnnpack` form of a smooth function: y = round_even(float32(f(x)) / s_y) + z_y, saturated,
/// with x = s_x * (q - z_x) in float32 and f in double. Tabulated once per operator: 256 calls.
template <class F>
void tabulated(const Case& c, F f) {
  const ir::Quantization &qx = c.in().quantization, &qy = c.out().quantization;
  int8_t table[256];
  for (int32_t q = -128; q <= 127; ++q) {
    const float x = qx.scale() * static_cast<float>(q - qx.zero_point());
    const auto y = static_cast<float>(f(static_cast<double>(x)));
    const int32_t rounded = clamp(round_even(y / qy.scale()), -1024, 1024);
    table[static_cast<uint8_t>(q)] = to_int8(rounded + qy.zero_point());
  }
  for_each_value(c, [&](int32_t q) { return int32_t{table[static_cast<uint8_t>(q)]}; });
}

/// x requantised with a factor r (the quotient of the scales, times a slope):
///   tflite:  multiply(x - z_x, Scale of r) + z_y, r as the operator computes it
///   xnnpack: ((x - z_x) * round_even(256 * r) + 128) >> 8, + z_y
class Rescale {
 public:
  Rescale(const Case& c, double tflite_factor, float xnnpack_factor)
      : m_tflite(c.tflite()),
        m_scale(to_scale(tflite_factor)),
        m_factor(round_even(256.0f * xnnpack_factor)),
        m_x(c.in().quantization.present() ? c.in().quantization.zero_point() : 0),
        m_y(c.out().quantization.zero_point()) {}

  int32_t operator()(int32_t x) const {
    const int64_t scaled = m_tflite ? multiply(x - m_x, m_scale)
                                    : (static_cast<int64_t>(x - m_x) * m_factor + 128) >> 8;
    // Far outside int8 every value saturates alike.
    return static_cast<int32_t>(scaled > 1024 ? 1024 : scaled < -1024 ? -1024 : scaled) + m_y;
  }

 private:
  bool m_tflite;
  Scale m_scale;
  int32_t m_factor;
  int32_t m_x, m_y;
};

}  // namespace presil::reference
