// y = x above zero, alpha * x below, alpha broadcast; int8 or int16 with alpha int8.
//   x - z_x >= 0: multiply(x - z_x, Scale(s_x / s_y)) + z_y,
//   else multiply((x - z_x) * (alpha - z_alpha), Scale(s_x * s_alpha / s_y)) + z_y, saturated.
// tflite (TFLite Micro): the ratios in double; xnnpack (LiteRT's own kernel): in float32.
#include <algorithm>

#include "compiler_bridge/reference/elementwise.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/requantize.h"

namespace presil::reference::operators {
namespace {

template <class T>
void prelu_of(const Case& c) {
  const auto &qx = c.in(0).quantization, &qa = c.in(1).quantization, &qy = c.out().quantization;
  const float x = qx.scale(), alpha = qa.scale(), y = qy.scale();
  const float ratio = x / y, product = x * alpha / y;
  const double wide_x = x, wide_alpha = alpha, wide_y = y;
  const Scale above = to_scale(c.tflite() ? wide_x / wide_y : static_cast<double>(ratio));
  const Scale below =
      to_scale(c.tflite() ? wide_x * wide_alpha / wide_y : static_cast<double>(product));
  const Range range = range_of(c.out().dtype);
  for_each_pair<T, int8_t>(c, [&](T value, int8_t a) {
    const int32_t v = value - qx.zero_point();
    const int64_t scaled = v >= 0 ? multiply(v, above) : multiply(v * (a - qa.zero_point()), below);
    return static_cast<T>(std::clamp<int64_t>(scaled + qy.zero_point(), range.low, range.high));
  });
}

}  // namespace

void prelu(const Case& c) {
  if (c.floats()) return prelu_float(c);
  c.out().dtype == ir::DType::kInt16 ? prelu_of<int16_t>(c) : prelu_of<int8_t>(c);
}

}  // namespace presil::reference::operators
