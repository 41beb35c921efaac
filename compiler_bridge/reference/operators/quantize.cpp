// To another scale and zero point.
// From int8 or uint8: tflite multiply(x - z_x, Scale of s_x / s_y in double) + z_y; xnnpack
//   ((x - z_x) * round_even(256 * float32(s_x / s_y)) + 128) >> 8, + z_y. Saturated.
// From float32: tflite round(x / s_y) + z_y, ties away from zero; xnnpack round_even(x * float32(1
// / s_y)) + z_y. Saturated.
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {
namespace {

template <class From>
int32_t stored(const Case& c, int64_t i, const Rescale& rescale) {
  return rescale(c.read<From>()[i]);
}

template <>
int32_t stored<float>(const Case& c, int64_t i, const Rescale&) {
  const ir::Quantization& q = c.out().quantization;
  const float x = c.read<float>()[i];
  const float scaled = c.tflite() ? x / q.scale() : x * (1.0f / q.scale());
  if (!(scaled > -1e6f)) return -1000000;  // saturates; so does what is no number
  if (scaled > 1e6f) return 1000000;
  const double half = scaled >= 0 ? 0.5 : -0.5;
  const auto away = static_cast<int32_t>(static_cast<double>(scaled) + half);
  return (c.tflite() ? away : round_even(scaled)) + q.zero_point();
}

template <class From>
void convert(const Case& c) {
  const bool quantized = c.in().quantization.present();
  const float x = quantized ? c.in().quantization.scale() : 1.0f;
  const float y = c.out().quantization.scale();
  const Rescale rescale(c, static_cast<double>(x) / static_cast<double>(y), x / y);
  const bool is_signed = c.out().dtype == ir::DType::kInt8;
  uint8_t* to = c.write<uint8_t>();
  for (int64_t i = 0; i < c.in().elements(); ++i) {
    const int32_t value = stored<From>(c, i, rescale);
    to[i] = static_cast<uint8_t>(is_signed ? clamp(value, -128, 127) : clamp(value, 0, 255));
  }
}

}  // namespace

void quantize(const Case& c) {
  if (c.in().dtype == ir::DType::kInt8) return convert<int8_t>(c);
  if (c.in().dtype == ir::DType::kUint8) return convert<uint8_t>(c);
  convert<float>(c);
}

}  // namespace presil::reference::operators
