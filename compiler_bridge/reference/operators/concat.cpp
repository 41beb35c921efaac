// Inputs one behind the other along an axis. An int8 input with another scale or zero point than y
// is requantised on the way by the rule of quantize.cpp; the fused clamp comes last.
// (The runtimes of both rule sets take equal quantisation only, where this is a copy.)
#include <algorithm>

#include "compiler_bridge/reference/requantize.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {
namespace {

void requantize(const Case& c, const ir::Tensor& from, Range range, uint8_t* bytes, size_t count) {
  const ir::Quantization &qx = from.quantization, &qy = c.out().quantization;
  const Scale scale = to_scale(static_cast<double>(qx.scale()) / static_cast<double>(qy.scale()));
  const int64_t factor = round_even(256.0f * (qx.scale() / qy.scale()));
  for (size_t i = 0; i < count; ++i) {
    int64_t value = static_cast<int8_t>(bytes[i]);
    if (qx != qy) {
      const int32_t x = static_cast<int32_t>(value) - qx.zero_point();
      value = (c.tflite() ? multiply(x, scale) : (x * factor + 128) >> 8) + qy.zero_point();
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
