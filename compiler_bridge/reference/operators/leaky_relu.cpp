// y = x above zero, alpha * x below, requantised; int8 or int16.
// tflite (TFLite Micro): factors s_x / s_y and s_x * alpha / s_y in double, then Scale of them.
// xnnpack (XNNPACK qs8 vlrelu; of int8): r = float32(s_x / s_y) and float32(r * alpha), in 1/256
// steps, where XNNPACK takes both: r of 2^-8 to 2^7, r * alpha of 2^-8 up in magnitude and
// -127.99609375..128; else LiteRT's own kernel: as tflite, but the factors in float32. The rule
// itself is Rescale in unary.h; which factor: sign of x - z_x.
#include <cmath>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void leaky_relu(const Case& c) {
  if (c.floats()) return function_float(c);
  const float alpha = c.attributes<ir::LeakyRelu>().alpha;
  const float x_scale = c.in().quantization.scale(), y_scale = c.out().quantization.scale();
  const float ratio = x_scale / y_scale;
  const float product = x_scale * alpha;
  const float slope = ratio * alpha;
  const bool taken = !c.int16() && Rescale::xnnpack_takes(ratio) && std::abs(slope) >= 0x1p-8f &&
                     slope >= -0x1.FFFCp6f && slope <= 0x1p7f;
  const double x_wide = x_scale, y_wide = y_scale, alpha_wide = alpha;
  const double exact = x_wide / y_wide, exact_below = x_wide * alpha_wide / y_wide;
  const Rescale above(c, c.tflite() ? exact : double{ratio}, ratio, taken);
  const Rescale below(c, c.tflite() ? exact_below : double{product / y_scale}, slope, taken);
  const int32_t zero = c.in().quantization.zero_point();
  const auto f = [&](int32_t x) { return x >= zero ? above(x) : below(x); };
  c.out().dtype == ir::DType::kInt16 ? for_each_value<int16_t>(c, f) : for_each_value<int8_t>(c, f);
}

}  // namespace presil::reference::operators
