// Functions of one value.
#pragma once

#include <limits>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/fixed_point.h"

namespace presil::reference {

/// y[i] = f(x[i]), f from an X as int to a value that is saturated to Y. Of bytes there are 256
/// values: where there are more elements, f is asked once for each.
template <class X = int8_t, class Y = X, class F>
void for_each_value(const Case& c, F f) {
  constexpr int64_t kLow = std::numeric_limits<Y>::min(), kHigh = std::numeric_limits<Y>::max();
  const auto saturated = [&](X value) {
    const int64_t result = f(static_cast<int32_t>(value));
    return static_cast<Y>(result < kLow ? kLow : result > kHigh ? kHigh : result);
  };
  const X* x = c.read<X>();
  Y* y = c.write<Y>();
  const int64_t count = c.in().elements();
  if constexpr (sizeof(X) == 1) {
    if (count > 256) {
      Y table[256];
      for (int i = 0; i < 256; ++i) table[i] = saturated(static_cast<X>(i));
      for (int64_t i = 0; i < count; ++i) y[i] = table[static_cast<uint8_t>(x[i])];
      return;
    }
  }
  for (int64_t i = 0; i < count; ++i) y[i] = saturated(x[i]);
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

/// The form of functions that runtimes tabulate in float32: y = round(f(x) * float32(1 / s_y)) +
/// z_y, ties away from zero, saturated, with x = s_x * (q - z_x) and f in float32.
template <class F>
void rounded(const Case& c, F f) {
  const ir::Quantization &qx = c.in().quantization, &qy = c.out().quantization;
  const float inverse = 1.0f / qy.scale();
  int8_t table[256];
  for (int32_t q = -128; q <= 127; ++q) {
    const float steps = f(qx.scale() * static_cast<float>(q - qx.zero_point())) * inverse;
    // Far outside every value saturates alike.
    const double near = steps > 1024 ? 1024 : steps > -1024 ? static_cast<double>(steps) : -1024;
    const auto whole = static_cast<int32_t>(near + (near >= 0 ? 0.5 : -0.5));
    table[static_cast<uint8_t>(q)] = to_int8(whole + qy.zero_point());
  }
  for_each_value(c, [&](int32_t q) { return int32_t{table[static_cast<uint8_t>(q)]}; });
}

/// x within bounds, as LiteRT's own kernels have it under both rule sets: multiply(x - z_x,
/// Scale(float32(s_x / s_y))) + z_y, then within z_y + round(bound / s_y), ties away from zero.
inline void clamped(const Case& c, float low, float high) {
  const ir::Quantization &qx = c.in().quantization, &qy = c.out().quantization;
  const float ratio = qx.scale() / qy.scale();
  const Scale scale = to_scale(static_cast<double>(ratio));
  const auto bound = [&](float real) {
    const float steps = real / qy.scale();
    const double near = steps > 1024 ? 1024 : steps < -1024 ? -1024 : static_cast<double>(steps);
    return qy.zero_point() + static_cast<int32_t>(near + (near >= 0 ? 0.5 : -0.5));
  };
  const int64_t least = bound(low), most = bound(high);
  for_each_value(c, [&](int32_t x) {
    const int64_t y = int64_t{multiply(x - qx.zero_point(), scale)} + qy.zero_point();
    return y < least ? least : y > most ? most : y;
  });
}

/// x requantised with a factor r (the quotient of the scales, times a slope):
///   tflite:  multiply(x - z_x, Scale of r) + z_y, r as the operator computes it
///   xnnpack: ((x - z_x) * round_even(256 * r) + 128) >> 8, + z_y
/// XNNPACK takes an r of 2^-8 to 2^7; LiteRT computes the others by TFLite's kernel.
class Rescale {
 public:
  static bool xnnpack_takes(float r) { return r >= 0x1p-8f && r <= 0x1p7f; }

  Rescale(const Case& c, double tflite_factor, float xnnpack_factor)
      : Rescale(c, tflite_factor, xnnpack_factor, xnnpack_takes(xnnpack_factor)) {}
  /// @param taken by XNNPACK
  Rescale(const Case& c, double tflite_factor, float xnnpack_factor, bool taken)
      : m_tflite(c.tflite() || !taken),
        m_scale(to_scale(tflite_factor)),
        m_factor(round_even(256.0f * xnnpack_factor)),
        m_x(c.in().quantization.present() ? c.in().quantization.zero_point() : 0),
        m_y(c.out().quantization.zero_point()) {}

  int64_t operator()(int32_t x) const {
    const auto centred =
        static_cast<int32_t>(static_cast<uint32_t>(x) - static_cast<uint32_t>(m_x));
    const int64_t scaled = m_tflite ? multiply(centred, m_scale)
                                    : (static_cast<int64_t>(centred) * m_factor + 128) >> 8;
    return scaled + m_y;
  }

 private:
  bool m_tflite;
  Scale m_scale;
  int32_t m_factor;
  int32_t m_x, m_y;
};

/// DequantizeLinear, QuantizeLinear of the ONNX standard: (x - z_x) * s_x and its quotient by s_y
/// in float32, to the nearest even, + z_y.
class Standard {
 public:
  Standard(const ir::Quantization& x, const ir::Quantization& y)
      : m_sx(x.scale()), m_sy(y.scale()), m_zx(x.zero_point()), m_zy(y.zero_point()) {}

  int64_t operator()(int32_t x) const { return of_real(static_cast<float>(x - m_zx) * m_sx); }
  int64_t of_real(float real) const {
    const float steps = real / m_sy;
    const float near = !(steps > -1e6f) ? -1e6f : steps > 1e6f ? 1e6f : steps;
    return int64_t{round_even(near)} + m_zy;
  }

 private:
  float m_sx, m_sy;
  int32_t m_zx, m_zy;
};

}  // namespace presil::reference
