// The product over some axes, of stored values: int32 and int64 wrap; float32 in the order of the
// indices, last axis fastest, from 1 on, each product rounded.
#include "compiler_bridge/reference/float_order.h"
#include "compiler_bridge/reference/reduce.h"

namespace presil::reference::operators {
namespace {

template <class T>
void whole(const Case& c) {
  const auto times = [](uint64_t product, T x) { return product * static_cast<uint64_t>(x); };
  T* y = c.write<T>();
  for (uint64_t product : reduced<T>(c, uint64_t{1}, times)) *y++ = static_cast<T>(product);
}

}  // namespace

void reduce_prod(const Case& c) {
  if (c.in().dtype == ir::DType::kInt32) return whole<int32_t>(c);
  if (c.in().dtype == ir::DType::kInt64) return whole<int64_t>(c);
  float* y = c.write<float>();
  for (float product : reduced<float>(c, 1.0f, [](float p, float x) { return p * x; })) {
    *y++ = settled(product);
  }
}

}  // namespace presil::reference::operators
