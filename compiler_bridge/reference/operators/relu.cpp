// y = max(x, 0), int8 or, under tflite, int16, requantised: multiply(x - z_x, Scale of s_x / s_y in
// double) + z_y, then clamped from below at z_y. Under both sets: XNNPACK takes equal scales alone,
// where nothing changes, and LiteRT computes the others by TFLite's own kernel. onnx: by way of
// float32 (Standard in unary.h), then the same clamp.
#include <algorithm>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void relu(const Case& c) {
  if (c.floats()) return function_float(c);
  const ir::Quantization &qx = c.in().quantization, &qy = c.out().quantization;
  const Scale scale = to_scale(static_cast<double>(qx.scale()) / static_cast<double>(qy.scale()));
  const int32_t zero = qy.zero_point();
  if (c.onnx() && c.out().dtype == ir::DType::kInt8) {
    const Standard standard(qx, qy);
    return for_each_value(c, [&](int32_t x) { return std::max<int64_t>(standard(x), zero); });
  }
  const auto f = [&](int32_t x) {
    return std::max<int64_t>(int64_t{multiply(x - qx.zero_point(), scale)} + zero, zero);
  };
  c.out().dtype == ir::DType::kInt16 ? for_each_value<int16_t>(c, f) : for_each_value<int8_t>(c, f);
}

}  // namespace presil::reference::operators
