// y = 1 / sqrt(x) in fixed point, int8 or, under tflite, int16, as TFLite Micro's and LiteRT's
// rsqrt; int16 under xnnpack (LiteRT's own kernel): between 513 points (interpolated.h), the first
// at -32768 s_x, the last at 32767 s_x, of a function that is 32767 s_y up to 0, above in float32.
// In fixed point at 0, and below where they stop, the largest value of y; else with v = x - z_x
//   r = inverse_root(v), d = multiply(1, r * 2^20),
//   y = multiply(d, Scale(1 / (sqrt(s_x) * s_y)) * 2^-20) + z_y, saturated.
// 1 / (sqrt(s_x) * s_y): tflite in double, xnnpack the root and the product in float32.
#include <cmath>

#include "compiler_bridge/reference/fixed_functions.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/interpolated.h"
#include "compiler_bridge/reference/requantize.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {
namespace {

void between_points(const Case& c) {
  const float x = c.in().quantization.scale(), y = c.out().quantization.scale();
  const auto f = [y](float v) { return v <= 0.0f ? 32767.0f * y : 1.0f / std::sqrt(v); };
  for_each_value<int16_t>(c, Interpolated(x * -32768.0f, x * 32767.0f, f, y));
}

}  // namespace

void rsqrt(const Case& c) {
  if (c.floats()) return function_float(c);
  if (c.int16() && !c.tflite()) return between_points(c);
  const float x = c.in().quantization.scale(), y = c.out().quantization.scale();
  const float product = std::sqrt(x) * y;
  const double real = c.tflite()
                          ? 1.0 / (std::sqrt(static_cast<double>(x)) * static_cast<double>(y))
                          : 1.0 / static_cast<double>(product);
  const Scale out = to_scale(real);
  const int32_t most = range_of(c.out().dtype).high;
  const auto f = [&](int32_t stored) -> int64_t {
    const int32_t v = stored - c.in().quantization.zero_point();
    if (v <= 0) return most;
    const Scale root = inverse_root(v);
    const int32_t d = multiply(1, {root.multiplier, root.shift + 20});
    const Scale scale = {out.multiplier, out.shift - 20};
    const int64_t scaled = scale.shift < -31 ? 0 : multiply(d, scale);
    return scaled + c.out().quantization.zero_point();
  };
  c.out().dtype == ir::DType::kInt16 ? for_each_value<int16_t>(c, f) : for_each_value<int8_t>(c, f);
}

}  // namespace presil::reference::operators
