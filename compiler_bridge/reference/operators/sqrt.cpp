// y = floor(sqrt(x) * float32(1 / s_y)) + z_y, saturated, with x = s_x * (q - z_x), root and
// product in float32: LiteRT's sqrt; TFLite Micro has none for int8. Below 0, where LiteRT stops,
// as at 0.
#include <cmath>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void sqrt(const Case& c) {
  if (c.floats()) return function_float(c);
  const ir::Quantization &qx = c.in().quantization, &qy = c.out().quantization;
  const float inverse = 1.0f / qy.scale();
  for_each_value(c, [&](int32_t q) {
    const float x = qx.scale() * static_cast<float>(q - qx.zero_point());
    const float steps = x > 0 ? std::sqrt(x) * inverse : 0.0f;
    return static_cast<int32_t>(steps < 1024 ? steps : 1024) + qy.zero_point();
  });
}

}  // namespace presil::reference::operators
