// y = min(max(x, 0), 6), requantised as in relu.cpp, then the clamp of requantize.h. All of it as
// tflite under both sets: LiteRT runs TFLite's own kernel. (TFLite Micro takes equal scales
// only.) onnx: by way of float32 (Standard in unary.h), then the clamp.
#include <algorithm>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/requantize.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void relu6(const Case& c) {
  if (c.floats()) return function_float(c);
  const ir::Quantization &qx = c.in().quantization, &qy = c.out().quantization;
  if (c.onnx()) {
    const Range range = activation_range(c.graph.numerics, ir::Activation::kRelu6, c.out());
    const Standard standard(qx, qy);
    return for_each_value(c, [&](int32_t x) {
      return std::min<int64_t>(std::max<int64_t>(standard(x), range.low), range.high);
    });
  }
  const Scale scale = to_scale(static_cast<double>(qx.scale()) / static_cast<double>(qy.scale()));
  const Range range = activation_range(ir::Numerics::kTflite, ir::Activation::kRelu6, c.out());
  for_each_value(c, [&](int32_t x) {
    const int64_t y = int64_t{multiply(x - qx.zero_point(), scale)} + qy.zero_point();
    return std::min<int64_t>(std::max<int64_t>(y, range.low), range.high);
  });
}

}  // namespace presil::reference::operators
