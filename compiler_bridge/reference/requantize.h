// From a sum to a result: scale, zero point, fused clamp.
#pragma once

#include <vector>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/fixed_point.h"

namespace presil::reference {

struct Range {
  int32_t low, high;
};
/// What an int8 or int16 holds.
Range range_of(ir::DType dtype);

/// The fused clamp as stored values of y.
/// tflite: zero point + round(bound / scale), ties away from zero; xnnpack: round(bound / scale +
/// zero point), ties to even. Quotient and sum in float32.
Range activation_range(ir::Numerics numerics, ir::Activation act, const ir::Tensor& y);

/// Accumulators of convolutions and fully connected to y.
///   tflite:  multiply(acc, Scale nearest to s_x * s_w / s_y), all in double; a fully connected
///            with one scale for all weights and batch_matmul take float32(s_x * s_w) as product.
///   xnnpack: round_even(float32(acc) * float32(float32(s_x * s_w) / s_y)). As tflite, the clamp
///            too: batch_matmul where b's zero point is not 0; a fully connected with computed
///            weights, where multiply_up stands for multiply; and a transpose_conv2d with a
///            `vector`, where it stands for some (`up`).
///   Where the network states integers (ir::FixedScale): apply_scale.h, whatever the numerics.
/// Then + zero point, clamp.
class Requantizer {
 public:
  explicit Requantizer(const Case& c, ir::Activation act);

  int8_t operator()(int32_t acc, size_t channel) const {
    if (!m_fixed.empty()) return stated(acc, channel);
    if (m_up) return up(acc, channel);
    return finish(m_tflite ? multiply(acc, m_scales[channel])
                           : round_even(static_cast<float>(acc) * m_factors[channel]));
  }
  int8_t up(int32_t acc, size_t channel) const {
    return finish(multiply_up(acc, m_scales[channel]));
  }

 private:
  int8_t stated(int32_t acc, size_t channel) const;
  int8_t finish(int32_t scaled) const {
    // In 64 bits: a saturated value plus the zero point must not wrap.
    const int64_t y = static_cast<int64_t>(scaled) + m_zero_point;
    return static_cast<int8_t>(y < m_range.low ? m_range.low : y > m_range.high ? m_range.high : y);
  }

  bool m_tflite, m_up;
  std::vector<Scale> m_scales;   ///< tflite, per channel
  std::vector<float> m_factors;  ///< xnnpack, per channel
  int32_t m_zero_point;
  Range m_range;
  std::vector<ir::FixedScale> m_fixed;  ///< per channel or one; empty: scales say
  bool m_twice;
};

/// Bias per output channel, zeros where the op has none.
std::vector<int32_t> bias_of(const Case& c, size_t channels);

/// Sums of int16 activations and int8 weights to y (TFLite Micro's rule for int16x8); scales as in
/// Requantizer.
///   bias int64 or none: multiply_wide(acc, scale);
///   bias int32 (a sum of int32, that wraps): multiply(acc, scale).
/// A fully connected under xnnpack (LiteRT's kernel):
///   bias int64: multiply_once(acc, Scale of s_x * s_w / s_y, all in double);
///   bias int32 or none (a sum of int32): multiply_up(acc, scale).
/// Then the clamp of `tflite`; zero points are 0.
class WideRequantizer {
 public:
  explicit WideRequantizer(const Case& c, ir::Activation act);

  int16_t operator()(int64_t sum, size_t channel) const;

 private:
  int64_t scaled(int64_t acc, const Scale& scale) const;

  bool m_wide, m_rows_of_litert;
  std::vector<Scale> m_scales;  ///< per channel
  std::vector<int64_t> m_bias;  ///< per channel
  Range m_range;
};

}  // namespace presil::reference
