// y = x above 0, exp(x) - 1 below.
// tflite (TFLite Micro): the table of `rounded` (unary.h), the exponential a float32 before 1 is
// taken off.
// xnnpack: round_even(y * float32(1 / s_y) + z_y), saturated, all in float32, of expm1.
#include <cmath>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void elu(const Case& c) {
  if (c.floats()) return function_float(c);
  if (c.tflite()) {
    return rounded(c, [](float x) {
      return x >= 0 ? x : static_cast<float>(std::exp(static_cast<double>(x))) - 1.0f;
    });
  }
  const ir::Quantization &qx = c.in().quantization, &qy = c.out().quantization;
  const float inverse = 1.0f / qy.scale();
  const auto zero = static_cast<float>(qy.zero_point());
  for_each_value(c, [&](int32_t q) {
    const float x = qx.scale() * static_cast<float>(q - qx.zero_point());
    const float y = x >= 0 ? x : static_cast<float>(std::expm1(static_cast<double>(x)));
    return int64_t{round_even(y * inverse + zero)};
  });
}

}  // namespace presil::reference::operators
