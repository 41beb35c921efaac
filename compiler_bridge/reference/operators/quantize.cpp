// To another scale and zero point, saturated.
// From integers: tflite multiply(x - z_x, Scale of s_x / s_y in double) + z_y; xnnpack, int8 and
//   uint8 alone, ((x - z_x) * round_even(256 * float32(s_x / s_y)) + 128) >> 8, + z_y, for a
//   quotient of 2^-8 to 2^7, else as tflite. x - z_x keeps its low 32 bits.
// From float32: tflite round(x / s_y) + z_y, ties away from zero; xnnpack round_even(x * float32(1
// / s_y)) + z_y; onnx (the standard's QuantizeLinear) round_even(x / s_y) + z_y.
// Under onnx from int8 to int8, too, by way of float32: (x - z_x) * s_x, then as from float32.
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {
namespace {

template <class To>
void from_float(const Case& c) {
  constexpr int32_t kLow = std::numeric_limits<To>::min(), kHigh = std::numeric_limits<To>::max();
  const ir::Quantization& q = c.out().quantization;
  for (int64_t i = 0; i < c.in().elements(); ++i) {
    const float x = c.read<float>()[i];
    const float scaled = c.tflite() || c.onnx() ? x / q.scale() : x * (1.0f / q.scale());
    // Far outside every value saturates alike; so does what is no number, downwards.
    const float near = !(scaled > -1e6f) ? -1e6f : scaled > 1e6f ? 1e6f : scaled;
    const double half = near >= 0 ? 0.5 : -0.5;  // in double the sum is exact
    const int32_t rounded =
        c.tflite() ? static_cast<int32_t>(static_cast<double>(near) + half) : round_even(near);
    const int32_t y = rounded + q.zero_point();
    c.write<To>()[i] = static_cast<To>(y < kLow ? kLow : y > kHigh ? kHigh : y);
  }
}

template <class From, class To>
void from_integer(const Case& c) {
  const bool quantized = c.in().quantization.present();
  if (c.onnx() && quantized && sizeof(From) == 1 && sizeof(To) == 1) {
    return for_each_value<From, To>(c, Standard(c.in().quantization, c.out().quantization));
  }
  const float x = quantized ? c.in().quantization.scale() : 1.0f;
  const float y = c.out().quantization.scale();
  const bool bytes = sizeof(From) == 1 && sizeof(To) == 1;
  const Rescale rescale(c, static_cast<double>(x) / static_cast<double>(y), x / y,
                        bytes && Rescale::xnnpack_takes(x / y));
  for_each_value<From, To>(c, rescale);
}

template <class To>
void convert(const Case& c) {
  switch (c.in().dtype) {
    case ir::DType::kInt8:
      return from_integer<int8_t, To>(c);
    case ir::DType::kUint8:
      return from_integer<uint8_t, To>(c);
    case ir::DType::kInt16:
      return from_integer<int16_t, To>(c);
    case ir::DType::kInt32:
      return from_integer<int32_t, To>(c);
    default:
      return from_float<To>(c);
  }
}

}  // namespace

void quantize(const Case& c) {
  switch (c.out().dtype) {
    case ir::DType::kUint8:
      return convert<uint8_t>(c);
    case ir::DType::kInt16:
      return convert<int16_t>(c);
    case ir::DType::kInt32:
      return convert<int32_t>(c);
    default:
      return convert<int8_t>(c);
  }
}

}  // namespace presil::reference::operators
