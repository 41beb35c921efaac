// The product over some axes, n values each. int32 and int64 wrap; float32 in the order of the
// indices, last axis fastest, from 1 on, each product rounded. int8 and int16 (LiteRT's, under both
// rule sets), in the same order:
//   s = Scale(s_x / s_y^(1/n)), in double; p = x_1 - z_x; p = multiply_wide(p * (x_i - z_x), s) for
//   i = 2 .. n; y = multiply_wide(p, s) + z_y, saturated. Of n = 1 the stored value.
#include <algorithm>
#include <cmath>

#include "compiler_bridge/reference/fixed_point.h"
#include "compiler_bridge/reference/float_order.h"
#include "compiler_bridge/reference/reduce.h"
#include "compiler_bridge/reference/requantize.h"

namespace presil::reference::operators {
namespace {

template <class T>
void whole(const Case& c) {
  const auto times = [](uint64_t product, T x) { return product * static_cast<uint64_t>(x); };
  T* y = c.write<T>();
  for (uint64_t product : reduced<T>(c, uint64_t{1}, times)) *y++ = static_cast<T>(product);
}

struct Product {
  bool begun;
  int32_t value;
};

template <class T>
void scaled(const Case& c) {
  const int64_t n = reduced_count(c);
  if (n == 1) {
    std::copy_n(c.read<T>(), c.in().elements(), c.write<T>());
    return;
  }
  const ir::Quantization &qx = c.in().quantization, &qy = c.out().quantization;
  const double root = std::pow(static_cast<double>(qy.scale()), 1.0 / static_cast<double>(n));
  const Scale scale = to_scale(static_cast<double>(qx.scale()) / root);
  const Range range = range_of(c.out().dtype);
  const auto times = [&](Product p, T stored) {
    const int32_t x = stored - qx.zero_point();
    return Product{true, p.begun ? multiply_wide(int64_t{p.value} * x, scale) : x};
  };
  T* y = c.write<T>();
  for (const Product& p : reduced<T>(c, Product{false, 0}, times)) {
    const int64_t v = int64_t{multiply_wide(p.value, scale)} + qy.zero_point();
    *y++ = static_cast<T>(std::clamp<int64_t>(v, range.low, range.high));
  }
}

}  // namespace

void reduce_prod(const Case& c) {
  switch (c.in().dtype) {
    case ir::DType::kInt8:
      return scaled<int8_t>(c);
    case ir::DType::kInt16:
      return scaled<int16_t>(c);
    case ir::DType::kInt32:
      return whole<int32_t>(c);
    case ir::DType::kInt64:
      return whole<int64_t>(c);
    default:
      break;
  }
  float* y = c.write<float>();
  for (float product : reduced<float>(c, 1.0f, [](float p, float x) { return p * x; })) {
    *y++ = settled(product);
  }
}

}  // namespace presil::reference::operators
