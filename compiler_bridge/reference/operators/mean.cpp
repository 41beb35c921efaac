// The mean over some axes, n values each, with a scale of its own; int8 or int16.
// tflite (TFLite Micro mean), and int16 under xnnpack (LiteRT's own kernel): Scale of s_x / s_y in
// double, then 1 / n goes into it:
//   k = min(floor(log2 n), 32, 31 + shift); multiplier = (multiplier << k) / n truncating, shift -=
//   k; y = multiply(sum - n * z_x, that) + z_y, saturated.
// xnnpack: round_even(float32(sum - n * z_x) * float32(s_x / float32(s_y * n)) + float32(z_y)),
//   saturated: a half goes to the even stored value, whatever z_y is.
// onnx, int8: round_even(float32(sum - n * z_x) * float32(s_x / (s_y * n))) + z_y, the scale
//   rounded once: as QuantizeLinear has it, a half goes to the even number of steps.
#include <algorithm>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/reduce.h"
#include "compiler_bridge/reference/requantize.h"

namespace presil::reference::operators {
namespace {

template <class T>
void mean_of(const Case& c) {
  const auto &qx = c.in(0).quantization, &qy = c.out().quantization;
  const auto sums = reduced<T>(c, int64_t{0}, [](int64_t sum, T x) { return sum + x; });
  const int64_t n = reduced_count(c);

  Scale scale = to_scale(static_cast<double>(qx.scale()) / static_cast<double>(qy.scale()));
  int floor_log2 = 0;
  while (n >> (floor_log2 + 1) != 0) ++floor_log2;
  const int k = std::min({floor_log2, 32, 31 + scale.shift});
  scale.multiplier =
      static_cast<int32_t>(static_cast<int64_t>(scale.multiplier) * (int64_t{1} << k) / n);
  scale.shift -= k;
  const float factor =
      c.onnx() ? static_cast<float>(static_cast<double>(qx.scale()) /
                                    (static_cast<double>(qy.scale()) * static_cast<double>(n)))
               : qx.scale() / (qy.scale() * static_cast<float>(n));

  const Range range = range_of(c.out().dtype);
  const bool by_scale = c.tflite() || c.int16();
  T* y = c.write<T>();
  for (int64_t sum : sums) {
    const auto centred = static_cast<int32_t>(sum - n * qx.zero_point());
    const float zero = static_cast<float>(qy.zero_point());
    const float steps = static_cast<float>(centred) * factor;
    const int64_t value = by_scale   ? int64_t{multiply(centred, scale)} + qy.zero_point()
                          : c.onnx() ? int64_t{round_even(steps)} + qy.zero_point()
                                     : round_even(steps + zero);
    *y++ = static_cast<T>(std::clamp<int64_t>(value, range.low, range.high));
  }
}

}  // namespace

void mean(const Case& c) {
  if (c.floats()) return mean_float(c);
  c.out().dtype == ir::DType::kInt16 ? mean_of<int16_t>(c) : mean_of<int8_t>(c);
}

}  // namespace presil::reference::operators
