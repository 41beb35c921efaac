#include "compiler_bridge/import/constants.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace presil::import {
namespace {

/// 1 sign, 5 bits of exponent, 10 of fraction.
float from_half(uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  float value = std::ldexp(static_cast<float>(exponent == 0 ? fraction : fraction + 1024),
                           (exponent == 0 ? 1 : exponent) - 25);
  if (exponent == 31) {
    value = fraction == 0 ? std::numeric_limits<float>::infinity()
                          : std::numeric_limits<float>::quiet_NaN();
  }
  return std::copysign(value, (half & 0x8000) != 0 ? -1.0f : 1.0f);
}

template <class T>
std::shared_ptr<const ir::Bytes> scaled(const ir::Tensor& constant) {
  const ir::Quantization& q = constant.quantization;
  int64_t inner = 1;  // elements from one index of the axis to the next
  for (size_t i = constant.shape.size(); q.axis >= 0 && i-- > static_cast<size_t>(q.axis) + 1;) {
    inner *= constant.shape[i];
  }
  const auto count = static_cast<size_t>(constant.elements());
  ir::Bytes bytes(count * sizeof(float));
  for (size_t i = 0; i < count; ++i) {
    const size_t k = i / static_cast<size_t>(inner) % q.scales.size();
    const auto x = static_cast<int64_t>(constant.values<T>()[i]) - q.zero_points[k];
    const float value = static_cast<float>(x) * q.scales[k];
    std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
  }
  return std::make_shared<const ir::Bytes>(std::move(bytes));
}

}  // namespace

ir::Bytes widen_halves(const uint8_t* bytes, size_t size) {
  ir::Bytes wide(2 * size);
  for (size_t i = 0; i + 1 < size; i += 2) {
    const float value = from_half(static_cast<uint16_t>(bytes[i] | bytes[i + 1] << 8));
    std::memcpy(wide.data() + 2 * i, &value, sizeof value);
  }
  return wide;
}

std::shared_ptr<const ir::Bytes> dequantized(const ir::Tensor& constant) {
  if (constant.dtype == ir::DType::kFloat32) return constant.data;
  if (!constant.quantization.present()) return nullptr;
  if (constant.dtype == ir::DType::kInt8) return scaled<int8_t>(constant);
  if (constant.dtype == ir::DType::kInt16) return scaled<int16_t>(constant);
  if (constant.dtype == ir::DType::kInt32) return scaled<int32_t>(constant);
  return nullptr;
}

}  // namespace presil::import
