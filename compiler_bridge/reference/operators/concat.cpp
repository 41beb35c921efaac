// Inputs one after the other along an axis. An int8 input with another scale or zero point than y
// is requantised on the way; the fused clamp comes last.
//   By default: the rule of quantize.cpp. No runtime concatenates such int8 tensors: TFLite refuses
//   them, TFLite Micro copies their bytes.
//   in_float, for bytes that are uint8 in their file, the same under both rule sets: as TFLite's
//   kernel of uint8 has it (tensorflow/lite/kernels/internal/reference/concatenation.h; XNNPACK
//   leaves such tensors to it). Each operation in float32:
//     f = s_x * (1 / s_y),  b = -(z_x + 128) * f,  y = round((x + 128) * f + b) + z_y, saturated;
//   round to nearest, ties away from zero. 128 brings values back to 0..255: their products are
//   rounded before the zero point's is taken off.
#include <algorithm>

#include "compiler_bridge/reference/requantize.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {
namespace {

int64_t as_unsigned_bytes(int64_t x, const ir::Quantization& qx, const ir::Quantization& qy) {
  const float factor = qx.scale() * (1.0f / qy.scale());
  const float offset = static_cast<float>(-(qx.zero_point() + 128)) * factor;
  const float product = static_cast<float>(x + 128) * factor;
  const float sum = product + offset;
  const double near = std::min(std::max(static_cast<double>(sum), -1e6), 1e6);
  return static_cast<int64_t>(near + (near >= 0 ? 0.5 : -0.5)) + qy.zero_point();
}

void requantize(const Case& c, const ir::Tensor& from, Range range, uint8_t* bytes, size_t count) {
  const ir::Quantization &qx = from.quantization, &qy = c.out().quantization;
  const bool in_float = c.attributes<ir::Concat>().in_float;
  const Scale scale = to_scale(static_cast<double>(qx.scale()) / static_cast<double>(qy.scale()));
  const float ratio = qx.scale() / qy.scale();
  const bool tflite = c.tflite() || !Rescale::xnnpack_takes(ratio);
  const int64_t factor = round_even(256.0f * ratio);
  for (size_t i = 0; i < count; ++i) {
    int64_t value = static_cast<int8_t>(bytes[i]);
    if (qx != qy && in_float) {
      value = as_unsigned_bytes(value, qx, qy);
    } else if (qx != qy && c.onnx()) {
      value = Standard(qx, qy)(static_cast<int32_t>(value));
    } else if (qx != qy) {
      const int32_t x = static_cast<int32_t>(value) - qx.zero_point();
      value = (tflite ? multiply(x, scale) : (x * factor + 128) >> 8) + qy.zero_point();
    }
    value = std::min<int64_t>(std::max<int64_t>(value, range.low), range.high);
    bytes[i] = static_cast<uint8_t>(value);
  }
}

}  // namespace

void concat(const Case& c) {
  const auto& a = c.attributes<ir::Concat>();
  const auto axis = static_cast<size_t>(a.axis);
  const auto& shape = c.out().shape;
  int64_t outer = 1;
  for (size_t i = 0; i < axis; ++i) outer *= shape[i];
  const size_t row = c.out().bytes() / static_cast<size_t>(outer);
  size_t column = 0;
  for (size_t k = 0; k < c.op.inputs.size(); ++k) {
    const size_t part = c.in(k).bytes() / static_cast<size_t>(outer);
    const bool changes =
        c.in(k).quantization != c.out().quantization || a.act != ir::Activation::kNone;
    for (size_t i = 0; i < static_cast<size_t>(outer); ++i) {
      uint8_t* to = c.write<uint8_t>() + i * row + column;
      std::copy_n(c.read<uint8_t>(k) + i * part, part, to);
      if (changes) {
        requantize(c, c.in(k), activation_range(c.graph.numerics, a.act, c.out()), to, part);
      }
    }
    column += part;
  }
}

}  // namespace presil::reference::operators
