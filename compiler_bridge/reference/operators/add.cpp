// y = a + sign * b with three scales, int8 or int16; of int32 and int64 it wraps.
//
// tflite (TFLite Micro add, sub): with s = 2 * max(s_a, s_b), in double, n = 20 for int8 and 15 for
//   int16: a' = multiply((a - z_a) << n, s_a / s), b' likewise, y = multiply(a' + sign * b',
//   s / (2^n * s_y)) + z_y, clamped.
// fixed: with the numbers that the network states: n, then the scale of a', b' and y.
// xnnpack (XNNPACK qs8 vadd): with r_a = float32(s_a / s_y), r_b likewise and e the exponent of the
//   larger one (2^e <= r < 2^(e+1)): shift = 20 - e, m_a = round(r_a * 2^shift), m_b likewise,
//   ties to even, m_b negated for a subtraction;
//   y = ((a - z_a) * m_a + (b - z_b) * m_b + 2^(shift-1)) >> shift, arithmetic, + z_y, clamped.
//   XNNPACK takes it of int8 with both r in [2^-10, 2^8). Others LiteRT computes by TFLite's own
//   kernel: as tflite, the clamp too. Its vectors keep 16 bits of a sum in steps of y, which an r
//   of 2^8 and more may pass; the words above hold without that.
// onnx, int8 (DequantizeLinear, Add or Sub, QuantizeLinear of the standard): in float32
//   round_even(((a - z_a) * s_a + sign * (b - z_b) * s_b) / s_y) + z_y, clamped; int16 as tflite.
#include <cmath>

#include "compiler_bridge/reference/elementwise.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/requantize.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference {
namespace {

template <class T>
void add_stated(const Case& c, int sign, Range range) {
  const auto &qa = c.in(0).quantization, &qb = c.in(1).quantization, &qy = c.out().quantization;
  const std::vector<int64_t>& fixed = c.attributes<ir::Elementwise>().fixed;
  const auto scale = [&](size_t i) {
    return Scale{static_cast<int32_t>(fixed[i]), static_cast<int>(fixed[i + 1])};
  };
  const int32_t grid = 1 << fixed[0];
  for_each_pair<T>(c, [&](T a, T b) {
    const int32_t wide_a = multiply((a - qa.zero_point()) * grid, scale(1));
    const int32_t wide_b = multiply((b - qb.zero_point()) * grid, scale(3));
    const int32_t sum = multiply(wide_a + sign * wide_b, scale(5)) + qy.zero_point();
    return static_cast<T>(clamp(sum, range.low, range.high));
  });
}

template <class T>
void add_tflite(const Case& c, int sign, Range range) {
  constexpr int32_t kGrid = 1 << (sizeof(T) == 1 ? 20 : 15);
  const auto &qa = c.in(0).quantization, &qb = c.in(1).quantization, &qy = c.out().quantization;
  const double a_scale = qa.scale(), b_scale = qb.scale(), y_scale = qy.scale();
  const double twice_larger = 2 * (a_scale > b_scale ? a_scale : b_scale);
  const Scale scale_a = to_scale(a_scale / twice_larger);
  const Scale scale_b = to_scale(b_scale / twice_larger);
  const Scale scale_y = to_scale(twice_larger / (kGrid * y_scale));
  for_each_pair<T>(c, [&](T a, T b) {
    const int32_t wide_a = multiply((a - qa.zero_point()) * kGrid, scale_a);
    const int32_t wide_b = multiply((b - qb.zero_point()) * kGrid, scale_b);
    const int32_t sum = multiply(wide_a + sign * wide_b, scale_y) + qy.zero_point();
    return static_cast<T>(clamp(sum, range.low, range.high));
  });
}

void add_xnnpack(const Case& c, int sign, Range range) {
  const auto &qa = c.in(0).quantization, &qb = c.in(1).quantization, &qy = c.out().quantization;
  const float ratio_a = qa.scale() / qy.scale();
  const float ratio_b = qb.scale() / qy.scale();
  int exponent;
  std::frexp(ratio_a > ratio_b ? ratio_a : ratio_b, &exponent);  // exact; 2^(exponent-1) <= r
  const int shift = 20 - (exponent - 1);                         // 13 and more
  // A power of two moves the exponent only: exact.
  const int64_t m_a = round_even(std::ldexp(ratio_a, shift));
  const int64_t m_b = sign * static_cast<int64_t>(round_even(std::ldexp(ratio_b, shift)));
  const int64_t half = int64_t{1} << (shift - 1);
  for_each_pair<int8_t>(c, [&](int8_t a, int8_t b) {
    const int64_t sum = (a - qa.zero_point()) * m_a + (b - qb.zero_point()) * m_b + half;
    const int64_t y = (sum >> shift) + qy.zero_point();
    return static_cast<int8_t>(y < range.low ? range.low : y > range.high ? range.high : y);
  });
}

bool taken_by_xnnpack(const Case& c) {
  const float a = c.in(0).quantization.scale(), b = c.in(1).quantization.scale();
  const float y = c.out().quantization.scale();
  const auto taken = [y](float scale) { return scale / y >= 0x1p-10f && scale / y < 0x1p8f; };
  return !c.int16() && taken(a) && taken(b);
}

}  // namespace

void add_onnx(const Case& c, int sign, Range range) {
  const auto &qa = c.in(0).quantization, &qb = c.in(1).quantization;
  const Standard to_y(c.out().quantization, c.out().quantization);
  for_each_pair<int8_t>(c, [&](int8_t a, int8_t b) {
    const float real_a = static_cast<float>(a - qa.zero_point()) * qa.scale();
    const float real_b = static_cast<float>(b - qb.zero_point()) * qb.scale();
    const int64_t y = to_y.of_real(sign < 0 ? real_a - real_b : real_a + real_b);
    return static_cast<int8_t>(y < range.low ? range.low : y > range.high ? range.high : y);
  });
}

void add_scaled(const Case& c, int sign) {
  if (c.floats()) return add_float(c, sign);
  if (is_whole(c)) {
    return for_each_whole_pair(c,
                               [sign](uint64_t a, uint64_t b) { return sign > 0 ? a + b : a - b; });
  }
  const bool stated = !c.attributes<ir::Elementwise>().fixed.empty();
  if (c.onnx() && !c.int16() && !stated) {
    return add_onnx(
        c, sign,
        activation_range(ir::Numerics::kOnnx, c.attributes<ir::Elementwise>().act, c.out()));
  }
  const bool tflite = c.tflite() || !taken_by_xnnpack(c);
  const ir::Numerics numerics = tflite ? ir::Numerics::kTflite : ir::Numerics::kXnnpack;
  const Range range = activation_range(numerics, c.attributes<ir::Elementwise>().act, c.out());
  if (stated) return add_stated<int8_t>(c, sign, range);
  if (c.out().dtype == ir::DType::kInt16) return add_tflite<int16_t>(c, sign, range);
  tflite ? add_tflite<int8_t>(c, sign, range) : add_xnnpack(c, sign, range);
}

void operators::add(const Case& c) {
  add_scaled(c, 1);
}

}  // namespace presil::reference
