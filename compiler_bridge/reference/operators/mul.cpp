// y = requantise((a - z_a) * (b - z_b)) + z_y, clamped; int8 or int16; of int32 and int64 the
// product, which wraps.
// tflite: multiply by the Scale nearest to s_a * s_b / s_y, in double.
// fixed: multiply by the scale that the network states for y.
// xnnpack: f = float32(float32(s_a * s_b) / s_y); round_even(float32(product) * f). int16 (LiteRT's
//   own kernel, the clamp too): multiply by the Scale of f.
// onnx, int8 (DequantizeLinear, Mul, QuantizeLinear of the standard): in float32
//   round_even(((a - z_a) * s_a) * ((b - z_b) * s_b) / s_y) + z_y, clamped; int16 as tflite.
#include "compiler_bridge/reference/elementwise.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/requantize.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {
namespace {

template <class T>
void multiply_pairs(const Case& c) {
  const auto &qa = c.in(0).quantization, &qb = c.in(1).quantization, &qy = c.out().quantization;
  const Range range = activation_range(c.numerics(), c.attributes<ir::Elementwise>().act, c.out());
  const float factor = qa.scale() * qb.scale() / qy.scale();
  const double exact = static_cast<double>(qa.scale()) * static_cast<double>(qb.scale()) /
                       static_cast<double>(qy.scale());
  const std::vector<int64_t>& fixed = c.attributes<ir::Elementwise>().fixed;
  const Scale scale = fixed.empty()
                          ? to_scale(c.tflite() ? exact : static_cast<double>(factor))
                          : Scale{static_cast<int32_t>(fixed[5]), static_cast<int>(fixed[6])};
  const bool by_scale = c.tflite() || c.int16() || !fixed.empty();
  const Standard to_y(qy, qy);
  for_each_pair<T>(c, [&](T a, T b) {
    if (c.onnx() && !by_scale) {
      const float real_a = static_cast<float>(a - qa.zero_point()) * qa.scale();
      const float real_b = static_cast<float>(b - qb.zero_point()) * qb.scale();
      const int64_t y = to_y.of_real(real_a * real_b);
      return static_cast<T>(y < range.low ? range.low : y > range.high ? range.high : y);
    }
    const int32_t product = (a - qa.zero_point()) * (b - qb.zero_point());
    const int64_t scaled =
        by_scale ? multiply(product, scale) : round_even(static_cast<float>(product) * factor);
    const int64_t y = scaled + qy.zero_point();
    return static_cast<T>(y < range.low ? range.low : y > range.high ? range.high : y);
  });
}

}  // namespace

void mul(const Case& c) {
  if (c.floats()) return mul_float(c);
  if (is_whole(c)) return for_each_whole_pair(c, [](uint64_t a, uint64_t b) { return a * b; });
  c.out().dtype == ir::DType::kInt16 ? multiply_pairs<int16_t>(c) : multiply_pairs<int8_t>(c);
}

}  // namespace presil::reference::operators
