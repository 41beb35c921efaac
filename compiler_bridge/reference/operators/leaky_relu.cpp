// y = x above zero, alpha * x below, requantised; int8 or, under tflite, int16.
// tflite (TFLite Micro): factors s_x / s_y and s_x * alpha / s_y in float32, then Scale of them.
// xnnpack (XNNPACK qs8 vlrelu): r = float32(s_x / s_y) and float32(r * alpha), in 1/256 steps.
// The rule itself is Rescale in unary.h; which factor: sign of x - z_x.
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void leaky_relu(const Case& c) {
  const float alpha = c.attributes<ir::LeakyRelu>().alpha;
  const float x_scale = c.in().quantization.scale(), y_scale = c.out().quantization.scale();
  const float ratio = x_scale / y_scale;
  const float product = x_scale * alpha;
  const Rescale above(c, static_cast<double>(ratio), ratio);
  const Rescale below(c, static_cast<double>(product / y_scale), ratio * alpha);
  const int32_t zero = c.in().quantization.zero_point();
  const auto f = [&](int32_t x) { return x >= zero ? above(x) : below(x); };
  c.out().dtype == ir::DType::kInt16 ? for_each_value<int16_t>(c, f) : for_each_value<int8_t>(c, f);
}

}  // namespace presil::reference::operators
