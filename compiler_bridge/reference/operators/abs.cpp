// y = |x|, int8 or int16: multiply(|x - z_x|, Scale(s_x / s_y)) + z_y, saturated
// (TFLite Micro's abs, its ratio in double, and LiteRT's own kernel, in float32).
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void abs(const Case& c) {
  if (c.floats()) return function_float(c);
  const float x = c.in().quantization.scale(), y = c.out().quantization.scale();
  const float quotient = x / y;
  const Scale scale = to_scale(c.tflite() ? static_cast<double>(x) / static_cast<double>(y)
                                          : static_cast<double>(quotient));
  const int32_t zero = c.in().quantization.zero_point();
  const auto f = [&](int32_t stored) {
    const int32_t v = stored - zero;
    return int64_t{multiply(v < 0 ? -v : v, scale)} + c.out().quantization.zero_point();
  };
  c.out().dtype == ir::DType::kInt16 ? for_each_value<int16_t>(c, f) : for_each_value<int8_t>(c, f);
}

}  // namespace presil::reference::operators
