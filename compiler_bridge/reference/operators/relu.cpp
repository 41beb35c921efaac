// y = max(x, 0), requantised: Rescale (unary.h) with s_x / s_y in double (tflite) or float32
// (xnnpack), then clamped from below at y's zero point.
#include <algorithm>

#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void relu(const Case& c) {
  const float x = c.in().quantization.scale(), y = c.out().quantization.scale();
  const Rescale rescale(c, static_cast<double>(x) / static_cast<double>(y), x / y);
  const int32_t zero = c.out().quantization.zero_point();
  for_each_value(c, [&](int32_t value) { return std::max<int64_t>(rescale(value), zero); });
}

}  // namespace presil::reference::operators
