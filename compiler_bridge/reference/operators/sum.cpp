// The sum over some axes, n values each.
// int8 and int16, with a scale of its own; the sum less its zero points keeps its low 32 bits:
//   tflite (TFLite Micro sum): multiply(sum - n * z_x, Scale of s_x / s_y in double) + z_y,
//   saturated
//   xnnpack: round_even(float32(sum - n * z_x) * float32(s_x / s_y) + float32(z_y)), saturated;
//   int16 (LiteRT's own kernel): float32(sum) * float32(s_x / s_y), ties away from zero, saturated
//   onnx, int8: round_even(float32(sum - n * z_x) * float32(s_x / s_y)) + z_y, saturated
//   fixed: with the numbers that the network states (apply_scale.h)
// int32, int64: the sum, which wraps.
#include <cmath>

#include "compiler_bridge/reference/apply_scale.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/reduce.h"
#include "compiler_bridge/reference/requantize.h"

namespace presil::reference::operators {
namespace {

template <class T>
void scaled_sum(const Case& c) {
  const auto &qx = c.in().quantization, &qy = c.out().quantization;
  const Scale scale = to_scale(static_cast<double>(qx.scale()) / static_cast<double>(qy.scale()));
  const Range range = range_of(c.out().dtype);
  const int64_t zeros = reduced_count(c) * qx.zero_point();
  const float factor = qx.scale() / qy.scale(), zero = static_cast<float>(qy.zero_point());
  const std::vector<int64_t>& fixed = c.attributes<ir::Reduce>().fixed;
  T* y = c.write<T>();
  for (int64_t sum : reduced<T>(c, int64_t{0}, [](int64_t s, T x) { return s + x; })) {
    const auto centred = static_cast<int32_t>(sum - zeros);
    const float product = static_cast<float>(c.int16() ? sum : centred) * factor;
    int64_t value = int64_t{multiply(centred, scale)} + qy.zero_point();
    if (!fixed.empty()) {
      value = qy.zero_point() + apply_scale(centred, static_cast<int32_t>(fixed[0]),
                                            static_cast<int>(fixed[1]), fixed[2] != 0);
    } else if (!c.tflite()) {
      value = c.int16()  ? static_cast<int64_t>(std::round(product))
              : c.onnx() ? int64_t{round_even(product)} + qy.zero_point()
                         : round_even(product + zero);
    }
    *y++ = static_cast<T>(value < range.low ? range.low : value > range.high ? range.high : value);
  }
}

template <class T>
void plain_sum(const Case& c) {
  const auto add = [](uint64_t sum, T x) { return sum + static_cast<uint64_t>(x); };
  T* y = c.write<T>();
  for (uint64_t sum : reduced<T>(c, uint64_t{0}, add)) *y++ = static_cast<T>(sum);
}

}  // namespace

void sum(const Case& c) {
  switch (c.in().dtype) {
    case ir::DType::kInt8:
      return scaled_sum<int8_t>(c);
    case ir::DType::kInt16:
      return scaled_sum<int16_t>(c);
    case ir::DType::kFloat32:
      return sum_float(c);
    case ir::DType::kInt32:
      return plain_sum<int32_t>(c);
    default:
      return plain_sum<int64_t>(c);
  }
}

}  // namespace presil::reference::operators
